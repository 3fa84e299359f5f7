//go:build handlesteps

package handle

import (
	"fmt"
	"iter"
	"testing"
)

// With the build tag handlesteps, the package stops before each access to memory that goroutines share, and a test decides which goroutine
// continues. The tests in this file try all interleavings of a few goroutines, with a limited number of preemptions. They check the history of each
// interleaving, and that no slot was lost or is in use twice. So they show that the program order of the accesses is correct. words_plain.go explains
// why a processor keeps this order, and TestHammer tests that the processor does.
//
// TestInterleavings in mutants_test.go builds and runs the tests of this file.

// A scenario prepares a table and returns a task for each of its goroutines.
type scenario struct {
	name        string
	generations uint   // number of bits of the generation
	batch       uint32 // batch size of the processors' lists, one processor per goroutine; 0: no lists
	preemptions int
	make        func(w *world) (tasks []func())
}

// world is a table and the events of all calls on the table.
type world struct {
	tab    *table
	clock  uint64
	events []event
}

func (w *world) note(e event, call func(e *event)) event {
	w.clock++
	e.start = w.clock
	call(&e)
	w.clock++
	e.end = w.clock
	w.events = append(w.events, e)
	return e
}

func (w *world) add(v any) uint64 {
	return w.note(event{kind: added, value: v, ok: true}, func(e *event) { e.h = w.tab.add(v) }).h
}

func (w *world) remove(h uint64) {
	w.note(event{kind: removed, h: h}, func(e *event) { e.ok = w.tab.remove(h) })
}

func (w *world) lookup(h uint64) {
	w.note(event{kind: looked, h: h}, func(e *event) { e.value, e.ok = w.tab.lookup(h) })
}

var scenarios = []scenario{
	{"a value is read while its slot gets another", 32, 0, 99, func(w *world) []func() {
		h := w.add(1)
		return []func(){
			func() { w.lookup(h) },
			func() { w.remove(h); w.add("two") },
		}
	}},
	{"a value is read while its slot gets two others", 32, 0, 4, func(w *world) []func() {
		h := w.add(1)
		return []func(){
			func() { w.lookup(h); w.lookup(h) },
			func() { w.remove(h); h := w.add("two"); w.remove(h); w.add([2]int{3, 4}) },
		}
	}},
	{"three goroutines read, remove and make", 32, 0, 3, func(w *world) []func() {
		h := w.add(1)
		return []func(){
			func() { w.lookup(h) },
			func() { w.remove(h) },
			func() { n := w.add("two"); w.lookup(h); w.lookup(n) },
		}
	}},
	{"a number is looked up while it is made", 32, 0, 4, func(w *world) []func() {
		h := w.add(1)
		soon := w.tab.shards[0].free.Load()
		return []func(){
			func() { w.lookup(soon); w.lookup(h + 1) },
			func() { w.remove(h); w.add("two"); w.add(3.0) },
		}
	}},
	{"two goroutines remove one number", 32, 0, 99, func(w *world) []func() {
		h := w.add(1)
		return []func(){
			func() { w.remove(h); w.lookup(h) },
			func() { w.remove(h); w.add("two") },
		}
	}},
	{"three goroutines remove one number", 32, 0, 3, func(w *world) []func() {
		h := w.add(1)
		return []func(){
			func() { w.remove(h) },
			func() { w.remove(h); w.add("two") },
			func() { w.remove(h); w.add(3.0) },
		}
	}},
	{"the number on top is taken, others too, and its slot comes back", 32, 0, 4, func(w *world) []func() {
		return []func(){
			func() { w.add(1) },
			func() { h := w.add("two"); w.add(3.0); w.remove(h) },
		}
	}},
	{"three goroutines take and give back", 32, 0, 2, func(w *world) []func() {
		h := w.add(1)
		return []func(){
			func() { w.remove(h); w.add("two") },
			func() { w.remove(w.add(3.0)) },
			func() { w.remove(w.add(uint8(4))) },
		}
	}},
	{"two goroutines remove the last generation", 0, 0, 99, func(w *world) []func() {
		h := w.add(1)
		return []func(){
			func() { w.remove(h); w.add("two") },
			func() { w.lookup(h); w.remove(h) },
		}
	}},
	{"two processors take from one shard", 32, 2, 3, func(w *world) []func() {
		return []func(){
			func() { w.add(1); w.add("two") },
			func() { w.add(3.0); w.add([1]int{4}); w.add(5) },
		}
	}},
	{"a processor gives a batch to the shard while another takes one", 32, 2, 3, func(w *world) []func() {
		h, i := w.add(1), w.add("two")
		return []func(){
			func() { w.remove(h); w.remove(i); w.add(3.0) },
			func() { w.add([1]int{4}); w.add(5) },
		}
	}},
	{"a batch is taken in part and given back, while another is taken", 32, 2, 3, func(w *world) []func() {
		h := w.add(1)
		return []func(){
			func() { n := w.add("two"); w.remove(h); w.remove(n) },
			func() { w.remove(w.add(3.0)); w.add([1]int{4}) },
		}
	}},
	{"the top is covered, taken in a batch, and a batch given back, during another pop", 32, 2, 3, func(w *world) []func() {
		h, i, j := w.add(1), w.add("two"), w.add(3.0)
		w.tab.locals = w.tab.locals[:2] // the third processor has no lists
		return []func(){
			func() { w.add(4) },
			func() { w.add("five"); w.remove(i); w.remove(j) },
			func() { w.remove(h) },
		}
	}},
	{"three processors, and batches of three", 32, 3, 2, func(w *world) []func() {
		h, i, j := w.add(1), w.add("two"), w.add(3.0)
		return []func(){
			func() { w.remove(h); w.remove(i); w.remove(j); w.add("four") },
			func() { w.add(5); w.add("six"); w.lookup(h) },
			func() { w.remove(w.add(7)); w.remove(j) },
		}
	}},
	{"read while it is removed and its slot is used on another processor", 32, 1, 2, func(w *world) []func() {
		h := w.add(1)
		return []func(){
			func() { w.lookup(h); w.lookup(h) },
			func() { w.remove(h) },
			func() { w.lookup(w.add("two")); w.remove(w.add(3.0)) },
		}
	}},
	{"a slot is used up", 1, 0, 3, func(w *world) []func() {
		h := w.add(1)
		return []func(){
			func() { w.remove(h); w.remove(w.add("two")) },
			func() { w.lookup(h); w.remove(w.add(3.0)) },
		}
	}},
}

