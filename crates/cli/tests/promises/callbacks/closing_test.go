package promises

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rustgo.dev/go/rt"
	closing "scratch/closing"
)

// A closingWriter counts the calls of Write. Each of them first calls does, if there is such a function.
type closingWriter struct {
	strings.Builder
	calls atomic.Int64
	does  func() error
}

func (w *closingWriter) Write(p []byte) (int, error) {
	w.calls.Add(1)
	if w.does != nil {
		if err := w.does(); err != nil {
			return 0, err
		}
	}
	return w.Builder.Write(p)
}

// A destructor that runs in Close calls Go.
func TestCloseFlushes(t *testing.T) {
	closed := func(does func() error) (w *closingWriter, log *closing.Log, err error) {
		w = &closingWriter{does: does}
		log = closing.NewLog(w)
		if err := log.Add("one"); err != nil || w.calls.Load() != 0 {
			t.Error(err, w.calls.Load())
		}
		err = log.Close()
		return w, log, err
	}
	var log *closing.Log
	for range times(50) {
		w, closed, err := closed(func() error { deepen(300); runtime.GC(); return nil })
		if err != nil || w.String() != "one\n" || w.calls.Load() != 1 {
			t.Error(err, w.String(), w.calls.Load())
		}
		log = closed
	}
	if err := log.Close(); err != rt.ErrClosed {
		t.Error(err)
	}
	// The destructor of a BufWriter ignores the error of the write.
	if w, log, err := closed(func() error { return io.ErrClosedPipe }); err != nil || w.calls.Load() != 1 || w.Len() != 0 || log.Close() != rt.ErrClosed {
		t.Error(err, w.calls.Load())
	}
	// A panic of the Go function passes through Close.
	mine := errors.New("mine")
	w := &closingWriter{does: func() error { panic(mine) }}
	log = closing.NewLog(w)
	log.Add("two")
	if got := goPanic(func() { log.Close() }); got != mine {
		t.Error(got)
	}
	if err := log.Close(); !errors.Is(err, fs.ErrClosed) || w.calls.Load() != 1 {
		t.Error(err, w.calls.Load())
	}
	if p := panicked(t, "Add", func() { log.Add("three") }); p.Message != "Log.Add: the Log is closed" {
		t.Error(p)
	}
	// runtime.Goexit in the Go function passes through Close too.
	log = closing.NewLog(&closingWriter{does: func() error { runtime.Goexit(); return nil }})
	log.Add("four")
	ended := make(chan bool)
	go func() {
		returned := false
		defer func() { ended <- !returned && recover() == nil }()
		log.Close()
		returned = true
	}()
	if !<-ended || log.Close() != rt.ErrClosed {
		t.Error("Close goes on")
	}
	// While a function uses the object, Close does nothing.
	w = new(closingWriter)
	log = closing.NewLog(w)
	log.Add("five")
	log.During(func() {
		if err := log.Close(); err != rt.ErrInUse {
			t.Error(err)
		}
	})
	if err := log.Close(); err != nil || w.String() != "five\n" {
		t.Error(err, w.String())
	}
}

// The Go function that a destructor calls may call methods of the object. These methods find the object closed.
func TestCloseCallsBack(t *testing.T) {
	before := closing.Dropped()
	var ends *closing.Ends
	calls := 0
	ends = closing.NewEnds(func(lent, owned string, list []string, thing *closing.Thing) []uint64 {
		deepen(300)
		runtime.GC()
		calls++
		if lent != "lent" || owned != strings.Repeat("owned", 100) || len(list) != 2 || thing.Len() != 1000 {
			t.Error(lent, owned, list, thing.Len())
		}
		if err := ends.Close(); err != rt.ErrClosed {
			t.Error(err)
		}
		if p := panicked(t, "Touch", ends.Touch); p.Message != "Ends.Touch: the Ends is closed" {
			t.Error(p)
		}
		return []uint64{1, 2, 3}
	})
	if err := ends.Close(); err != nil || calls != 1 || closing.Dropped() != before+1 {
		t.Error(err, calls, closing.Dropped()-before)
	}
	// If the destructor panics, in Go or in Rust, the other fields are dropped nevertheless.
	mine := errors.New("mine")
	ends = closing.NewEnds(func(string, string, []string, *closing.Thing) []uint64 { panic(mine) })
	if got := goPanic(func() { ends.Close() }); got != mine || closing.Dropped() != before+2 {
		t.Error(got, closing.Dropped()-before)
	}
	ends = closing.NewEnds(func(string, string, []string, *closing.Thing) []uint64 { return nil })
	if p := panicked(t, "Close", func() { ends.Close() }); !strings.Contains(p.Message, "assertion") || closing.Dropped() != before+3 {
		t.Error(p, closing.Dropped()-before)
	}
	var order []uint64
	next := func(n uint64) { deepen(50); order = append(order, n) }
	tree := closing.NewTree(next)
	for range 20 {
		tree = tree.Under(next)
	}
	if err := tree.Close(); err != nil || len(order) != 21 || order[0] != 20 || order[20] != 0 {
		t.Error(err, order)
	}
}

