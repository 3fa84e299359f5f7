package analysis

import (
	"fmt"
	"maps"
	"slices"

	"rustgo.dev/check/internal/object"
)

// nosplit is the stack that Go keeps free for functions that do not check it: 800 bytes, less the return address.
const nosplit = 792

// stacks confirms that no path uses more stack than was checked before, and returns the deepest use of an exported function. The second result says
// that calls recurse: then the first one is what the largest check grants.
//
// A function that compares SP with a bound may use what the comparison grants from there on; its callers count only what it uses before. So a cycle
// of calls must contain a comparison, and each comparison must cover all uses up to the next one. A process has one level of the processor, so each
// level is a program of its own.
func (p *Program) stacks() (int64, bool) {
	deepest, granted, recursive := int64(0), int64(0), false
	for _, level := range slices.Sorted(maps.Keys(p.thresholds)) {
		l := p.level(level)
		need := l.deepest(func(_ *function, e edge) bool { return e.checked.by == unknown }, func(f *function) {
			p.faults = append(p.faults, Fault{Function: f.sym.Name, Reason: "calls recurse here and no function on the way compares SP with a bound"})
		})
		for _, f := range p.order {
			if !l.reached[f.index] {
				continue
			}
			for _, e := range f.uses(level) {
				below := e.depth + need(f, e)
				if e.checked.by != unknown && below > -e.checked.floor {
					reason := fmt.Sprintf("%d bytes of stack may be in use here, and the check before grants %d", below, -e.checked.floor)
					p.faults = append(p.faults, Fault{Function: f.sym.Name, Offset: e.at, Reason: reason})
				}
				if e.checked.by == unknown && below > nosplit && !f.sym.Local {
					reason := fmt.Sprintf("%d bytes of stack may be in use here without a check", below)
					p.faults = append(p.faults, Fault{Function: f.sym.Name, Offset: e.at, Reason: reason})
				}
			}
		}
		if len(p.faults) > 0 {
			return 0, false
		}
		l.limits()
		// An entry that lacks stack jumps to a function that grows the stack and jumps back. The entry counts without this cycle.
		back := func(f *function, e edge) bool {
			if e.to < 0 || e.depth != 0 || e.checked.by != guard {
				return false
			}
			for o := range p.functions[e.to].edges {
				if o.to == f.index && o.depth == 0 {
					return true
				}
			}
			return false
		}
		total := l.deepest(func(f *function, e edge) bool { return !back(f, e) }, func(*function) { recursive = true })
		for _, f := range p.order {
			if f.sym.Local {
				continue
			}
			for _, e := range f.uses(level) {
				deepest = max(deepest, e.depth+total(f, e))
			}
			granted = max(granted, l.granted(f, map[int]bool{}))
		}
	}
	if recursive {
		deepest = granted
	}
	return deepest, recursive
}

// granted returns the stack that the checks of an exported function grant.
func (l *program) granted(f *function, seen map[int]bool) (n int64) {
	if seen[f.index] {
		return 0
	}
	seen[f.index] = true
	for _, e := range f.uses(l.level) {
		switch {
		case e.checked.by == stackLo || e.checked.by == guard:
			n = max(n, -e.checked.floor)
		case e.checked.by == unknown && e.to >= 0:
			n = max(n, e.depth+l.granted(l.functions[e.to], seen))
		case e.checked.by == unknown:
			n = max(n, e.depth+int64(e.service.stack))
		}
	}
	return n
}

// limits checks that no function compares SP with the limit of the call where no entry has stored that limit. Functions whose address rt gets alone
// run on a stack of rt, which has a limit; they are reached by no call.
func (l *program) limits() {
	seen := map[int]bool{}
	var visit func(f *function, root string)
	visit = func(f *function, root string) {
		if seen[f.index] {
			return
		}
		seen[f.index] = true
		for _, e := range f.uses(l.level) {
			switch {
			case e.checked.by == limit:
				l.faults = append(l.faults, Fault{Function: f.sym.Name, Offset: e.at, Reason: "SP is compared with a limit that " + root + " has not stored"})
				return
			case e.limited:
			case e.to >= 0:
				visit(l.functions[e.to], root)
			case e.to == pointer:
				for t := range l.taken {
					visit(l.functions[t.sym], root)
				}
			}
		}
	}
	for _, f := range l.order {
		if !f.sym.Local {
			visit(f, f.sym.Name)
		}
	}
}

