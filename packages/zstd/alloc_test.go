//go:build !race

// Under the race detector sync.Pool drops a part of what is put into it, by chance, so that contexts are made anew there.

package zstd_test

import (
	"testing"

	"rustgo.dev/packages/zstd"
)

func TestNoAllocation(t *testing.T) {
	src := sample("text", 1000, 1)
	dst := make([]byte, 0, 4096)
	packed, _ := zstd.AppendCompress(nil, src, 3)
	for name, call := range map[string]func(){
		"AppendCompress":   func() { zstd.AppendCompress(dst, src, 3) },
		"AppendDecompress": func() { zstd.AppendDecompress(dst, packed, 1000) },
	} {
		if n := testing.AllocsPerRun(100, call); n >= 1 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
