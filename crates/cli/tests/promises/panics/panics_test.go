package promises

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"time"

	"rustgo.dev/go/rt"
	"scratch/panics"
)

// panicKinds is the number of kinds of panic that Fail knows. noPanic is the kind that does not panic.
const noPanic, panicKinds = 41, 42

// earlyPanic is the value of a panic before main that is recovered. TestUnrecovered tests an unrecovered panic before main.
var earlyPanic = caught(func() { panics.Fail(7) })

func init() {
	if how := os.Getenv("UNRECOVERED"); how != "" {
		unrecovered[how]()
	}
}

// unwrapped finds the Rust panic in a recovered value in every way that Go offers.
func unwrapped(t *testing.T, value any) *rt.Panic {
	t.Helper()
	err, ok := value.(error)
	if !ok {
		t.Fatalf("%v is no error", value)
	}
	var p *rt.Panic
	var any rt.AnyPanic
	var part interface{ RustMessage() string }
	wrapped := fmt.Errorf("a call: %w", errors.Join(io.EOF, err))
	if !errors.As(wrapped, &p) || !errors.As(wrapped, &any) || !errors.As(wrapped, &part) || !errors.Is(wrapped, p) {
		t.Fatalf("errors.As does not find %v", err)
	}
	if part.RustMessage() != p.Message || len(any.RustFrames()) != len(p.Frames) || !strings.HasPrefix(p.Error(), p.Message) {
		t.Errorf("%+v says something else as rt.AnyPanic", p)
	}
	return p
}

// Every panic has its location, its frames and its message. TestNative compares the messages with the native messages.
func TestPanicsAreWhole(t *testing.T) {
	for name, f := range map[string]func(uint64) uint64{"Fail": panics.Fail, "FailDeep": panics.FailDeep} {
		panicking := 0
		for kind := range uint64(panicKinds) {
			value := caught(func() { f(kind) })
			if value == nil {
				continue
			}
			panicking++
			p := unwrapped(t, value)
			if p.Message == "" || !strings.HasSuffix(p.File, ".rs") || p.Line == 0 || p.Column == 0 {
				t.Errorf("%s, kind %d: %+v", name, kind, p)
			}
			last := len(p.Frames) - 1
			if last < 1 || p.Frames[last].Function != "scratch/panics."+name || !strings.HasSuffix(p.Frames[0].File, ".rs") {
				t.Errorf("%s, kind %d: the frames are %v", name, kind, p.Frames)
			}
		}
		if panicking != panicKinds-2 { // one of the two other kinds is debug_assert, which is off
			t.Errorf("%s panics in %d ways", name, panicking)
		}
	}
	for kind, want := range []string{
		"char boundary", "step != 0", "radix", "subtracting durations", "capacity overflow", "swap_remove index (is 3)",
		"end byte index 2 is not a char boundary", "start byte index 2 is not a char boundary", "end byte index 40 is out of bounds",
	} {
		p := panicked(t, "library", func() { panics.Library(uint64(kind), 1) })
		if !strings.Contains(p.Message, want) || !strings.HasSuffix(p.File, ".rs") || p.Line == 0 {
			t.Errorf("library %d: got %+v, want %q", kind, p, want)
		}
	}
	for kind := range uint64(10) {
		p := panicked(t, "overflow", func() { panics.Overflow(kind, 1) })
		if !strings.Contains(p.Message, "overflow") {
			t.Errorf("overflow %d: %v", kind, p)
		}
	}
}

// A long message is cut between two characters. Text in Go's memory is copied to the message before that memory can move or be freed.
func TestLongMessages(t *testing.T) {
	const before, most = "it says ", 4096
	for _, text := range []string{"x", "ä", "€", "🦀", strings.Repeat("0123456789", 1000)} {
		for n := range 12 {
			text := strings.Repeat("y", n) + text
			times := 10<<10/len(text) + 1
			p := panicked(t, "long", func() { panics.Long(text, uint(times)) })
			kept, cut := strings.CutSuffix(p.Message, "…")
			if whole := before + strings.Repeat(text, times); !cut || !strings.HasPrefix(whole, kept) || len(p.Message) > most || len(kept) < most-8 {
				t.Fatalf("%d times %.20q: %d bytes: %.30q … %q", times, text, len(p.Message), p.Message, p.Message[max(len(p.Message)-20, 0):])
			}
		}
	}
	for n := range 200 {
		fresh(t, func() {
			belowFrames(n, func() {
				text, bytes := []byte("text on the stack ä"), [5]byte{1, 2, 3, byte(n)}
				p := panicked(t, "quote", func() { panics.Quote(string(text), bytes[:]) })
				if want := fmt.Sprintf("text on the stack ä: [1, 2, 3, %d, 0]", n); p.Message != want {
					t.Errorf("got %q, want %q", p.Message, want)
				}
			})
		})
	}
}

