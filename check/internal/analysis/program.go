// Package analysis follows the machine code of one object file and confirms what README.md lists.
//
// Each function is followed from its starts along all paths. The analysis tracks those values of registers and of words of the frame that matter for
// control flow and for the stack: addresses of the frame, code and data, the address of g, and the registers' values on entry.
//
// The results of a function (whether it returns, which registers it does not restore) depend on the results of its callees. So functions are analyzed
// again until nothing changes. At first the analysis assumes that no function returns. This is sound: a call that returns ends after finitely many
// steps, and every call inside it has returned before.
package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"rustgo.dev/check/internal/amd64"
	"rustgo.dev/check/internal/arm64"
	"rustgo.dev/check/internal/insn"
	"rustgo.dev/check/internal/object"
)

// machine describes a processor to the analysis.
type machine struct {
	decode   func(code []byte, off int, effects []insn.Effect) (insn.Insn, error)
	step     int
	sp, fp   int
	g        int    // the register that holds g, or -1
	link     int    // the register of the return address, or -1 if calls push it
	scratch  int    // the register through which a function may jump to another function without keeping its address, or -1
	saved    uint32 // callee-saved registers
	reserved uint64 // registers that no code may change
	word     int64  // bytes that a call pushes
	below    int64  // bytes below SP where Go's prologue keeps the caller's frame pointer
	record   int    // length in bytes of the record of a call that may unwind
	recorded []int  // the registers that a record names; numbers from 32 on are vector registers
}

var machines = map[string]*machine{
	"arm64": {
		decode: arm64.Decode, step: 4, sp: arm64.SP, fp: 29, g: 28, link: 30, scratch: -1, saved: 0x2FF80000, reserved: 1<<28 | 1<<18, below: 8,
		record: 28, recorded: []int{19, 20, 21, 22, 23, 24, 25, 26, 27, 29, 40, 41, 42, 43, 44, 45, 46, 47},
	},
	"amd64": {
		decode: amd64.Decode, step: 1, sp: amd64.SP, fp: 5, g: -1, link: -1, scratch: 11, saved: 1<<3 | 1<<5 | 15<<12, word: 8,
		record: 16, recorded: []int{3, 5, 12, 13, 14, 15},
	},
}

// Program is the object file of a package.
type Program struct {
	file           *object.File
	mach           *machine
	functions      map[int]*function
	order          []*function
	unknownClobber uint32
	taken          map[place]bool
	cells          *cells
	sets           *sets
	thresholds     map[int]bool // 0, and the processor levels with which entries compare to choose code
	faults         []Fault
}

// Facts describe a confirmed package.
type Facts struct {
	Functions    int            `json:"functions"`
	Instructions int            `json:"instructions"`
	Constants    int            `json:"constantsInText"`
	Features     []string       `json:"features"`
	Services     []string       `json:"services"`
	GFields      []string       `json:"readsOfG"`
	Copies       []string       `json:"copiesOfRuntime"` // import paths of the copies of rt that the code calls
	Stores       map[string]int `json:"stores"`
	Tables       int            `json:"jumpTables"`
	Pointers     int            `json:"callsThroughPointers"`
	Unknown      int            `json:"callsToUnknownFunctions"`
	Pads         int            `json:"recordsOfUnwinding"`
	Taken        int            `json:"functionsWithAddressTaken"`
	Unreached    []string       `json:"unreachedFunctions"` // functions that no exported function reaches
	Stack        int64          `json:"stackBytes"`
	Checked      bool           `json:"stackCheckedAtRunTime"`
	LimitWord    bool           `json:"writesWordAtStackLo"`
}

// Check analyzes the object file of a package. It returns faults, or facts if there are none.
func Check(file *object.File, path string) (Facts, []Fault) {
	_, facts, faults := analyze(file, path)
	return facts, faults
}

