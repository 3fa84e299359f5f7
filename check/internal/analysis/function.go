package analysis

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"rustgo.dev/check/internal/insn"
	"rustgo.dev/check/internal/object"
)

const (
	unreached = iota
	started   // the first byte of a reached instruction
	inside    // another byte of a reached instruction
)

// These values of edge.to are not symbols of the package: rt means a function of package rt or of Go's runtime, and pointer means an unknown
// function.
const rt, pointer = -1, -2

// edge is a call or a jump to another function.
type edge struct {
	at      int
	depth   int64 // number of bytes from SP on entry down to SP when the target starts
	to      int   // a symbol, or rt or pointer
	service service
	checked check
	levels  levels
	limited bool
	call    bool
}

// function is a text symbol and the results of its analysis.
type function struct {
	p       *Program
	index   int
	sym     *object.Symbol
	entries []int // offsets at which calls and jumps may enter the function
	isData  bool

	// Results of one analysis, replaced by the next.
	marks   []uint8
	edges   map[edge]bool
	touched []edge // the deepest access to the frame after each stack check
	clobber uint32 // callee-saved registers whose values at a return or tail jump differ from those on entry
	returns bool
	calls   []int // functions whose results the analysis used
	grows   bool  // contains Go's stack check, so a call may move the stack
	opaque  bool  // calls an unknown function
	taken   map[place]bool
	cells   map[place]bool // cells through which the function calls
	facts   facts
	faults  []Fault
	late    []Fault // faults that do not end the analysis of the function

	linear []bool // the offsets at which scan found the start of an instruction
	labels []int  // offsets of constants, tables and records
	pads   int

	followed map[int]int // from the start to the end of each record and jump table that a path uses

	records      map[int]bool // the reached instructions that name the record of the call before them
	calledBefore map[int]bool // the offsets right after calls
}

type place struct{ sym, off int }

// facts are the properties of a function's code for the report on the package.
type facts struct {
	features, gives map[string]bool
	gFields         map[int64]bool
	stores          map[string]int // by class of memory
	indirect        map[int]bool
	tables          map[int]bool
	kept            map[kept]bool
	limitWord       bool
}

// kept is an instruction that stores or passes on an address of code that no call may enter.
type kept struct {
	at    int
	what  string
	table int // the offset of the constant of the function whose address is in a register, or -1; a jump table there makes it no fault
}

func newFacts() facts {
	return facts{map[string]bool{}, map[string]bool{}, map[int64]bool{}, map[string]int{}, map[int]bool{}, map[int]bool{}, map[kept]bool{}, false}
}

// Fault is a reason why a package is not confirmed.
type Fault struct {
	Function string `json:"function"`
	Offset   int    `json:"offset"`
	Bytes    string `json:"bytes,omitempty"`
	Reason   string `json:"reason"`
}

func (f Fault) String() string {
	if f.Bytes == "" && f.Offset == 0 {
		return f.Function + ": " + f.Reason
	} else if f.Bytes == "" {
		return fmt.Sprintf("%s+%d: %s", f.Function, f.Offset, f.Reason)
	}
	return fmt.Sprintf("%s+%d: [%s] %s", f.Function, f.Offset, f.Bytes, f.Reason)
}

// fault notes a fault. It returns false.
func (f *function) fault(at, size int, format string, args ...any) bool {
	x := Fault{Function: f.sym.Name, Offset: at, Reason: fmt.Sprintf(format, args...)}
	if at >= 0 && at < len(f.sym.Data) {
		x.Bytes = fmt.Sprintf("% x", f.sym.Data[at:min(at+max(size, 1), len(f.sym.Data))])
	}
	f.faults = append(f.faults, x)
	return false
}

func (w *walk) refuse(in *insn.Insn, format string, args ...any) bool {
	return w.fault(in.Off, in.Len, format, args...)
}

