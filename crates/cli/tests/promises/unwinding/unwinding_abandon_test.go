package promises

import (
	"runtime"
	"strings"
	"testing"

	abandon "scratch/unwinding_abandon"
)

// In a panic below an export with panic = "abandon", destructors run only in functions that other exports reach too.
func TestAbandoningExports(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	words := []uint64{1, 2, 3}
	const bounds = "index out of bounds: the len is 3 but the index is "
	for range times(100) {
		for name, c := range map[string]struct {
			call    func()
			message string
			frame   string // the first frame that is not core's
			dropped uint64
		}{
			"Unwinds":        {func() { abandon.Unwinds(words, 3) }, bounds + "3", "shared", 101},
			"Abandons":       {func() { abandon.Abandons(words, 4) }, bounds + "4", "shared", 1},
			"AbandonsAtOnce": {func() { abandon.AbandonsAtOnce(words, 5) }, bounds + "5", "bandons", 0},
			"Leaf":           {func() { abandon.Leaf(new([4]uint64), 6) }, "index out of bounds: the len is 4 but the index is 6", "eaf", 0},
			"Blocks":         {func() { abandon.Blocks(words, 7) }, bounds + "7", "shared", 1},
			"Budget":         {func() { abandon.Budget(words, 9) }, bounds + "3", "shared", 1},
			"Catches":        {func() { abandon.Catches(8) }, "index out of bounds: the len is 2 but the index is 8", "shared", 1},
		} {
			p := panicked(t, name, c.call)
			if p.Message != c.message || p.Line == 0 || !strings.HasSuffix(p.File, "lib.rs") {
				t.Errorf("%s: %q at %s:%d", name, p.Message, p.File, p.Line)
			}
			frames := p.Frames
			for len(frames) > 0 && strings.HasPrefix(frames[0].Function, "core.") {
				frames = frames[1:]
			}
			if len(frames) == 0 || !strings.Contains(frames[0].Function, c.frame) {
				t.Errorf("%s: the frames are %+v", name, p.Frames)
			} else if last := p.Frames[len(p.Frames)-1].Function; !strings.HasSuffix(strings.ToLower(strings.ReplaceAll(last, "_", "")), strings.ToLower(name)) {
				t.Errorf("%s: the last frame is %s", name, last)
			}
			if got := abandon.Dropped(); got != c.dropped {
				t.Errorf("%s: dropped %d, want %d", name, got, c.dropped)
			}
		}
	}
	if got := abandon.Abandons(words, 2); got != 7 || abandon.Dropped() != 1011 {
		t.Error("a call that does not panic drops other guards")
	}
}

// Unwinding stops at a function whose destructors do not run, even if an export whose panics unwind has called the function. The panic is not
// caught, and no code of the callers runs.
func TestFunctionsOfAbandoningExports(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	words := []uint64{1, 2, 3}
	for range times(100) {
		abandon.Dropped()
		stored := abandon.NewStored(1000)
		if got := stored.Call(words, 1); got != 9 || abandon.Dropped() != 1100 {
			t.Errorf("without a panic: got %d", got)
		}
		p := panicked(t, "Call", func() { stored.Call(words, 3) })
		if p.Message != "index out of bounds: the len is 3 but the index is 3" || !strings.HasSuffix(p.Frames[len(p.Frames)-1].Function, "Stored_Call") {
			t.Errorf("%q, frames %+v", p.Message, p.Frames)
		}
		if p := panicked(t, "Call", func() { stored.Call(words, 1) }); p.Message != "Stored.Call: the Stored cannot be used any more: a call of Stored.Call panicked" {
			t.Error(p)
		}
		stored.Close()
		if got := abandon.Dropped(); got != 0 {
			t.Errorf("dropped %d", got)
		}
	}
}

// After a panic of either kind an object cannot be used. Its value is dropped only if the panic has unwound.
func TestObjectsOfAbandoningMethods(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range times(100) {
		abandon.Dropped()
		c := abandon.NewCounter(7)
		panicked(t, "Unwind", func() { c.Unwind(true) })
		if p := panicked(t, "Abandon", func() { c.Abandon(false) }); p.Message != "Counter.Abandon: the Counter cannot be used any more: a call of Counter.Unwind panicked" {
			t.Error(p.Message)
		}
		c.Close()
		if got := abandon.Dropped(); got != 107 {
			t.Errorf("dropped %d after Unwind", got)
		}
		c = abandon.NewCounter(7)
		panicked(t, "Abandon", func() { c.Abandon(true) })
		if p := panicked(t, "Unwind", func() { c.Unwind(false) }); p.Message != "Counter.Unwind: the Counter cannot be used any more: a call of Counter.Abandon panicked" {
			t.Error(p.Message)
		}
		c.Close()
		if got := abandon.Dropped(); got != 0 {
			t.Errorf("dropped %d after Abandon", got)
		}
		c = abandon.NewCounter(7)
		sum := uint64(0)
		p := panicked(t, "Up", func() {
			for n := range c.Up(5) {
				sum += n
			}
		})
		if p.Message != "the last number was 5" || sum != 6 {
			t.Errorf("%q after the sum %d", p.Message, sum)
		}
		if p := panicked(t, "Unwind", func() { c.Unwind(false) }); p.Message != "Counter.Unwind: the Counter cannot be changed any more: a call of Counter.Up panicked" {
			t.Error(p.Message)
		}
		c.Close()
		if got := abandon.Dropped(); got != 0 {
			t.Errorf("dropped %d after Up", got)
		}
	}
}
