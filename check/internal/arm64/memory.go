package arm64

import (
	"rustgo.dev/check/internal/insn"
)

// access adds a load or store of a register. The register is None if it is a vector register or zero.
func (d *decoder) access(load bool, base, reg int8, size int, disp int64) *insn.Effect {
	op, dst, src := insn.Store, int8(insn.None), reg
	if load {
		op, dst, src = insn.Load, reg, insn.None
	}
	e := d.add(op, dst, src, disp)
	e.Base, e.Size = base, int16(size)
	return e
}

// memory decodes loads and stores.
func (d *decoder) memory() error {
	w := d.w
	vector := d.bits(26, 26) == 1
	base, size := d.orSP(5), d.w>>30
	switch {
	case d.bits(29, 27) == 0b011 && d.bits(24, 24) == 0: // literals: of the function's own symbol
		e := d.access(true, insn.None, d.general(0), 4<<(size&1), int64(d.in.Off)+d.signed(23, 5)*4)
		e.Rel = true
		if vector || size > 1 {
			e.Dst = insn.None
		}
		if size == 3 {
			return errUnknown
		}
		if size == 2 && !vector {
			d.add(insn.Unknown, d.general(0), insn.None, 0)
		}
		return nil
	case d.bits(29, 27) == 0b101: // pairs
		return d.pair(vector, size, base)
	case d.bits(29, 27) == 0b111:
		return d.single(vector, size, base)
	case d.bits(29, 24) == 0b001000 && !vector:
		return d.exclusive(size, base)
	case w>>31 == 0 && d.bits(29, 27) == 0b001 && vector:
		return d.structures(base)
	case d.bits(29, 24) == 0b011001 && d.bits(21, 21) == 0 && d.bits(11, 10) == 0: // ldapur, stlur
		load := d.bits(23, 22) != 0
		e := d.access(load, base, d.general(0), 1<<size, d.signed(20, 12))
		if load && (size != 3 || d.bits(23, 22) != 1) {
			e.Dst = insn.None
			d.add(insn.Unknown, d.general(0), insn.None, 0)
		}
		return nil
	}
	return errUnknown
}

func (d *decoder) pair(vector bool, opc uint32, base int8) error {
	load := d.bits(22, 22) == 1
	size := 4 << (opc >> 1)
	mode := d.bits(24, 23)
	if vector {
		size = 4 << opc
	}
	if opc == 3 || opc == 1 && !vector && (!load || mode == 0) {
		return errUnknown
	}
	unit := size
	if opc == 1 && !vector { // ldpsw
		unit, size = 4, 4
	}
	disp := d.signed(21, 15) * int64(unit)
	first, second := d.general(0), d.general(10)
	if vector {
		first, second = insn.None, insn.None
	}
	at := disp
	if mode == 1 { // after the access
		at = 0
	}
	if mode&1 == 1 && load && base != SP && (first == base || second == base) {
		return errUnknown
	}
	for i, r := range []int8{first, second} {
		e := d.access(load, base, r, size, at+int64(i*unit))
		if load && r != insn.None {
			// The base may be the first destination: both addresses count from its old value.
			e.Dst = insn.None
			if i == 0 && r != base {
				e.Dst = r
			}
			if i == 1 {
				e.Dst = r
				if first == base {
					d.add(insn.Unknown, first, insn.None, 0)
				}
			}
			if size != 8 {
				e.Dst = insn.None
				d.add(insn.Unknown, r, insn.None, 0)
			}
		}
	}
	if mode&1 == 1 {
		d.add(insn.AddImm, base, base, disp)
	}
	return nil
}

