package analysis

import (
	"slices"

	"rustgo.dev/check/internal/insn"
	"rustgo.dev/check/internal/object"
)

// address computes the address of an effect's operand.
func (w *walk) address(s *state, in *insn.Insn, e *insn.Effect, rel *object.Reloc) (value, bool) {
	switch {
	case e.TLS:
		w.used = true
		if rel == nil || rel.Kind != object.ThreadLocal || rel.Size != 4 || rel.Off+4 != in.Off+in.Len || rel.Add != 0 || e.Disp != 0 {
			return value{}, w.refuse(in, "an access to thread-local memory that is not g")
		}
		return value{k: goroutine, n: 1}, true // the address of the word that holds g
	case e.Rel && rel != nil:
		w.used = true
		if rel.Kind != object.PCRel || rel.Size != 4 || rel.Off != in.Off+in.Field {
			return value{}, w.refuse(in, "an operand with a relocation of another kind")
		}
		v, ok := w.symbol(in, rel, rel.Add+int64(in.Off+in.Len-rel.Off-4))
		if e.Inexact {
			v = blur(v)
		}
		return v, ok
	case e.Rel:
		if e.Disp < 0 || e.Disp > int64(len(w.sym.Data)) {
			return value{}, w.refuse(in, "an address outside of the function's symbol, without a relocation")
		}
		w.label(int(e.Disp))
		return value{own, 0, e.Disp}, true
	}
	v := value{k: constant}
	if e.Base >= 0 {
		v = s.regs[e.Base]
	}
	if v.k == page {
		if rel == nil || rel.Kind != object.PageAddr || rel.Off+4 != in.Off || int32(rel.Sym) != v.n || rel.Add != v.v || e.Disp != 0 || e.Index != insn.None {
			return value{}, w.refuse(in, "the address of a page is used without its relocation")
		}
		return w.symbol(in, rel, rel.Add)
	}
	if e.Index != insn.None || e.Inexact {
		var index value
		if e.Index >= 0 {
			index = s.regs[e.Index]
		}
		switch {
		case index.k == constant && !e.Inexact && follows(v.k):
			v.v += index.v * int64(e.Scale)
		case v.k == own && e.Scale == 4 && !e.Inexact:
			return value{entry, 0, v.v + e.Disp}, true
		case e.Scale != 1:
			v = blur(v)
		case e.Inexact:
			v = blur(sum(v, index))
		default:
			v = sum(v, index)
		}
	}
	if e.Op != insn.Lea && e.Base >= 0 && inherited(s.regs[e.Base]) || e.Op != insn.Lea && e.Index >= 0 && inherited(s.regs[e.Index]) {
		// The register may have another value on a path that this run has not followed yet. Then the access is allowed.
		w.refuseLate(in, "an access to memory through the value that a register of the caller has on entry")
	}
	switch {
	case follows(v.k):
		v.v += e.Disp
	case e.Disp != 0:
		v = blur(v)
	}
	if e.Op != insn.Lea && v.absolute() {
		return value{}, w.refuse(in, "an operand at an absolute address")
	}
	return v, true
}

// symbol returns the address of a place in a symbol.
func (w *walk) symbol(in *insn.Insn, rel *object.Reloc, at int64) (value, bool) {
	sym := w.p.file.Symbols[rel.Sym]
	w.used = true
	v := value{data, int32(rel.Sym), at}
	if name, ok := runtimeName(sym.Name); sym.Kind == object.Undefined && !(ok && name == "cpuLevel" && at == 0) {
		return value{}, w.refuse(in, "the address of a symbol of another package: %s", sym.Name)
	}
	if f := w.p.functions[rel.Sym]; f != nil && !f.isData {
		v.k = code
	} else if at < 0 || at > int64(sym.Size) && sym.Kind != object.Undefined {
		return value{}, w.refuse(in, "an address outside of %s", sym.Name)
	}
	return v, true
}

