package analysis

import "fmt"

// nosplit is the stack that Go keeps free for functions that do not check it: 800 bytes, less the return address.
const nosplit = 792

// stacks confirms that no path uses more stack than was checked before, and returns the deepest use of an exported function. The second result says
// that calls recurse, so that only the checks at run time bound them.
//
// A function that compares SP with a bound may use what the comparison grants from there on; its callers count only what it uses before. So a cycle
// of calls must contain a comparison, and each comparison must cover all uses up to the next one.
func (p *Program) stacks() (int64, bool) {
	need := p.deepest(func(e edge) bool { return e.checked.by == unknown }, func(f *function) {
		p.faults = append(p.faults, Fault{Function: f.sym.Name, Reason: "calls recurse here and no function on the way compares SP with a bound"})
	})
	if len(p.faults) > 0 {
		return 0, false
	}
	for _, f := range p.order {
		for _, e := range f.uses() {
			below := e.depth + need(f, e)
			if e.checked.by != unknown && below > -e.checked.floor {
				f.fault(e.at, 8, "%d bytes of stack may be in use here, and the check before grants %d", below, -e.checked.floor)
				p.faults = append(p.faults, f.faults...)
				f.faults = nil
			}
			if e.checked.by == unknown && below > nosplit && !f.sym.Local {
				p.faults = append(p.faults, Fault{Function: f.sym.Name, Offset: e.at, Reason: fmt.Sprintf("%d bytes of stack may be in use here without a check", below)})
			}
		}
	}
	recursive := false
	total := p.deepest(func(edge) bool { return true }, func(*function) { recursive = true })
	deepest := int64(0)
	for _, f := range p.order {
		if f.sym.Local {
			continue
		}
		for _, e := range f.uses() {
			deepest = max(deepest, e.depth+total(f, e))
		}
	}
	return deepest, recursive
}

// uses returns the edges of a function, and its own deepest accesses as edges to nowhere.
func (f *function) uses() []edge {
	list := make([]edge, 0, len(f.edges)+len(f.touched))
	for e := range f.edges {
		list = append(list, e)
	}
	for _, e := range f.touched {
		e.to = rt
		list = append(list, e)
	}
	return list
}

// deepest returns a function that computes the stack of an edge's target, along the edges that count.
func (p *Program) deepest(counts func(edge) bool, cycle func(*function)) func(*function, edge) int64 {
	known := map[int]int64{}
	open := map[int]bool{}
	var of func(f *function, index int) int64
	behind := func(f *function, e edge) int64 {
		switch e.to {
		case rt:
			return int64(e.service.stack)
		default:
			return of(f, e.to)
		}
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
			for t := range p.taken {
				n = max(n, of(from, t.sym))
			}
		} else {
			f := p.functions[index]
			for _, e := range f.uses() {
				if counts(e) {
					n = max(n, e.depth+behind(f, e))
				}
			}
		}
		known[index] = n
		return n
	}
	return behind
}
