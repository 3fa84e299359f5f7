package promises

import (
	"math"
	"runtime"
	"testing"

	"rustgo.dev/go/rt"
	border "scratch/unwinding_border"
)

// A panic while code of the boundary converts results, or after a call has appended, loses no memory and drops each value.
func TestUnwindingTheBorder(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const large = "a result is too large for Go's int (18446744073709551615)"
	dst := make([]byte, 50, 200)
	consume := func(f func(*border.Thing)) func() {
		return func() {
			thing := border.NewThing()
			defer thing.Close()
			f(thing)
		}
	}
	for name, c := range map[string]struct {
		message string
		call    func(bad bool)
	}{
		"text":        {"the text fails", func(bad bool) { border.Fail(map[bool]uint8{true: 1}[bad]) }},
		"source":      {"the source fails", func(bad bool) { border.Fail(map[bool]uint8{true: 2}[bad]) }},
		"cause":       {"the text of a cause fails", func(bad bool) { border.Fail(map[bool]uint8{true: 3}[bad]) }},
		"next cause":  {"the text of a cause fails", func(bad bool) { border.Fail(map[bool]uint8{true: 4}[bad]) }},
		"field":       {large, func(bad bool) { border.Fail(map[bool]uint8{true: 5}[bad]) }},
		"first":       {"the text fails", func(bad bool) { border.Choose(false, map[bool]string{true: "bad"}[bad], false) }},
		"first large": {large, func(bad bool) { border.Choose(false, "a long text that owns memory", bad) }},
		"second":      {"the text fails with Part(1)", func(bad bool) { border.Choose(true, map[bool]string{true: "bad"}[bad], false) }},
		"pair":        {large, func(bad bool) { border.Pair(bad) }},
		"triple":      {large, func(bad bool) { border.Triple(bad) }},
		"boxed":       {large, func(bad bool) { border.Boxed(bad) }},
		"pairs": {large, func(bad bool) {
			for range border.Pairs(bad) {
			}
		}},
		"several": {large, func(bad bool) {
			one, list, _ := border.ThingSeveral(bad)
			for _, thing := range append(list, one) {
				thing.Close()
			}
		}},
		"add":            {"nothing more can be added", func(bad bool) { border.Add(dst, 90, map[bool]uint8{true: 3}[bad]) }},
		"add and fail":   {"the text fails", func(bad bool) { border.Add(dst, 90, map[bool]uint8{false: 1, true: 2}[bad]) }},
		"add to nothing": {"nothing more can be added", func(bad bool) { border.Add(nil, 1, map[bool]uint8{true: 3}[bad]) }},
		"add what fits":  {"nothing more can be added", func(bad bool) { border.Add(dst, 1, map[bool]uint8{true: 3}[bad]) }},
		"dump":           {"dump fails", func(bad bool) { consume(func(thing *border.Thing) { thing.Dump(dst, bad) })() }},
		"dump and consume": {"dump fails", func(bad bool) {
			consume(func(thing *border.Thing) { _, other := thing.Both(dst, bad); other.Close() })()
		}},
	} {
		c.call(false)
		panicked(t, name, func() { c.call(true) })
		alive, before := border.Alive(), rt.HeapLive()
		for range times(20) {
			c.call(false)
			if p := panicked(t, name, func() { c.call(true) }); p.Message != c.message {
				t.Errorf("%s: %q", name, p.Message)
			}
		}
		if got := border.Alive(); got != alive || alive != 0 {
			t.Errorf("%s: %d parts exist, before %d", name, got, alive)
		}
		if got := rt.HeapLive(); got != before {
			t.Errorf("%s: %d bytes are live, before %d", name, got, before)
		}
	}
}

// The destructor of an iterator may panic. Afterwards the iterator's object is as after any other panic that unwinds, and no value is lost.
func TestUnwindingDestructorsOfIterators(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	drop := func(seq func(func(uint64) bool), most int) func() {
		return func() {
			for range seq {
				if most--; most == 0 {
					break
				}
			}
		}
	}
	const fails = "the iterator's destructor fails"
	alive := border.Alive()
	var live uint64
	for round := range times(20) {
		for most := range 3 {
			thing := border.NewThing()
			if p := panicked(t, "Each", drop(thing.Each(true), most)); p.Message != fails {
				t.Error(p)
			}
			if got := thing.Push(1); got != 10 {
				t.Errorf("after Each the thing has %d words", got)
			}
			panicked(t, "Drain", drop(thing.Drain(true), most))
			if p := panicked(t, "Push", func() { thing.Push(1) }); p.Message != "Thing.Push: the Thing cannot be used any more: a call of Thing.Drain panicked" {
				t.Error(p)
			}
			thing.Close()
			safe := border.NewSafe()
			panicked(t, "Drain", drop(safe.Drain(true), most))
			if got := safe.Push(1); got != 1 {
				t.Errorf("after Drain the safe thing has %d words", got)
			}
			for _, steps := range []bool{false, true} {
				for _, ends := range []bool{false, true} {
					consumed := border.NewSafe()
					into := drop(consumed.Into(steps, ends), 9*most)
					if steps && most != 0 || ends {
						panicked(t, "Into", into)
					} else if !steps {
						into()
					} else {
						panicked(t, "Into", into)
					}
					if p := panicked(t, "Push", func() { consumed.Push(1) }); p.Message != "Safe.Push: the Safe is closed" {
						t.Errorf("steps %v, ends %v: %v", steps, ends, p)
					}
				}
			}
			safe.Close()
		}
		if round == 0 {
			live = rt.HeapLive()
		}
	}
	if got := border.Alive(); got != alive {
		t.Errorf("%d parts exist, before %d", got, alive)
	}
	if got := rt.HeapLive(); got != live {
		t.Errorf("%d bytes are live, before %d", got, live)
	}
}

// The first panic on a thread needs more memory than later panics. It gets this memory even if the limit leaves none.
func TestFirstPanicWithoutMemory(t *testing.T) {
	defer rt.SetMemoryLimit(math.MaxUint64)
	words := []uint64{1}
	for n := range times(20) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			runtime.LockOSThread() // without unlocking, so that the thread ends
			rt.SetMemoryLimit(1)
			if n%2 == 0 {
				if got := border.CaughtWithoutMemory(words, 9); got != 9 {
					t.Errorf("caught: got %d", got)
				}
			} else if p := panicked(t, "Add", func() { border.Add(nil, 1<<20, 0) }); p.Message != "memory allocation failed" {
				t.Error(p)
			}
			rt.SetMemoryLimit(math.MaxUint64)
		}()
		<-done
	}
}