// inherited reports whether a callee-saved register or the link register had the value on entry, or the value was made from such a value by
// arithmetic. In Go's code such a register holds g, a frame pointer or an address of code. No code of a package may use the value as an address.
func inherited(v value) bool {
	return v.k == initial || v.k == initialAny
}

// follows reports whether a value of this kind has a known offset that the analysis adjusts in additions.
func follows(k kind) bool {
	switch k {
	case frame, goroutine, stackLo, guard, limit, code, data, own, constant:
		return true
	}
	return false
}

// absolute reports whether the value is a constant address above the first page. Addresses in the first page are not counted: the page is not mapped,
// and compilers write such accesses into code that is never reached.
func (v value) absolute() bool { return v.k == constant && uint64(v.v) >= 4096 }

// sum returns the value for a plus b.
func sum(a, b value) value {
	if a.k == constant || !follows(a.k) && follows(b.k) {
		a, b = b, a
	}
	if follows(a.k) && b.k == constant {
		a.v += b.v
		return a
	}
	if v := blur(a); v.k != unknown {
		return v
	}
	return blur(b)
}

// blur returns the value for v plus an unknown number.
func blur(v value) value {
	switch v.k {
	case frame, frameAny:
		return value{k: frameAny}
	case data, dataAny:
		return value{k: dataAny, n: v.n}
	case code, codes, codeAny, maybeCode, target:
		return value{k: codeAny}
	case own, ownAny, entry:
		return value{k: ownAny}
	case goroutine, stackLo, guard, gAny:
		return value{k: gAny}
	case initial, initialAny:
		return value{k: initialAny}
	}
	return value{}
}

// usesScratch is the reason of a fault. Code may only save the value that the scratch register has on entry or after a call.
const usesScratch = "a use of the scratch register, which may hold the address of a function"

// effect applies one effect and reports whether it is allowed.
func (w *walk) effect(s *state, in *insn.Insn, e *insn.Effect, rel *object.Reloc) bool {
	for _, r := range []int8{e.Src, e.Base, e.Index} {
		switch {
		case r < 0:
		case e.Op != insn.Store && e.Op != insn.Move && w.p.mach.passed(s.regs[r]):
			w.refuseLate(in, usesScratch)
		case s.regs[r].k == page && r != e.Base && e.Op != insn.AddImm:
			return w.refuse(in, "the address of a page is used without its relocation")
		}
	}
	var v value
	switch e.Op {
	case insn.Unknown:
		if e.Dst == insn.None {
			return true
		}
	case insn.Const:
		v = value{constant, 0, e.Disp}
	case insn.Flags:
		v = value{k: flags}
	case insn.Move:
		v = s.regs[e.Src]
	case insn.AddImm:
		switch v = s.regs[e.Src]; {
		case follows(v.k):
			v.v += e.Disp
		case v.k != page:
			v = blur(v)
		}
		if v.k == page {
			if rel == nil || rel.Kind != object.PageAddr || rel.Off+4 != in.Off || int32(rel.Sym) != v.n || rel.Add != v.v || e.Disp != 0 {
				return w.refuse(in, "the address of a page is used without its relocation")
			}
			var ok bool
			if v, ok = w.symbol(in, rel, rel.Add); !ok || v.k == code && !w.take(in, e, v) {
				return false
			}
		}
	case insn.AddReg:
		a, b := s.regs[e.Src], s.regs[e.Index]
		if a.k == own && b.k == entry {
			a, b = b, a
		}
		if v = sum(a, b); a.k == entry && b.k == own && a.v == b.v {
			v = value{target, 0, a.v}
		}
	case insn.SubReg:
		if a, b := s.regs[e.Src], s.regs[e.Index]; b.k == constant && follows(a.k) {
			v = a
			v.v -= b.v
		} else {
			v = blur(a)
		}
	case insn.Insert:
		if v = s.regs[e.Src]; v.k == constant {
			v.v = v.v&^(0xFFFF<<e.Scale) | e.Disp<<e.Scale
		} else {
			v = value{}
		}
	case insn.Select:
		v = w.p.sets.merge(s.regs[e.Src], s.regs[e.Index])
	case insn.Compare:
		w.left, w.compare = s.regs[e.Src], value{constant, 0, e.Disp}
		if e.Index != insn.None {
			w.compare = s.regs[e.Index]
		}
		return true
	case insn.Page:
		if rel == nil || rel.Kind != object.PageAddr || rel.Off != in.Off {
			return w.refuse(in, "the address of a page without a relocation")
		}
		w.used = true
		v = value{page, int32(rel.Sym), rel.Add}
	case insn.Lea:
		var ok bool
		if v, ok = w.address(s, in, e, rel); !ok {
			return false
		}
		if v.k == entry { // the address depends on the index
			v = value{k: ownAny}
		}
		if v.k == code && !w.take(in, e, v) {
			return false
		}
	case insn.Load:
		var ok bool
		if v, ok = w.load(s, in, e, rel); !ok {
			return false
		}
	case insn.Store:
		return w.store(s, in, e, rel)
	}
	if e.Dst >= 0 {
		if w.p.mach.passed(v) && int(e.Dst) != w.p.mach.scratch && e.Dst != insn.Temp {
			w.refuseLate(in, usesScratch)
		}
		if w.p.mach.reserved>>e.Dst&1 != 0 {
			return w.refuse(in, "a register of Go or of the system is changed")
		}
		s.regs[e.Dst] = v
	}
	return true
}

