// Package arm64 decodes the instructions of AArch64 that packages by rustgo may contain.
//
// The decoder works by allow-list, along the tables of the Arm architecture reference manual (C4.1). It decodes control flow, accesses to memory and
// changes of general registers. Of instructions that only compute, it knows the class and the destination. The extensions SVE, SME, pointer
// authentication and memory tagging are refused.
package arm64

import (
	"encoding/binary"
	"errors"
	"fmt"

	"rustgo.dev/check/internal/insn"
)

// SP is the number that the stack pointer has here. Register 31 means zero elsewhere.
const SP = 31

var errUnknown = errors.New("not an allowed instruction")

type decoder struct {
	w  uint32
	in insn.Insn
}

// Decode decodes the instruction at an offset of code. Effects of the result lie in the given slice.
func Decode(code []byte, off int, effects []insn.Effect) (insn.Insn, error) {
	if off+4 > len(code) || off%4 != 0 {
		return insn.Insn{}, errors.New("the symbol ends inside of an instruction")
	}
	d := decoder{w: binary.LittleEndian.Uint32(code[off:])}
	d.in = insn.Insn{Off: off, Len: 4, Reg: insn.None, Effects: effects[:0]}
	var err error
	switch d.w >> 25 & 15 {
	case 0b1000, 0b1001:
		err = d.immediates()
	case 0b1010, 0b1011:
		err = d.branches()
	case 0b0100, 0b0110, 0b1100, 0b1110:
		err = d.memory()
	case 0b0101, 0b1101:
		err = d.registers()
	case 0b0111, 0b1111:
		err = d.vectors()
	default:
		if d.w>>16 == 0 { // udf
			d.in.Flow = insn.Trap
		} else {
			err = errUnknown
		}
	}
	if err != nil {
		return insn.Insn{}, fmt.Errorf("%w (%08x)", err, d.w)
	}
	return d.in, nil
}

// bits returns a field of the instruction.
func (d *decoder) bits(high, low int) uint32 { return d.w >> low & (1<<(high-low+1) - 1) }

func (d *decoder) signed(high, low int) int64 {
	n := high - low + 1
	return int64(d.bits(high, low)) << (64 - n) >> (64 - n)
}

// general returns a register number where 31 is zero.
func (d *decoder) general(low int) int8 {
	if r := int8(d.bits(low+4, low)); r != 31 {
		return r
	}
	return insn.None
}

// orSP returns a register number where 31 is SP.
func (d *decoder) orSP(low int) int8 { return int8(d.bits(low+4, low)) }

func (d *decoder) add(op insn.Op, dst, src int8, disp int64) *insn.Effect {
	d.in.Effects = append(d.in.Effects, insn.Effect{Op: op, Dst: dst, Src: src, Base: insn.None, Index: insn.None, Disp: disp})
	return &d.in.Effects[len(d.in.Effects)-1]
}

