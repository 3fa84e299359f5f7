package nativetest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// object is an object that exists both in Go and in the native program.
type object struct {
	number uint32
	of     *typ
	value  reflect.Value
	closed bool
}

// pool holds the objects of one sequence of calls.
type pool struct {
	g       *generator
	objects []*object
}

// steps is the number of calls in a sequence.
const steps = 30

// sequences makes objects and calls their methods in random order.
func (r *run) sequences(t *testing.T, exports, closes []*export) {
	g := &generator{Rand: r.random("Objects"), words: r.words, mode: mixed}
	constructors, _ := split(exports)
	called, varied := map[string]int{}, map[string]int{}
	var left leftOut
	failures, done := 0, 0
	// If exports have not been called after the usual number of calls, up to three times as many follow.
	usual := r.count * (len(exports) + len(closes))
	for n := 0; n*steps < usual || n*steps < 4*usual && uncalled(exports, called); n++ {
		problem, err := r.sequence(g, n, exports, constructors, closes, called, &done)
		if problem != nil && problem.keyed && r.native.varies(r.native.asked, problem.got) {
			// Later sequences leave out an export whose results vary often. A constructor is never left out, because other exports need its objects.
			if varied[problem.of.Name]++; varied[problem.of.Name] == enough {
				others := slices.DeleteFunc(slices.Clone(exports), func(e *export) bool { return e == problem.of })
				if !slices.Contains(constructors, problem.of) {
					exports = others
				}
			}
			problem = nil
		}
		if err != nil {
			left.add(err)
			g.smaller()
			_ = r.native.stop()
			if left.count > 8 {
				break
			}
			continue
		}
		if problem != nil {
			r.fail(t, problem.of, problem.call, problem.text, func() string { return "" })
			_ = r.native.stop()
			if failures++; failures == 3 {
				break
			}
			continue
		}
		if a, err := r.native.ask([]byte{askForget}); err != nil || a.kind != text {
			t.Fatalf("the native program does not forget: %v %s", err, a.text)
		}
	}
	var counts strings.Builder
	for _, e := range append(exports, closes...) {
		fmt.Fprintf(&counts, ", %s %d", e.Name, called[e.Name])
	}
	t.Logf("%d calls were compared%s%s", done, counts.String(), left.summary("sequences were broken off"))
	for _, name := range slices.Sorted(maps.Keys(varied)) {
		t.Logf("%d results of %s differ natively too, with the random keys of a HashMap", varied[name], name)
	}
	for _, e := range exports {
		if of := unmade(e, exports); of != nil {
			t.Logf("%s is left out: no export makes a %s, and its zero value is no object", e.Name, of.Name)
		} else if called[e.Name] == 0 && r.count >= 100 {
			t.Errorf("%s was not called at all: no object for it was made, because no argument that was tried makes one. "+
				"Literals in the Rust sources are tried too: write one there with which the constructor succeeds, as in a unit test, or list %s in with-tests-skip", e.Name, e.Name)
		}
	}
}

// uncalled reports whether an export has not been called although its objects can be made.
func uncalled(exports []*export, called map[string]int) bool {
	return slices.ContainsFunc(exports, func(e *export) bool { return called[e.Name] == 0 && unmade(e, exports) == nil })
}

// unmade returns an object type that a parameter of e needs and that no sequence of calls can make. It returns nil if there is no such type.
func unmade(e *export, exports []*export) *typ {
	made := map[string]bool{}
	missing := func(e *export) *typ {
		for _, p := range e.Params {
			if of, _ := p.Type.object(); of != nil && !of.isZero() && !made[of.Name] {
				return of
			}
		}
		return nil
	}
	for known := -1; known < len(made); {
		known = len(made)
		for _, e := range exports {
			if missing(e) != nil {
				continue
			}
			for _, r := range e.Results {
				for _, of := range r.Type.makes() {
					made[of.Name] = true
				}
			}
		}
	}
	return missing(e)
}

// split separates constructors, which take no objects, from the other exports.
func split(exports []*export) (constructors, others []*export) {
	for _, e := range exports {
		takes := false
		for _, p := range e.Params {
			of, _ := p.Type.object()
			takes = takes || of != nil
		}
		if takes {
			others = append(others, e)
		} else {
			constructors = append(constructors, e)
		}
	}
	return constructors, others
}

