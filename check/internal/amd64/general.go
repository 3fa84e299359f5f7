package amd64

import (
	"errors"

	"rustgo.dev/check/internal/insn"
)

func effect(op insn.Op, dst, src int8, disp int64) insn.Effect {
	return insn.Effect{Op: op, Dst: dst, Src: src, Base: insn.None, Index: insn.None, Disp: disp}
}

func (d *decoder) push(e ...insn.Effect) {
	for _, e := range e {
		d.add(e)
	}
	d.add(effect(insn.AddImm, SP, SP, -8))
	d.addr = insn.Effect{Base: SP, Index: insn.None}
}

func (d *decoder) pop(dst int8) {
	d.addr = insn.Effect{Base: SP, Index: insn.None}
	d.access(insn.Load, 8, dst)
	if dst != SP {
		d.add(effect(insn.AddImm, SP, SP, 8))
	}
}

func (d *decoder) low() int8 {
	r := int8(d.op & 7)
	if d.p.b {
		r += 8
	}
	return r
}

// map0 adds the effects of the opcodes of one byte.
func (d *decoder) map0() error {
	in, p, op := &d.in, &d.p, d.op
	if (p.rep || p.repne) && !(op >= 0xA4 && op <= 0xA7 || op >= 0xAA && op <= 0xAF || op == 0x90 || op == 0xC3 && p.rep) {
		return errors.New("a prefix F2 or F3 at an instruction that does not use it")
	}
	size := d.operandSize()
	switch {
	case op < 0x40:
		d.arithmetic(size)
	case p.size16 && (op>>4 == 5 || op == 0x68 || op == 0x6A || op == 0x9C || op == 0x9D): // these would move SP by 2
		return d.unknown()
	case op >= 0x50 && op < 0x58:
		r := d.low()
		d.push(effect(insn.Move, insn.Temp, r, 0))
		d.access(insn.Store, 8, insn.Temp)
	case op >= 0x58 && op < 0x60:
		d.pop(d.low())
	case op == 0x68 || op == 0x6A:
		d.push()
		d.access(insn.Store, 8, insn.None)
	case op == 0x63:
		if d.memory && p.w {
			d.access(insn.Load, 4, d.reg)
			d.in.Effects[len(d.in.Effects)-1].Signed = true
			return nil
		}
		return d.computing()
	case op>>4 == 7 || op == 0xE3:
		in.Flow, in.Target = insn.Branch, int(d.immediate)
		in.Below, in.Equal = op == 0x72 || op == 0x76, op == 0x76
		return d.plain()
	case op >= 0x80 && op <= 0x83:
		if d.digit == 7 {
			d.f &^= writeE
			if !d.memory && d.operandSize() >= 4 {
				d.add(effect(insn.Compare, insn.None, d.rm, d.immediate))
				return nil
			}
		}
		if op != 0x80 && p.w && (d.digit == 0 || d.digit == 5) { // 80 has operands of one byte, with REX.W too
			if d.digit == 5 {
				d.immediate = -d.immediate
			}
			return d.sum(effect(insn.AddImm, d.rm, d.rm, d.immediate))
		}
		return d.computing()
	case op == 0x89 && d.memory:
		d.access(insn.Store, size, d.reg)
	case op == 0x89 && p.w:
		d.add(effect(insn.Move, d.rm, d.reg, 0))
	case op == 0x8B && d.memory:
		d.access(insn.Load, size, d.reg)
	case op == 0x8B && p.w:
		d.add(effect(insn.Move, d.reg, d.rm, 0))
	case op == 0x8D:
		if !d.memory {
			return d.unknown()
		}
		if !p.w {
			d.clobber(d.reg)
			return nil
		}
		e := d.addr
		e.Op, e.Dst = insn.Lea, d.reg
		d.add(e)
	case op >= 0x90 && op <= 0x97:
		if r := d.low(); r != ax {
			d.clobber(ax, r)
		} else {
			in.Nop = true
		}
	case op == 0x9C:
		d.push(effect(insn.Flags, insn.Temp, insn.None, 0))
		d.access(insn.Store, 8, insn.Temp)
	case op == 0x9D:
		d.pop(insn.Temp)
		in.PopFlags = true
	case op >= 0xA4 && op <= 0xAF && op != 0xA8 && op != 0xA9:
		d.strings()
	case op >= 0xB8 && op <= 0xBF && (p.w || !p.size16):
		if !p.w {
			d.immediate &= 0xFFFFFFFF
		}
		d.add(effect(insn.Const, d.low(), insn.None, d.immediate))
	case op >= 0xB0 && op <= 0xBF:
		d.f |= bytes1
		if op >= 0xB8 {
			d.f &^= bytes1
		}
		d.change(d.low())
	case op == 0xC7 && !d.memory && p.w && d.digit == 0:
		d.add(effect(insn.Const, d.rm, insn.None, d.immediate))
	case op == 0xC6 || op == 0xC7:
		if d.digit != 0 {
			return d.unknown()
		}
		return d.computing()
	case op == 0xC3:
		in.Flow = insn.Return
		if p.size16 || p.other || p.lock {
			return d.plain()
		}
	case op == 0xCC:
		in.Flow = insn.Trap
	case op == 0xE8 || op == 0xE9 || op == 0xEB:
		in.Flow, in.Target = insn.Jump, int(d.immediate)
		if op == 0xE8 {
			in.Flow = insn.Call
		}
		return d.plain()
	case op == 0xF6 || op == 0xF7:
		if d.digit < 2 {
			d.f &^= writeE
		}
		if d.digit >= 4 {
			d.f &^= writeE
			defer d.clobber(ax, dx) // after the access to memory, because its address may depend on these registers
		}
		return d.computing()
	case op == 0xFF && d.digit < 2 && p.w: // inc, dec
		return d.sum(effect(insn.AddImm, d.rm, d.rm, 1-2*int64(d.digit)))
	case op == 0xFE && d.digit > 1:
		return d.unknown()
	case op == 0xFF && d.digit > 1:
		return d.indirect()
	default:
		return d.computing()
	}
	return nil
}

