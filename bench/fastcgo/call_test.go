//go:build cgo && linux && amd64

package fastcgo

import (
	"bytes"
	"compress/zlib"
	"crypto/ed25519"
	"encoding/hex"
	"flag"
	"hash/crc32"
	"io"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"

	"rustgo.dev/bench/fastcgo/bare"
	"rustgo.dev/go/fastcgo"
	"rustgo.dev/packages/callcost"
)

var (
	boundIncrement = fastcgo.Bind[func(uint64) uint64](increment)
	boundWeigh     = fastcgo.Bind[func(a, b, c, d, e, f uint64) uint64](weigh)
	boundScale     = fastcgo.Bind[func(x, y float64) float64](scale)
	boundBlocking  = fastcgo.Bind[func(uint64) uint64](increment, fastcgo.Blocking())
)

// check ends a benchmark in which each call needed the result of the one before.
func check(b *testing.B, x, want uint64) {
	b.Helper()
	if x != want {
		b.Fatalf("got %d, want %d", x, want)
	}
}

// The loops are written out: a call through a function value would count as well.

func BenchmarkCallC(b *testing.B) {
	n := func(b *testing.B) uint64 { return uint64(b.N) }
	b.Run("fastcgo-UnsafeCall1Return1", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = uint64(fastcgo.UnsafeCall1Return1(increment, uintptr(x)))
		}
		check(b, x, n(b))
	})
	b.Run("fastcgo-Bind", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = boundIncrement(x)
		}
		check(b, x, n(b))
	})
	b.Run("fastcgo-Blocking", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = boundBlocking(x)
		}
		check(b, x, n(b))
	})
	b.Run("fastcgo-UnsafeBlockingCall", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = uint64(fastcgo.UnsafeBlockingCall(increment, uintptr(x)))
		}
		check(b, x, n(b))
	})
	b.Run("bare-switch", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = uint64(bare.Call1(increment, uintptr(x)))
		}
		check(b, x, n(b))
	})
	b.Run("cgo", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = cgoIncrement(x)
		}
		check(b, x, n(b))
	})
	b.Run("cgo-noescape-nocallback", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = cgoIncrementQuiet(x)
		}
		check(b, x, n(b))
	})
	b.Run("purego-RegisterFunc", func(b *testing.B) {
		var f func(uint64) uint64
		purego.RegisterFunc(&f, uintptr(increment))
		var x uint64
		for range b.N {
			x = f(x)
		}
		check(b, x, n(b))
	})
	b.Run("purego-SyscallN", func(b *testing.B) {
		var x uintptr
		for range b.N {
			x, _, _ = purego.SyscallN(uintptr(increment), x)
		}
		check(b, uint64(x), n(b))
	})
	b.Run("rustgo", func(b *testing.B) { // the same function in Rust: no C is called
		var x uint64
		for range b.N {
			x = callcost.Increment(x)
		}
		check(b, x, n(b))
	})
}

func BenchmarkSixArguments(b *testing.B) {
	want := func(b *testing.B) uint64 { return uint64(b.N) * (2 + 3 + 4 + 5 + 6) }
	b.Run("fastcgo-UnsafeCall6Return1", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = uint64(fastcgo.UnsafeCall6Return1(weigh, uintptr(x), 1, 1, 1, 1, 1))
		}
		check(b, x, want(b))
	})
	b.Run("fastcgo-Bind", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = boundWeigh(x, 1, 1, 1, 1, 1)
		}
		check(b, x, want(b))
	})
	b.Run("bare-switch", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = uint64(bare.Call6(weigh, uintptr(x), 1, 1, 1, 1, 1))
		}
		check(b, x, want(b))
	})
	b.Run("cgo", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = cgoWeigh(x, 1, 1, 1, 1, 1)
		}
		check(b, x, want(b))
	})
	b.Run("cgo-noescape-nocallback", func(b *testing.B) {
		var x uint64
		for range b.N {
			x = cgoWeighQuiet(x, 1, 1, 1, 1, 1)
		}
		check(b, x, want(b))
	})
}