func analyze(file *object.File, path string) (*Program, Facts, []Fault) {
	p := &Program{file: file, mach: machines[file.Arch], functions: map[int]*function{}, taken: map[place]bool{}}
	p.thresholds, p.cells, p.sets = map[int]bool{0: true}, newCells(file), &sets{numbers: map[string]int{}}
	p.sets.isStart = func(at place) bool { return p.functions[at.sym].isEntry(at.off) }
	if p.mach == nil {
		return p, Facts{}, []Fault{{Function: "-", Reason: "an architecture that the checker does not know: " + file.Arch}}
	}
	prefix := symbolPrefix(path)
	for i, s := range file.Symbols {
		name, own := strings.CutPrefix(s.Name, prefix)
		own = own && !strings.Contains(name, "/") // the dot at the end of prefix may lie inside of a longer import path
		// The assembler itself makes the names that begin with $ or gclocals·, from the contents of the symbol. A symbol that assembly code defines
		// cannot have such a name.
		if !s.Local && s.Kind != object.Undefined && !own && s.Name != "" && s.Name[0] != '$' && !strings.HasPrefix(s.Name, "gclocals·") {
			p.faults = append(p.faults, Fault{Function: s.Name, Reason: "a definition in the name of another package"})
		}
		if s.Kind == object.Text {
			f := &function{p: p, index: i, sym: s}
			slices.SortFunc(s.Relocs, func(a, b object.Reloc) int { return a.Off - b.Off })
			if len(s.Data) != s.Size {
				f.fault(0, 1, "the symbol has no bytes")
				return p, Facts{}, f.faults
			}
			p.functions[i] = f
		}
	}
	p.constants()
	if faults := p.tasks(); len(faults) > 0 {
		return p, Facts{}, faults
	}
	for i := range file.Symbols {
		if f := p.functions[i]; f != nil && !f.isData {
			f.entries = f.starts()
			p.order = append(p.order, f)
		}
	}
	p.data()
	p.solve()
	for _, f := range p.order {
		p.faults = append(p.faults, f.faults...)
	}
	if len(p.faults) > 0 {
		return p, Facts{}, p.faults
	}
	p.entriesOfGo()
	p.keptConstants()
	stack, checked := p.stacks()
	p.faults = unique(p.faults)
	if len(p.faults) > 0 {
		return p, Facts{}, p.faults
	}
	x := p.facts()
	x.Stack, x.Checked = stack, checked
	return p, x, nil
}