func (d *decoder) immediates() error {
	w := d.w
	wide := w>>31 == 1
	switch d.bits(25, 23) {
	case 0, 1: // adr, adrp
		distance := d.signed(23, 5)<<2 | int64(d.bits(30, 29))
		if wide {
			if distance != 0 {
				return errors.New("adrp with a distance, without a relocation")
			}
			d.add(insn.Page, d.general(0), insn.None, 0)
			return nil
		}
		if d.bits(4, 0) == 31 { // the mark of a call that may unwind
			d.in.Record, d.in.Target = true, d.in.Off+int(distance)
			d.in.Nop = true
			return nil
		}
		e := d.add(insn.Lea, d.general(0), insn.None, int64(d.in.Off)+distance)
		e.Rel = true
	case 2: // add, sub
		n := int64(d.bits(21, 10))
		if d.bits(22, 22) == 1 {
			n <<= 12
		}
		if d.bits(30, 30) == 1 {
			n = -n
		}
		dst := d.orSP(0)
		if d.bits(29, 29) == 1 {
			dst = d.general(0)
		}
		if dst == insn.None && n <= 0 && d.bits(30, 30) == 1 && d.general(5) != insn.None {
			d.add(insn.Compare, insn.None, d.general(5), -n)
		} else if !wide {
			d.add(insn.Unknown, dst, insn.None, 0)
		} else if dst != insn.None {
			d.add(insn.AddImm, dst, d.orSP(5), n)
		}
	case 4: // logical
		if !wide && d.bits(22, 22) == 1 {
			return errUnknown
		}
		dst := d.orSP(0)
		if d.bits(30, 29) == 3 {
			dst = d.general(0)
		}
		d.add(insn.Unknown, dst, insn.None, 0)
	case 5: // movn, movz, movk
		opc, hw := d.bits(30, 29), d.bits(22, 21)
		if opc == 1 || !wide && hw > 1 {
			return errUnknown
		}
		if opc == 2 && d.general(0) != insn.None {
			d.add(insn.Const, d.general(0), insn.None, int64(uint64(d.bits(20, 5))<<(16*hw)))
		} else if opc == 3 && d.general(0) != insn.None {
			e := d.add(insn.Insert, d.general(0), d.general(0), int64(d.bits(20, 5)))
			e.Scale = uint8(16 * hw)
		} else {
			d.add(insn.Unknown, d.general(0), insn.None, 0)
		}
	case 6: // bitfields
		if d.bits(30, 29) == 3 || d.bits(22, 22) != w>>31 {
			return errUnknown
		}
		d.add(insn.Unknown, d.general(0), insn.None, 0)
	case 7: // extr
		if d.bits(30, 29) != 0 || d.bits(22, 22) != w>>31 || d.bits(21, 21) != 0 {
			return errUnknown
		}
		d.add(insn.Unknown, d.general(0), insn.None, 0)
	default:
		return errUnknown
	}
	return nil
}

func (d *decoder) branches() error {
	in, w := &d.in, d.w
	at := func(distance int64) int { return in.Off + int(distance*4) }
	switch {
	case w>>26 == 0b000101:
		in.Flow, in.Target = insn.Jump, at(d.signed(25, 0))
	case w>>26 == 0b100101:
		in.Flow, in.Target = insn.Call, at(d.signed(25, 0))
	case w>>24 == 0x54 && w&16 == 0:
		in.Flow, in.Target = insn.Branch, at(d.signed(23, 5))
		cond := w & 15
		in.Below, in.Equal = cond == 3 || cond == 9, cond == 9
	case w>>25&0x3F == 0b011010: // cbz, cbnz
		in.Flow, in.Target = insn.Branch, at(d.signed(23, 5))
	case w>>25&0x3F == 0b011011: // tbz, tbnz
		in.Flow, in.Target = insn.Branch, at(d.signed(18, 5))
	case w&0xFFFFFC1F == 0xD61F0000:
		in.Flow, in.Reg = insn.JumpReg, d.general(5)
	case w&0xFFFFFC1F == 0xD63F0000:
		in.Flow, in.Reg = insn.CallReg, d.general(5)
	case w == 0xD65F03C0:
		in.Flow = insn.Return
	case w&0xFFE0001F == 0xD4200000: // brk
		in.Flow = insn.Trap
	case w>>22 == 0xD5000000>>22:
		return d.system()
	default:
		return errUnknown // svc, hvc, smc, hlt, eret and the rest
	}
	if (in.Flow == insn.JumpReg || in.Flow == insn.CallReg) && in.Reg == insn.None {
		return errUnknown
	}
	return nil
}