// A panic undoes nothing: words that the call has written keep their values, no destructor runs, and a lock stays locked. Later calls work as before.
func TestWhatAPanicLeaves(t *testing.T) {
	for n := range 20 {
		words := make([]uint64, 20)
		for i := range words {
			words[i] = 1
		}
		panicked(t, "fill", func() { panics.Fill(words, 7, uint(n)) })
		if got, want := panics.Sum(words), uint64(20+6*n); got != want {
			t.Errorf("the words add up to %d, want %d", got, want)
		}
	}
	start := panics.Count(false)
	for n := range uint64(10) {
		if p := panicked(t, "count", func() { panics.Count(true) }); p.Message != fmt.Sprint("call ", start+n+1) {
			t.Errorf("got %v after %d calls", p, start+n)
		}
	}
	dropped := panics.Drops(false)
	panicked(t, "drops", func() { panics.Drops(true) })
	if got := panics.Drops(false); got != dropped+2 {
		t.Errorf("%d were dropped, then %d", dropped, got)
	}
	before := rt.HeapLive()
	for range 10 {
		panicked(t, "hold", func() { panics.Hold(100_000) })
	}
	if lost := rt.HeapLive() - before; lost < 1_000_000 || lost > 1_500_000 {
		t.Errorf("10 panics lost %d bytes", lost)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	depth := panics.Nested(false)
	panicked(t, "nested", func() { panics.Nested(true) })
	if got := panics.Nested(false); got != depth+1 {
		t.Errorf("a thread-local was %d and is %d", depth, got)
	}
	// This check must be the last, because the lock stays locked.
	free := panics.Locked(false)
	panicked(t, "locked", func() {
		if !panics.Locked(free) {
			panics.Fail(7) // this test has run before in this process
		}
	})
	if panics.Locked(false) {
		t.Error("the lock is free")
	}
}

// A deferred function recovers a panic, calls Rust, and panics again, with the same value or another.
func TestPanicsInDeferredFunctions(t *testing.T) {
	inside := func(f func()) (value any) {
		defer func() { value = recover() }()
		defer f()
		panics.Fail(7)
		return "not reached"
	}
	words := []uint64{1, 2, 3}
	same := inside(func() {
		first := recover()
		if panics.Sum(words) != 6 || panics.Fail(noPanic) != 0 {
			t.Error("Rust is wrong in a deferred function")
		}
		panicked(t, "inner", func() { panics.Fail(4) })
		panic(first)
	})
	if p := unwrapped(t, same); !strings.Contains(p.Message, "Option::unwrap") || len(p.Frames) < 2 {
		t.Errorf("the panic became %+v", p)
	}
	other := inside(func() { panics.Fail(4) })
	if p := unwrapped(t, other); !strings.Contains(p.Message, "divide by zero") {
		t.Errorf("the second panic is %v", p)
	}
	wrapped := inside(func() { panic(fmt.Errorf("handling: %w", recover().(error))) })
	if p := unwrapped(t, wrapped); !strings.Contains(p.Message, "Option::unwrap") {
		t.Errorf("the wrapped panic is %v", p)
	}
	if value := inside(func() { panicked(t, "not recovered", func() { panics.Fail(4) }) }); !strings.Contains(unwrapped(t, value).Message, "Option::unwrap") {
		t.Errorf("a panic that was over ended another: %v", value)
	}
	// Rust code panics in a deferred function during a Go panic, a fault and Goexit.
	value := caught(func() {
		defer panicked(t, "in a panic", func() { panics.Fail(4) })
		panic("Go's")
	})
	if value != "Go's" {
		t.Errorf("got %v", value)
	}
	if !nilDereference(func() {
		defer panicked(t, "in a fault", func() { panics.Fail(4) })
		*(*int)(nil)++
	}) {
		t.Error("no fault")
	}
	ended := make(chan any)
	go func() {
		defer close(ended)
		defer func() { ended <- recover() }()
		defer func() { panics.Fail(4) }()
		runtime.Goexit()
	}()
	if p := unwrapped(t, <-ended); !strings.Contains(p.Message, "divide by zero") {
		t.Errorf("in Goexit: %v", p)
	}
	<-ended
	// A deferred function sees the stack of the panicking call. Several deferred functions run in order.
	order := ""
	caught(func() {
		for i := range 20 {
			defer func() { order += fmt.Sprint(i, " ") }()
		}
		defer func() {
			if stack := string(debug.Stack()); !strings.Contains(stack, "promise_panics.") || !strings.Contains(stack, "lib.rs:") {
				t.Errorf("the stack is\n%s", stack)
			}
		}()
		panics.FailDeep(7)
	})
	if order != "19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0 " {
		t.Errorf("the order is %s", order)
	}
}

// belowFrames calls f below n Go frames, which need a few KiB of stack.
//
//go:noinline
func belowFrames(n int, f func()) byte {
	var room [40]byte
	if n == 0 {
		f()
	} else {
		room[n%40] = belowFrames(n-1, f)
	}
	return room[n%20]
}

type failing uint64

func (f failing) fail() uint64             { return panics.Fail(uint64(f)) }
func (f *failing) Fail(x uint64) uint64    { return panics.Fail(uint64(*f) + x) }
func panicNumbers(yield func(uint64) bool) { _ = yield(noPanic) && yield(7) }
func failingSeq(yield func(uint64) bool)   { _ = yield(panics.Fail(noPanic)) && yield(panics.Fail(7)) }
func (f failing) deferred()                { defer panics.Fail(uint64(f)) }
func passedOn[F ~func(uint64) uint64](f F) { f(7) }

// The panic is the same for every form of call in Go: function values, methods, interfaces, reflection, iterators and others.
func TestPanicsThroughValues(t *testing.T) {
	f, kind := failing(7), failing(0)
	var asInterface interface{ Fail(uint64) uint64 } = &kind
	table := []func(uint64) uint64{panics.Fail, panics.FailDeep}
	once := sync.OnceFunc(func() { panics.Fail(7) })
	next, stop := iter.Pull(failingSeq)
	defer stop()
	next()
	for name, call := range map[string]func(){
		"by name":               func() { panics.Fail(7) },
		"a function value":      func() { table[0](7) },
		"a deep function value": func() { table[1](7) },
		"a method value":        func() { bound := f.fail; bound() },
		"a method expression":   func() { (*failing).Fail(&kind, 7) },
		"an interface":          func() { asInterface.Fail(7) },
		"reflection":            func() { reflect.ValueOf(panics.Fail).Call([]reflect.Value{reflect.ValueOf(uint64(7))}) },
		"a reflected method": func() {
			reflect.ValueOf(asInterface).MethodByName("Fail").Call([]reflect.Value{reflect.ValueOf(uint64(7))})
		},
		"a made function":  func() { madeOf(panics.Fail)(7) },
		"a type parameter": func() { passedOn(panics.Fail) },
		"a deferred call":  f.deferred,
		"the body of a loop": func() {
			for x := range panicNumbers {
				panics.Fail(x)
			}
		},
		"an iterator": func() {
			for range failingSeq {
			}
		},
		"sync.OnceFunc": once,
		"again":         once,
		"a coroutine":   func() { next() },
	} {
		value := caught(call)
		p, ok := value.(*rt.Panic)
		if !ok || p.Message != "called `Option::unwrap()` on a `None` value" || p.Frames[0].File == "" {
			t.Errorf("%s: got %v", name, value)
		}
	}
	if p, ok := earlyPanic.(*rt.Panic); !ok || p.Message != "called `Option::unwrap()` on a `None` value" {
		t.Errorf("before main: got %v", earlyPanic)
	}
}

func madeOf(f func(uint64) uint64) func(uint64) uint64 {
	made := reflect.MakeFunc(reflect.TypeOf(f), func(in []reflect.Value) []reflect.Value { return reflect.ValueOf(f).Call(in) })
	return made.Interface().(func(uint64) uint64)
}

// Cleanups and finalizers call Rust code that panics, and recover the panic.
func TestPanicsInCleanups(t *testing.T) {
	type object struct{ words [8]uint64 }
	const each = 20
	messages := make(chan string, 2*each)
	fails := func(kind uint64) {
		p, _ := caught(func() { panics.FailDeep(kind) }).(*rt.Panic)
		messages <- p.Message
	}
	func() {
		for range each {
			runtime.AddCleanup(new(object), fails, 7)
			runtime.SetFinalizer(new(object), func(o *object) { fails(7 + o.words[0]) })
		}
	}()
	for n := 0; n < 2*each; {
		runtime.GC()
		select {
		case message := <-messages:
			n++
			if message != "called `Option::unwrap()` on a `None` value" {
				t.Errorf("got %q", message)
			}
		case <-time.After(time.Millisecond):
		}
	}
}

// unrecovered has functions whose panics are never recovered, by name.
var unrecovered = map[string]func(){
	"init":        func() { panics.Fail(7) },
	"a goroutine": func() { go panics.Fail(7); select {} },
	"a deep one":  func() { go func() { belowFrames(5, func() { panics.FailDeep(7) }) }(); select {} },
	"a cleanup": func() {
		untilItEnds(func() { runtime.AddCleanup(new([8]uint64), func(x uint64) { panics.Fail(x) }, 7) })
	},
	"a second panic": func() { defer panics.Fail(7); panics.Fail(4) },
	"panicked again": func() {
		defer func() { panic(recover()) }()
		panics.Fail(7)
	},
}

// untilItEnds runs collections until the process ends.
func untilItEnds(f func()) {
	f()
	for {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

// An unrecovered panic ends the process, with Rust's message, location and frames.
func TestUnrecovered(t *testing.T) {
	if emulated {
		t.Skip("the process needs an emulator")
	}
	for how := range unrecovered {
		child := exec.Command(os.Args[0], "-test.run=^$", "-test.timeout=1m")
		child.Env = append(os.Environ(), "UNRECOVERED="+how, "GOTRACEBACK=1")
		out, err := child.CombinedOutput()
		exit := (*exec.ExitError)(nil)
		if !errors.As(err, &exit) || exit.ExitCode() != 2 {
			t.Errorf("%s: the process ends with %v\n%s", how, err, out)
			continue
		}
		said := string(out)
		for _, want := range []string{"called `Option::unwrap()` on a `None` value (", "src/lib.rs:", "promise_panics.", "scratch/panics.Fail"} {
			at := strings.Index(said, want)
			if at < 0 {
				t.Errorf("%s: no %q in order in\n%s", how, want, out)
				break
			}
			said = said[at:]
		}
		if strings.Contains(string(out), "unexpected") || strings.Contains(string(out), "fatal error") {
			t.Errorf("%s: the runtime complains\n%s", how, out)
		}
	}
}

// Calls panic on small stacks, which grow during the call and move in deferred functions, while the collector, the profiler and the tracer run. The
// panics have the same texts as without this load.
func TestPanicsUnderPressure(t *testing.T) {
	if err := pprof.StartCPUProfile(io.Discard); err == nil {
		defer pprof.StopCPUProfile()
	}
	if err := trace.Start(io.Discard); err == nil {
		defer trace.Stop()
	}
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
				runtime.Gosched()
			}
		}
	}()
	defer func() { close(stop); <-stopped }()
	want := map[uint64]string{}
	for kind := range uint64(panicKinds) {
		if p, ok := caught(func() { panics.Fail(kind) }).(*rt.Panic); ok {
			want[kind] = p.Error()
		}
	}
	slots := make(chan bool, 48) // rt can keep more than 48 messages at one time
	var wg sync.WaitGroup
	for id := range times(400) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 50 {
				kind := uint64(id+i) % panicKinds
				call := panics.Fail
				if (id+i)%3 == 0 {
					call = panics.FailDeep
				}
				words := [4]uint64{1, 2, 3, uint64(i)}
				slots <- true
				value := caught(func() {
					defer func() { deep((id + i) % 12); words[0]++ }()
					belowFrames((id*7+i)%40, func() { call(kind) })
				})
				<-slots
				p, _ := value.(*rt.Panic)
				got := ""
				if p != nil {
					got = p.Error()
				}
				if got != want[kind] || panics.Sum(words[:]) != uint64(7+i) {
					t.Errorf("kind %d: got %q, want %q", kind, got, want[kind])
				}
			}
		}()
	}
	wg.Wait()
}

