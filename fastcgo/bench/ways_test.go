//go:build cgo && linux && amd64

package bench

import (
	"bytes"
	"crypto/ed25519"
	"hash/crc32"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"rustgo.dev/fastcgo"
	"rustgo.dev/fastcgo/bench/bare"
	"rustgo.dev/fixtures/callcost"
)

var (
	boundIncrement = fastcgo.Bind[func(uint64) uint64](increment)
	boundWeigh     = fastcgo.Bind[func(a, b, c, d, e, f uint64) uint64](weigh)
	boundScale     = fastcgo.Bind[func(x, y float64) float64](scale)
	boundBlocking  = fastcgo.Bind[func(uint64) uint64](increment, fastcgo.Blocking())
)

// group is a list of ways to call one C function.
type group struct {
	name string
	ways []way
}

// way is one way to call C. Its loop calls C directly, because a call through a func value would add time. The loop counter is in memory during
// calls, so counting each call would take longer than the call itself. Therefore the loop has n rounds of four calls. If C has a result, each call
// depends on the result of the previous call.
type way struct {
	name string
	kind kind
	loop func(n int) (right bool)
}

const callsPerRound = 4

type kind int

const (
	ours     kind = iota // a direct call of fastcgo
	blocking             // a call that tells the scheduler
	cgo
	peer  // a call of C by another package, which does not use cgo's code
	noCgo // no C is called
)

func groups(tb testing.TB) []group {
	var purged func(uint64) uint64
	purego.RegisterFunc(&purged, uintptr(increment))
	return []group{
		{"x+1", []way{
			{"fastcgo-Bind", ours, func(n int) bool {
				var x uint64
				for range n {
					x = boundIncrement(x)
					x = boundIncrement(x)
					x = boundIncrement(x)
					x = boundIncrement(x)
				}
				return x == uint64(4*n)
			}},
			{"fastcgo-UnsafeCall1Return1", ours, func(n int) bool {
				var x uintptr
				for range n {
					x = fastcgo.UnsafeCall1Return1(increment, x)
					x = fastcgo.UnsafeCall1Return1(increment, x)
					x = fastcgo.UnsafeCall1Return1(increment, x)
					x = fastcgo.UnsafeCall1Return1(increment, x)
				}
				return x == uintptr(4*n)
			}},
			{"fastcgo-UnsafeBlockingCall", blocking, func(n int) bool {
				var x uintptr
				for range n {
					x = fastcgo.UnsafeBlockingCall(increment, x)
					x = fastcgo.UnsafeBlockingCall(increment, x)
					x = fastcgo.UnsafeBlockingCall(increment, x)
					x = fastcgo.UnsafeBlockingCall(increment, x)
				}
				return x == uintptr(4*n)
			}},
			{"fastcgo-Bind-Blocking", blocking, func(n int) bool {
				var x uint64
				for range n {
					x = boundBlocking(x)
					x = boundBlocking(x)
					x = boundBlocking(x)
					x = boundBlocking(x)
				}
				return x == uint64(4*n)
			}},
			{"cgo", cgo, func(n int) bool {
				var x uint64
				for range n {
					x = cgoIncrement(x)
					x = cgoIncrement(x)
					x = cgoIncrement(x)
					x = cgoIncrement(x)
				}
				return x == uint64(4*n)
			}},
			{"cgo-noescape-nocallback", peer, func(n int) bool {
				var x uint64
				for range n {
					x = cgoIncrementQuiet(x)
					x = cgoIncrementQuiet(x)
					x = cgoIncrementQuiet(x)
					x = cgoIncrementQuiet(x)
				}
				return x == uint64(4*n)
			}},
			{"bare-switch", peer, func(n int) bool {
				var x uintptr
				for range n {
					x = bare.Call1(increment, x)
					x = bare.Call1(increment, x)
					x = bare.Call1(increment, x)
					x = bare.Call1(increment, x)
				}
				return x == uintptr(4*n)
			}},
			{"purego-SyscallN", peer, func(n int) bool {
				var x uintptr
				for range n {
					x, _, _ = purego.SyscallN(uintptr(increment), x)
					x, _, _ = purego.SyscallN(uintptr(increment), x)
					x, _, _ = purego.SyscallN(uintptr(increment), x)
					x, _, _ = purego.SyscallN(uintptr(increment), x)
				}
				return x == uintptr(4*n)
			}},
			{"purego-RegisterFunc", peer, func(n int) bool {
				var x uint64
				for range n {
					x = purged(x)
					x = purged(x)
					x = purged(x)
					x = purged(x)
				}
				return x == uint64(4*n)
			}},
			{"rustgo", noCgo, func(n int) bool { // the same function in Rust, in a Go package: no C is called
				var x uint64
				for range n {
					x = callcost.Increment(x)
					x = callcost.Increment(x)
					x = callcost.Increment(x)
					x = callcost.Increment(x)
				}
				return x == uint64(4*n)
			}},
		}},
		{"six-arguments", []way{
			{"fastcgo-Bind", ours, func(n int) bool {
				var x uint64
				for range n {
					x = boundWeigh(x, 1, 1, 1, 1, 1)
					x = boundWeigh(x, 1, 1, 1, 1, 1)
					x = boundWeigh(x, 1, 1, 1, 1, 1)
					x = boundWeigh(x, 1, 1, 1, 1, 1)
				}
				return x == weighed(n)
			}},
			{"fastcgo-UnsafeCall6Return1", ours, func(n int) bool {
				var x uintptr
				for range n {
					x = fastcgo.UnsafeCall6Return1(weigh, x, 1, 1, 1, 1, 1)
					x = fastcgo.UnsafeCall6Return1(weigh, x, 1, 1, 1, 1, 1)
					x = fastcgo.UnsafeCall6Return1(weigh, x, 1, 1, 1, 1, 1)
					x = fastcgo.UnsafeCall6Return1(weigh, x, 1, 1, 1, 1, 1)
				}
				return uint64(x) == weighed(n)
			}},
			{"cgo", cgo, func(n int) bool {
				var x uint64
				for range n {
					x = cgoWeigh(x, 1, 1, 1, 1, 1)
					x = cgoWeigh(x, 1, 1, 1, 1, 1)
					x = cgoWeigh(x, 1, 1, 1, 1, 1)
					x = cgoWeigh(x, 1, 1, 1, 1, 1)
				}
				return x == weighed(n)
			}},
			{"cgo-noescape-nocallback", peer, func(n int) bool {
				var x uint64
				for range n {
					x = cgoWeighQuiet(x, 1, 1, 1, 1, 1)
					x = cgoWeighQuiet(x, 1, 1, 1, 1, 1)
					x = cgoWeighQuiet(x, 1, 1, 1, 1, 1)
					x = cgoWeighQuiet(x, 1, 1, 1, 1, 1)
				}
				return x == weighed(n)
			}},
			{"bare-switch", peer, func(n int) bool {
				var x uintptr
				for range n {
					x = bare.Call6(weigh, x, 1, 1, 1, 1, 1)
					x = bare.Call6(weigh, x, 1, 1, 1, 1, 1)
					x = bare.Call6(weigh, x, 1, 1, 1, 1, 1)
					x = bare.Call6(weigh, x, 1, 1, 1, 1, 1)
				}
				return uint64(x) == weighed(n)
			}},
		}},
		{"two-floats", []way{
			{"fastcgo-Bind", ours, func(n int) bool {
				x := 1.0
				for range n {
					x = boundScale(x, 1)
					x = boundScale(x, 1)
					x = boundScale(x, 1)
					x = boundScale(x, 1)
				}
				return x == 1
			}},
			{"cgo", cgo, func(n int) bool {
				x := 1.0
				for range n {
					x = cgoScale(x, 1)
					x = cgoScale(x, 1)
					x = cgoScale(x, 1)
					x = cgoScale(x, 1)
				}
				return x == 1
			}},
		}},
		zlibCRC32(tb),
		sodiumSipHash(tb),
		sodiumSign(tb),
	}
}

