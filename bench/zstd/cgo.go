//go:build cgo && linux

package main

import datadog "github.com/DataDog/zstd"

func init() {
	cgo = func(level int) way {
		// All calls reuse this context, because packages/zstd reuses contexts too, from a pool.
		context := datadog.NewCtx()
		return way{"C by cgo",
			func(dst, src []byte) []byte { return must(context.CompressLevel(dst[:cap(dst)], src, level)) },
			func(dst, src []byte) []byte { return must(context.Decompress(dst[:cap(dst)], src)) },
		}
	}
}