// refuseLate notes a fault that does not end a run of the analysis. So the first run finds the joined values of all paths, with which the second run
// begins.
func (w *walk) refuseLate(in *insn.Insn, reason string) {
	w.late = append(w.late, Fault{w.sym.Name, in.Off, fmt.Sprintf("% x", w.sym.Data[in.Off:in.Off+in.Len]), reason})
}

// reloc returns the relocation whose field begins in a range of the symbol.
func (f *function) reloc(from, to int) *object.Reloc {
	rs := f.sym.Relocs
	i, _ := slices.BinarySearchFunc(rs, from, func(r object.Reloc, at int) int { return r.Off - at })
	if i < len(rs) && rs[i].Off < to {
		return &rs[i]
	}
	return nil
}

// walk is the state of one run of the analysis over a function's code.
type walk struct {
	*function
	leaders map[int]*state
	known   map[int]*state // registers at leaders, from an earlier run
	work    []int
	restart bool
	prev    insn.Insn
	compare value // the right side of the comparison that the previous instruction made; left is the left side
	left    value
	used    bool // the instruction's relocation has been used
	buffer  []insn.Effect
}

// analyze follows all paths of the function.
func (f *function) analyze() {
	leaders := f.scan()
	var known map[int]*state
	for {
		f.marks = make([]uint8, len(f.sym.Data))
		f.edges, f.touched, f.calls, f.faults = map[edge]bool{}, nil, nil, nil
		f.late, f.clobber, f.returns, f.opaque, f.pads = nil, 0, false, false, 0
		f.taken, f.cells, f.facts, f.followed = map[place]bool{}, map[place]bool{}, newFacts(), map[int]int{}
		f.records, f.calledBefore = map[int]bool{}, map[int]bool{}
		w := &walk{function: f, leaders: map[int]*state{}, known: known, buffer: make([]insn.Effect, 0, 16)}
		for l := range leaders {
			w.leaders[l] = nil
		}
		for _, at := range f.entries {
			w.flow(at, f.p.mach.entered(levels{0, 255}))
		}
		for len(w.work) > 0 && len(f.faults) < 20 {
			at := w.work[len(w.work)-1]
			w.work = w.work[:len(w.work)-1]
			w.run(at)
		}
		for l := range w.leaders {
			leaders[l] = true
		}
		if len(f.faults) == 0 {
			f.faults = f.late
		}
		if !w.restart && (len(f.faults) == 0 || known != nil) {
			break
		}
		if !w.restart {
			// In the first run, a block may be analyzed before all paths to it are known. Its registers then hold the values of some paths only, and
			// the run may note a fault that does not occur with the joined values of all paths. The second run begins each block with the joined
			// values that the first run has found.
			known = w.leaders
		}
	}
	if len(f.faults) == 0 {
		f.sweep()
	}
}

// entered returns the state at the start of a function.
func (m *machine) entered(l levels) *state {
	s := &state{levels: l}
	for r := range insn.Registers - 1 {
		if m.saved>>r&1 != 0 || r == m.link || r == m.scratch {
			s.regs[r] = value{initial, int32(r), 0}
		}
	}
	s.regs[m.sp] = value{k: frame}
	if m.g >= 0 {
		s.regs[m.g] = value{k: goroutine}
	}
	return s
}

// passed reports whether v is the value that the scratch register has at the start of a function or after a call.
func (m *machine) passed(v value) bool {
	return m.scratch >= 0 && v == value{initial, int32(m.scratch), 0}
}