// problem describes a difference found in a sequence.
type problem struct {
	of   *export
	call *call
	text string
	got  outcome
	// keyed is true if an export of the sequence may get random keys for a HashMap.
	keyed bool
}

func (r *run) sequence(g *generator, n int, exports, constructors, closes []*export, called map[string]int, done *int) (*problem, error) {
	p := &pool{g: g}
	numbers := &counter{}
	var history []string
	keyed := false
	r.native.asked = nil
	for step := range steps {
		p.move()
		e := exports[g.IntN(len(exports))]
		switch {
		case (step == 0 || g.IntN(6) == 0) && len(constructors) > 0:
			e = constructors[(n+step)%len(constructors)]
		case g.IntN(3) == 0:
			// In a package with many exports, a random choice would seldom find the few exports for which the pool has objects.
			e = p.rarest(exports, called)
		}
		if step > 0 && len(closes) > 0 && g.IntN(16) == 0 {
			end := closes[g.IntN(len(closes))]
			if text, err := r.close(p, end, called, &history); text != "" || err != nil {
				return &problem{of: end, call: &call{of: end, written: strings.Join(history, "\n")}, text: text}, err
			}
			continue
		}
		if err := r.zeros(p, e, numbers, &history); err != nil {
			return nil, err
		}
		if !p.serves(e) {
			continue
		}
		c := g.call(e, p.argument)
		history = append(history, c.String())
		c.written = strings.Join(history, "\n")
		answer, err := r.native.ask(c.question())
		if err != nil {
			return nil, err
		}
		if answer.kind == misunderstood {
			return &problem{of: e, call: c, text: "\tthe native program does not understand: " + answer.text}, nil
		}
		before := *numbers
		numbers.found = nil
		got := c.call(numbers)
		if got.hasLimit() {
			return nil, fmt.Errorf("limit of the Go side: %s", got.text)
		}
		called[e.Name]++
		*done++
		keyed = keyed || slices.Contains(r.p.RandomKeys, e.Name)
		// If an object is unusable, both sides must panic but may give different messages, because some checks are made in Go and others in Rust.
		if !p.unusual(c) || !got.panicked || answer.kind != panics {
			if text := compare(got, answer); text != "" {
				return &problem{of: e, call: c, text: text, got: got, keyed: keyed}, nil
			}
		}
		if got.panicked {
			// After a panic Go and the native program differ: in Go no destructor has run, and an object that was being changed is unusable.
			numbers.last = before.last
			p.forget(c)
			continue
		}
		p.objects = append(p.objects, numbers.found...)
		for i, a := range c.args {
			if _, taken := e.Params[i].Type.object(); taken && a.object != nil {
				a.object.closed = true
			}
		}
	}
	return nil, nil
}

// zeros adds a zero value as an object, in Go and in the native program, for each parameter whose zero value is a usable object. It always does so
// if the pool has no object of the type, and otherwise occasionally.
func (r *run) zeros(p *pool, e *export, numbers *counter, history *[]string) error {
	for i, param := range e.Params {
		of, _ := param.Type.object()
		if of == nil || !of.isZero() || p.choose(of, false) != nil && p.g.IntN(8) != 0 {
			continue
		}
		if _, err := r.native.ask(binary.LittleEndian.AppendUint32([]byte{askZero}, uint32(of.Len))); err != nil {
			return err
		}
		ty := e.function.Type().In(i)
		numbers.last++
		*history = append(*history, fmt.Sprintf("new(%s) // #%d", of.Name, numbers.last))
		p.objects = append(p.objects, &object{number: numbers.last, of: of, value: reflect.New(ty.Elem())})
	}
	return nil
}

// serves reports whether the pool has an open object for each parameter of e that takes an object.
func (p *pool) serves(e *export) bool {
	return !p.lacks(e, func(*typ) bool { return false })
}

// lacks reports whether e has a parameter with an object type of which the pool has no open object and for which available returns false.
func (p *pool) lacks(e *export, available func(of *typ) bool) bool {
	return slices.ContainsFunc(e.Params, func(param field) bool {
		of, _ := param.Type.object()
		return of != nil && !available(of) && p.choose(of, false) == nil
	})
}

