package arm64

import "rustgo.dev/check/internal/insn"

// access adds the effect of a load or store. reg is None for a vector register and for the zero register.
func (d *decoder) access(load bool, base, reg int8, size int, disp int64) *insn.Effect {
	op, dst, src := insn.Store, int8(insn.None), reg
	if load {
		op, dst, src = insn.Load, reg, insn.None
	}
	e := d.add(op, dst, src, disp)
	e.Base, e.Size = base, int16(size)
	return e
}

// readWrite adds the effects of an instruction that atomically reads and writes memory. The operation determines the stored value from the value in
// memory and the register source: Move, AddReg, Select, or Unknown. The register changed gets an unknown value.
func (d *decoder) readWrite(size int, changed, source int8, op insn.Op) bool {
	d.access(true, d.orSP(5), insn.Temp, size, 0)
	if source == insn.None {
		op = insn.Unknown
	}
	switch op {
	case insn.Unknown:
		d.clobber(insn.Temp)
	case insn.Move:
		d.add(op, insn.Temp, source, 0)
	default:
		if op == insn.Select { // so that the stored address counts as kept
			d.access(false, d.orSP(5), source, size, 0)
		}
		d.add(op, insn.Temp, insn.Temp, 0).Index = source
	}
	d.access(false, d.orSP(5), insn.Temp, size, 0)
	return d.clobber(changed)
}

// halves adds the effects of stores of two registers.
func (d *decoder) halves(base, first, second int8, size int) {
	d.access(false, base, first, size, 0)
	d.access(false, base, second, size, int64(size))
}

func (d *decoder) zero() bool {
	d.access(false, d.orSP(0), insn.None, 0, 0).Inexact = true
	return d.general(0) != insn.None
}

// literal decodes a load from an address in the function's own symbol, given relative to the instruction.
func (d *decoder) literal() bool {
	size, vector := d.w>>30, d.bits(26, 26) == 1
	d.access(true, insn.None, insn.None, 4<<(size&1), int64(d.in.Off)+d.signed(23, 5)*4).Rel = true
	return size != 3 && (vector || d.compute())
}

func (d *decoder) pair() bool {
	vector, opc, load, mode, base := d.bits(26, 26) == 1, d.w>>30, d.bits(22, 22) == 1, d.bits(24, 23), d.orSP(5)
	size, first, second := 4<<(opc>>1), d.general(0), d.general(10)
	if vector {
		size, first, second = 4<<opc, insn.None, insn.None
	}
	back := mode&1 == 1 // the base changes
	if opc == 3 || opc == 1 && !vector && (!load || mode == 0) || load && d.orSP(0) == d.orSP(10) {
		return false
	}
	if back && base != SP && (first == base || second == base) {
		return false
	}
	disp := d.signed(21, 15) * int64(size)
	at := disp
	if mode == 1 { // after the access
		at = 0
	}
	signed := opc == 1 && !vector // ldpsw
	if load && first == base {
		// Both addresses are relative to the value of the base before the load.
		d.access(true, base, insn.None, size, at)
		d.access(true, base, second, size, at+int64(size)).Signed = signed
		return d.clobber(first)
	}
	d.access(load, base, first, size, at).Signed = signed
	d.access(load, base, second, size, at+int64(size)).Signed = signed
	if back {
		d.add(insn.AddImm, base, base, disp)
	}
	return true
}