// scan decodes the function in the order of its bytes, and collects targets of jumps and places of constants. All constants lie after the code, so
// the scan ends at the first place to which an instruction refers as data. Only the assembler's call of morestack may follow the constants.
func (f *function) scan() map[int]bool {
	leaders, labels, records := map[int]bool{}, map[int]bool{}, map[int]bool{}
	f.linear = make([]bool, len(f.sym.Data))
	buffer := make([]insn.Effect, 0, 16)
	for at := 0; at < len(f.sym.Data); {
		if records[at] { // an entry that chooses among several code paths has records between the paths
			at += f.p.mach.record
			continue
		}
		if labels[at] {
			break
		}
		in, err := f.p.mach.decode(f.sym.Data, at, buffer)
		if err != nil {
			break
		}
		f.linear[at] = true
		rel := f.reloc(at, at+in.Len)
		if (in.Flow == insn.Jump || in.Flow == insn.Branch) && rel == nil {
			leaders[in.Target] = true
		}
		if in.Record {
			labels[in.Target], records[in.Target] = true, true
		}
		for _, e := range in.Effects {
			if e.Rel && rel == nil {
				labels[int(e.Disp)] = true
			}
		}
		at += in.Len
	}
	f.labels = slices.Sorted(maps.Keys(labels))
	return leaders
}

// flow is called if control may reach the offset at in the state s. It joins s into the state known for that offset. If this changes the known state,
// flow queues the block that begins there.
func (w *walk) flow(at int, s *state) {
	known, leader := w.leaders[at]
	switch {
	case at < 0 || at >= len(w.sym.Data):
		w.fault(w.prev.Off, w.prev.Len, "control leaves the symbol, to offset %d", at)
	case known == nil:
		if k := w.known[at]; k != nil && k.regs[w.p.mach.sp] == s.regs[w.p.mach.sp] {
			s = s.clone()
			for r := range s.regs {
				s.regs[r] = w.p.sets.merge(s.regs[r], k.regs[r])
			}
		}
		if !leader && w.marks[at] != unreached {
			w.restart = true
		}
		w.leaders[at] = s.clone()
		w.work = append(w.work, at)
	default:
		if a, b := known.regs[w.p.mach.sp], s.regs[w.p.mach.sp]; a != b {
			w.fault(at, 1, "SP is %s on one path and %s on another", describe(a), describe(b))
			return
		}
		if known.join(s, w.p.sets) {
			w.work = append(w.work, at)
		}
	}
}

func describe(v value) string {
	if v.k == frame {
		return fmt.Sprintf("%d bytes below its place on entry", -v.v)
	}
	return "unknown"
}

// run follows one block from its start.
func (w *walk) run(at int) {
	s := w.leaders[at].clone()
	w.compare = value{}
	for first := true; ; first = false {
		if at >= len(w.sym.Data) {
			w.fault(w.prev.Off, w.prev.Len, "control runs past the end of the symbol")
			return
		}
		if _, leader := w.leaders[at]; leader && !first {
			w.flow(at, s)
			return
		}
		in, err := w.p.mach.decode(w.sym.Data, at, w.buffer)
		if err != nil {
			w.fault(at, 8, "%v", err)
			return
		}
		for i := range in.Len {
			mark := uint8(inside)
			if i == 0 {
				mark = started
			}
			if old := w.marks[at+i]; old != unreached && old != mark {
				w.fault(at, in.Len, "control reaches the inside of another instruction")
				return
			}
			w.marks[at+i] = mark
		}
		if !w.step(s, &in) {
			return
		}
		w.prev = in
		at += in.Len
	}
}

