// Package bench compares packages made by rustgo with other implementations of the same functions; see METHOD.md.
//
// The last part of a benchmark's name is the implementation; the names of rustgo's implementations begin with "rustgo".
package bench

import (
	"fmt"
	"testing"

	filippo "filippo.io/edwards25519"
	zeebo "github.com/zeebo/blake3"
	lukechampine "lukechampine.com/blake3"

	"rustgo.dev/bench/internal/byhand"
	"rustgo.dev/bench/internal/viacgo"
	"rustgo.dev/fixtures/callcost"
	"rustgo.dev/packages/blake3"
	"rustgo.dev/packages/edwards25519"
)

func inlined(x uint64) uint64 { return x + 1 }

//go:noinline
func notInlined(x uint64) uint64 { return x + 1 }

// Each loop of BenchmarkCall is written out, because a call through a function value would cost as much as the measured call. Each call has the
// result of the previous call as its argument, so that the processor cannot execute two calls at the same time.

func BenchmarkCall(b *testing.B) {
	check := func(b *testing.B, x uint64) {
		if x != uint64(b.N) {
			b.Fatalf("got %d after %d calls", x, b.N)
		}
	}
	b.Run("Go-inlined", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = inlined(x)
		}
		check(b, x)
	})
	b.Run("Go-noinline", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = notInlined(x)
		}
		check(b, x)
	})
	b.Run("Go-assembly", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = byhand.Increment(x)
		}
		check(b, x)
	})
	b.Run("rustgo-fused", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = callcost.Increment(x)
		}
		check(b, x)
	})
	b.Run("rustgo-levels", func(b *testing.B) {
		level := callcost.AddLevel(0)
		var x uint64
		for range b.N {
			x = callcost.AddLevel(x)
		}
		check(b, x/level)
	})
	b.Run("rustgo-framed", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = callcost.FramedIncrement(x)
		}
		check(b, x)
	})
	b.Run("rustgo-blocking", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = callcost.BlockingIncrement(x)
		}
		check(b, x)
	})
	b.Run("cgo-C", func(b *testing.B) {
		if !viacgo.Available {
			b.Skip("no C compiler")
		}
		var x uint64
		for range b.N {
			x = viacgo.Increment(x)
		}
		check(b, x)
	})
}

func BenchmarkScalarBaseMult(b *testing.B) {
	var dst, k [32]byte
	for i := range k {
		k[i] = byte(i*7 + 3)
	}
	b.Run("rustgo", func(b *testing.B) {
		for range b.N {
			edwards25519.ScalarBaseMult(&dst, &k)
		}
	})
	b.Run("Go-filippo.io", func(b *testing.B) {
		for range b.N {
			// These steps equal the steps of edwards25519.ScalarBaseMult: reduce the scalar, multiply, encode.
			var wide [64]byte
			copy(wide[:], k[:])
			s, _ := new(filippo.Scalar).SetUniformBytes(wide[:])
			copy(dst[:], new(filippo.Point).ScalarBaseMult(s).Bytes())
		}
	})
	b.Run("cgo-Rust", func(b *testing.B) {
		if !viacgo.RustAvailable {
			b.Skip("built without the tag rustnative")
		}
		for range b.N {
			viacgo.ScalarBaseMult(&dst, &k)
		}
	})
}

func BenchmarkBLAKE3_1MiB(b *testing.B) {
	msg := make([]byte, 1<<20)
	for i := range msg {
		msg[i] = byte(i % 251)
	}
	var dst [32]byte
	run := func(name string, sum func()) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(msg)))
			for range b.N {
				sum()
			}
		})
	}
	run("rustgo", func() { blake3.Sum256(&dst, msg) })
	run("Go-zeebo", func() { dst = zeebo.Sum256(msg) })
	run("Go-lukechampine", func() { dst = lukechampine.Sum256(msg) })
	if viacgo.RustAvailable {
		run("cgo-Rust", func() { viacgo.Sum256(&dst, msg) })
	}
}

func BenchmarkMemmove(b *testing.B) {
	for _, size := range []int{64, 4 << 10, 64 << 10, 1 << 20, 16 << 20} {
		src, dst := make([]byte, size), make([]byte, size)
		for i := range size { // touches each page
			src[i], dst[i] = 1, 2
		}
		b.Run(fmt.Sprintf("%s/rustgo", sizeName(size)), func(b *testing.B) {
			b.SetBytes(int64(size))
			for range b.N {
				callcost.CopyBytes(dst, src)
			}
		})
		b.Run(fmt.Sprintf("%s/Go-copy", sizeName(size)), func(b *testing.B) {
			b.SetBytes(int64(size))
			for range b.N {
				copy(dst, src)
			}
		})
	}
}

func sizeName(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%dMiB", n>>20)
	}
	if n >= 1<<10 {
		return fmt.Sprintf("%dKiB", n>>10)
	}
	return fmt.Sprintf("%dB", n)
}