// sum adds the effects of an addition of 64 bits to a register or to a word in memory.
func (d *decoder) sum(e insn.Effect) error {
	if d.memory {
		d.access(insn.Load, 8, insn.Temp)
		e.Dst, e.Src = insn.Temp, insn.Temp
	}
	d.add(e)
	if d.memory {
		d.access(insn.Store, 8, insn.Temp)
	}
	return nil
}

// arithmetic adds the effects of add, or, adc, sbb, and, sub, xor and cmp with two operands.
func (d *decoder) arithmetic(size int) {
	kind, form := d.op>>3&7, d.op&7
	left, right := d.rm, d.reg
	switch {
	case form > 3:
		if kind != 7 {
			d.clobber(ax)
		}
		return
	case d.memory && size == 8 && d.op == 0x3B:
		d.access(insn.Load, 8, insn.Temp)
		e := effect(insn.Compare, insn.None, d.reg, 0)
		e.Index = insn.Temp
		d.add(e)
		return
	case d.memory && kind == 0 && form == 1 && size == 8:
		e := effect(insn.AddReg, insn.Temp, insn.Temp, 0)
		e.Index = d.reg
		_ = d.sum(e)
		return
	case d.memory || size != 8:
	case kind == 0 || kind == 7:
		if form == 3 {
			left, right = right, left
		}
		e := effect(insn.AddReg, left, left, 0)
		if kind == 7 {
			e.Op, e.Dst = insn.Compare, insn.None
		}
		e.Index = right
		d.add(e)
		return
	}
	_ = d.computing()
}

// strings adds the effects of movs, cmps, stos, lods and scas. movs, cmps and lods read at the address RSI. cmps and scas read, and movs and stos write
// at the address RDI.
func (d *decoder) strings() {
	size := d.operandSize()
	if d.op&1 == 0 {
		size = 1
	}
	op, repeated := d.op&^1, d.p.rep || d.p.repne
	if op == 0xA4 || op == 0xA6 || op == 0xAC {
		d.addr = insn.Effect{Base: si, Index: insn.None, Inexact: repeated}
		dst := int8(insn.None)
		if op == 0xA4 {
			dst = insn.Temp
		}
		d.access(insn.Load, size, dst)
		defer d.clobber(si)
	}
	d.addr = insn.Effect{Base: di, Index: insn.None, Inexact: repeated}
	switch op {
	case 0xA4:
		d.access(insn.Store, size, insn.Temp)
	case 0xA6, 0xAE:
		d.access(insn.Load, size, insn.None)
	case 0xAA:
		d.access(insn.Store, size, ax)
	case 0xAC:
		d.clobber(ax)
	}
	if op != 0xAC {
		d.clobber(di)
	}
	if repeated {
		d.clobber(cx)
	}
}

// indirect adds the effects of the group FF: call, jmp and push.
func (d *decoder) indirect() error {
	in := &d.in
	if d.p.size16 {
		return d.unknown()
	}
	reg := d.rm
	if d.memory {
		d.access(insn.Load, 8, insn.Temp)
		reg = insn.Temp
	}
	switch d.digit {
	case 2:
		in.Flow, in.Reg = insn.CallReg, reg
	case 4:
		in.Flow, in.Reg = insn.JumpReg, reg
	case 6:
		if !d.memory {
			return d.unknown()
		}
		d.push()
		d.access(insn.Store, 8, insn.Temp)
		return nil
	default:
		return d.unknown()
	}
	return d.plain()
}