func (d *decoder) single(vector bool, size uint32, base int8) error {
	opc := d.bits(23, 22)
	bytes := 1 << size
	load := opc != 0
	reg := d.general(0)
	if vector {
		if opc >= 2 {
			if size != 0 {
				return errUnknown
			}
			bytes = 16
		}
		load, reg = opc&1 == 1, insn.None
	} else if opc == 3 && size > 1 || opc == 2 && size == 3 {
		if opc == 3 || d.bits(25, 24) == 0 && d.bits(21, 21) == 0 && d.bits(11, 10) != 0 {
			return errUnknown
		}
		return nil // prfm
	}
	signed := opc >= 2
	var e *insn.Effect
	switch {
	case d.bits(24, 24) == 1: // an offset in units of the size
		e = d.access(load, base, reg, bytes, int64(d.bits(21, 10))*int64(bytes))
	case d.bits(21, 21) == 0: // an offset in bytes; before or after the access
		mode, disp := d.bits(11, 10), d.signed(20, 12)
		if mode == 2 {
			return errUnknown // ldtr, sttr
		}
		at := disp
		if mode == 1 {
			at = 0
		}
		if mode&1 == 1 && reg == base && base != SP {
			return errUnknown
		}
		e = d.access(load, base, reg, bytes, at)
		e.Signed = signed
		if mode&1 == 1 {
			d.add(insn.AddImm, base, base, disp)
		}
	case d.bits(11, 10) == 2: // a register as offset
		if d.bits(14, 14) == 0 {
			return errUnknown
		}
		e = d.access(load, base, reg, bytes, 0)
		e.Index, e.Scale = d.orSP(16), 1
		if d.bits(15, 13) != 3 {
			e.Index = insn.Vector // extends 32 bits
		}
		if e.Index == 31 {
			e.Index = insn.None
		}
		if d.bits(12, 12) == 1 {
			e.Scale = uint8(bytes)
		}
	case d.bits(11, 10) == 0 && !vector: // atomics
		if d.bits(15, 15) == 1 && d.bits(14, 12) != 0 && d.bits(14, 12) != 4 || d.bits(15, 12) == 12 && d.bits(23, 22) != 2 {
			return errUnknown
		}
		e = d.access(true, base, insn.None, bytes, 0)
		if d.bits(15, 12) != 12 { // 12: ldapr
			d.access(false, base, insn.None, bytes, 0)
		}
		d.add(insn.Unknown, reg, insn.None, 0)
		return nil
	default:
		return errUnknown
	}
	return nil
}

// exclusive decodes exclusive, ordered and compare-and-swap accesses.
func (d *decoder) exclusive(size uint32, base int8) error {
	bytes := 1 << size
	load := d.bits(22, 22) == 1
	o2, o1 := d.bits(23, 23), d.bits(21, 21)
	switch {
	case o2 == 0 && o1 == 0: // ldxr, stxr
		d.access(load, base, insn.None, bytes, 0)
		if load {
			d.add(insn.Unknown, d.general(0), insn.None, 0)
		} else {
			d.add(insn.Unknown, d.general(16), insn.None, 0)
		}
	case o2 == 0 && size >= 2: // pairs
		d.access(load, base, insn.None, 2*bytes, 0)
		if load {
			d.add(insn.Unknown, d.general(0), insn.None, 0)
			d.add(insn.Unknown, d.general(10), insn.None, 0)
		} else {
			d.add(insn.Unknown, d.general(16), insn.None, 0)
		}
	case o2 == 0 && d.bits(14, 10) == 31: // casp
		bytes = 8 << (size & 1)
		d.access(true, base, insn.None, bytes, 0)
		d.access(false, base, insn.None, bytes, 0)
		d.add(insn.Unknown, d.general(16), insn.None, 0)
		d.add(insn.Unknown, int8(d.bits(20, 16)|1)&31, insn.None, 0)
	case o2 == 1 && o1 == 0: // ldar, stlr
		e := d.access(load, base, d.general(0), bytes, 0)
		if load && bytes != 8 {
			e.Dst = insn.None
			d.add(insn.Unknown, d.general(0), insn.None, 0)
		}
	case o2 == 1 && d.bits(14, 10) == 31: // cas
		d.access(true, base, insn.None, bytes, 0)
		d.access(false, base, insn.None, bytes, 0)
		d.add(insn.Unknown, d.general(16), insn.None, 0)
	default:
		return errUnknown
	}
	return nil
}

// structures decodes ld1 to ld4 and st1 to st4.
func (d *decoder) structures(base int8) error {
	load, post := d.bits(22, 22) == 1, d.bits(23, 23) == 1
	if !post && d.bits(20, 16) != 0 {
		return errUnknown
	}
	bytes := 0
	if d.bits(24, 24) == 0 { // whole registers
		if d.bits(21, 21) != 0 {
			return errUnknown
		}
		registers, ok := map[uint32]int{0: 4, 2: 4, 4: 3, 6: 3, 7: 1, 8: 2, 10: 2}[d.bits(15, 12)]
		if !ok {
			return errUnknown
		}
		bytes = registers * 8 << d.bits(30, 30)
	} else {
		scale := d.bits(15, 14)
		if scale == 3 {
			if !load {
				return errUnknown
			}
			scale = d.bits(11, 10)
		} else if scale == 2 && d.bits(10, 10) == 1 {
			scale = 3
		}
		bytes = int(1+(d.bits(13, 13)<<1|d.bits(21, 21))) << scale
	}
	d.access(load, base, insn.None, bytes, 0)
	if post {
		if m := d.bits(20, 16); m == 31 {
			d.add(insn.AddImm, base, base, int64(bytes))
		} else {
			e := d.add(insn.AddReg, base, base, 0)
			e.Index = int8(m)
		}
	}
	return nil
}
