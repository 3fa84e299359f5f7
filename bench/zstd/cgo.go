//go:build cgo && linux

package main

import datadog "github.com/DataDog/zstd"

func init() {
	cgo = func(level int) way {
		// It keeps the library's context from call to call, as rustgo's pool does.
		context := datadog.NewCtx()
		return way{"C by cgo",
			func(dst, src []byte) []byte { return must(context.CompressLevel(dst[:cap(dst)], src, level)) },
			func(dst, src []byte) []byte { return must(context.Decompress(dst[:cap(dst)], src)) },
		}
	}
}
