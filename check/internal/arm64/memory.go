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

// readWrite adds the effects of an instruction that atomically reads and writes memory. The register changed gets an unknown value.
func (d *decoder) readWrite(size int, changed int8) bool {
	d.access(true, d.orSP(5), insn.None, size, 0)
	d.access(false, d.orSP(5), insn.None, size, 0)
	return d.clobber(changed)
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
	if opc == 3 || opc == 1 && !vector && (!load || mode == 0) || back && load && base != SP && (first == base || second == base) {
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
		return op <= 8 && d.readWrite(bytes, reg) // ldadd … swp
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
		return d.bits(14, 10) == 31 && d.readWrite(bytes, d.general(16))
	case pair && size < 2: // casp
		return d.bits(14, 10) == 31 && d.readWrite(8<<size, d.general(16)) && d.clobber(int8(d.bits(20, 16)|1))
	case pair:
		bytes *= 2
	}
	d.access(load, base, insn.None, bytes, 0)
	if !load { // the status
		return d.clobber(d.general(16))
	}
	return d.compute() && (!pair || d.clobber(d.general(10)))
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