// step applies an instruction to a state and reports whether control continues at the next instruction.
func (w *walk) step(s *state, in *insn.Insn) bool {
	end := in.Off + in.Len
	rel := w.reloc(in.Off, end)
	if rel == nil && w.p.mach.link >= 0 {
		if r := w.reloc(in.Off-4, in.Off); r != nil && r.Kind == object.PageAddr {
			rel = r
		}
	}
	sp := w.p.mach.sp
	if row := w.depthAt(in.Off); s.regs[sp].k != frame || -s.regs[sp].v != row {
		return w.refuse(in, "SP is %s, in Go's table %d", describe(s.regs[sp]), row)
	}
	if w.p.mach.link >= 0 && !w.linked(s, in) {
		return false
	}
	if in.Record {
		w.records[in.Off] = true
	}
	if in.Feature != "" {
		w.facts.features[in.Feature] = true
	}
	compare, left := w.compare, w.left
	w.compare, w.used = value{}, false
	for i := range in.Effects {
		if !w.effect(s, in, &in.Effects[i], rel) {
			return false
		}
	}
	if s.regs[sp].k != frame || s.regs[sp].v > 0 {
		return w.refuse(in, "SP becomes a value that is not a constant distance below its place on entry")
	}
	w.touch(s, s.regs[sp].v)
	if in.PopFlags && s.regs[insn.Temp].k != flags {
		return w.refuse(in, "the flags are set from a word that does not hold flags")
	}
	if rel != nil && rel.Off < in.Off && !w.used {
		return w.refuse(in, "a relocation changes the instruction, and not as the second half of an address")
	}
	if own := w.reloc(in.Off, end); own != nil {
		transfers := in.Flow == insn.Jump || in.Flow == insn.Call
		if w.used == transfers || w.reloc(own.Off+1, end) != nil || own.Off+own.Size > end && own.Kind != object.PageAddr {
			return w.refuse(in, "a relocation that does not belong to an operand or target of the instruction")
		}
	}
	if in.Flow == insn.Return || (in.Flow == insn.CallReg || in.Flow == insn.JumpReg) && s.regs[in.Reg].k != target {
		for r, v := range s.regs {
			if w.p.mach.saved>>r&1 == 0 {
				w.keep(in, v, true)
			}
		}
	}
	switch in.Flow {
	case insn.Next:
		return true
	case insn.Trap:
		return false
	case insn.Return:
		return w.leave(s, in, true)
	case insn.Branch:
		if in.Below && !in.Equal && left.k == cpuLevel && compare.k == constant && compare.v > 0 && compare.v < 256 {
			// An entry compares the processor's level with the lowest level at which some code may run. The branch skips this code if the
			// processor's level is lower.
			c := uint8(compare.v)
			w.p.thresholds[int(c)] = true
			taken := s.clone()
			taken.levels.high = min(taken.levels.high, c-1)
			w.flow(in.Target, taken)
			s.levels.low = max(s.levels.low, c)
			return len(w.faults) == 0
		}
		w.flow(in.Target, s)
		if in.Below && left.k == frame {
			switch compare.k {
			case stackLo, guard, limit:
				// These comparisons are no stack check: an address far below SP could wrap around, and an address above SP on entry says nothing
				// about the frame.
				if left.v < -1<<30 || left.v > 0 {
					return len(w.faults) == 0
				}
			}
			switch compare.k {
			case stackLo: // SP > g.stack.lo + v; the lowest 800 bytes of the stack are Go's reserve for NOSPLIT chains
				s.checked = check{stackLo, left.v - (compare.v - 800)}
			case guard: // a function may use 128 bytes below the guard (StackSmall); the 800 bytes below these are Go's reserve
				s.checked = check{guard, left.v - compare.v - 128 - w.p.mach.below}
			case limit:
				s.checked = check{limit, left.v - compare.v}
			}
		}
		if len(w.faults) > 0 {
			return false
		}
		return true
	case insn.Jump, insn.Call:
		return w.direct(s, in, rel)
	case insn.JumpReg, insn.CallReg:
		return w.indirectly(s, in)
	}
	return false
}

// keep notes that an instruction stores or passes on the value v, if v is the address of a constant in text or of another place in code that no call
// may enter. It does not note an address made by unknown arithmetic. After a jump through a table, registers may still hold values that led there.
func (w *walk) keep(in *insn.Insn, v value, register bool) {
	k := kept{at: in.Off, what: "a place inside of a function", table: -1}
	switch {
	case (v.k == data || v.k == dataAny) && w.p.functions[int(v.n)] != nil:
		k.what = w.p.file.Symbols[v.n].Name + ", a constant in text,"
	case v.k == own && register:
		k.table = int(v.v)
	case !w.p.sets.inside(v) || v.k == codeAny || register && (v.k == ownAny || v.k == entry || v.k == target):
		return
	}
	w.facts.kept[k] = true
}

