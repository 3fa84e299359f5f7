package analysis

import (
	"fmt"
	"maps"
	"slices"

	"rustgo.dev/check/internal/object"
)

// nosplit is the stack that Go keeps free for functions that do not check it: 800 bytes, less the return address.
const nosplit = 792

// stacks confirms that after each comparison of SP with a bound no path uses more stack than the comparison grants. If no calls recurse, it returns
// the largest number of bytes that an exported function uses, and false. If calls recurse, it returns the largest number of bytes that a comparison
// grants, and true.
//
// After a function has compared SP with a bound, it may use the stack that the comparison grants. For its callers, only the stack that the function
// uses before the comparison counts. So each cycle of calls must contain a comparison, and each comparison must cover all uses up to the next
// comparison. A process runs the code of one level of the processor, so each level is checked separately.
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
		// If the stack is too small, an entry jumps to a function that grows the stack, which jumps back to the entry. This cycle does not count as
		// recursion.
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

// granted returns the largest number of bytes that a stack check on a path from the function f grants.
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

// limits checks that an entry has stored the limit of the call before any function compares SP with it. It follows the paths from exported functions.
// It does not visit functions that only rt calls, through an address in data: they run on a stack of rt, and rt has stored the limit.
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

// entriesOfGo checks that Rust code does not enter an exported function or a function that may move the stack. Only Go may enter such a function,
// directly or by a jump from a function that Go has entered and that has not moved SP.
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
	asked := map[*function]bool{} // so that the recursion ends at a cycle of jumps
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

// level finds the functions that exported functions reach at a level: by calls and jumps, and by addresses in code and data.
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

// uses returns the edges of a function at a level. For the deepest accesses to its own frame it adds edges to rt, whose target needs no stack.
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

// deepest returns a function that computes how many bytes of stack the target of an edge needs. It follows only edges for which counts returns true.
// If these edges form a cycle, it calls cycle for a function of the cycle.
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