type closingSink struct{ f func(string) (uint64, error) }

func (s *closingSink) Last(text string) (uint64, error) { return s.f(text) }

func TestCloseCallsMethods(t *testing.T) {
	mine := errors.New("mine")
	sink := &closingSink{func(text string) (uint64, error) { return uint64(len(text)), nil }}
	if err := closing.NewTail(sink).Close(); err != nil {
		t.Error(err)
	}
	if n, err := closing.TakeLast(); n != 400 || err != nil {
		t.Error(n, err)
	}
	sink.f = func(string) (uint64, error) { return 0, mine }
	closing.NewTail(sink).Close()
	if _, err := closing.TakeLast(); err != mine {
		t.Error(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range times(100) {
				w := new(closingWriter)
				log := closing.NewLog(w)
				log.Add("text")
				if err := log.Close(); err != nil || w.String() != "text\n" {
					t.Error(err, w.String())
				}
			}
		})
	}
	wg.Wait()
}

// The collector drops forgotten objects. Their destructors cannot call Go, because they would use Go values in a goroutine that the owner of the
// values does not know.
func TestForgottenObjectsDoNotCallGo(t *testing.T) {
	const n = 200
	var collected, calls atomic.Int64
	counted := func() *closingWriter {
		w := &closingWriter{does: func() error { calls.Add(1); return nil }}
		runtime.AddCleanup(w, func(int) { collected.Add(1) }, 0)
		return w
	}
	for range n {
		closing.NewLog(counted()).Add("lost")
		if _, err := closing.NewForgettable(counted(), "lost"); err != nil {
			t.Error(err)
		}
	}
	for range 200 {
		if collectedWithin(&collected, 2*n) {
			break
		}
	}
	if collected.Load() != 2*n || calls.Load() != 0 {
		t.Errorf("%d of %d writers are collected, after %d calls", collected.Load(), 2*n, calls.Load())
	}

	// A Go function with an error result gives Rust an error.
	const refusal = "Rust cannot call Go while the garbage collector frees an object that was not closed"
	for _, last := range []func() (uint64, error){closing.TakeLast, closing.Wraps} {
		collected.Store(0)
		func() {
			sink := &closingSink{func(string) (uint64, error) { calls.Add(1); return 0, nil }}
			runtime.AddCleanup(sink, func(int) { collected.Add(1) }, 0)
			closing.NewTail(sink)
		}()
		for range 200 {
			if collectedWithin(&collected, 1) {
				break
			}
		}
		if _, err := last(); err == nil || err.Error() != refusal || errors.Unwrap(err) != nil || calls.Load() != 0 {
			t.Error(err, errors.Unwrap(err), calls.Load())
		}
	}

	// A call of a Go function without an error result makes the destructor panic, and the panic is reported.
	before, live := closing.Dropped(), int64(0)
	forget := func() {
		closing.NewEnds(func(string, string, []string, *closing.Thing) []uint64 { calls.Add(1); return nil })
	}
	wait := func(n uint64) {
		for range 10000 {
			if closing.Dropped() == before+n {
				return
			}
			runtime.GC()
			runtime.Gosched()
		}
		t.Errorf("%d objects are dropped", closing.Dropped()-before)
	}
	const soon = 300 * time.Millisecond // the report comes after the object is dropped
	said := redirected(t, 2, func() { forget(); wait(1); time.Sleep(soon) })
	if want := "rustgo: the destructor of an object panicked, and memory is lost: " + refusal + "\n"; string(said) != want || calls.Load() != 0 {
		t.Errorf("%q, %d calls", said, calls.Load())
	}
	redirected(t, 2, func() {
		runtime.GC()
		live = int64(rt.HeapLive())
		for range 50 {
			forget()
		}
		wait(51)
		time.Sleep(soon)
	})
	if lost := int64(rt.HeapLive()) - live; lost > 4<<10 {
		t.Errorf("%d bytes are lost", lost)
	}
}

const closingOutside = "a Go function was called outside of a call that runs as a task: the export lacks the option `task`"