// entriesOfGo checks that Rust code enters no function that may move the stack, and no exported function. Such functions are entered by Go, or by a
// jump of a function that Go enters, when nothing lies on the stack below Go's frames.
func (p *Program) entriesOfGo() {
	into := map[int][]edge{}
	from := map[int][]*function{}
	for _, f := range p.order {
		for e := range f.edges {
			if e.to >= 0 {
				into[e.to], from[e.to] = append(into[e.to], e), append(from[e.to], f)
			}
		}
	}
	asked := map[*function]bool{} // ends at cycles of jumps
	var ofGo func(f *function) bool
	ofGo = func(f *function) bool {
		if !f.sym.Local || f.grows || asked[f] {
			return true
		}
		asked[f] = true
		defer delete(asked, f)
		for i, e := range into[f.index] {
			if e.call || e.depth != 0 || !ofGo(from[f.index][i]) {
				return false
			}
		}
		return len(into[f.index]) > 0
	}
	for _, f := range p.order {
		if f.sym.Local && !f.grows {
			continue
		}
		for i, e := range into[f.index] {
			if h := from[f.index][i]; e.call || e.depth != 0 || !ofGo(h) {
				h.fault(e.at, 8, "Rust code enters %s, which Go alone may enter", f.sym.Name)
				p.faults = append(p.faults, h.faults...)
			}
		}
		for t := range p.taken {
			if t.sym == f.index && f.grows {
				p.faults = append(p.faults, Fault{Function: f.sym.Name, Reason: "its address is kept, and Go alone may enter it"})
			}
		}
	}
}

// program is the part of a package that runs at one level of the processor.
type program struct {
	*Program
	level   int
	reached map[int]bool // symbols
	taken   map[place]bool
}

// level finds what exported functions reach at a level: by calls and jumps, and by addresses in code and data.
func (p *Program) level(level int) program {
	l := program{p, level, map[int]bool{}, map[place]bool{}}
	var work []int
	reach := func(symbol int) {
		if symbol >= 0 && !l.reached[symbol] {
			l.reached[symbol] = true
			work = append(work, symbol)
		}
	}
	for i, s := range p.file.Symbols {
		if s.Kind != object.Undefined && !s.Local {
			reach(i)
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		f := p.functions[i]
		for _, r := range p.file.Symbols[i].Relocs {
			if r.Sym < 0 {
				continue
			}
			g := p.functions[r.Sym]
			if g == nil || g.isData {
				reach(r.Sym)
			} else if f == nil { // an address in data
				l.taken[place{r.Sym, int(r.Add)}] = true
				reach(r.Sym)
			}
		}
		if f == nil || f.isData {
			continue
		}
		for _, e := range f.uses(level) {
			reach(e.to)
		}
		for t := range f.taken {
			l.taken[t] = true
			reach(t.sym)
		}
	}
	return l
}

// uses returns the edges of a function at a level, and its own deepest accesses as edges to nowhere.
func (f *function) uses(level int) []edge {
	list := make([]edge, 0, len(f.edges)+len(f.touched))
	for e := range f.edges {
		if e.levels.has(level) {
			list = append(list, e)
		}
	}
	for _, e := range f.touched {
		if e.levels.has(level) {
			e.to = rt
			list = append(list, e)
		}
	}
	return list
}

// deepest returns a function that computes the stack of an edge's target, along the edges that count.
func (l *program) deepest(counts func(*function, edge) bool, cycle func(*function)) func(*function, edge) int64 {
	known := map[int]int64{}
	open := map[int]bool{}
	var of func(f *function, index int) int64
	target := func(f *function, e edge) int64 {
		if e.to == rt {
			return int64(e.service.stack)
		}
		return of(f, e.to)
	}
	of = func(from *function, index int) int64 {
		if n, ok := known[index]; ok {
			return n
		}
		if open[index] {
			cycle(from)
			return 0
		}
		open[index] = true
		n := int64(0)
		if index == pointer {
			for t := range l.taken {
				n = max(n, of(from, t.sym))
			}
		} else {
			f := l.functions[index]
			for _, e := range f.uses(l.level) {
				if counts(f, e) {
					n = max(n, e.depth+target(f, e))
				}
			}
		}
		known[index] = n
		return n
	}
	return target
}