// take notes that an instruction makes the address of a function. It notes nothing if the register is the scratch register and the next instruction
// jumps through it. Then the code does not keep the address, because no function reads the scratch register before it changes the register.
func (w *walk) take(in *insn.Insn, e *insn.Effect, v value) bool {
	f := w.p.functions[int(v.n)]
	if !f.isEntry(int(v.v)) {
		return w.refuse(in, "the address of %s+%d, which is not the start of a function", f.sym.Name, v.v)
	}
	next, err := w.p.mach.decode(w.sym.Data, in.Off+in.Len, make([]insn.Effect, 0, 16))
	if err != nil || next.Flow != insn.JumpReg || next.Reg != e.Dst || int(e.Dst) != w.p.mach.scratch {
		w.taken[place{int(v.n), int(v.v)}] = true
	}
	return true
}

// load applies a load from memory.
func (w *walk) load(s *state, in *insn.Insn, e *insn.Effect, rel *object.Reloc) (value, bool) {
	a, ok := w.address(s, in, e, rel)
	if !ok {
		return value{}, false
	}
	switch a.k {
	case frame:
		w.touch(s, a.v)
		if e.Size == 8 {
			return s.load(a.v), true
		}
	case goroutine:
		if a.n == 1 {
			return value{k: goroutine}, e.Size == 8 && e.Dst >= 0
		}
		w.facts.gFields[a.v] = true
		switch {
		case a.v == 0 && e.Size == 8:
			return value{k: stackLo}, true
		case a.v == 16 && e.Size == 8 && e.Dst >= 0:
			return value{k: guard}, true
		}
		return value{}, w.refuse(in, "a read of the field of g at %d", a.v)
	case gAny:
		return value{}, w.refuse(in, "a read of an unknown field of g or of memory near g.stack.lo")
	case stackLo:
		if a.v != 0 || e.Size != 8 {
			return value{}, w.refuse(in, "a read of memory at g.stack.lo%+d", a.v)
		}
		return value{k: limit}, true
	case entry:
		if e.Size == 4 && e.Signed {
			return a, true
		}
	case data:
		if name, ok := runtimeName(w.p.file.Symbols[a.n].Name); ok && name == "cpuLevel" && e.Size == 1 && a.v == 0 {
			return value{k: cpuLevel}, true
		}
		if e.Size == 8 && w.p.file.Symbols[a.n].Kind == object.Writable {
			return value{cell, a.n, a.v}, true
		}
	}
	return value{}, true
}

