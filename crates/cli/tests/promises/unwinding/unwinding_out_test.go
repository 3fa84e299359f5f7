package promises

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"rustgo.dev/go/rt"
	out "scratch/unwinding_out"
)

// A panic that reaches Go frees all memory that the unwound frames owned.
func TestUnwindingOutLeavesNothing(t *testing.T) { leavesNothing(t, "unwinding_out") }

// Goroutines panic at the same time, and each gets its own panic.
func TestUnwindingOutOnManyGoroutines(t *testing.T) { onManyGoroutines(t, "unwinding_out") }

// A panic has its location and the frames of the Rust functions that were called, although these frames are unwound.
func TestUnwindingOutHasItsFrames(t *testing.T) {
	for name, f := range map[string]func(){
		"Plain": func() { out.Plain(0) }, "Deep": func() { out.Deep(3*50 + 7) }, "Boxed": func() { out.Boxed(2) }, "Framed": func() { out.Framed(2) },
		"Blocking": func() { out.Blocking(3) }, "InDrop": func() { out.InDrop(1) },
	} {
		p := panicked(t, name, f)
		last := len(p.Frames) - 1
		if last < 1 || p.Frames[last].Function != "scratch/unwinding_out."+name || !strings.HasSuffix(p.Frames[0].File, ".rs") {
			t.Errorf("%s: the frames are %v", name, p.Frames)
		}
		if !strings.HasSuffix(p.File, "src/lib.rs") || p.Line == 0 || p.Column == 0 {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// The destructors of all values have run before Go gets the panic. The next call sees what they changed.
func TestUnwindingOutRunsDestructors(t *testing.T) {
	for n := range times(100) {
		before := out.Dropped()
		if n%3 == 0 {
			out.Fails(false)
		} else if p := panicked(t, "fails", func() { out.Fails(true) }); p.Message != fmt.Sprintf("after %d destructors", before+1) {
			t.Errorf("got %v, %d were dropped before", p, before)
		}
		if got := out.Dropped() - before; got != 3 {
			t.Errorf("round %d: %d destructors have run", n, got)
		}
	}
}

// A mutex that was held at the panic is free and poisoned. A cell that was borrowed is not borrowed any more.
func TestUnwindingOutReleases(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	out.Poisoned(true)
	before := out.Poisons(false)
	for n := range uint64(10) {
		panicked(t, "poisons", func() { out.Poisons(true) })
		if was, number := out.Poisoned(n%2 == 0); !was || number != before+n+1 {
			t.Errorf("round %d: poisoned %v, %d after %d", n, was, number, before)
		}
		if was, _ := out.Poisoned(false); was != (n%2 != 0) {
			t.Errorf("round %d: poisoned %v", n, was)
		}
		panicked(t, "borrows", func() { out.Borrows(true) })
		if !out.Borrows(false) {
			t.Errorf("round %d: the cell is borrowed", n)
		}
	}
	out.Poisoned(true)
}

// Destructors write to Go memory that the call has borrowed.
func TestUnwindingOutWritesArguments(t *testing.T) {
	for n := range 12 {
		fresh(t, func() {
			words := make([]uint64, 10)
			message := ""
			if p, ok := caught(func() { out.Fill(words, 7, uint(n)) }).(*rt.Panic); ok {
				message = p.Message
			}
			for i, word := range words {
				want := uint64(0)
				switch {
				case i == 9:
					want = uint64(min(n, 10))
				case i < n:
					want = 7
				}
				if word != want {
					t.Errorf("before %d: word %d is %d, want %d", n, i, word, want)
				}
			}
			if want := fmt.Sprint("before ", n); (message == want) != (n < 10) {
				t.Errorf("before %d: the message is %q", n, message)
			}
		})
	}
}

// A panic with a payload of any type reaches Go as a Rust panic, and the payload's destructor runs once. resume_unwind keeps a text.
func TestUnwindingOutPayloads(t *testing.T) {
	live := func() uint64 { return rt.HeapLive() }
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for round := range 3 {
		for kind, want := range []string{
			"a literal", "text 5", "a literal, resumed", "text 5, resumed", "text 5, caught and resumed", "Box<dyn Any>", "Box<dyn Any>", "Box<dyn Any>", "Box<dyn Any>",
		} {
			dropped, before := out.Dropped(), live()
			p := panicked(t, want, func() { out.Payload(uint64(kind), 5) })
			if p.Message != want {
				t.Errorf("kind %d: got %q, want %q", kind, p.Message, want)
			}
			drops := uint64(1)
			if kind >= 7 {
				drops = 2
			}
			if got := out.Dropped() - dropped; got != drops {
				t.Errorf("kind %d: %d destructors have run, want %d", kind, got, drops)
			}
			if left := int64(live() - before); round > 0 && left != 0 {
				t.Errorf("kind %d leaves %d bytes", kind, left)
			}
			if out.IsPanicking() {
				t.Errorf("kind %d: the thread still panics", kind)
			}
		}
	}
}

// A panic that is caught in a destructor does not replace the panic that unwinds.
func TestUnwindingOutCatchesInside(t *testing.T) {
	for n := range uint64(10) {
		value := caught(func() { out.CaughtInDrop(n) })
		if n%2 == 0 {
			if value != nil {
				t.Errorf("%d: got %v", n, value)
			}
		} else if p, ok := value.(*rt.Panic); !ok || p.Message != fmt.Sprint("the outer one of ", n) {
			t.Errorf("%d: got %v", n, value)
		}
		if out.IsPanicking() {
			t.Error("the thread still panics")
		}
	}
}

// An ending that natively aborts the process is a Go panic that no catch_unwind catches. It names all panics that were not caught, and none of them
// leaves memory behind. Later calls panic, catch and unwind as before.
func TestUnwindingOutEnds(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	again := func(after string) {
		t.Helper()
		if out.IsPanicking() {
			t.Errorf("after %s the thread still panics", after)
		}
		dropped := out.Dropped()
		panicked(t, after, func() { out.Fails(true) })
		if got := out.Dropped() - dropped; got != 3 {
			t.Errorf("after %s %d destructors run", after, got)
		}
		if got := out.CatchesMany(100); got != 90 {
			t.Errorf("after %s %d panics are caught", after, got)
		}
	}
	const inDestructor, inC = "panic in a destructor during cleanup", "panic in a function that cannot unwind"
	for round := range 3 {
		for _, end := range []struct {
			call   func(uint64) uint64
			kind   uint64
			panics []string // the message of the panic that must not unwind, and the earlier panics
		}{
			{out.Ends, 0, []string{inC, "inside extern C"}},
			{out.Ends, 1, []string{inDestructor, "the first panic", "the destructor of a local"}},
			{out.Ends, 2, []string{inDestructor, "the destructor of the first", "the destructor of the second"}},
			{out.Ends, 3, nil},
			{out.Ends, 5, []string{inDestructor, "the first panic", "the inner panic", "the destructor of an inner local"}},
			{out.Ends, 6, []string{inDestructor, "a resumed panic", "the last panic"}},
			{out.EndsUncaught, 0, []string{inC, "inside extern C"}},
			{out.EndsUncaught, 1, []string{inDestructor, "the first panic", "the destructor of an option"}},
		} {
			name := fmt.Sprintf("kind %d, %q", end.kind, end.panics)
			before := rt.HeapLive()
			p := panicked(t, name, func() { end.call(end.kind) })
			if left := int64(rt.HeapLive() - before); round > 0 && left != 0 {
				t.Errorf("%s: %d bytes are left", name, left)
			}
			if end.panics != nil && !namesPanics(p.Message, end.panics) {
				t.Errorf("%s: got %q", name, p.Message)
			}
			if end.panics != nil && !strings.HasSuffix(p.File, "src/lib.rs") {
				t.Errorf("%s: the place is %s:%d", name, p.File, p.Line)
			}
			again(name)
		}
		if !nilDereference(func() { out.Ends(4) }) {
			t.Error("a fault is no panic of Go's, or was caught")
		}
		again("a fault")
		if !nilDereference(func() { out.Ends(7) }) {
			t.Error("a fault in a destructor is no panic of Go's, or was caught")
		}
		panicked(t, "after a fault in a destructor", func() { out.Fails(true) }) // until this call std still counts the first panic
		again("a fault in a destructor")
		if got := out.Ends(8); got != 0 {
			t.Errorf("without a panic: got %d", got)
		}
	}
}

// namesPanics reports whether the message has the form "FIRST: SECOND (PLACE), then THIRD (PLACE)". A resumed panic has no place.
func namesPanics(message string, panics []string) bool {
	first, rest, _ := strings.Cut(message, ": ")
	names := strings.Split(rest, ", then ")
	if first != panics[0] || len(names) != len(panics)-1 {
		return false
	}
	for i, want := range panics[1:] {
		name, place, found := strings.Cut(names[i], " (")
		if name != want || found == strings.Contains(name, "resumed") || found && !strings.Contains(place, "/src/lib.rs:") {
			return false
		}
	}
	return true
}

// A caught arithmetic overflow has the native message.
func TestUnwindingOutOverflows(t *testing.T) {
	for kind, want := range []string{
		"attempt to add with overflow", "attempt to subtract with overflow", "attempt to multiply with overflow", "attempt to negate with overflow",
		"attempt to shift left with overflow", "attempt to shift right with overflow", "attempt to add with overflow", "attempt to subtract with overflow", "1",
	} {
		before := out.Dropped()
		if got := out.Overflow(uint64(kind), 1); got != want {
			t.Errorf("kind %d: got %q, want %q", kind, got, want)
		}
		if out.Dropped() != before+1 {
			t.Errorf("kind %d: no destructor has run", kind)
		}
	}
}

// A thousand caught and a thousand recovered panics leave the Rust heap as it was. So do arguments that a panicking call owned.
func TestUnwindingOutThousand(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	n := times(1000)
	round := func() {
		if got := out.CatchesMany(uint64(n)); got != uint64(n-n/10) {
			t.Errorf("%d panics of %d are caught", got, n)
		}
		for i := range uint64(n) {
			panicked(t, "deep", func() { out.Deep(50*(2*i+1) + i%50) })
			panicked(t, "plain", func() { out.Plain(4*i + 2) })
			panicked(t, "takes", func() { out.Takes([]uint64{1, i}, strings.Repeat("text", int(i%30))) })
		}
	}
	round()
	before := rt.HeapLive()
	round()
	if left := int64(rt.HeapLive() - before); left != 0 {
		t.Errorf("%d bytes are left behind", left)
	}
}

// Deferred functions make calls that panic, catch and unwind during a Rust panic or a Go panic.
func TestUnwindingOutInDeferredFunctions(t *testing.T) {
	for n := range times(60) {
		fresh(t, func() {
			before := out.Dropped()
			value := caught(func() {
				defer func() {
					deep(n % 12)
					panicked(t, "in a deferred function", func() { out.Fails(true) })
					if got := out.CatchesMany(10); got != 9 {
						t.Errorf("%d panics are caught", got)
					}
				}()
				if n%2 == 0 {
					out.Deep(uint64(n/2*100 + 50 + 49))
				} else {
					panic("a Go panic")
				}
			})
			if got := out.Dropped() - before; got != 3 {
				t.Errorf("%d destructors have run", got)
			}
			if p, ok := value.(*rt.Panic); ok != (n%2 == 0) || ok && p.Message != fmt.Sprintf("%d is odd", n/2*2+1) || !ok && value != "a Go panic" {
				t.Errorf("%d: got %v", n, value)
			}
		})
	}
}