// closingWaits waits until n objects are dropped, and returns the output to the standard error stream.
func closingWaits(t *testing.T, n uint64, do func()) string {
	return string(redirected(t, 2, func() {
		before := closing.Dropped()
		do()
		for start := time.Now(); closing.Dropped() < before+n && time.Since(start) < time.Minute; runtime.GC() {
			runtime.Gosched()
		}
		time.Sleep(300 * time.Millisecond) // the report comes after the object is dropped
		if got := closing.Dropped() - before; got != n {
			t.Errorf("%d of %d objects are dropped", got, n)
		}
	}))
}

// A destructor repeats a call of Go until the call succeeds. If the collector drops the object, no call succeeds, but the destructor ends.
func TestForgottenObjectsThatInsist(t *testing.T) {
	calls := 0
	sink := &closingSink{func(string) (uint64, error) {
		if calls++; calls%3 != 0 {
			return 0, io.ErrNoProgress
		}
		return 1, nil
	}}
	if err := closing.NewInsists(sink).Close(); err != nil || calls != 3 {
		t.Error(err, calls)
	}
	said := closingWaits(t, 1, func() { closing.NewInsists(sink) })
	if !strings.HasPrefix(said, "rustgo: the destructor of an object panicked, and memory is lost: Rust cannot call Go while") || calls != 3 {
		t.Errorf("%q, %d calls", said, calls)
	}
	// The bytes in the buffers of objects with two writers are lost.
	said = closingWaits(t, 2, func() {
		w := &closingWriter{}
		closing.NewTee(w, w)
		closing.NewTee(&closingWriter{does: func() error { panic("a") }}, &closingWriter{does: func() error { panic("b") }})
	})
	if said != "" {
		t.Errorf("%q", said)
	}
}

// If a second destructor of an object panics while the panic of the first destructor unwinds, the other fields of the object are not dropped.
func TestCloseWithTwoPanics(t *testing.T) {
	before := closing.Dropped()
	tee := closing.NewTee(&closingWriter{does: func() error { panic("a") }}, &closingWriter{does: func() error { panic("b") }})
	if p := panicked(t, "Close", func() { tee.Close() }); !strings.HasPrefix(p.Message, "panic in a destructor during cleanup: a Go function that Rust has called panicked") {
		t.Error(p)
	}
	if err := tee.Close(); err != rt.ErrClosed || closing.Dropped() != before {
		t.Error(err)
	}
	// Other objects are closed as before.
	w := new(closingWriter)
	if err := closing.NewTee(w, w).Close(); err != nil || w.String() != "teetee" || closing.Dropped() != before+1 {
		t.Error(err, w.String())
	}
}

// An export that consumes an object is a task, because the destructor may call Go.
func TestConsumedObjectsCallGo(t *testing.T) {
	calls := 0
	sink := &closingSink{func(string) (uint64, error) { calls++; return 1, nil }}
	insists := closing.NewInsists(sink)
	if insists.Done() != 5 || calls != 1 || insists.Close() != rt.ErrClosed {
		t.Error(calls)
	}
	// Attempt and Flush are no tasks, so they cannot call Go. The Go methods have error results, so Rust gets an error instead of a panic.
	insists = closing.NewInsists(sink)
	if _, err := insists.Attempt(); err == nil || err.Error() != closingOutside {
		t.Error(err)
	}
	w := new(closingWriter)
	log := closing.NewLog(w)
	log.Add("kept")
	if err := insists.Flush(log); err == nil || err.Error() != closingOutside || w.calls.Load() != 0 {
		t.Error(err)
	}
	if err := log.Close(); err != nil || w.String() != "kept\n" {
		t.Error(err, w.String())
	}
	if err := insists.Close(); err != nil || calls != 2 {
		t.Error(err, calls)
	}
}

// If the destructor of an element of an argument panics, the other elements are dropped nevertheless.
func TestRefusedCallsDropAllArguments(t *testing.T) {
	taker, before := closing.NewTaker(func([]*closing.Fussy) {}), closing.Dropped()
	for _, n := range []uint64{1, 2, 3} {
		want := closingOutside
		if n > 1 {
			want = "odd"
		}
		if p := panicked(t, "Outside", func() { taker.Outside(n) }); !strings.Contains(p.Message, want) {
			t.Error(p)
		}
	}
	if got := closing.Dropped() - before; got != 6 {
		t.Errorf("%d objects are dropped", got)
	}
	if err := taker.Close(); err != nil {
		t.Error(err)
	}
}