// The system registers that code may read, and the feature that a read gives.
var readable = map[uint32]string{
	0b11_011_0100_0010_000: "",       // NZCV
	0b11_011_0100_0100_001: "",       // FPSR
	0b11_011_0100_0100_000: "",       // FPCR
	0b11_011_0100_0010_101: "",       // DIT
	0b11_011_0000_0000_111: "CPUID",  // DCZID_EL0
	0b11_011_0000_0000_001: "CPUID",  // CTR_EL0
	0b11_011_1110_0000_010: "clock",  // CNTVCT_EL0
	0b11_011_1110_0000_000: "clock",  // CNTFRQ_EL0
	0b11_011_0010_0100_000: "random", // RNDR
	0b11_011_0010_0100_001: "random", // RNDRRS
	0b11_000_0000_0100_000: "CPUID",  // ID_AA64PFR0_EL1 and the next, which the kernel emulates
	0b11_000_0000_0110_000: "CPUID",
	0b11_000_0000_0110_001: "CPUID",
}

func (d *decoder) system() error {
	w := d.w
	switch {
	case w == 0xD503201F || w == 0xD503203F || w&0xFFFFFF3F == 0xD503241F: // nop, yield, bti
		d.in.Nop = w == 0xD503201F
	case w&0xFFFFF0FF == 0xD503309F, w&0xFFFFF0FF == 0xD50330BF, w&0xFFFFF0FF == 0xD50330DF, w&0xFFFFF0FF == 0xD503305F: // dsb, dmb, isb, clrex
	case w&0xFFFFFEFF == 0xD503405F: // msr dit
	case w&0xFFFFFFE0 == 0xD50B7420: // dc zva
		e := d.add(insn.Store, insn.None, insn.None, 0)
		e.Base, e.Inexact = d.orSP(0), true
		if d.general(0) == insn.None {
			return errUnknown
		}
	case w>>20 == 0xD53: // mrs
		feature, ok := readable[w>>5&0x7FFF|0x8000]
		if !ok {
			return errors.New("a read of a system register that is not allowed")
		}
		d.in.Feature = feature
		d.add(insn.Unknown, d.general(0), insn.None, 0)
	case w&0xFFFFFFE0 == 0xD51B4200 || w&0xFFFFFFE0 == 0xD51B4420: // msr nzcv, msr fpsr
	default:
		return errors.New("a system instruction that is not allowed")
	}
	return nil
}

// registers decodes data processing with register operands.
func (d *decoder) registers() error {
	wide := d.w>>31 == 1
	dst := d.general(0)
	op2 := d.bits(24, 21)
	switch {
	case d.bits(28, 28) == 0 && op2 < 8: // logical, shifted
		if !wide && d.bits(15, 15) == 1 {
			return errUnknown
		}
		if wide && d.bits(30, 29) == 1 && op2&1 == 0 && d.bits(9, 5) == 31 && d.bits(15, 10) == 0 && d.bits(23, 22) == 0 && d.general(16) != insn.None && dst != insn.None {
			d.add(insn.Move, dst, d.general(16), 0)
			return nil
		}
		d.add(insn.Unknown, dst, insn.None, 0)
	case d.bits(28, 28) == 0 && op2&1 == 0: // add, sub, shifted
		if d.bits(23, 22) == 3 || !wide && d.bits(15, 15) == 1 {
			return errUnknown
		}
		d.sum(wide && d.bits(15, 10) == 0, d.general(5), dst)
	case d.bits(28, 28) == 0: // add, sub, extended
		if d.bits(23, 22) != 0 || d.bits(12, 10) > 4 {
			return errUnknown
		}
		if d.bits(29, 29) == 0 {
			dst = d.orSP(0)
		}
		d.sum(wide && d.bits(15, 13) == 3 && d.bits(12, 10) == 0, d.orSP(5), dst)
	case op2 == 0: // adc, sbc; rmif, setf
		switch {
		case d.bits(15, 10) == 0:
			d.add(insn.Unknown, dst, insn.None, 0)
		case d.bits(14, 10) == 1 && d.w>>29 == 5, d.bits(13, 10) == 2 && d.w>>29 == 1:
		default:
			return errUnknown
		}
	case op2 == 2: // ccmn, ccmp
		if d.bits(29, 29) == 0 || d.bits(10, 10) == 1 || d.bits(4, 4) == 1 {
			return errUnknown
		}
	case op2 == 4: // csel and its kin
		if d.bits(29, 29) == 1 || d.bits(11, 11) == 1 {
			return errUnknown
		}
		if n, m := d.general(5), d.general(16); wide && d.bits(30, 30) == 0 && d.bits(10, 10) == 0 && n != insn.None && m != insn.None {
			e := d.add(insn.Select, dst, n, 0)
			e.Index = m
			return nil
		}
		d.add(insn.Unknown, dst, insn.None, 0)
	case op2 == 6: // one or two sources
		if d.bits(29, 29) == 1 {
			return errUnknown
		}
		op := d.bits(15, 10)
		if d.bits(30, 30) == 1 && (d.bits(20, 16) != 0 || op > 5 || op == 3 && !wide) { // rbit … cls
			return errUnknown
		}
		if d.bits(30, 30) == 0 && op != 2 && op != 3 && (op < 8 || op > 11) && (op < 16 || op > 23) { // division, shifts, crc32
			return errUnknown
		}
		d.add(insn.Unknown, dst, insn.None, 0)
	case op2 >= 8: // multiplications
		if d.bits(30, 29) != 0 {
			return errUnknown
		}
		switch d.bits(23, 21)<<1 | d.bits(15, 15) {
		case 0, 1:
		case 2, 3, 4, 10, 11, 12:
			if !wide {
				return errUnknown
			}
		default:
			return errUnknown
		}
		d.add(insn.Unknown, dst, insn.None, 0)
	default:
		return errUnknown
	}
	return nil
}

