// Package arm64 decodes the instructions of AArch64 that packages by rustgo may contain.
//
// The decoder works by allow-list, in the order of the tables in the Arm architecture reference manual (C4.1): an encoding that matches no row of the
// decoder's table is an error. The decoder determines control flow, accesses to memory and changes of general registers. For most instructions that
// only compute, it determines only the class and the destination. It refuses the extensions SVE, SME, pointer authentication and memory tagging.
package arm64

import (
	"encoding/binary"
	"fmt"

	"rustgo.dev/check/internal/insn"
)

// SP is the number of the stack pointer in this package. In fields that cannot name SP, 31 is the zero register.
const SP = 31

type decoder struct {
	w  uint32
	in insn.Insn
}

// row is a class of encodings. An encoding belongs to the row if its bits in mask equal one of values. The function do adds the effects of the
// instruction, and reports whether the other bits are allowed.
type row struct {
	mask   uint32
	do     func(d *decoder) bool
	values []uint32
}

// rows holds the rows for each value of the bits 28 to 25 of an instruction. In the manual, these bits select a table on the first level. The first
// matching row applies.
var rows [16][]row

func init() {
	for _, r := range []row{
		{0xFFFF0000, (*decoder).trap, []uint32{0}},            // udf
		{0xFFE0001F, (*decoder).trap, []uint32{0xD4200000}},   // brk
		{0x9F00001F, (*decoder).record, []uint32{0x1000001F}}, // adr xzr: the mark of a call that may unwind
		{0x9F000000, (*decoder).adr, []uint32{0x10000000}},    // adr
		{0xFFFFFFE0, (*decoder).page, []uint32{0x90000000}},   // adrp, whose distance a relocation gives
		{0x1F800000, (*decoder).addImmediate, []uint32{0x11000000}},
		{0x9FC00000, (*decoder).logicalImmediate, []uint32{0x12000000}},
		{0x9F800000, (*decoder).logicalImmediate, []uint32{0x92000000}},
		{0xFF800000, (*decoder).constant, []uint32{0xD2800000}}, // movz
		{0xFFC00000, (*decoder).constant, []uint32{0x52800000}},
		{0xFF800000, (*decoder).insert, []uint32{0xF2800000}},                                                              // movk
		{0xFFC00000, (*decoder).compute, []uint32{0x12800000, 0x72800000}},                                                 // movn, movk of 32 bits
		{0xFF800000, (*decoder).compute, []uint32{0x92800000}},                                                             // movn
		{0xFFC00000, (*decoder).compute, []uint32{0x13000000, 0x33000000, 0x53000000, 0x93400000, 0xB3400000, 0xD3400000}}, // bitfields
		{0xFFE00000, (*decoder).compute, []uint32{0x13800000, 0x93C00000}},                                                 // extr
		{0xFFE0FFE0, (*decoder).move, []uint32{0xAA0003E0}},                                                                // mov
		{0x9F000000, (*decoder).compute, []uint32{0x8A000000}},                                                             // logical
		{0x9F008000, (*decoder).compute, []uint32{0x0A000000}},                                                             // logical of 32 bits
		{0x1F200000, (*decoder).addShifted, []uint32{0x0B000000}},                                                          // add, sub
		{0x1FE00000, (*decoder).addExtended, []uint32{0x0B200000}},                                                         // add, sub
		{0x1FE0FC00, (*decoder).compute, []uint32{0x1A000000}},                                                             // adc, sbc
		{0xFFE07C10, (*decoder).nothing, []uint32{0xBA000400}},                                                             // rmif
		{0xFFFFBC1F, (*decoder).nothing, []uint32{0x3A00080D}},                                                             // setf
		{0x3FE00410, (*decoder).nothing, []uint32{0x3A400000}},                                                             // ccmp, ccmn
		{0xFFE00C00, (*decoder).choose, []uint32{0x9A800000}},                                                              // csel
		{0x3FE00800, (*decoder).compute, []uint32{0x1A800000}},                                                             // csinc, csinv, csneg
		{0x7FE0FC00, (*decoder).compute, []uint32{0x1AC00800, 0x1AC00C00, 0x1AC02000, 0x1AC02400, 0x1AC02800, 0x1AC02C00}}, // division, shifts
		{0x7FE0E000, (*decoder).compute, []uint32{0x1AC04000}},                                                             // crc32
		{0x7FFFFC00, (*decoder).compute, []uint32{0x5AC00000, 0x5AC00400, 0x5AC00800, 0x5AC01000, 0x5AC01400}},             // rbit … cls
		{0xFFFFFC00, (*decoder).compute, []uint32{0xDAC00C00}},                                                             // rev
		{0x7FE00000, (*decoder).compute, []uint32{0x1B000000}},                                                             // madd, msub
		{0xFFE00000, (*decoder).compute, []uint32{0x9B200000, 0x9BA00000}},                                                 // smaddl, umaddl …
		{0xFFE08000, (*decoder).compute, []uint32{0x9B400000, 0x9BC00000}},                                                 // smulh, umulh
		{0x7F20FC00, (*decoder).convert, []uint32{0x1E200000}},                                                             // floating point from and to general
		{0x7F200000, (*decoder).convertFixed, []uint32{0x1E000000}},                                                        // the same with fixed point
		{0xBFE0FC00, (*decoder).compute, []uint32{0x0E002C00, 0x0E003C00}},                                                 // smov, umov
		{0xFF000000, (*decoder).nothing, []uint32{0x1E000000, 0x1F000000, 0xCE000000}},                                     // floating point, SHA
		{0x9E000000, (*decoder).nothing, []uint32{0x0E000000}},                                                             // vectors
		{0xDE000000, (*decoder).nothing, []uint32{0x5E000000}},                                                             // scalars
		{0xFC000000, (*decoder).branch, []uint32{0x14000000, 0x94000000}},                                                  // b, bl
		{0xFF000010, (*decoder).condition, []uint32{0x54000000}},                                                           // b.cond
		{0x7E000000, (*decoder).condition, []uint32{0x34000000, 0x36000000}},                                               // cbz, tbz …
		{0xFFFFFC1F, (*decoder).register, []uint32{0xD61F0000, 0xD63F0000}},                                                // br, blr
		{0xFFFFFFFF, (*decoder).register, []uint32{0xD65F03C0}},                                                            // ret
		{0xFFFFFFFF, (*decoder).nothing, []uint32{0xD503203F, 0xD503241F, 0xD503245F, 0xD503249F, 0xD50324DF}},             // yield, bti
		{0xFFFFFFFF, (*decoder).nop, []uint32{0xD503201F}},                                                                 // nop
		{0xFFFFF0FF, (*decoder).nothing, []uint32{0xD503305F, 0xD503309F, 0xD50330BF, 0xD50330DF}},                         // clrex, dsb, dmb, isb
		{0xFFFFFEFF, (*decoder).nothing, []uint32{0xD503405F}},                                                             // msr dit
		{0xFFFFFFE0, (*decoder).nothing, []uint32{0xD51B4200, 0xD51B4420}},                                                 // msr nzcv, fpsr
		{0xFFFFFFE0, (*decoder).compute, []uint32{0xD53B4200, 0xD53B4400, 0xD53B4420, 0xD53B42A0}},                         // mrs nzcv, fpcr, fpsr, dit
		{0xFFFFFFE0, feature("CPUID"), []uint32{0xD53B00E0, 0xD53B0020, 0xD5380400, 0xD5380600, 0xD5380620}},               // mrs dczid, ctr, id_aa64…
		{0xFFFFFFE0, feature("clock"), []uint32{0xD53BE040, 0xD53BE000}},                                                   // mrs cntvct, cntfrq
		{0xFFFFFFE0, feature("random"), []uint32{0xD53B2400, 0xD53B2420}},                                                  // mrs rndr, rndrrs
		{0xFFFFFFE0, (*decoder).zero, []uint32{0xD50B7420}},                                                                // dc zva
		{0x3B000000, (*decoder).literal, []uint32{0x18000000}},
		{0x3A000000, (*decoder).pair, []uint32{0x28000000}},
		{0x3A000000, (*decoder).single, []uint32{0x38000000}},
		{0x3F000000, (*decoder).exclusive, []uint32{0x08000000}},
		{0xBE000000, (*decoder).structure, []uint32{0x0C000000}},
		{0x3F200C00, (*decoder).unscaled, []uint32{0x19000000}}, // ldapur, stlur
	} {
		for _, v := range r.values {
			for group := range uint32(16) {
				if (group<<25^v)&r.mask&(15<<25) == 0 {
					rows[group] = append(rows[group], row{r.mask, r.do, []uint32{v}})
				}
			}
		}
	}
}