// symbolPrefix returns the beginning of the names of a package's symbols. In names of symbols Go escapes dots in the last part of an import path, and
// some characters in all parts.
func symbolPrefix(path string) string {
	var b strings.Builder
	for i, c := range []byte(path) {
		if c <= ' ' || c == '.' && i > strings.LastIndexByte(path, '/') || c == '%' || c == '"' || c >= 0x7F {
			fmt.Fprintf(&b, "%%%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String() + "."
}

// constants finds text symbols that hold data. Go aligns data to at most 32 bytes, so rustgo writes constants of a larger alignment as text. Such a
// symbol is local, has no relocations, and no instruction calls it. Its bytes are executable, and a call through a pointer could load the pointer
// from data. So data must not contain the symbol's address.
func (p *Program) constants() {
	called, pointed := map[int]bool{}, map[int]bool{}
	for _, s := range p.file.Symbols {
		for _, r := range s.Relocs {
			called[r.Sym] = called[r.Sym] || r.Kind == object.Call
			pointed[r.Sym] = pointed[r.Sym] || r.Kind == object.Addr
		}
	}
	for i, f := range p.functions {
		f.isData = f.sym.Local && len(f.sym.Relocs) == 0 && f.sym.Align > 32 && !called[i] && len(f.sym.Depths) <= 1 && !pointed[i]
	}
}

// keptConstants refuses each instruction that stores or passes on the address of a constant in text, or of a place inside of a function. It does so
// only if the package contains a call through a pointer with unknown targets.
func (p *Program) keptConstants() {
	if !slices.ContainsFunc(p.order, func(f *function) bool { return f.opaque }) {
		return
	}
	for _, f := range p.order {
		order := func(a, b kept) int { return cmp.Or(a.at-b.at, strings.Compare(a.what, b.what)) }
		for _, k := range slices.SortedFunc(maps.Keys(f.facts.kept), order) {
			if !f.facts.tables[k.table] {
				f.fault(k.at, 1, "the address of %s is kept, and calls through pointers could execute the bytes there", k.what)
			}
		}
		p.faults = append(p.faults, f.faults...)
	}
}

// tasks refuses functions that run on stacks of their own (tasks). Such a function has no entry: Go code reads the function's address from a word of
// data, and rt provides the stack and the limit. So no instruction of the package shows that the stack suffices.
func (p *Program) tasks() (faults []Fault) {
	for _, s := range p.file.Symbols {
		if s.Kind != object.ReadOnly || s.Local {
			continue
		}
		for _, r := range s.Relocs {
			if f := p.functions[r.Sym]; f != nil && !f.isData {
				faults = append(faults, Fault{Function: s.Name, Offset: r.Off, Reason: "a task, a call on a stack of its own: check does not confirm packages with tasks"})
			}
		}
	}
	return faults
}

// data checks the addresses in data: an address that lies in a function must be one of the function's entries.
func (p *Program) data() {
	for _, s := range p.file.Symbols {
		if s.Kind != object.ReadOnly && s.Kind != object.Writable {
			continue
		}
		for _, r := range s.Relocs {
			if r.Kind != object.Addr || r.Size != 8 {
				p.faults = append(p.faults, Fault{Function: s.Name, Offset: r.Off, Reason: "data with a relocation that is no address"})
				continue
			}
			t := p.file.Symbols[r.Sym]
			if f := p.functions[r.Sym]; f != nil && !f.isData {
				if !f.isEntry(int(r.Add)) {
					p.faults = append(p.faults, Fault{Function: s.Name, Offset: r.Off, Reason: fmt.Sprintf("the address of %s+%d, which is not the start of a function", t.Name, r.Add)})
				}
				p.taken[place{r.Sym, int(r.Add)}] = true
			} else if t.Kind == object.Undefined {
				p.faults = append(p.faults, Fault{Function: s.Name, Offset: r.Off, Reason: "the address of a symbol of another package: " + t.Name})
			} else if r.Add < 0 || r.Add > int64(t.Size) {
				p.faults = append(p.faults, Fault{Function: s.Name, Offset: r.Off, Reason: "an address outside of " + t.Name})
			}
		}
	}
}

func (f *function) isEntry(at int) bool { return slices.Contains(f.entries, at) }

// starts returns the offsets at which a function may be entered. Go enters an exported function at 0. In a local function that is not NOSPLIT, the
// assembler puts its stack check first. If padding follows the check, the code after the padding is Rust code, and calls enter it only there. Without
// padding the code is Go's own, and calls enter it at 0.
func (f *function) starts() []int {
	if f.p.mach.link >= 0 || !f.sym.Local {
		return []int{0}
	}
	buffer := make([]insn.Effect, 0, 16)
	at, padded := 0, false
	for at < len(f.sym.Data) {
		in, err := f.p.mach.decode(f.sym.Data, at, buffer)
		if err != nil {
			return []int{0}
		}
		at += in.Len
		if in.Flow == insn.Branch && f.reloc(at-in.Len, at) == nil && f.callsMorestack(in.Target) {
			break
		} else if in.Flow != insn.Next || at > 40 {
			return []int{0}
		}
	}
	for at < len(f.sym.Data) {
		in, err := f.p.mach.decode(f.sym.Data, at, buffer)
		if err != nil || !in.Nop || in.Record {
			break
		}
		at += in.Len
		padded = true
	}
	if padded && at%32 == 0 {
		return []int{at}
	}
	return []int{0}
}

func (f *function) callsMorestack(at int) bool {
	r := f.reloc(at, at+5)
	return r != nil && r.Kind == object.Call && f.p.file.Symbols[r.Sym].Name == "runtime.morestack_noctxt"
}

// solve analyzes functions until no result changes.
func (p *Program) solve() {
	callers := map[int]map[*function]bool{}
	opaque := map[*function]bool{}
	queued := map[*function]bool{}
	queue := p.calleesFirst()
	for _, f := range queue {
		queued[f] = true
	}
	for len(queue) > 0 {
		f := queue[0]
		queue, queued[f] = queue[1:], false
		again := func(g *function) {
			if !queued[g] {
				queue, queued[g] = append(queue, g), true
			}
		}
		returns, clobber := f.returns, f.clobber
		f.analyze()
		f.returns, f.clobber = f.returns || returns, f.clobber|clobber
		for _, c := range f.calls {
			if callers[c] == nil {
				callers[c] = map[*function]bool{}
			}
			callers[c][f] = true
		}
		opaque[f] = f.opaque
		if f.returns != returns || f.clobber != clobber {
			for _, g := range p.order {
				if callers[f.index][g] {
					again(g)
				}
			}
		}
		if len(queue) == 0 {
			if p.cells.changed {
				p.cells.changed = false
				for _, f := range p.order {
					if len(f.cells) > 0 || opaque[f] {
						again(f)
					}
				}
			}
			lost := p.unknownClobber
			for _, f := range p.order {
				for t := range f.taken {
					p.taken[t] = true
				}
			}
			for t := range p.taken {
				lost |= p.functions[t.sym].clobber
			}
			if lost != p.unknownClobber {
				p.unknownClobber = lost
				for _, f := range p.order {
					if opaque[f] {
						again(f)
					}
				}
			}
		}
	}
}

// calleesFirst returns the functions in an order in which most callees precede their callers.
func (p *Program) calleesFirst() []*function {
	var order []*function
	seen := map[*function]bool{}
	var visit func(f *function)
	visit = func(f *function) {
		if seen[f] {
			return
		}
		seen[f] = true
		for _, r := range f.sym.Relocs {
			if r.Sym < 0 {
				continue
			}
			if g := p.functions[r.Sym]; g != nil && !g.isData {
				visit(g)
			}
		}
		order = append(order, f)
	}
	for _, f := range p.order {
		visit(f)
	}
	return order
}

// constantEnd returns the end of the constant at an offset: the next constant, or the assembler's call of morestack, whose opcode is the byte before
// the field of its relocation, or the end of the symbol.
func (f *function) constantEnd(at int) int {
	end := len(f.sym.Data)
	for _, l := range f.labels {
		if l > at && l < end {
			end = l
		}
	}
	if r := f.reloc(at, end); r != nil {
		end = max(r.Off-1, at)
	}
	return end
}

// sweep checks the bytes between the reached instructions. Each byte must belong to an instruction that no path reaches, or to a constant to which an
// instruction refers.
func (f *function) sweep() {
	labels := f.labels
	buffer := make([]insn.Effect, 0, 16)
	for at := 0; at < len(f.marks); {
		if f.marks[at] == started {
			if !f.linear[at] {
				f.fault(at, 8, "control reaches a place that is no instruction in the order of the bytes")
				return
			}
			at++
			for at < len(f.marks) && f.marks[at] == inside {
				at++
			}
			continue
		}
		end := at
		for end < len(f.marks) && f.marks[end] == unreached {
			end++
		}
		i, _ := slices.BinarySearch(labels, at)
		for at < end && (i == len(labels) || at < labels[i]) {
			in, err := f.p.mach.decode(f.sym.Data, at, buffer)
			if err != nil || at+in.Len > end {
				f.fault(at, 8, "bytes that are neither reached code, nor instructions, nor a constant that code refers to")
				return
			}
			at += in.Len
		}
		at = end
	}
	for at := range f.records {
		if !f.calledBefore[at] {
			f.fault(at, f.p.mach.step, "an instruction that names the record of a call, and no call before it")
		}
	}
	for _, r := range f.sym.Relocs { // a relocation that begins in unreached bytes must not change reached code, records or tables
		end := r.Off + r.Size
		changes := slices.ContainsFunc(f.marks[r.Off:end], func(m uint8) bool { return m != unreached })
		for from, to := range f.followed {
			changes = changes || r.Off < to && from < end
		}
		if f.marks[r.Off] == unreached && changes {
			f.fault(r.Off, r.Size, "a relocation of bytes that nothing reaches changes reached code, a record or a table")
		}
	}
	for _, l := range labels {
		if l < len(f.marks) && f.marks[l] == inside {
			f.fault(l, 1, "code refers to the inside of an instruction as to a constant")
		}
	}
}

func unique(faults []Fault) []Fault {
	seen := map[Fault]bool{}
	return slices.DeleteFunc(faults, func(f Fault) bool {
		old := seen[f]
		seen[f] = true
		return old
	})
}

func sorted(m map[string]bool) []string {
	list := []string{}
	for k := range m {
		list = append(list, k)
	}
	sort.Strings(list)
	return list
}

// facts collects the facts of all functions.
func (p *Program) facts() Facts {
	x := Facts{Functions: len(p.order), Constants: len(p.functions) - len(p.order), Stores: map[string]int{}, Taken: len(p.taken)}
	features, gives, fields, copies := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range p.file.Symbols {
		if path, _ := runtimePath(s.Name); path != "" && path != original {
			copies[path] = true
		}
	}
	reached := map[int]bool{}
	for level := range p.thresholds {
		maps.Copy(reached, p.level(level).reached)
	}
	for _, f := range p.order {
		if !reached[f.index] {
			x.Unreached = append(x.Unreached, f.sym.Name)
		}
		for k := range f.facts.features {
			features[k] = true
		}
		for k := range f.facts.gives {
			gives[k] = true
		}
		for k := range f.facts.gFields {
			fields[map[int64]string{0: "g.stack.lo", 16: "g.stackguard0"}[k]] = true
		}
		for k, n := range f.facts.stores {
			x.Stores[k] += n
		}
		x.Tables += len(f.facts.tables)
		x.Pointers += len(f.facts.indirect)
		for e := range f.edges {
			if e.to == pointer {
				x.Unknown++
			}
		}
		x.Pads += f.pads
		x.LimitWord = x.LimitWord || f.facts.limitWord
		for _, m := range f.marks {
			if m == started {
				x.Instructions++
			}
		}
	}
	x.Features, x.Services, x.GFields = sorted(features), sorted(gives), sorted(fields)
	x.Copies = sorted(copies)
	return x
}

// linked checks that Go's unwinder finds the return address: in R30 where SP has its value on entry, and in the word at SP everywhere else.
func (w *walk) linked(s *state, in *insn.Insn) bool {
	want := value{initial, int32(w.p.mach.link), 0}
	sp := s.regs[w.p.mach.sp].v
	if sp == 0 && s.regs[w.p.mach.link] != want && in.Flow != insn.Jump {
		return w.refuse(in, "R30 does not hold the return address although SP has its value on entry")
	}
	if sp != 0 && s.load(sp) != want {
		return w.refuse(in, "the word at SP is not the return address")
	}
	return true
}
