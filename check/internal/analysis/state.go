package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"rustgo.dev/check/internal/insn"
)

// kind is the kind of a value that the analysis follows.
type kind uint8

const (
	unknown    kind = iota
	initial         // the value on entry of register n, which is callee-saved or the link register
	initialAny      // an address made from an initial value by arithmetic
	frame           // SP on entry + v
	frameAny        // an address in the frame
	goroutine       // g + v; with n = 1, the address of the word that holds g
	stackLo         // g.stack.lo + v
	guard           // g.stackguard0 + v
	limit           // l + v, where l is the limit of the call: the bound of the stack that an entry stores in the word at g.stack.lo
	code            // offset v of text symbol n
	codes           // the address of one of the functions in set n
	data            // offset v of data symbol n
	dataAny         // an address in data symbol n
	own             // offset v of the function's own symbol, where constants lie after the code
	page            // the page of offset v of symbol n
	entry           // a distance that was loaded from the jump table at offset v
	target          // a jump target of the jump table at offset v
	cell            // the word at offset v of writable symbol n
	cpuLevel        // the processor's level (a number for its features), which rt determines when the program starts
	constant        // v
	codeAny         // an address made from an address of code by unknown arithmetic
	maybeCode       // an address of code on some paths
	ownAny          // an address among the constants of the function
	gAny            // an address made by unknown arithmetic from g or from a bound of g's stack, possibly only on some paths
	flags           // the processor's flags
)

type value struct {
	k kind
	n int32
	v int64
}

type slot struct {
	at    int64 // offset from SP on entry
	value value
}

// check is the last comparison of SP with a bound on the path to a state.
type check struct {
	by    kind // stackLo, guard or limit; unknown if there was none
	floor int64
}

// state holds the values that the analysis knows at an instruction of a function. Words of the frame that are not in slots are unknown.
type state struct {
	regs    [insn.Registers]value
	slots   []slot
	checked check
	levels  levels
	limited bool // the function has stored the limit of the call
}

// levels is a range of processor levels. Processors of these levels can take the path to a state.
type levels struct{ low, high uint8 }

func (l levels) has(v int) bool { return int(l.low) <= v && v <= int(l.high) }

func (s *state) clone() *state {
	c := *s
	c.slots = slices.Clone(s.slots)
	return &c
}

func (s *state) find(at int64) (int, bool) {
	return slices.BinarySearchFunc(s.slots, at, func(s slot, at int64) int { return int(s.at - at) })
}

func (s *state) load(at int64) value {
	if i, ok := s.find(at); ok {
		return s.slots[i].value
	}
	return value{}
}

// store applies a store of size bytes to the frame. It removes the words that the store overlaps, and adds the stored word if its value is followed.
func (s *state) store(at, size int64, v value) {
	i, _ := s.find(at - 7)
	j := i
	for j < len(s.slots) && s.slots[j].at < at+size {
		j++
	}
	s.slots = slices.Delete(s.slots, i, j)
	if size == 8 && v.k != unknown && v.k != constant {
		s.slots = slices.Insert(s.slots, i, slot{at, v})
	}
}

// join merges the values of both states, and reports whether s changed.
func (s *state) join(o *state, sets *sets) bool {
	changed := false
	for r := range s.regs {
		if s.regs[r] != o.regs[r] {
			m := sets.merge(s.regs[r], o.regs[r])
			changed = changed || m != s.regs[r]
			s.regs[r] = m
		}
	}
	merged := make([]slot, 0, len(s.slots))
	keep := func(at int64) {
		if v := sets.merge(s.load(at), o.load(at)); v.k != unknown {
			merged = append(merged, slot{at, v})
		}
	}
	for _, w := range s.slots {
		keep(w.at)
	}
	for _, w := range o.slots { // words that are unknown in s
		if _, ok := s.find(w.at); !ok {
			keep(w.at)
		}
	}
	slices.SortFunc(merged, func(a, b slot) int { return int(a.at - b.at) })
	changed = changed || !slices.Equal(s.slots, merged)
	s.slots = merged
	if l := (levels{min(s.levels.low, o.levels.low), max(s.levels.high, o.levels.high)}); l != s.levels {
		s.levels = l
		changed = true
	}
	if s.limited && !o.limited {
		s.limited = false
		changed = true
	}
	if s.checked.by != unknown && s.checked != o.checked {
		s.checked = check{}
		changed = true
	}
	return changed
}

// sets numbers the sets of functions to which values of the kind codes refer.
type sets struct {
	list    [][]place
	numbers map[string]int
	isStart func(place) bool
}

// members returns the functions whose address v may be, or nil if v is not of the kind code or codes.
func (t *sets) members(v value) []place {
	switch v.k {
	case code:
		return []place{{int(v.n), int(v.v)}}
	case codes:
		return t.list[v.n]
	}
	return nil
}

// merge returns a value that covers both a and b.
func (t *sets) merge(a, b value) value {
	switch {
	case a == b:
		return a
	case (a.k == data || a.k == dataAny) && (b.k == data || b.k == dataAny) && a.n == b.n:
		return value{k: dataAny, n: a.n}
	case (a.k == frame || a.k == frameAny) && (b.k == frame || b.k == frameAny):
		return value{k: frameAny}
	case (a.k == code || a.k == codes) && (b.k == code || b.k == codes):
		all := append(slices.Clone(t.members(a)), t.members(b)...)
		slices.SortFunc(all, func(a, b place) int { return cmp.Or(a.sym-b.sym, a.off-b.off) })
		all = slices.Compact(all)
		key := fmt.Sprint(all)
		n, ok := t.numbers[key]
		if !ok {
			n = len(t.list)
			t.numbers[key], t.list = n, append(t.list, all)
		}
		return value{k: codes, n: int32(n)}
	case a.ofG() || b.ofG():
		return value{k: gAny}
	case t.inside(a) || t.inside(b):
		return value{k: codeAny}
	case a.ofCode() || b.ofCode():
		return value{k: maybeCode}
	}
	return value{}
}

// inside reports whether v may be the address of a place in code that is not the start of a function. No call may lead there.
func (t *sets) inside(v value) bool {
	all := t.members(v)
	return v.ofCode() && v.k != maybeCode && (len(all) == 0 || slices.ContainsFunc(all, func(p place) bool { return !t.isStart(p) }))
}

func (v value) ofG() bool {
	return slices.Contains([]kind{goroutine, stackLo, guard, gAny}, v.k)
}

func (v value) ofCode() bool {
	return slices.Contains([]kind{code, codes, codeAny, maybeCode, own, ownAny, entry, target}, v.k)
}