func TestSteps(t *testing.T) {
	for _, s := range scenarios {
		if testing.Short() {
			s.preemptions--
		}
		runs := 0
		for more, choices := true, []choice(nil); more; runs++ {
			w := &world{tab: small(s.generations, 0, 1, 1)}
			if s.batch != 0 {
				withLists(w.tab, s.batch)
			}
			w.remove(w.add(nil)) // allocates the chunk before the tasks run, so that no step happens under a lock
			schedule, err := interleave(s.make(w), choices, s.preemptions)
			if err == nil {
				err = checkHistory(w.events)
			}
			if err == nil {
				err = w.tab.account(w.events)
			}
			if err != nil {
				t.Fatalf("%s: %v\nschedule: %v", s.name, err, schedule)
			}
			choices, more = next(schedule)
		}
		t.Logf("%8d interleavings: %s", runs, s.name)
		if runs < 100 && !testing.Short() || runs < 10 {
			t.Errorf("%s: only %d interleavings", s.name, runs)
		}
	}
}

// account returns an error unless each slot is on exactly one free list, or live, or retired.
func (t *table) account(events []event) error {
	var where [slotsPerChunk]string
	seen := 0
	note := func(h uint64, what string) error {
		w := &where[h>>generationBits]
		if *w != "" {
			return fmt.Errorf("the slot of %#x is %s and %s", h, *w, what)
		}
		*w = what
		seen++
		return nil
	}
	slots := (*t.directory.Load())[0].slots
	free := func(top uint64, what string) error {
		for h := top; h != 0; h = slots[h>>generationBits].next.Load() {
			if err := note(h, what); err != nil {
				return err
			}
		}
		return nil
	}
	if err := free(t.shards[0].free.Load(), "free"); err != nil {
		return err
	}
	for _, l := range t.locals {
		if err := free(l.freed, "freed"); err != nil {
			return err
		}
		if err := free(l.fresh, "fresh"); err != nil {
			return err
		}
	}
	for h := range t.all() {
		if err := note(h, "live"); err != nil {
			return err
		}
	}
	for _, e := range events {
		if e.kind == removed && e.ok && (e.h+1)&t.config.generations == t.config.start {
			if err := note(e.h, "retired"); err != nil {
				return err
			}
		}
	}
	if seen != slotsPerChunk-1 {
		return fmt.Errorf("%d of %d slots are accounted for", seen, slotsPerChunk-1)
	}
	return nil
}

// A choice is the task that continued at some moment, as an index into the tasks that could run. Index 0 is the task that ran before, if this task
// can continue. Then any other index is a preemption.
type choice struct{ taken, of int }

// next returns the choices for the next schedule that was not tried yet, depth first.
func next(schedule []choice) (choices []choice, more bool) {
	for i := len(schedule) - 1; i >= 0; i-- {
		if schedule[i].taken+1 < schedule[i].of {
			choices = append([]choice(nil), schedule[:i+1]...)
			choices[i].taken++
			return choices, true
		}
	}
	return nil, false
}

// interleave runs the tasks, one step of one task at a time. It first makes the given choices, then always chooses index 0, and returns all choices
// made.
func interleave(tasks []func(), choices []choice, preemptions int) (schedule []choice, err error) {
	type runner struct {
		id   int
		next func() (struct{}, bool)
		stop func()
	}
	yields := make([]func(struct{}) bool, len(tasks))
	var running []*runner
	current := -1
	stepped = func() { yields[current](struct{}{}) }
	defer func() { stepped, processor = nil, -1 }()
	for i, task := range tasks {
		r := &runner{id: i}
		r.next, r.stop = iter.Pull(func(yield func(struct{}) bool) {
			yields[i] = yield
			task()
		})
		defer r.stop()
		running = append(running, r)
	}
	for len(running) > 0 {
		if len(schedule) > 1000 {
			return schedule, fmt.Errorf("no end after %d steps", len(schedule))
		}
		of := len(running)
		preempts := running[0].id == current
		if preempts && preemptions == 0 {
			of = 1
		}
		c := choice{0, of}
		if n := len(schedule); n < len(choices) {
			c.taken = choices[n].taken
		}
		schedule = append(schedule, c)
		if preempts && c.taken != 0 {
			preemptions--
		}
		r := running[c.taken]
		copy(running[1:c.taken+1], running[:c.taken]) // moves r to the front; the other tasks keep their order
		running[0] = r
		current, processor = r.id, r.id
		if _, more := r.next(); !more {
			running = running[1:]
			current = -1
		}
	}
	return schedule, nil
}