// depthAt returns how many bytes SP is below its value on entry at an offset, from the assembler's table, or -1 if the table ends before.
func (w *walk) depthAt(at int) int64 {
	i, _ := slices.BinarySearchFunc(w.sym.Depths, at, func(d object.Depth, at int) int { return d.End - at - 1 })
	if i < len(w.sym.Depths) {
		return int64(w.sym.Depths[i].Bytes)
	}
	return -1
}

// touch records that the code accesses the frame at the offset at from SP on entry.
func (w *walk) touch(s *state, at int64) {
	for i := range w.touched {
		if w.touched[i].checked == s.checked && w.touched[i].levels == s.levels {
			w.touched[i].depth = max(w.touched[i].depth, -at)
			return
		}
	}
	w.touched = append(w.touched, edge{depth: -at, checked: s.checked, levels: s.levels})
}

// direct follows a call or jump whose target the instruction or its relocation names.
func (w *walk) direct(s *state, in *insn.Insn, rel *object.Reloc) bool {
	call := in.Flow == insn.Call
	if rel == nil {
		if call {
			return w.refuse(in, "a call without a relocation")
		}
		w.flow(in.Target, s)
		return false
	}
	if rel.Kind != object.Call || rel.Size != 4 || rel.Off+4 != in.Off+in.Len {
		return w.refuse(in, "a call or jump whose relocation is not that of a call")
	}
	if !call && rel.Sym == w.index {
		w.flow(int(rel.Add), s)
		return false
	}
	return w.transfer(s, in, call, place{rel.Sym, int(rel.Add)})
}

// transfer follows a call or jump to another function or to a function of rt.
func (w *walk) transfer(s *state, in *insn.Insn, call bool, to place) bool {
	name := w.p.file.Symbols[to.sym].Name
	e := edge{at: in.Off, to: to.sym, checked: s.checked, levels: s.levels, limited: s.limited, call: call, depth: -s.regs[w.p.mach.sp].v}
	if call {
		e.depth += w.p.mach.word
	}
	returns, lost, kept := true, uint32(0), int64(0)
	if f := w.p.functions[to.sym]; f != nil {
		if !f.isEntry(to.off) {
			return w.refuse(in, "a call or jump to %s+%d, which is not the start of a function", name, to.off)
		}
		w.calls = append(w.calls, to.sym)
		returns, lost = f.returns, f.clobber
	} else if w.p.file.Symbols[to.sym].Kind != object.Undefined {
		return w.refuse(in, "a call or jump to data: %s", name)
	} else if name == "runtime.morestack_noctxt" {
		if w.grows = true; !call || s.regs[w.p.mach.sp] != (value{k: frame}) {
			return w.refuse(in, "a call of runtime.morestack_noctxt outside of Go's prologue")
		}
		e.to, e.service = rt, service{returns: true}
		// morestack returns to the function with R30 set to the value of R3.
		if l := w.p.mach.link; l >= 0 && s.regs[3] != (value{initial, int32(l), 0}) {
			return w.refuse(in, "a call of runtime.morestack_noctxt without the return address in R3")
		}
		w.edges[e] = true
		// The stack may have moved, and morestack restores only SP, g and the frame pointer. So the function starts again, with new values in the
		// other registers. Only Go enters such a function, and Go does not need the old values.
		*s = *w.p.mach.entered(s.levels)
		return w.landing(s, in.Off+in.Len)
	} else if fn, ok := runtimeName(name); ok {
		v, ok := services[fn]
		if !ok || to.off != 0 {
			return w.refuse(in, "a call of %s, which is not an allowed function of rt", name)
		}
		if v.gives != "" {
			w.facts.gives[v.gives] = true
		}
		e.to, e.service = rt, v
		returns = v.returns
		if v.all {
			lost, kept = w.p.mach.saved&^(1<<w.p.mach.fp), w.p.mach.below
		}
	} else {
		return w.refuse(in, "a call of %s, which is not an allowed function", name)
	}
	w.edges[e] = true
	return w.after(s, in, call, returns, lost, kept)
}