// rarest returns the export that was called least among the exports for which the pool has objects. If there are none, it returns any export.
func (p *pool) rarest(exports []*export, called map[string]int) *export {
	var found *export
	begin := p.g.IntN(len(exports))
	for i := range exports {
		e := exports[(begin+i)%len(exports)]
		// zeros makes the objects that are zero values.
		if (found == nil || called[e.Name] < called[found.Name]) && !p.lacks(e, (*typ).isZero) {
			found = e
		}
	}
	if found == nil {
		return exports[begin]
	}
	return found
}

// choose returns a random object of the type that is closed or open, as requested. It returns nil if the pool has no such object.
func (p *pool) choose(of *typ, closed bool) *object {
	var found []*object
	for _, o := range p.objects {
		if o.of.Name == of.Name && o.closed == closed {
			found = append(found, o)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found[p.g.IntN(len(found))]
}

// move occasionally moves an object to another address, as Go code may do with inline objects. It runs only between calls, because two arguments of
// one call may be the same object.
func (p *pool) move() {
	if len(p.objects) == 0 || p.g.IntN(6) != 0 {
		return
	}
	o := p.objects[p.g.IntN(len(p.objects))]
	if o.of.Len > 0 {
		moved := reflect.New(o.value.Type().Elem())
		moved.Elem().Set(o.value.Elem())
		o.value = moved
	}
}

// argument chooses the object to pass for a parameter. Occasionally the object is nil, zero or closed.
func (p *pool) argument(param field) argument {
	of, _ := param.Type.object()
	o := p.choose(of, false)
	ty := o.value.Type()
	switch p.g.IntN(48) {
	case 0:
		return argument{value: reflect.Zero(ty), encoded: []byte{placeNil}, unusual: true}
	case 1:
		return argument{value: reflect.New(ty.Elem()), encoded: []byte{placeZero}, unusual: true}
	case 2:
		if closed := p.choose(of, true); closed != nil {
			o = closed
		}
	}
	return argument{value: o.value, encoded: binary.LittleEndian.AppendUint32([]byte{placeObject}, o.number), object: o, unusual: o.closed}
}

// unusual reports whether an object of the call is unusable or is passed twice.
func (p *pool) unusual(c *call) bool {
	seen := map[*object]bool{}
	for _, a := range c.args {
		if a.unusual || a.object != nil && seen[a.object] {
			return true
		}
		seen[a.object] = true
	}
	return false
}

// forget removes from the pool the objects that a call used.
func (p *pool) forget(c *call) {
	kept := p.objects[:0]
	for _, o := range p.objects {
		used := false
		for _, a := range c.args {
			used = used || a.object == o
		}
		if !used {
			kept = append(kept, o)
		}
	}
	p.objects = kept
}

// close closes an open object of the pool; later calls must refuse this object. It also calls Close for an object that was closed before, and this
// call must return fs.ErrClosed.
func (r *run) close(p *pool, e *export, called map[string]int, history *[]string) (string, error) {
	ty := e.function.Type().In(0)
	var open, closed []*object
	for _, o := range p.objects {
		if o.value.Type() == ty && o.closed {
			closed = append(closed, o)
		} else if o.value.Type() == ty {
			open = append(open, o)
		}
	}
	for i, all := range [][]*object{open, closed} {
		if len(all) == 0 {
			continue
		}
		o := all[p.g.IntN(len(all))]
		*history = append(*history, fmt.Sprintf("%s(*%s#%d)", e.Name, o.of.Name, o.number))
		called[e.Name]++
		err, _ := e.function.Call([]reflect.Value{o.value})[0].Interface().(error)
		switch {
		case i == 0 && err != nil:
			return fmt.Sprintf("\treturns %v", err), nil
		case i == 1 && !errors.Is(err, fs.ErrClosed):
			return fmt.Sprintf("\treturns %v for a closed object", err), nil
		case i == 0:
			if _, err := r.native.ask(binary.LittleEndian.AppendUint32([]byte{askClose}, o.number)); err != nil {
				return "", err
			}
			o.closed = true
		}
	}
	return "", nil
}