// Decode decodes the instruction at the offset off of code. It stores the effects of the result in the memory of the slice effects.
func Decode(code []byte, off int, effects []insn.Effect) (insn.Insn, error) {
	if off+4 > len(code) || off%4 != 0 {
		return insn.Insn{}, fmt.Errorf("the symbol ends inside of an instruction")
	}
	d := decoder{w: binary.LittleEndian.Uint32(code[off:])}
	d.in = insn.Insn{Off: off, Len: 4, Reg: insn.None, Effects: effects[:0]}
	for _, r := range rows[d.w>>25&15] {
		if d.w&r.mask == r.values[0] {
			if !r.do(&d) {
				break
			}
			return d.in, nil
		}
	}
	return insn.Insn{}, fmt.Errorf("not an allowed instruction (%08x)", d.w)
}

// bits returns a field of the instruction as an unsigned number. signed returns it as a signed number.
func (d *decoder) bits(high, low int) uint32 { return d.w >> low & (1<<(high-low+1) - 1) }
func (d *decoder) signed(high, low int) int64 {
	n := high - low + 1
	return int64(d.bits(high, low)) << (64 - n) >> (64 - n)
}
func (d *decoder) wide() bool { return d.w>>31 == 1 }

// orSP returns the register number in a field where 31 means SP. general is for a field where 31 means the zero register: it returns None for 31.
func (d *decoder) orSP(low int) int8 { return int8(d.bits(low+4, low)) }
func (d *decoder) general(low int) int8 {
	if r := d.orSP(low); r != 31 {
		return r
	}
	return insn.None
}

