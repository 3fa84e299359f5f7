package promises

import (
	"errors"
	"io/fs"
	"iter"
	"runtime"
	"strings"
	"testing"
	"time"

	"rustgo.dev/go/rt"
	objects "scratch/unwinding_objects"
)

// unwindingObject has the methods of the four types of unwinding_objects whose values can change.
type unwindingObject[T any] interface {
	Push([]uint64) uint64
	Explode()
	ExplodeNow()
	Len() uint64
	Add(uint64) bool
	Into(uint64) uint64
	Merge(T, uint64)
	Compare(T, uint64) int64
	Each(uint64) iter.Seq[uint64]
	Drain(uint64) iter.Seq[uint64]
	Text(string)
	Clone() T
	String() string
	Close() error
	comparable
}

// unwindingRules states whether an object can be used after a panic that has unwound a call.
type unwindingRules struct {
	afterShared, afterChange bool // the object can be used after a panic in a method with &self, with &mut self
}

// A panic that unwinds drops the values that the call owned. Afterwards an object can be used or is broken. In both cases its destructor runs once.
func TestUnwindingObjects(t *testing.T) {
	t.Run("Strict", func(t *testing.T) {
		testUnwindingObject(t, objects.NewStrict, unwindingRules{afterShared: true})
	})
	t.Run("Safe", func(t *testing.T) {
		testUnwindingObject(t, objects.NewSafe, unwindingRules{afterShared: true, afterChange: true})
	})
	t.Run("Alone", func(t *testing.T) {
		testUnwindingObject(t, objects.NewAlone, unwindingRules{})
	})
	t.Run("SafeAlone", func(t *testing.T) {
		testUnwindingObject(t, objects.NewSafeAlone, unwindingRules{afterShared: true, afterChange: true})
	})
}

func testUnwindingObject[T unwindingObject[T]](t *testing.T, newObject func() T, rules unwindingRules) {
	var none T
	settled(t)
	// After each case all parts are gone. usable says whether the object can be used after the panic.
	is := func(name string, message string, usable bool, act func(T)) {
		t.Helper()
		for n := range times(20) {
			o := newObject()
			if p := panicked(t, name, func() { act(o) }); !strings.Contains(p.Message, message) {
				t.Fatalf("%s: the panic is %q", name, p.Message)
			}
			for range 2 {
				p, ok := caught(func() { o.Len() }).(*rt.Panic)
				if usable == ok || ok && !strings.Contains(p.Message, "cannot be used any more: a call of") {
					t.Fatalf("%s: the next call ends in %v", name, p)
				}
			}
			if usable {
				if p := caught(func() { o.Push([]uint64{1}) }); p != nil {
					t.Fatalf("%s: a change ends in %v", name, p)
				}
			}
			switch n % 3 {
			case 0:
				runtime.GC()
				before := objects.Alive()
				if err := o.Close(); err != nil {
					t.Fatalf("%s: Close: %v", name, err)
				}
				if got := objects.Alive(); got >= before && before != 0 {
					t.Fatalf("%s: %d parts before Close, %d after it", name, before, got)
				}
				if err := o.Close(); !errors.Is(err, fs.ErrClosed) {
					t.Fatalf("%s: the second Close: %v", name, err)
				}
			case 1:
				o = none
				settled(t)
			}
		}
		settled(t)
	}
	is("Push", "met 7", rules.afterChange, func(o T) { o.Push([]uint64{1, 2, 7, 3}) })
	is("Text", "got x", rules.afterChange, func(o T) { o.Text("x") })
	is("Text, refused", "UTF-8", true, func(o T) { o.Text("\xff") })
	is("Add", "met 7", rules.afterShared, func(o T) { o.Add(7) })
	is("Merge", "met 7", rules.afterChange, func(o T) { o.Merge(newObject(), 7) })
	is("merged", "met 7", rules.afterChange, func(o T) { o.Push([]uint64{1}); newObject().Merge(o, 7) })
	is("Compare", "met 7", rules.afterShared, func(o T) { o.Compare(none, 7) })
	is("compared", "met 7", rules.afterShared, func(o T) { newObject().Compare(o, 7) })
	is("Clone", "three parts", rules.afterShared, func(o T) { o.Push([]uint64{1, 2}); o.Clone() })
	is("String", "three parts", rules.afterShared, func(o T) { o.Push([]uint64{1, 2}); _ = o.String() })
	for _, at := range []uint64{0, 3, 4, 7} {
		loop := func(items iter.Seq[uint64]) {
			for range items {
			}
		}
		is("Each", "at ", rules.afterShared, func(o T) { o.Push(make([]uint64, 9)); loop(o.Each(at)) })
		is("Drain", "at ", rules.afterChange, func(o T) { o.Push(make([]uint64, 9)); loop(o.Drain(at)) })
	}

	// A panic in the loop's body is not a panic of the iterator.
	o := newObject()
	o.Push(make([]uint64, 9))
	if got := caught(func() {
		for range o.Drain(100) {
			panic("body")
		}
	}); got != "body" {
		t.Errorf("the panic is %v", got)
	}
	if got := o.Len(); got != 0 {
		t.Errorf("%d parts after the loop", got)
	}
	o.Close()
	settled(t)

	// The mutex that was held at the panic is poisoned, and free.
	if rules.afterShared {
		o := newObject()
		for range 3 {
			panicked(t, "Add", func() { o.Add(7) })
			if !o.Add(1) || o.Add(1) {
				t.Error("the mutex is not poisoned once")
			}
		}
		o.Close()
		settled(t)
	}

	// A value that a call has consumed is dropped by the call.
	for range times(20) {
		o := newObject()
		panicked(t, "Into", func() { o.Into(7) })
		if got := objects.Alive(); got != 0 {
			t.Errorf("Into: %d parts", got)
		}
		panicked(t, "a consumed object", func() { o.Len() })
		if err := o.Close(); rules.afterChange != errors.Is(err, fs.ErrClosed) {
			t.Errorf("Close after Into: %v", err)
		}
	}
	settled(t)

	// The destructor of a broken object may panic. Then Close panics, and does not drop twice.
	for range times(20) {
		o := newObject()
		panicked(t, "ExplodeNow", o.ExplodeNow)
		if p := panicked(t, "Close", func() { o.Close() }); p.Message != "exploded" {
			t.Errorf("Close: %v", p)
		}
		if err := o.Close(); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("the second Close: %v", err)
		}
	}
	settled(t)
}

// An object whose methods all take &self is never broken by a panic that unwinds.
func TestUnwindingObjectsThatNeverChange(t *testing.T) {
	settled(t)
	func() {
		r := objects.NewReader()
		for range times(100) {
			panicked(t, "Add", func() { r.Add(7) })
			panicked(t, "Each", func() {
				for range r.Each(5) {
				}
			})
			if got := objects.Alive(); got != 1 {
				t.Fatalf("%d parts", got)
			}
			r.Add(1)
		}
	}()
	settled(t)
}

// An iterator that no object made is dropped after a panic in its step.
func TestUnwindingObjectsAndIterators(t *testing.T) {
	settled(t)
	for at := range uint64(50) {
		panicked(t, "Numbers", func() {
			for range objects.Numbers(at) {
			}
		})
		if got := objects.Alive(); got != 0 {
			t.Fatalf("%d parts", got)
		}
	}
}

// settled waits until the collector has dropped all objects.
func settled(t *testing.T) {
	t.Helper()
	for range 2000 {
		if objects.Alive() == 0 {
			return
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("%d parts are never dropped", objects.Alive())
}
