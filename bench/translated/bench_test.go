// Package translated compares packages that are translated from WebAssembly with Go packages that do the same. It builds for every processor:
//
//	go test -bench . ./translated                              the machine code
//	go test -bench . -tags purego ./translated                 the translated code
//	GOARCH=386 CGO_ENABLED=0 go test -bench . ./translated     both sides as on a processor for which neither has assembly
package translated

import (
	"bytes"
	"fmt"
	"testing"

	lukechampine "lukechampine.com/blake3"

	zeebo3 "github.com/zeebo/blake3"
	"github.com/zeebo/xxh3"

	"rustgo.dev/bench/internal/processor"
	"rustgo.dev/packages/blake3"
	rustxxh3 "rustgo.dev/packages/xxh3"
)

func measure(b *testing.B, name string, size int, run func()) {
	b.Run(name, func(b *testing.B) {
		b.SetBytes(int64(size))
		worked := processor.Time()
		for range b.N {
			run()
		}
		processor.Report(b, processor.Time()-worked, b.N)
	})
}

var sizes = []int{64, 4 << 10, 1 << 20}

func BenchmarkXXH3(b *testing.B) {
	for _, size := range sizes {
		data := bytes.Repeat([]byte{7}, size)
		if rustxxh3.Sum64(data) != xxh3.Hash(data) {
			b.Fatal("the sums differ")
		}
		measure(b, fmt.Sprintf("%d/rustgo", size), size, func() { rustxxh3.Sum64(data) })
		measure(b, fmt.Sprintf("%d/Go-zeebo", size), size, func() { xxh3.Hash(data) })
	}
}

func BenchmarkBLAKE3(b *testing.B) {
	for _, size := range sizes {
		data := bytes.Repeat([]byte{7}, size)
		var sum [32]byte
		if blake3.Sum256(&sum, data); sum != lukechampine.Sum256(data) {
			b.Fatal("the sums differ")
		}
		measure(b, fmt.Sprintf("%d/rustgo", size), size, func() { blake3.Sum256(&sum, data) })
		measure(b, fmt.Sprintf("%d/Go-lukechampine", size), size, func() { sum = lukechampine.Sum256(data) })
		measure(b, fmt.Sprintf("%d/Go-zeebo", size), size, func() { sum = zeebo3.Sum256(data) })
	}
}