func (d *decoder) single() bool {
	vector, size, opc, base, reg := d.bits(26, 26) == 1, d.w>>30, d.bits(23, 22), d.orSP(5), d.general(0)
	bytes, load := 1<<size, opc != 0
	form, scaled := d.bits(11, 10), d.bits(24, 24) == 1
	atomic := !scaled && d.bits(21, 21) == 1 && form == 0
	switch {
	case vector && opc >= 2 && size != 0:
		return false
	case vector && opc >= 2:
		bytes = 16
	case !vector && !atomic && opc == 3 && size > 1:
		return false
	case !vector && !atomic && opc == 2 && size == 3: // prfm
		return scaled || d.bits(21, 21) == 1 && form == 2 || d.bits(21, 21) == 0 && form == 0
	}
	if vector {
		load, reg = opc&1 == 1, insn.None
	}
	switch {
	case scaled: // an offset in units of the size
		d.access(load, base, reg, bytes, int64(d.bits(21, 10))*int64(bytes)).Signed = opc >= 2
	case d.bits(21, 21) == 0: // an offset in bytes; form 1 changes the base after the access, form 3 before
		disp := d.signed(20, 12)
		at := disp
		if form == 1 {
			at = 0
		}
		if form == 2 || form&1 == 1 && reg == base && base != SP {
			return false // ldtr, sttr
		}
		d.access(load, base, reg, bytes, at).Signed = opc >= 2
		if form&1 == 1 {
			d.add(insn.AddImm, base, base, disp)
		}
	case form == 2: // a register as offset
		e := d.access(load, base, reg, bytes, 0)
		e.Signed, e.Index, e.Scale = opc >= 2, d.general(16), 1
		if d.bits(15, 13) != 3 {
			e.Index = insn.Vector // extends 32 bits
		}
		if d.bits(12, 12) == 1 {
			e.Scale = uint8(bytes)
		}
		return d.bits(14, 14) == 1
	case atomic && !vector:
		op := d.bits(15, 12)
		if op == 12 && opc == 2 && d.bits(20, 16) == 31 { // ldapr
			d.access(true, base, insn.None, bytes, 0)
			return d.clobber(reg)
		}
		return op <= 8 && d.readWrite(bytes, reg, d.general(16), [9]insn.Op{0: insn.AddReg, 8: insn.Move}[op]) // ldadd … swp
	default:
		return false
	}
	return true
}

// exclusive decodes exclusive, ordered and compare-and-swap accesses.
func (d *decoder) exclusive() bool {
	size, load, base := d.w>>30, d.bits(22, 22) == 1, d.orSP(5)
	bytes, ordered, pair := 1<<size, d.bits(23, 23) == 1, d.bits(21, 21) == 1
	switch {
	case ordered && !pair: // ldar, stlr
		d.access(load, base, d.general(0), bytes, 0)
		return true
	case ordered: // cas
		return d.bits(14, 10) == 31 && d.readWrite(bytes, d.general(16), d.general(0), insn.Select)
	case pair && size < 2: // casp, of two even registers and those after them
		if d.bits(14, 10) != 31 || d.w&1 != 0 || d.bits(16, 16) != 0 {
			return false
		}
		odd := func(low int) int8 {
			if r := d.general(low); r < 30 {
				return r + 1
			}
			return insn.None
		}
		d.halves(base, d.general(0), odd(0), 4<<size)
		return d.readWrite(8<<size, d.general(16), insn.None, insn.Unknown) && d.clobber(odd(16))
	case pair && load:
		d.access(true, base, insn.None, 2*bytes, 0)
		return d.orSP(0) != d.orSP(10) && d.compute() && d.clobber(d.general(10))
	case load:
		d.access(true, base, insn.None, bytes, 0)
		return d.compute()
	}
	// stxr, stxp: the memory may also keep its value. The register of the status must differ from the others.
	status := d.orSP(16)
	if status == d.orSP(0) || status == base && base != SP || pair && status == d.orSP(10) {
		return false
	}
	if !pair {
		return d.readWrite(bytes, d.general(16), d.general(0), insn.Select)
	}
	d.halves(base, d.general(0), d.general(10), bytes)
	d.access(false, base, insn.None, 2*bytes, 0)
	return d.clobber(d.general(16))
}

// structure decodes ld1 to ld4 and st1 to st4.
func (d *decoder) structure() bool {
	post, bytes, base := d.bits(23, 23) == 1, 0, d.orSP(5)
	if d.bits(24, 24) == 0 { // whole registers
		bytes = [16]int{0: 4, 2: 4, 4: 3, 6: 3, 7: 1, 8: 2, 10: 2}[d.bits(15, 12)] * 8 << d.bits(30, 30)
		if d.bits(21, 21) != 0 || bytes == 0 {
			return false
		}
	} else {
		scale := d.bits(15, 14)
		if scale == 3 && d.bits(22, 22) == 0 {
			return false
		} else if scale == 3 { // ld1r
			scale = d.bits(11, 10)
		} else if scale == 2 && d.bits(10, 10) == 1 {
			scale = 3
		}
		bytes = int(1+(d.bits(13, 13)<<1|d.bits(21, 21))) << scale
	}
	d.access(d.bits(22, 22) == 1, base, insn.None, bytes, 0)
	switch m := d.orSP(16); {
	case post && m == 31:
		d.add(insn.AddImm, base, base, int64(bytes))
	case post:
		d.add(insn.AddReg, base, base, 0).Index = m
	default:
		return m == 0
	}
	return true
}

func (d *decoder) unscaled() bool {
	d.access(d.bits(23, 22) != 0, d.orSP(5), d.general(0), 1<<(d.w>>30), d.signed(20, 12))
	return true
}