func (d *decoder) add(op insn.Op, dst, src int8, disp int64) *insn.Effect {
	d.in.Effects = append(d.in.Effects, insn.Effect{Op: op, Dst: dst, Src: src, Base: insn.None, Index: insn.None, Disp: disp})
	return &d.in.Effects[len(d.in.Effects)-1]
}

func (d *decoder) clobber(r int8) bool { d.add(insn.Unknown, r, insn.None, 0); return true }
func (d *decoder) compute() bool       { return d.clobber(d.general(0)) }
func (d *decoder) nothing() bool       { return true }
func (d *decoder) nop() bool           { d.in.Nop = true; return true }
func (d *decoder) trap() bool          { d.in.Flow = insn.Trap; return true }

func feature(name string) func(*decoder) bool {
	return func(d *decoder) bool { d.in.Feature = name; return d.compute() }
}

func (d *decoder) distance() int64 { return d.signed(23, 5)<<2 | int64(d.bits(30, 29)) }

func (d *decoder) record() bool {
	d.in.Record, d.in.Nop, d.in.Target = true, true, d.in.Off+int(d.distance())
	return true
}

func (d *decoder) adr() bool {
	d.add(insn.Lea, d.general(0), insn.None, int64(d.in.Off)+d.distance()).Rel = true
	return true
}

func (d *decoder) page() bool { d.add(insn.Page, d.general(0), insn.None, 0); return true }

