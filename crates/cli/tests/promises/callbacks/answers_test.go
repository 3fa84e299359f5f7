package promises

import (
	"errors"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rustgo.dev/go/rt"
	answers "scratch/answers"
	closing "scratch/closing"
)

// isTaken checks that the object belongs to Rust.
func isTaken(t *testing.T, thing *answers.Thing) {
	t.Helper()
	if p := panicked(t, "Text", func() { thing.Text() }); p.Message != "Thing.Text: the Thing is closed" {
		t.Error(p)
	}
	if err := thing.Close(); err != rt.ErrClosed {
		t.Error(err)
	}
}

// droppedIn returns the number of things that f has dropped.
func droppedIn(f func()) uint64 {
	_, before := answers.Dropped()
	f()
	_, after := answers.Dropped()
	return after - before
}

// An object that a Go function returns moves to Rust.
func TestObjectsOfCallbacks(t *testing.T) {
	var last *answers.Thing
	thing := func() *answers.Thing {
		last = answers.NewThing("thing")
		deepen(50)
		return last
	}
	if n := droppedIn(func() {
		if got := answers.Take(func(text string) *answers.Thing { last = answers.NewThing(text + "!"); return last }); got != "given!" {
			t.Error(got)
		}
	}); n != 1 {
		t.Error(n)
	}
	isTaken(t, last)
	passed := answers.Pass(thing)
	isTaken(t, last)
	if passed == last || passed.Text() != "thing" || passed.Close() != nil {
		t.Error(passed)
	}
	if got := answers.Both(func() (string, *answers.Thing, *answers.Thing) {
		return "a", answers.NewThing("b"), answers.NewThing("c")
	}); got != "abc" {
		t.Error(got)
	}

	// A nil object panics. If the result is an Option, a false bool means None, and an object returned with it is dropped.
	const isNil = "a Go function has returned nil instead of a Thing"
	if p := panicked(t, "Pass", func() { answers.Pass(func() *answers.Thing { return nil }) }); p.Message != isNil {
		t.Error(p)
	}
	if p := panicked(t, "Perhaps", func() { answers.Perhaps(func() (*answers.Thing, bool) { return nil, true }) }); p.Message != isNil {
		t.Error(p)
	}
	if got := answers.Perhaps(func() (*answers.Thing, bool) { return nil, false }); got != "none" {
		t.Error(got)
	}
	if got := answers.Perhaps(func() (*answers.Thing, bool) { return thing(), true }); got != "thing" {
		t.Error(got)
	}
	isTaken(t, last)
	if n := droppedIn(func() { answers.Perhaps(func() (*answers.Thing, bool) { return thing(), false }) }); n != 1 {
		t.Error(n)
	}
	isTaken(t, last)

	// An object that is returned with an error still belongs to Go.
	mine := errors.New("mine")
	if n := droppedIn(func() {
		if _, err := answers.Fails(func() (*answers.Thing, error) { return thing(), mine }); err != mine {
			t.Error(err)
		}
	}); n != 0 || last.Text() != "thing" || last.Close() != nil {
		t.Error(n)
	}
	if got, err := answers.Fails(func() (*answers.Thing, error) { return thing(), nil }); got != "thing" || err != nil {
		t.Error(got, err)
	}
	if _, err := answers.Fails(func() (*answers.Thing, error) { return nil, mine }); err != mine {
		t.Error(err)
	}

	// If Rust refuses another result of the call, the objects that have moved to Rust are dropped.
	var one, other *answers.Thing
	pair := func(text string, second bool) func() (string, *answers.Thing, *answers.Thing) {
		return func() (string, *answers.Thing, *answers.Thing) {
			if one, other = answers.NewThing("one"), nil; second {
				other = answers.NewThing("other")
			}
			return text, one, other
		}
	}
	if n := droppedIn(func() { panicked(t, "Both", func() { answers.Both(pair("\xff", true)) }) }); n != 2 {
		t.Error(n)
	}
	isTaken(t, one)
	isTaken(t, other)
	if n := droppedIn(func() { panicked(t, "Both", func() { answers.Both(pair("", false)) }) }); n != 1 {
		t.Error(n)
	}
	isTaken(t, one)

	// An object of another package cannot be returned: its type cannot be converted to the type of this package.
	if foreign := reflect.TypeFor[closing.Thing](); foreign.ConvertibleTo(reflect.TypeFor[answers.Thing]()) {
		t.Error("objects of another package can be returned")
	}
}