// store checks that memory may be written, and applies the store.
func (w *walk) store(s *state, in *insn.Insn, e *insn.Effect, rel *object.Reloc) bool {
	a, ok := w.address(s, in, e, rel)
	if !ok {
		return false
	}
	var v value
	if e.Src >= 0 && e.Size == 8 {
		v = s.regs[e.Src]
	}
	refuse := func(where string) bool { return w.refuse(in, "a store to %s", where) }
	class := "memory through pointers"
	switch a.k {
	case frame:
		size := int64(e.Size)
		class = "frame"
		if a.v >= 8 {
			class = "arguments"
			// Between the frame and the arguments lies the return address, or on arm64 an empty word.
			if !w.sym.Local && a.v+size > 8+int64(w.sym.Args) {
				return refuse("the caller's frame, above the arguments and results")
			}
		} else if a.v+size > 0 { // at or above SP on entry, where on arm64 the caller's return address lies
			return refuse("the return address")
		}
		w.touch(s, a.v)
		s.store(a.v, size, v)
	case frameAny:
		class = "frame"
		if at, size, ok := w.extent(s, e); !ok {
			return refuse("the frame, in an unknown block")
		} else if size > 0 {
			if at+size > 0 {
				return refuse("the return address, or above it")
			}
			w.touch(s, at)
			s.store(at, size, value{})
		}
	case data, dataAny:
		sym := w.p.file.Symbols[a.n]
		switch sym.Kind {
		case object.Writable:
			class = "statics"
		case object.Undefined:
			return refuse("a symbol of another package: " + sym.Name)
		default:
			return refuse("read-only data: " + sym.Name)
		}
		w.p.cells.stored(a, int64(e.Size), v, w.p.sets)
		if at, size, ok := w.extent(s, e); !ok || size > 0 && (at < 0 || at+size > int64(sym.Size)) {
			return refuse("memory outside of " + sym.Name)
		}
		if a.k == data && (a.v < 0 || a.v+int64(e.Size) > int64(sym.Size)) {
			return refuse("memory outside of " + sym.Name)
		}
	case own, ownAny, entry, code, codes, codeAny, maybeCode, target:
		return refuse("code")
	case goroutine, guard, gAny:
		return refuse("a field of g")
	case stackLo:
		if a.v != 0 || e.Size != 8 || v.k != frame || s.checked.by != stackLo && s.checked.by != guard || v.v < s.checked.floor {
			return refuse("g's stack bound, other than the limit of the call after a check")
		}
		class = "the word at g.stack.lo"
		w.facts.limitWord, s.limited = true, true
	}
	w.facts.stores[class]++
	if e.Src >= 0 && (v.k == data || v.k == dataAny) {
		w.p.cells.leak(int(v.n))
	}
	if class != "frame" || a.k == frameAny {
		w.keep(in, v, false)
		if w.p.mach.passed(v) {
			w.refuseLate(in, usesScratch)
		}
	}
	if v.k == target && class != "frame" {
		return refuse("memory outside of the frame, of a jump's target")
	}
	return true
}

// extent returns the smallest range of offsets in the frame or in a symbol that contains every place to which an inexact effect may store. The size
// is 0 if extent knows no range: the effect is exact, or its address depends on an index, on a repetition, or on a register whose offset is unknown.
// ok is false if the effect stores to a block of memory around the address (arm64's dc zva).
func (w *walk) extent(s *state, e *insn.Effect) (at, size int64, ok bool) {
	if !e.Inexact || e.Index != insn.None || e.Base < 0 || !follows(s.regs[e.Base].k) {
		return 0, 0, !e.Inexact || w.p.mach.step == 1 || e.Index != insn.None
	}
	if e.Unit == 0 {
		return 0, 0, w.p.mach.step == 1
	}
	most := e.Disp * int64(e.Unit)
	at = s.regs[e.Base].v + min(e.Disp, most)
	return at, max(e.Disp, most) - min(e.Disp, most) + int64(e.Unit), true
}

// label notes a fault unless the scan has found a constant, a table or a record at this offset of the symbol.
func (w *walk) label(at int) {
	if _, ok := slices.BinarySearch(w.labels, at); !ok {
		w.fault(at, 1, "a constant to which no instruction refers in the order of the bytes")
	}
}
