package promises

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	_ "unsafe" // for linkname

	"scratch/system"
)

// Goroutines hold a lock for some time in turn, while the collector stops all of them.
func TestWaitForLock(t *testing.T) {
	const each, held = 200, 1000
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for at := range times(each) {
				system.Add(held)
				if at%50 == 0 {
					runtime.GC()
				}
			}
		}()
	}
	all.Wait()
	if got, want := system.Add(0), uint64(8*times(each)*held); got != want {
		t.Errorf("the sum is %d instead of %d", got, want)
	}
}

// A wait for a lock that is never released ends in a panic, in bounded time.
func TestWaitForEver(t *testing.T) {
	if !alone {
		t.Skip("takes 10 s")
	}
	system.Lock()
	defer system.Unlock()
	began := time.Now()
	p := panicked(t, "Lock", func() { system.Lock() })
	if took := time.Since(began); took < 9*time.Second {
		t.Errorf("waited %v", took)
	}
	if !strings.HasPrefix(p.Message, "waited 10 s for a lock") {
		t.Error(p.Message)
	}
}

// Goroutines that make system calls at the same time see their own errno values.
func TestErrno(t *testing.T) {
	n := uint64(times(20_000))
	var all sync.WaitGroup
	for which := range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 50 {
				if !system.Errno(which%2 == 0, n/50) {
					t.Errorf("goroutine %d finds another number", which)
				}
			}
		}()
	}
	all.Wait()
}

// A write of more bytes than a pipe holds arrives completely.
func TestWrite(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 {
		t.Skip("the reader cannot run before the call is over")
	}
	// With the collector on, there would be a deadlock: it would wait for the call, the call for the pipe's reader, and the reader for the collector.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	text := strings.Repeat("0123456789abcde\n", 1<<14)
	for _, stream := range []int{1, 2} {
		got := redirected(t, stream, func() {
			for rest := text; rest != ""; {
				n := system.WriteText(int32(stream), rest)
				if n <= 0 {
					t.Errorf("stream %d: error %d", stream, -n)
					return
				}
				rest = rest[n:]
			}
		})
		if !bytes.Equal(got, []byte(text)) {
			t.Errorf("stream %d: %d bytes of %d have arrived", stream, len(got), len(text))
		}
	}
	if got := system.WriteText(3, text); got != -int64(syscall.EBADF) {
		t.Errorf("another stream: %d", got)
	}
}

// A write to a full pipe that nobody reads ends with an error, in bounded time.
func TestWriteToNobody(t *testing.T) {
	if !alone {
		t.Skip("takes 10 s")
	}
	text := strings.Repeat("x", 1<<20)
	wrote, last := 0, int64(0)
	began := time.Now()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	kept, err := syscall.Dup(1)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(kept)
	syscall.Dup3(int(writer.Fd()), 1, 0)
	for last >= 0 && wrote < len(text) {
		if last = system.WriteText(1, text[wrote:]); last > 0 {
			wrote += int(last)
		}
	}
	syscall.Dup3(kept, 1, 0)
	if took := time.Since(began); took < 9*time.Second {
		t.Errorf("took %v", took)
	}
	if last != -int64(syscall.EAGAIN) || wrote < 4096 {
		t.Errorf("%d bytes written, then %d", wrote, last)
	}
}

//go:linkname getAuxv runtime.getAuxv
func getAuxv() []uintptr

// Rust code sees the processor features that the kernel reports.
func TestHardware(t *testing.T) {
	pageSize, features, features2, unknown := system.Hardware()
	want := map[uintptr]uint{}
	for vector := getAuxv(); len(vector) >= 2; vector = vector[2:] {
		want[vector[0]] = uint(vector[1])
	}
	if pageSize != uint(os.Getpagesize()) || features != want[16] || features2 != want[26] || unknown != 0 {
		t.Errorf("%d, %#x, %#x, %d; the vector is %#x", pageSize, features, features2, unknown, want)
	}
	if features == 0 {
		t.Error("no features")
	}
}

// Goroutines that request random bytes at the same time get different bytes.
func TestRandom(t *testing.T) {
	var mutex sync.Mutex
	var all sync.WaitGroup
	seen := map[[16]byte]bool{}
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range times(1000) {
				var bytes [16]byte
				ok := system.Random(bytes[:])
				mutex.Lock()
				if !ok || seen[bytes] {
					t.Errorf("%x: %v", bytes, ok)
				}
				seen[bytes] = true
				mutex.Unlock()
			}
		}()
	}
	all.Wait()
}