// If one of the objects that a Go function returns cannot be moved to Rust, the call panics, and none of these objects is moved.
func TestObjectsThatCannotBeReturned(t *testing.T) {
	var first *answers.Thing
	refused := func(thing *answers.Thing, want string) {
		t.Helper()
		for what, f := range map[string]func(){
			"Pass":    func() { answers.Pass(func() *answers.Thing { return thing }) },
			"Perhaps": func() { answers.Perhaps(func() (*answers.Thing, bool) { return thing, false }) },
			"Both":    func() { answers.Both(func() (string, *answers.Thing, *answers.Thing) { return "", first, thing }) },
		} {
			first = answers.NewThing("first")
			if p := panicked(t, what, f); p.Message != "a Go function's result: the Thing "+want {
				t.Error(what, p)
			}
			if first.Text() != "first" || first.Close() != nil {
				t.Error(what, "moves another object")
			}
		}
	}
	closed := answers.NewThing("closed")
	closed.Close()
	refused(closed, "is closed")
	refused(new(answers.Thing), "was not made by a constructor")
	twice := answers.NewThing("twice")
	if p := panicked(t, "Both", func() { answers.Both(func() (string, *answers.Thing, *answers.Thing) { return "", twice, twice }) }); p.Message != "a Go function's result: the Thing is in use by another call" {
		t.Error(p)
	}
	if twice.Text() != "twice" {
		t.Error("the object is lost")
	}
	if p := panicked(t, "Made", func() { answers.Made(maker{func() *answers.Thing { return twice }}) }); p.Message != "a Go function's result: the Thing is closed" {
		t.Error(p)
	}
	isTaken(t, twice)

	// An object that is in use cannot be returned.
	used := answers.NewThing("used")
	const inUse = "a Go function's result: the Thing is in use by another call"
	if p := panicked(t, "Shared", func() { used.Shared(func() *answers.Thing { return used }) }); p.Message != inUse {
		t.Error(p)
	}
	if got := used.Shared(func() *answers.Thing { return answers.NewThing("more") }); got != "moreused" {
		t.Error(got)
	}
	if p := panicked(t, "Exclusive", func() { used.Exclusive(func() *answers.Thing { return used }) }); p.Message != inUse {
		t.Error(p)
	}
	used.Close()
	quiet := answers.NewQuiet(7)
	if p := panicked(t, "During", func() { quiet.During(func() *answers.Quiet { return quiet }) }); p.Message != "a Go function's result: the Quiet is in use by another call" {
		t.Error(p)
	}
	if got := quiet.During(func() *answers.Quiet { return answers.NewQuiet(3) }); got != 10 || quiet.Number() != 7 {
		t.Error(got)
	}
}

type maker struct{ f func() *answers.Thing }

func (m maker) Make(string) *answers.Thing             { return m.f() }
func (m maker) Perhaps() (*answers.Thing, bool, error) { return m.f(), true, nil }

// Each object is dropped exactly once, whether Go or Rust owns it at the end.
func TestObjectsOfCallbacksAreDroppedOnce(t *testing.T) {
	made, dropped := answers.Dropped()
	if got, err := answers.Made(maker{func() *answers.Thing { return answers.NewThing("m") }}); got != "mm" || err != nil {
		t.Error(got, err)
	}
	factory := answers.NewFactory(maker{func() *answers.Thing { return answers.NewThing("kept") }})
	for i := range 10 {
		if n := factory.Fill(20); n != uint64(20*(i+1)) {
			t.Error(n)
		}
		runtime.GC()
	}
	if err := factory.Close(); err != nil {
		t.Error(err)
	}
	for range times(200) {
		thing := answers.NewThing("wanted")
		var got atomic.Int64
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				defer func() {
					if recover() == nil {
						got.Add(1)
					}
				}()
				if i == 0 {
					if thing.Close() != nil {
						got.Add(-1)
					}
				} else {
					answers.Take(func(string) *answers.Thing { return thing })
				}
			})
		}
		wg.Wait()
		if got.Load() != 1 {
			t.Fatalf("%d calls have got the object", got.Load())
		}
	}
	var nowMade, nowDropped uint64
	for range 2000 {
		runtime.GC()
		if nowMade, nowDropped = answers.Dropped(); nowMade-nowDropped == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if nowMade != nowDropped {
		t.Errorf("%d objects are made, and %d dropped", nowMade-made, nowDropped-dropped)
	}
}
