//go:build !race

// This file is excluded from builds with the race detector. There a sync.Pool drops some of its values at random, so contexts are allocated again.

package zstd_test

import (
	"bytes"
	"io"
	"testing"

	"rustgo.dev/packages/internal/buildinfo"
	"rustgo.dev/packages/zstd"
)

func TestNoAllocation(t *testing.T) {
	if !buildinfo.Optimised() {
		t.Skip("without optimisation more values escape")
	}
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

// The pieces of a stream cost no allocation. A whole stream costs none if the encoder and decoder are used again.
func TestStreamsDoNotAllocate(t *testing.T) {
	if !buildinfo.Optimised() {
		t.Skip("without optimisation more values escape")
	}
	src := sample("text", 1000, 1)
	long := sample("text", 300000, 1)
	packed, _ := zstd.AppendCompress(nil, long, 3)
	e := zstd.NewEncoder(io.Discard, nil)
	d := new(zstd.Decoder)
	r := bytes.NewReader(nil)
	buffer := make([]byte, 8192)
	for name, call := range map[string]func(){
		"Write":        func() { e.Write(src) },
		"a long Write": func() { e.Write(long) },
		"Flush":        func() { e.Write(src); e.Flush() },
		"a stream":     func() { e.Write(src); e.Close(); e.Reset(io.Discard) },
		"ReadFrom":     func() { r.Reset(long); e.ReadFrom(r) },
		"Read": func() {
			r.Reset(packed)
			d.Reset(r)
			for {
				if _, err := d.Read(buffer); err != nil {
					break
				}
			}
			d.Close()
		},
		"short Reads": func() {
			r.Reset(packed)
			d.Reset(r)
			for range 100 {
				d.Read(buffer[:10])
			}
		},
	} {
		if n := testing.AllocsPerRun(100, call); n >= 1 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