// after updates the state after a call. At a tail jump it checks the state. lost are the callee-saved registers that the target may change. The target
// may also overwrite the memory below SP, except the first kept bytes. The result is true if control continues at the next instruction.
func (w *walk) after(s *state, in *insn.Insn, call, returns bool, lost uint32, kept int64) bool {
	for r := range s.regs {
		if lost>>r&1 != 0 || call && r != w.p.mach.sp && r != w.p.mach.g && w.p.mach.saved>>r&1 == 0 {
			s.regs[r] = value{}
		}
	}
	if !call {
		return w.leave(s, in, returns)
	}
	if r := w.p.mach.scratch; r >= 0 {
		s.regs[r] = value{initial, int32(r), 0}
	}
	below, _ := s.find(s.regs[w.p.mach.sp].v - kept)
	s.slots = s.slots[below:]
	if !w.landing(s, in.Off+in.Len) {
		return false
	}
	return returns
}

// leave checks the state at a return or at a tail jump. returns is false at a jump to a function that never returns. Such a function may raise a panic,
// so its caller's frame and registers matter too.
func (w *walk) leave(s *state, in *insn.Insn, returns bool) bool {
	if v := s.regs[w.p.mach.sp]; v.v != 0 {
		return w.refuse(in, "the function returns or jumps away with SP %s", describe(v))
	}
	if l := w.p.mach.link; l >= 0 && s.regs[l] != (value{initial, int32(l), 0}) {
		return w.refuse(in, "the function returns or jumps away while R30 does not hold its return address")
	}
	w.returns = w.returns || returns
	if fp := w.p.mach.fp; returns && !w.sym.Local && s.regs[fp] != (value{initial, int32(fp), 0}) {
		return w.refuse(in, "Go's frame pointer is not restored")
	}
	for r := range 32 {
		if w.p.mach.saved>>r&1 != 0 && s.regs[r] != (value{initial, int32(r), 0}) {
			w.clobber |= 1 << r
		}
	}
	return false
}

// indirectly follows a jump or call through a register.
func (w *walk) indirectly(s *state, in *insn.Insn) bool {
	v := s.regs[in.Reg]
	call := in.Flow == insn.CallReg
	switch {
	case w.p.mach.passed(v):
		return w.refuse(in, usesScratch)
	case v.k == code:
		return w.transfer(s, in, call, place{int(v.n), int(v.v)})
	case v.k == target && !call:
		return w.table(s, in, int(v.v))
	case len(w.targets(v)) > 0:
		if v.k == cell {
			w.cells[place{int(v.n), int(v.v)}] = true
		}
		w.facts.indirect[in.Off] = true
		goes, lost, before := false, uint32(0), s.clone()
		for _, t := range w.targets(v) {
			*s = *before.clone()
			goes = w.transfer(s, in, call, t) || goes
			lost |= w.p.functions[t.sym].clobber
			if len(w.faults) > 0 {
				return false
			}
		}
		if goes {
			*s = *before
			w.after(s, in, call, true, lost, 0)
		}
		return goes
	case v.k != unknown && v.k != maybeCode && v.k != initial && v.k != initialAny && v.k != cell && v.k != constant || v.absolute():
		return w.refuse(in, "a jump or call to an address that is not code")
	}
	w.facts.indirect[in.Off] = true
	w.opaque = true
	e := edge{at: in.Off, to: pointer, checked: s.checked, levels: s.levels, limited: s.limited, call: call, depth: -s.regs[w.p.mach.sp].v}
	if call {
		e.depth += w.p.mach.word
	}
	w.edges[e] = true
	return w.after(s, in, call, true, w.p.unknownClobber, 0)
}