func BenchmarkFloats(b *testing.B) {
	b.Run("fastcgo-Bind", func(b *testing.B) {
		x := 1.0
		for range b.N {
			x = boundScale(x, 1)
		}
		check(b, uint64(x), 1)
	})
	b.Run("cgo", func(b *testing.B) {
		x := 1.0
		for range b.N {
			x = cgoScale(x, 1)
		}
		check(b, uint64(x), 1)
	})
}

// library finds a function, or skips.
func library(tb testing.TB, file, pkg, name string) unsafe.Pointer {
	f := symbol(file, name)
	if f == nil {
		tb.Skipf("no %s in %s: scripts/setup installs %s", name, file, pkg)
	}
	return f
}

func sodium(tb testing.TB, name string) unsafe.Pointer {
	fastcgo.UnsafeCall0(library(tb, "libsodium.so.23", "libsodium23", "sodium_init"))
	return library(tb, "libsodium.so.23", "libsodium23", name)
}

func TestZlib(t *testing.T) {
	crc := fastcgo.Bind[func(uint, *byte, uint32) uint](library(t, "libz.so.1", "zlib1g", "crc32"))
	text := bytes.Repeat([]byte("a quick brown fox. "), 1000)
	if got, want := crc(0, &text[0], uint32(len(text))), crc32.ChecksumIEEE(text); uint32(got) != want {
		t.Errorf("crc32 = %#x, want %#x", got, want)
	}
	compress := fastcgo.Bind[func(*byte, *uint, *byte, uint, int32) int32](library(t, "libz.so.1", "zlib1g", "compress2"), fastcgo.NeedStack(16<<10))
	packed := make([]byte, len(text)+100)
	n := uint(len(packed))
	if e := compress(&packed[0], &n, &text[0], uint(len(text)), 9); e != 0 {
		t.Fatalf("compress2 returns %d", e)
	}
	r, err := zlib.NewReader(bytes.NewReader(packed[:n]))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, text) || int(n) > len(text)/10 {
		t.Errorf("%d bytes are packed to %d and unpacked to %d: %v", len(text), n, len(got), err)
	}
}

func TestSodium(t *testing.T) {
	siphash := fastcgo.Bind[func(out, in *byte, n uint64, key *byte) int32](sodium(t, "crypto_shorthash_siphash24"))
	var key [16]byte
	var in [15]byte
	for i := range key {
		key[i] = byte(i)
	}
	copy(in[:], key[:])
	var out [8]byte
	siphash(&out[0], &in[0], 15, &key[0])
	if got := hex.EncodeToString(out[:]); got != "e545be4961ca29a1" { // the paper's example
		t.Errorf("SipHash is %s", got)
	}
	sign := fastcgo.Bind[func(sig *byte, n *uint64, m *byte, length uint64, sk *byte) int32](sodium(t, "crypto_sign_detached"), fastcgo.NeedStack(16<<10))
	pk, sk, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	var sig [64]byte
	if sign(&sig[0], nil, &in[0], 15, &sk[0]) != 0 || !ed25519.Verify(pk, in[:], sig[:]) {
		t.Error("Go does not accept libsodium's signature")
	}
}

func BenchmarkZlibCRC32_64B(b *testing.B) {
	f := library(b, "libz.so.1", "zlib1g", "crc32")
	text := make([]byte, 64)
	bound := fastcgo.Bind[func(uint32, *byte, uint32) uint32](f)
	b.Run("fastcgo-Bind", func(b *testing.B) {
		var x uint32
		for range b.N {
			x = bound(x, &text[0], 64)
		}
	})
	b.Run("fastcgo-UnsafeCall3Return1", func(b *testing.B) {
		var x uintptr
		for range b.N {
			x = fastcgo.UnsafeCall3Return1(f, x, uintptr(unsafe.Pointer(&text[0])), 64)
		}
	})
	b.Run("cgo", func(b *testing.B) {
		var x uint32
		for range b.N {
			x = cgoCRC32(f, x, &text[0], 64)
		}
	})
}

