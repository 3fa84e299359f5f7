package promises

import (
	"bytes"
	"math"
	"runtime"
	"testing"

	"rustgo.dev/go/rt"
	memory "scratch/unwinding_memory"
)

// If there is no memory for the exception of a panic, the panic abandons its frames. No exception is freed twice, and later panics unwind as always.
func TestUnwindingWithoutMemory(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// Exhaust takes the free memory of its processor. On another processor the panic would find free memory.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer rt.SetMemoryLimit(math.MaxUint64)
	works := func(round int, after string) {
		t.Helper()
		for range 3 {
			if p := panicked(t, "Panics", memory.Panics); p.Message != "static text" || p.Line == 0 {
				t.Fatalf("round %d, after %s: %+v", round, after, p)
			}
			if got := memory.Catches(); got != 6 || memory.Panicking() || !memory.ResumesCaught() {
				t.Fatalf("round %d, after %s: caught %d, panicking %v", round, after, got, memory.Panicking())
			}
		}
	}
	memory.Prepare(1 << 20)
	lost := 0
	for round := range times(20) {
		for after, f := range map[string]func(){
			"Panics": memory.Panics, "Resumes": memory.Resumes, "Catches": func() { memory.Catches() }, "ResumesCaught": func() { memory.ResumesCaught() },
		} {
			works(round, "nothing")
			rt.SetMemoryLimit(1)
			if memory.Exhaust() == 0 {
				t.Fatal("no memory was free")
			}
			memory.GiveText()
			for range 1 + round%2 {
				if p := panicked(t, after, f); p.Message != "static text" {
					lost++
				}
			}
			rt.SetMemoryLimit(math.MaxUint64)
			if round%3 == 0 {
				memory.GiveAll()
			}
			works(round, after)
			memory.GiveAll()
		}
	}
	if lost == 0 {
		t.Error("there was memory for all exceptions")
	}
}

// A failed allocation is an ordinary panic: destructors run, and catch_unwind catches. No memory is lost, and the next call can use it again.
func TestFailedAllocations(t *testing.T) {
	// The first panic of a thread makes thread-local variables.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	panicked(t, "Panics", memory.Panics)
	defer rt.SetMemoryLimit(math.MaxUint64)
	for way := range uint8(10) {
		for range times(5) {
			rt.SetMemoryLimit(math.MaxUint64)
			before := rt.HeapLive()
			rt.SetMemoryLimit(16 << 20)
			var dropped [1]uint64
			if p := panicked(t, "Fails", func() { memory.Fails(way, &dropped) }); p.Message != "memory allocation failed" || dropped[0] != 1 {
				t.Errorf("way %d: %+v, dropped %d guards", way, p, dropped[0])
			}
			if live := rt.HeapLive(); live != before {
				t.Errorf("way %d: %d bytes are live, before the panic %d", way, live, before)
			}
			if got := memory.FailsCaught(way); got != 1 || rt.HeapLive() != before || memory.Panicking() {
				t.Errorf("way %d: dropped %d guards, %d bytes are live, before %d", way, got, rt.HeapLive(), before)
			}
		}
	}
}

// If there is no memory for more elements, and Rust catches the panic, the elements appended before are not lost.
func TestFailedAppend(t *testing.T) {
	// The first panic of a thread makes thread-local variables.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	panicked(t, "Panics", memory.Panics)
	defer rt.SetMemoryLimit(math.MaxUint64)
	before := rt.HeapLive()
	first, more := []byte("first elements"), bytes.Repeat([]byte{7}, 1<<20)
	rt.SetMemoryLimit(64 << 20)
	got, n := memory.AppendFails([]byte("dst "), first, more)
	rt.SetMemoryLimit(math.MaxUint64)
	middle := got[min(len(got), 18):max(min(len(got), 18), len(got)-len(first))]
	if n < 1<<20 || len(got) != 4+n || !bytes.HasPrefix(got, []byte("dst first elements")) || !bytes.HasSuffix(got, first) || len(bytes.Trim(middle, "\x07")) > 0 {
		t.Errorf("%d elements, want %d: %q … %q", len(got), 4+n, got[:min(len(got), 20)], got[max(0, len(got)-20):])
	}
	if live := rt.HeapLive(); live != before {
		t.Errorf("%d bytes are live, before %d", live, before)
	}
}