func weighed(n int) uint64 { return uint64(4*n) * (2 + 3 + 4 + 5 + 6) }

func zlibCRC32(tb testing.TB) group {
	f := library(tb, "libz.so.1", "zlib1g", "crc32")
	text := bytes.Repeat([]byte{1, 2, 3, 4}, 16)
	bound := fastcgo.Bind[func(uint32, *byte, uint32) uint32](f)
	want := func(n int) uint32 { // each checksum starts from the preceding checksum
		var x uint32
		for range n {
			x = crc32.Update(x, crc32.IEEETable, text)
			x = crc32.Update(x, crc32.IEEETable, text)
			x = crc32.Update(x, crc32.IEEETable, text)
			x = crc32.Update(x, crc32.IEEETable, text)
		}
		return x
	}
	return group{"zlib-crc32-64B", []way{
		{"fastcgo-Bind", ours, func(n int) bool {
			var x uint32
			for range n {
				x = bound(x, &text[0], 64)
				x = bound(x, &text[0], 64)
				x = bound(x, &text[0], 64)
				x = bound(x, &text[0], 64)
			}
			return n > 100 || x == want(n)
		}},
		{"fastcgo-UnsafeCall3Return1", ours, func(n int) bool {
			var x uintptr
			for range n {
				x = fastcgo.UnsafeCall3Return1(f, x, uintptr(unsafe.Pointer(&text[0])), 64)
				x = fastcgo.UnsafeCall3Return1(f, x, uintptr(unsafe.Pointer(&text[0])), 64)
				x = fastcgo.UnsafeCall3Return1(f, x, uintptr(unsafe.Pointer(&text[0])), 64)
				x = fastcgo.UnsafeCall3Return1(f, x, uintptr(unsafe.Pointer(&text[0])), 64)
			}
			return n > 100 || uint32(x) == want(n)
		}},
		{"cgo", cgo, func(n int) bool {
			var x uint32
			for range n {
				x = cgoCRC32(f, x, &text[0], 64)
				x = cgoCRC32(f, x, &text[0], 64)
				x = cgoCRC32(f, x, &text[0], 64)
				x = cgoCRC32(f, x, &text[0], 64)
			}
			return n > 100 || x == want(n)
		}},
	}}
}