func BenchmarkSodiumSipHash_16B(b *testing.B) {
	f := sodium(b, "crypto_shorthash_siphash24")
	var out, in, key [16]byte
	bound := fastcgo.Bind[func(out, in *byte, n uint64, key *byte) int32](f)
	b.Run("fastcgo-Bind", func(b *testing.B) {
		for range b.N {
			bound(&out[0], &in[0], 16, &key[0])
		}
	})
	b.Run("fastcgo-UnsafeCall4Return1", func(b *testing.B) {
		for range b.N {
			fastcgo.UnsafeCall4Return1(f, uintptr(unsafe.Pointer(&out)), uintptr(unsafe.Pointer(&in)), 16, uintptr(unsafe.Pointer(&key)))
		}
	})
	b.Run("cgo", func(b *testing.B) {
		for range b.N {
			cgoSipHash(f, &out[0], &in[0], 16, &key[0])
		}
	})
}

func BenchmarkSodiumSign_64B(b *testing.B) {
	f := sodium(b, "crypto_sign_detached")
	_, sk, _ := ed25519.GenerateKey(nil)
	var sig, m [64]byte
	bound := fastcgo.Bind[func(sig, n, m *byte, length uint64, sk *byte) int32](f, fastcgo.NeedStack(16<<10))
	b.Run("fastcgo-Bind", func(b *testing.B) {
		for range b.N {
			bound(&sig[0], nil, &m[0], 64, &sk[0])
		}
	})
	b.Run("cgo", func(b *testing.B) {
		for range b.N {
			cgoSign(f, &sig[0], &m[0], 64, &sk[0])
		}
	})
}

var hammerTime = flag.Duration("hammer", 2*time.Second, "how long TestHammer runs")

// Real libraries called from many goroutines while the collector, the profiler and the tracer work; purego's and cgo's calls are
// mixed in, since programs mix them.
func TestHammer(t *testing.T) {
	crc := fastcgo.Bind[func(uint, *byte, uint32) uint](library(t, "libz.so.1", "zlib1g", "crc32"))
	siphash := fastcgo.Bind[func(out, in *byte, n uint64, key *byte) int32](sodium(t, "crypto_shorthash_siphash24"))
	if err := trace.Start(io.Discard); err != nil {
		t.Fatal(err)
	}
	defer trace.Stop()
	runtime.SetCPUProfileRate(2000)
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Fatal(err)
	}
	defer pprof.StopCPUProfile()
	stop := make(chan bool)
	var wg sync.WaitGroup
	run := func(f func(i int) bool) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				if !f(i) {
					t.Error("a wrong result")
					return
				}
			}
		}()
	}
	run(func(int) bool { runtime.GC(); return true })
	for g := range 16 {
		run(func(i int) bool {
			ok := make(chan bool)
			go func() { ok <- work(g, i, crc, siphash) }() // on a new, small stack
			return <-ok
		})
	}
	time.Sleep(*hammerTime)
	close(stop)
	wg.Wait()
}

func work(g, i int, crc func(uint, *byte, uint32) uint, siphash func(out, in *byte, n uint64, key *byte) int32) bool {
	text := bytes.Repeat([]byte{byte(g), byte(i)}, 100)
	good := uint32(crc(0, &text[0], 200)) == crc32.ChecksumIEEE(text)
	var a, b [8]byte
	for range 20 {
		siphash(&a[0], &text[0], 64, &text[16])
		fastcgo.UnsafeCall4Return1(symbolSipHash, uintptr(unsafe.Pointer(&b)), uintptr(unsafe.Pointer(&text[0])), 64, uintptr(unsafe.Pointer(&text[16])))
		good = good && a == b && boundScale(float64(i), 2) == float64(2*i)
	}
	r, _, _ := purego.SyscallN(uintptr(increment), uintptr(i))
	return good && r == uintptr(i)+1 && cgoIncrement(uint64(i)) == uint64(i)+1 && deep(i%100) == i%100+1 && boundBlocking(uint64(i)) == uint64(i)+1
}

var symbolSipHash = symbol("libsodium.so.23", "crypto_shorthash_siphash24")

//go:noinline
func deep(n int) int {
	var frame [512]byte
	frame[n%len(frame)] = 1
	if n == 0 {
		return int(frame[0])
	}
	return deep(n-1) + int(frame[n%len(frame)])
}
