package promises

import (
	"math"
	"runtime"
	"testing"

	"rustgo.dev/go/rt"
	memory "scratch/unwinding_memory"
)

// A panic for whose exception there is no memory abandons its frames. No exception is freed twice because of it, and later panics unwind as always.
func TestUnwindingWithoutMemory(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
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