// targets returns the functions to which a jump or call to the address v may go, or nothing if they are not known.
func (w *walk) targets(v value) []place {
	if v.k == cell {
		return w.p.cells.targets(place{int(v.n), int(v.v)})
	}
	return w.p.sets.members(v)
}

// table follows a jump through the jump table at the offset at. The table's entries are 32-bit distances from the table to instructions of this
// function.
func (w *walk) table(s *state, in *insn.Insn, at int) bool {
	w.facts.tables[at] = true
	w.label(at)
	end := w.constantEnd(at)
	n := 0
	for ; at+4*n+4 <= end; n++ {
		distance := binary.LittleEndian.Uint32(w.sym.Data[at+4*n:])
		if distance == 0xCCCCCCCC {
			break
		}
		w.flow(at+int(int32(distance)), s)
		if len(w.faults) > 0 {
			return false
		}
	}
	for i := at + 4*n; i < end; i++ {
		if w.sym.Data[i] != 0xCC {
			w.fault(i, 4, "the jump table at %d has a part that is no entry", at)
			return false
		}
	}
	w.followed[at] = at + 4*n
	if n == 0 {
		w.fault(in.Off, in.Len, "a jump through an empty table")
	}
	return false
}

// landing follows the path from a call that may unwind to its landing pad. The record of the call contains the offsets of the landing pad and of the
// saved registers. The parameter at is the return address.
func (w *walk) landing(s *state, at int) bool {
	w.calledBefore[at] = true
	if at >= len(w.sym.Data) {
		// The unwinder looks at the return address for an instruction that names a record. This return address belongs to the next symbol.
		return w.fault(w.prev.Off, w.prev.Len, "a call at the end of the symbol")
	}
	in, err := w.p.mach.decode(w.sym.Data, at, make([]insn.Effect, 0, 16))
	if err != nil || !in.Record {
		return true
	}
	m, rec := w.p.mach, in.Target
	if rec < 0 || rec+m.record > len(w.sym.Data) {
		return w.fault(at, in.Len, "the record of a call lies outside of the symbol")
	}
	w.label(rec)
	w.followed[rec] = rec + m.record
	w.pads++
	d := w.sym.Data[rec:]
	sp := s.regs[m.sp].v
	if up := int64(binary.LittleEndian.Uint32(d)); up != -sp {
		return w.fault(rec, 16, "the record says that SP is %d bytes below its place on entry, the code %d", up, -sp)
	}
	pad := int(int32(binary.LittleEndian.Uint32(d[4:])))
	for i, r := range m.recorded {
		if pad != 0 {
			break // a record with a landing pad names no saved registers: the pad starts with the registers as they are at the call
		}
		words, v := int64(d[8+i]), value{}
		if words == 0 {
			if r < 32 {
				v = s.regs[r]
			} else {
				v = value{initial, int32(r), 0}
			}
		} else if v = s.load(-8 * words); r >= 32 && -8*words >= sp {
			v = value{initial, int32(r), 0} // the analysis does not follow vector registers: any word of the frame is accepted
		}
		if v != (value{initial, int32(r), 0}) {
			reason := fmt.Sprintf("the record's place for register %d does not hold its value", r)
			w.late = append(w.late, Fault{w.sym.Name, rec, fmt.Sprintf("% x", w.sym.Data[rec:rec+m.record]), reason})
		}
	}
	if pad == 0 {
		return true
	}
	p := s.clone()
	for r := range p.regs {
		if r != m.sp && r != m.g && m.saved>>r&1 == 0 {
			p.regs[r] = value{}
		}
	}
	if up := int64(binary.LittleEndian.Uint16(d[m.record-2:])); up != 0 {
		p.regs[m.sp].v += 8 * up
		if m.link >= 0 || p.regs[m.sp].v > 0 {
			return w.fault(rec, 16, "the record moves SP out of the frame")
		}
	}
	w.flow(rec+pad, p)
	return true
}
