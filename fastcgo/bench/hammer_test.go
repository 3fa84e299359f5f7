//go:build cgo && linux && amd64

package bench

import (
	"bytes"
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

	"rustgo.dev/fastcgo"
)

var hammerTime = flag.Duration("hammer", 2*time.Second, "how long TestHammer runs")

// The test calls real libraries from many goroutines while the collector, the profiler and the tracer work. Like real programs, it also makes calls
// by purego and cgo.
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
			go func() { ok <- work(g, i, crc, siphash) }() // runs on a new, small stack
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