func (d *decoder) addImmediate() bool {
	n, dst := int64(d.bits(21, 10))<<(12*d.bits(22, 22)), d.orSP(0)
	if d.bits(29, 29) == 1 {
		dst = d.general(0)
	}
	switch {
	case dst == insn.None && d.bits(30, 30) == 1 && d.general(5) != insn.None:
		d.add(insn.Compare, insn.None, d.general(5), n)
	case !d.wide():
		return d.clobber(dst)
	case dst != insn.None && d.bits(30, 30) == 1:
		d.add(insn.AddImm, dst, d.orSP(5), -n)
	case dst != insn.None:
		d.add(insn.AddImm, dst, d.orSP(5), n)
	}
	return true
}

func (d *decoder) logicalImmediate() bool {
	if d.bits(30, 29) == 3 {
		return d.compute()
	}
	return d.clobber(d.orSP(0))
}

func (d *decoder) constant() bool {
	d.add(insn.Const, d.general(0), insn.None, int64(uint64(d.bits(20, 5))<<(16*d.bits(22, 21))))
	return true
}

func (d *decoder) insert() bool {
	if d.general(0) != insn.None {
		d.add(insn.Insert, d.general(0), d.general(0), int64(d.bits(20, 5))).Scale = uint8(16 * d.bits(22, 21))
	}
	return true
}

func (d *decoder) move() bool {
	if d.general(16) == insn.None || d.general(0) == insn.None {
		return d.compute()
	}
	d.add(insn.Move, d.general(0), d.general(16), 0)
	return true
}

func (d *decoder) choose() bool {
	if d.general(5) == insn.None || d.general(16) == insn.None {
		return d.compute()
	}
	d.add(insn.Select, d.general(0), d.general(5), 0).Index = d.general(16)
	return true
}

func (d *decoder) addShifted() bool {
	return d.bits(23, 22) != 3 && (d.wide() || d.bits(15, 15) == 0) && d.sum(d.bits(15, 10) == 0, d.general(5), d.general(0))
}

func (d *decoder) addExtended() bool {
	dst := d.orSP(0)
	if d.bits(29, 29) == 1 {
		dst = d.general(0)
	}
	return d.bits(12, 10) <= 4 && d.sum(d.bits(15, 10) == 3<<3, d.orSP(5), dst)
}

// sum adds the effect of an addition, subtraction or comparison of registers. exact is false if an operand is shifted or extended; then the
// destination gets an unknown value.
func (d *decoder) sum(exact bool, left, dst int8) bool {
	right, sub := d.general(16), d.bits(30, 30) == 1
	op := insn.AddReg
	switch {
	case !exact || !d.wide() || left == insn.None || right == insn.None || !sub && dst == insn.None:
		return d.clobber(dst)
	case sub && dst == insn.None:
		op = insn.Compare
	case sub:
		op = insn.SubReg
	}
	d.add(op, dst, left, 0).Index = right
	return true
}

// convert adds the effect of a conversion between floating point and integers. Some conversions have a general register as destination, some as
// source.
func (d *decoder) convert() bool {
	if op := d.bits(18, 16); op == 2 || op == 3 || op == 7 {
		return true
	}
	return d.compute()
}

func (d *decoder) convertFixed() bool {
	if d.bits(18, 16) > 1 {
		return true
	}
	return d.compute()
}

func (d *decoder) branch() bool {
	d.in.Flow, d.in.Target = insn.Jump, d.in.Off+int(d.signed(25, 0)*4)
	if d.wide() {
		d.in.Flow = insn.Call
	}
	return true
}

func (d *decoder) condition() bool {
	d.in.Flow, d.in.Target = insn.Branch, d.in.Off+int(d.signed(23, 5)*4)
	if d.bits(30, 25) == 0b011011 { // tbz, tbnz
		d.in.Target = d.in.Off + int(d.signed(18, 5)*4)
	}
	if cond := d.w & 15; d.w>>24 == 0x54 {
		d.in.Below, d.in.Equal = cond == 3 || cond == 9, cond == 9
	}
	return true
}

func (d *decoder) register() bool {
	d.in.Flow, d.in.Reg = [3]insn.Flow{insn.JumpReg, insn.CallReg, insn.Return}[d.bits(22, 21)], d.general(5)
	return d.in.Reg != insn.None
}