func sodiumSipHash(tb testing.TB) group {
	f := sodium(tb, "crypto_shorthash_siphash24")
	var out, want, in, key [16]byte
	bound := fastcgo.Bind[func(out, in *byte, n uint64, key *byte) int32](f)
	bound(&want[0], &in[0], 16, &key[0])
	return group{"libsodium-siphash-16B", []way{
		{"fastcgo-Bind", ours, func(n int) bool {
			for range n {
				bound(&out[0], &in[0], 16, &key[0])
				bound(&out[0], &in[0], 16, &key[0])
				bound(&out[0], &in[0], 16, &key[0])
				bound(&out[0], &in[0], 16, &key[0])
			}
			return out == want
		}},
		{"fastcgo-UnsafeCall4Return1", ours, func(n int) bool {
			for range n {
				fastcgo.UnsafeCall4Return1(f, uintptr(unsafe.Pointer(&out)), uintptr(unsafe.Pointer(&in)), 16, uintptr(unsafe.Pointer(&key)))
				fastcgo.UnsafeCall4Return1(f, uintptr(unsafe.Pointer(&out)), uintptr(unsafe.Pointer(&in)), 16, uintptr(unsafe.Pointer(&key)))
				fastcgo.UnsafeCall4Return1(f, uintptr(unsafe.Pointer(&out)), uintptr(unsafe.Pointer(&in)), 16, uintptr(unsafe.Pointer(&key)))
				fastcgo.UnsafeCall4Return1(f, uintptr(unsafe.Pointer(&out)), uintptr(unsafe.Pointer(&in)), 16, uintptr(unsafe.Pointer(&key)))
			}
			return out == want
		}},
		{"cgo", cgo, func(n int) bool {
			for range n {
				cgoSipHash(f, &out[0], &in[0], 16, &key[0])
				cgoSipHash(f, &out[0], &in[0], 16, &key[0])
				cgoSipHash(f, &out[0], &in[0], 16, &key[0])
				cgoSipHash(f, &out[0], &in[0], 16, &key[0])
			}
			return out == want
		}},
	}}
}

func sodiumSign(tb testing.TB) group {
	f := sodium(tb, "crypto_sign_detached")
	pk, sk, err := ed25519.GenerateKey(nil)
	if err != nil {
		tb.Fatal(err)
	}
	var sig, m [64]byte
	bound := fastcgo.Bind[func(sig, n, m *byte, length uint64, sk *byte) int32](f, fastcgo.NeedStack(16<<10))
	return group{"libsodium-sign-64B", []way{
		{"fastcgo-Bind-NeedStack", ours, func(n int) bool {
			for range n {
				bound(&sig[0], nil, &m[0], 64, &sk[0])
				bound(&sig[0], nil, &m[0], 64, &sk[0])
				bound(&sig[0], nil, &m[0], 64, &sk[0])
				bound(&sig[0], nil, &m[0], 64, &sk[0])
			}
			return n > 100 || ed25519.Verify(pk, m[:], sig[:])
		}},
		{"cgo", cgo, func(n int) bool {
			for range n {
				cgoSign(f, &sig[0], &m[0], 64, &sk[0])
				cgoSign(f, &sig[0], &m[0], 64, &sk[0])
				cgoSign(f, &sig[0], &m[0], 64, &sk[0])
				cgoSign(f, &sig[0], &m[0], 64, &sk[0])
			}
			return n > 100 || ed25519.Verify(pk, m[:], sig[:])
		}},
	}}
}

// The test checks the results of all ways.
func TestWays(t *testing.T) {
	for _, g := range groups(t) {
		for _, w := range g.ways {
			if !w.loop(10) {
				t.Errorf("%s by %s: a wrong result", g.name, w.name)
			}
		}
	}
}

func BenchmarkCallC(b *testing.B) {
	for _, g := range groups(b) {
		for _, w := range g.ways {
			b.Run(g.name+"/"+w.name, func(b *testing.B) {
				if !w.loop((b.N + callsPerRound - 1) / callsPerRound) {
					b.Error("a wrong result")
				}
			})
		}
	}
}