// sum adds the effect of an addition, subtraction or comparison of registers.
func (d *decoder) sum(exact bool, left, dst int8) {
	right := d.general(16)
	sub, setsFlags := d.bits(30, 30) == 1, d.bits(29, 29) == 1
	switch {
	case exact && sub && setsFlags && dst == insn.None && left != insn.None && right != insn.None:
		e := d.add(insn.Compare, insn.None, left, 0)
		e.Index = right
	case exact && sub && left != insn.None && right != insn.None && dst != insn.None:
		e := d.add(insn.SubReg, dst, left, 0)
		e.Index = right
	case exact && !sub && left != insn.None && right != insn.None && dst != insn.None:
		e := d.add(insn.AddReg, dst, left, 0)
		e.Index = right
	default:
		d.add(insn.Unknown, dst, insn.None, 0)
	}
}

// vectors decodes instructions of floating-point numbers and vectors. General registers change in three classes only.
func (d *decoder) vectors() error {
	w := d.w
	toGeneral := false
	switch {
	case w>>24&0x5F == 0x1E: // scalar floating point: bit 30 is clear
		if d.bits(29, 29) == 1 {
			return errUnknown
		}
		if d.bits(21, 21) == 1 && d.bits(15, 10) == 0 { // conversions from and to general registers
			switch op := d.bits(18, 16); {
			case op == 6 || op == 0 || op == 1 || op == 4 || op == 5:
				toGeneral = true
			case op == 2 || op == 3 || op == 7:
			}
		} else if d.bits(21, 21) == 0 { // conversions of fixed-point numbers
			toGeneral = d.bits(18, 16) < 2
		}
	case w>>24&0x5F == 0x1F: // fused multiply-add
		if d.bits(29, 29) == 1 {
			return errUnknown
		}
	case w>>31 == 0 && d.bits(28, 24) == 0b01110 && d.bits(21, 21) == 0 && d.bits(15, 15) == 0 && d.bits(10, 10) == 1 && d.bits(29, 29) == 0 && d.bits(23, 22) == 0: // copies
		toGeneral = d.bits(14, 11) == 5 || d.bits(14, 11) == 7
	case w>>31 == 0 && d.bits(28, 24)>>1 == 0b0111, w>>30 == 1 && d.bits(28, 24)>>1 == 0b1111: // vectors, scalars
	case w>>24 == 0xCE: // SHA512, SHA3, SM3 and SM4
	default:
		return errUnknown
	}
	if toGeneral {
		d.add(insn.Unknown, d.general(0), insn.None, 0)
	}
	return nil
}