// The destructor of a forgotten object waits for a lock. The holder of the lock can go on, although there is one processor.
func TestForgottenObjectsWaitForLocks(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	said := closingWaits(t, 1, func() {
		closing.Holding(func() {
			closing.NewLate()
			for range 100 {
				runtime.GC()
				time.Sleep(time.Millisecond)
			}
		})
	})
	if got := closing.Holding(func() {}); got != 1 || said != "" {
		t.Errorf("%d, %q", got, said)
	}
}

// If there is no address space for the stack of another task, Close panics and leaves the object open, and the collector tries again later.
func TestCloseWithoutAddressSpace(t *testing.T) {
	if os.Getenv("CLOSING") == "" {
		if runtime.GOOS != "linux" || emulated || raced {
			t.Skip("only Linux has this limit, and the race detector needs more")
		}
		cmd := exec.Command("sh", "-c", `ulimit -v 1500000 && exec "$0" -test.run=^TestCloseWithoutAddressSpace$ -test.v`, os.Args[0])
		cmd.Env = append(os.Environ(), "CLOSING=1")
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	w := new(closingWriter)
	log := closing.NewLog(w)
	log.Add("text")
	list := closing.NewList(func() {}, "a b c")
	forgotten, insists := new(closingWriter), closing.NewInsists(&closingSink{func(string) (uint64, error) { return 1, nil }})
	var collected atomic.Int64
	runtime.AddCleanup(forgotten, func(int) { collected.Add(1) }, 0)
	closing.NewLog(forgotten).Add("lost")
	forgotten = nil
	const none = "there is no address space for the stack of another task: "
	// The stacks of waiting tasks use all address space.
	free, ended, waiting := make(chan bool), make(chan bool), 0
	for isFull := false; !isFull; {
		waits := make(chan bool)
		go func() {
			defer func() {
				if p, ok := recover().(*rt.Panic); ok && strings.HasPrefix(p.Message, none) {
					waits <- false
					return
				}
				ended <- true
			}()
			closing.NewLog(new(closingWriter)).During(func() { waits <- true; <-free })
		}()
		if isFull = !<-waits; !isFull {
			waiting++
		}
	}
	for range 6 {
		if p := panicked(t, "Close", func() { log.Close() }); !strings.HasPrefix(p.Message, none) {
			t.Error(p)
		}
		if p := panicked(t, "Done", func() { insists.Done() }); !strings.HasPrefix(p.Message, none) {
			t.Error(p)
		}
		runtime.GC()
		time.Sleep(2 * time.Millisecond)
	}
	if collected.Load() != 0 || w.calls.Load() != 0 {
		t.Error(collected.Load(), w.calls.Load())
	}
	// A loop over a Rust iterator needs a task too. Without one it panics before the iterator takes a word from the list.
	if p := panicked(t, "Drain", func() {
		for range list.Drain() {
		}
	}); !strings.HasPrefix(p.Message, none) || list.Len() != 3 {
		t.Error(p)
	}
	// One task is free again.
	free <- true
	<-ended
	log.Add("more")
	if err := log.Close(); err != nil || w.String() != "text\nmore\n" {
		t.Error(err, w.String())
	}
	if insists.Done() != 5 {
		t.Error("Done")
	}
	// A loop that has begun ends, although there is no memory for another task.
	for word := range list.Drain() {
		if p := panicked(t, "NewLog", func() { closing.NewLog(w) }); word != "a" || !strings.HasPrefix(p.Message, none) {
			t.Error(word, p)
		}
		break
	}
	if list.Len() != 0 || list.Close() != nil {
		t.Error(list.Len())
	}
	for range 200 {
		if collectedWithin(&collected, 1) {
			break
		}
	}
	if collected.Load() != 1 {
		t.Error("the forgotten object is not dropped")
	}
	close(free)
	for range waiting - 1 {
		<-ended
	}
}

// A call that is refused drops its owned arguments.
func TestRefusedCallsDropTheirArguments(t *testing.T) {
	ends := closing.NewEnds(func(string, string, []string, *closing.Thing) []uint64 { return []uint64{1, 2, 3} })
	refused := func() {
		p := panicked(t, "Outside", func() { closing.Outside(ends) })
		if p.Message != closingOutside {
			t.Error(p)
		}
	}
	refused()
	before := int64(rt.HeapLive())
	for range 100 {
		refused()
	}
	if lost := int64(rt.HeapLive()) - before; lost > 4<<10 {
		t.Errorf("%d bytes are lost", lost)
	}
	if err := ends.Close(); err != nil {
		t.Error(err)
	}
	sink := &closingSink{func(text string) (uint64, error) { return uint64(len(text)), nil }}
	if n, err := closing.Lent(sink); n != 4 || err != nil {
		t.Error(n, err)
	}
}