// A million recovered panics need no more memory than one recovered panic: in the Go heap, in the Rust heap, and for stacks.
func TestAMillionRecovered(t *testing.T) {
	n := times(20_000)
	if alone {
		n = 1_000_000
	}
	round := func(n int) {
		for i := range n {
			kind := uint64(i % 4) // kinds whose panics allocate nothing in the Rust heap
			if p, ok := caught(func() { panics.Fail(kind) }).(*rt.Panic); !ok || len(p.Frames) < 2 {
				t.Fatalf("round %d: got %v", i, p)
			}
			if i%16 == 0 {
				caught(func() { panics.FailDeep(7) })
			}
		}
	}
	measure := func() (goHeap, stacks, rustHeap uint64, goroutines int) {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, m.StackInuse, rt.HeapLive(), runtime.NumGoroutine()
	}
	round(2000)
	goHeap, stacks, rustHeap, goroutines := measure()
	begun := time.Now()
	round(n)
	took := time.Since(begun)
	goHeap2, stacks2, rustHeap2, goroutines2 := measure()
	if goHeap2 > goHeap+256<<10 {
		t.Errorf("Go's heap had %d bytes and has %d", goHeap, goHeap2)
	}
	if stacks2 > stacks+256<<10 {
		t.Errorf("stacks had %d bytes and have %d", stacks, stacks2)
	}
	if rustHeap2 > rustHeap {
		t.Errorf("the Rust heap had %d bytes and has %d", rustHeap, rustHeap2)
	}
	if goroutines2 > goroutines {
		t.Errorf("there were %d goroutines, and are %d", goroutines, goroutines2)
	}
	t.Logf("%d panics, %v each", n, took/time.Duration(n))
}
