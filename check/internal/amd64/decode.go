// Package amd64 decodes the instructions of x86-64 that packages by rustgo may contain.
//
// The decoder works by allow-list: an encoding that the tables lack is an error. For each instruction it determines the length, all accesses to
// memory, all general registers that change, and control flow. It determines the value that an instruction computes only for the simplest cases, such
// as moves, constants, addresses and sums of 64 bits.
package amd64

import (
	"encoding/binary"
	"errors"
	"fmt"

	"rustgo.dev/check/internal/insn"
)

// SP is the number of the stack pointer.
const SP = 4

const (
	ax, cx, dx, bx = 0, 1, 2, 3
	si, di         = 6, 7
)

var errTruncated = errors.New("the symbol ends inside of an instruction")

// prefixes holds the prefixes of an instruction and the opcode map that they select.
type prefixes struct {
	size16, rep, repne, lock, fs, other, rex bool
	w, r, x, b                               bool // REX, VEX or EVEX bits
	vex, evex                                bool
	opmap                                    byte // 0 to 3
	pp                                       byte // 0: none, 1: 66, 2: F3, 3: F2
	vvvv                                     int8
	length                                   int // bytes of a vector
}

// Decode decodes the instruction at the offset off of code. It stores the effects of the result in the memory of the slice effects.
func Decode(code []byte, off int, effects []insn.Effect) (insn.Insn, error) {
	d := decoder{code: code, start: off, at: off}
	d.in = insn.Insn{Off: off, Reg: insn.None, Effects: effects[:0]}
	if err := d.decode(); err != nil {
		return insn.Insn{}, err
	}
	d.in.Len = d.at - off
	if d.in.Len > 15 {
		return insn.Insn{}, errors.New("an instruction longer than 15 bytes")
	}
	for i := range d.in.Effects { // make displacements relative to the symbol's start
		if e := &d.in.Effects[i]; e.Rel {
			e.Disp += int64(d.at)
		}
	}
	if d.in.Flow == insn.Jump || d.in.Flow == insn.Branch || d.in.Flow == insn.Call || d.in.Record {
		d.in.Target += d.at
	}
	return d.in, nil
}

type decoder struct {
	code      []byte
	start, at int
	p         prefixes
	op        byte
	f         flags
	memory    bool
	reg, rm   int8 // with the bits of REX; vector registers modulo 16
	digit     byte // the field reg without REX
	addr      insn.Effect
	immediate int64
	in        insn.Insn
}

func (d *decoder) byte() (byte, error) {
	if d.at >= len(d.code) {
		return 0, errTruncated
	}
	d.at++
	return d.code[d.at-1], nil
}

func (d *decoder) signed(size int) (int64, error) {
	if d.at+size > len(d.code) {
		return 0, errTruncated
	}
	b := d.code[d.at:]
	d.at += size
	switch size {
	case 1:
		return int64(int8(b[0])), nil
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(b))), nil
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(b))), nil
	}
	return int64(binary.LittleEndian.Uint64(b)), nil
}

func (d *decoder) unknown() error {
	return fmt.Errorf("not an allowed instruction (opcode %02X of map %d)", d.op, d.p.opmap)
}

func (d *decoder) decode() error {
	if err := d.opcode(); err != nil {
		return err
	}
	p := &d.p
	var t *table
	switch {
	case p.evex:
		t = [4]*table{nil, &evex1, &evex2, &evex3}[p.opmap]
	case p.vex:
		t = [4]*table{nil, &vex1, &vex2, &vex3}[p.opmap]
	default:
		t = [4]*table{&legacy, &legacy0F, &legacy38, &legacy3A}[p.opmap]
	}
	d.f = t[d.op]
	if d.f == 0 {
		return d.unknown()
	}
	if p.evex && p.opmap == 2 && p.pp == 2 && (d.op>>4 <= 3) && d.op&15 <= 5 && d.op>>4 != 0 {
		d.f |= writeE | noRead
	}
	if p.opmap == 2 && !p.vex && d.op == 0xF1 && p.pp == 3 { // crc32
		d.f = gen | writeG
	}
	if p.opmap == 1 && d.op == 0x7E && p.pp == 2 { // movq from memory
		d.f = rm
	}
	if d.f&needP != 0 && p.pp == 0 {
		return d.unknown()
	}
	if !p.vex {
		switch {
		case p.opmap == 1 && (d.op == 0x2C || d.op == 0x2D || d.op == 0x2A) && p.pp == 1: // conversions from and to MMX registers
			return d.unknown()
		case p.opmap == 1 && d.op == 0xD6 && p.pp != 1: // movdq2q and movq2dq use MMX registers
			return d.unknown()
		case p.opmap == 2 && d.op >= 0xD8 && d.op <= 0xDF && p.pp != 1: // Key Locker: loadiwkey is privileged
			return d.unknown()
		}
	}
	if d.f&modrm != 0 {
		if err := d.operands(); err != nil {
			return err
		}
	}
	size := 0
	switch {
	case d.f&imm8 != 0:
		size = 1
	case d.f&immZ != 0:
		size = 4
		if p.size16 && !p.w && p.opmap == 0 && d.op != 0xE8 && d.op != 0xE9 {
			size = 2
		}
	case p.opmap == 0 && !p.vex && d.op >= 0xB8 && d.op <= 0xBF:
		size = 4
		if p.w {
			size = 8
		} else if p.size16 {
			size = 2
		}
	case p.opmap == 0 && !p.vex && d.op|1 == 0xF7 && d.digit < 2: // test
		size = 1
		if d.op == 0xF7 {
			size = 4
			if p.size16 && !p.w {
				size = 2
			}
		}
	}
	if size > 0 {
		v, err := d.signed(size)
		if err != nil {
			return err
		}
		d.immediate = v
	}
	if p.lock && (d.f&lockOK == 0 || !d.memory || d.p.vex) {
		return errors.New("the prefix LOCK at an instruction that does not allow it")
	}
	absolute := d.memory && d.addr.Base == insn.None && d.addr.Index == insn.None && !d.addr.Rel
	nop := p.opmap == 1 && d.op == 0x1F
	if p.fs || p.other {
		loadsG := p.fs && !p.other && d.op == 0x8B && p.opmap == 0 && p.w && absolute
		if !nop && !loadsG {
			return errors.New("an operand in another segment")
		}
		d.addr.TLS = p.fs
	}
	if lea := p.opmap == 0 && d.op == 0x8D; absolute && !d.addr.TLS && !nop && !lea && uint64(d.addr.Disp) >= 4096 {
		// Addresses in the first page are allowed. Compilers write such accesses into code that is never reached, and the page is not mapped.
		return errors.New("an operand at an absolute address")
	}
	switch {
	case p.vex || p.opmap > 1:
		return d.computing()
	case p.opmap == 1:
		// The address of an operand in memory is computed before the instruction changes registers.
		defer d.clobber(implicit[[2]byte{1, d.op}]...)
		d.in.Feature = features[d.op]
		return d.map0F()
	}
	defer d.clobber(implicit[[2]byte{0, d.op}]...)
	return d.map0()
}

// opcode reads prefixes and the opcode.
func (d *decoder) opcode() error {
	p := &d.p
	for {
		b, err := d.byte()
		if err != nil {
			return err
		}
		switch b {
		case 0x66:
			p.size16 = true
		case 0xF2:
			p.repne = true
		case 0xF3:
			p.rep = true
		case 0xF0:
			p.lock = true
		case 0x64:
			p.fs = true
		case 0x2E, 0x65, 0x26, 0x36, 0x3E:
			p.other = true
		default:
			if p.rep && p.repne {
				return errors.New("two prefixes F2 and F3")
			}
			switch {
			case p.repne:
				p.pp = 3
			case p.rep:
				p.pp = 2
			case p.size16:
				p.pp = 1
			}
			return d.escape(b)
		}
	}
}

func (d *decoder) escape(b byte) (err error) {
	p := &d.p
	next := func() (b byte) {
		if err == nil {
			b, err = d.byte()
		}
		return b
	}
	if b&0xF0 == 0x40 {
		p.rex = true
		p.w, p.r, p.x, p.b = b&8 != 0, b&4 != 0, b&2 != 0, b&1 != 0
		b = next()
	}
	switch b {
	case 0xC4, 0xC5, 0x62:
		if p.rex || p.size16 || p.rep || p.repne || p.lock || p.fs || p.other {
			return errors.New("a prefix before VEX or EVEX")
		}
		p.vex = true
		p.length = 16
		first := next()
		p.r = first&0x80 == 0
		rest := first
		if b != 0xC5 {
			p.x, p.b = first&0x40 == 0, first&0x20 == 0
			p.opmap = first & 0x1F
			rest = next()
			p.w = rest&0x80 != 0
		} else {
			p.opmap = 1
		}
		p.vvvv = int8(^rest >> 3 & 15)
		p.pp = rest & 3
		if rest&4 != 0 {
			p.length = 32
		}
		if b == 0x62 {
			p.evex = true
			p.opmap = first & 15
			if first&8 != 0 || rest&4 == 0 {
				return errors.New("not an allowed instruction (EVEX with reserved bits)")
			}
			p.length = min(16<<(next()>>5&3), 64)
		}
		if p.opmap < 1 || p.opmap > 3 {
			return fmt.Errorf("not an allowed instruction (map %d)", p.opmap)
		}
		d.op = next()
		return err
	case 0x0F:
		p.opmap = 1
		b = next()
		if b == 0x38 || b == 0x3A {
			p.opmap = 2 + b>>1&1
			b = next()
		}
	}
	if b&0xF0 == 0x40 && p.opmap == 0 {
		return errors.New("two prefixes REX")
	}
	d.op = b
	return err
}

// operands reads ModRM, SIB and the displacement.
func (d *decoder) operands() error {
	m, err := d.byte()
	if err != nil {
		return err
	}
	p := &d.p
	mod, rm := m>>6, m&7
	d.digit = m >> 3 & 7
	extend := func(low byte, bit bool) int8 {
		if bit {
			return int8(low) + 8
		}
		return int8(low)
	}
	d.reg = extend(d.digit, p.r)
	if mod == 3 {
		d.rm = extend(rm, p.b)
		return nil
	}
	d.memory = true
	a := &d.addr
	*a = insn.Effect{Base: extend(rm, p.b), Index: insn.None, Dst: insn.None, Src: insn.None}
	size := [3]int{0, 1, 4}[mod]
	if rm == 4 {
		sib, err := d.byte()
		if err != nil {
			return err
		}
		a.Base = extend(sib&7, p.b)
		a.Index, a.Scale = extend(sib>>3&7, p.x), 1<<(sib>>6)
		if d.f&vsib != 0 {
			a.Index = insn.Vector
		} else if a.Index == 4 {
			a.Index = insn.None
		}
		if sib&7 == 5 && mod == 0 {
			a.Base, size = insn.None, 4
		}
	} else if d.f&vsib != 0 {
		return errors.New("a vector index without SIB")
	} else if rm == 5 && mod == 0 {
		a.Base, a.Rel, size = insn.None, true, 4
	}
	if size > 0 {
		d.in.Field = d.at - d.start
		a.Disp, err = d.signed(size)
		if size == 1 && p.evex && a.Disp != 0 { // in units of the operand
			a.Inexact, a.Unit = true, int8(p.length)
		}
	}
	return err
}

func (d *decoder) add(e insn.Effect) { d.in.Effects = append(d.in.Effects, e) }

// clobber adds an effect for each of the registers: the register gets an unknown value.
func (d *decoder) clobber(registers ...int8) {
	for _, r := range registers {
		d.add(insn.Effect{Op: insn.Unknown, Dst: r, Src: insn.None, Base: insn.None, Index: insn.None})
	}
}

func (d *decoder) access(op insn.Op, size int, register int8) {
	e := d.addr
	e.Op, e.Size, e.Dst, e.Src = op, int16(size), insn.None, insn.None
	if op == insn.Load {
		e.Dst = register
	} else {
		e.Src = register
	}
	d.add(e)
}

// operandSize returns the size of a general operand.
func (d *decoder) operandSize() int {
	switch {
	case d.f&bytes1 != 0:
		return 1
	case d.p.w:
		return 8
	case d.p.size16:
		return 2
	}
	return 4
}

// change adds the effect that a general register changes. r is the number of the register in a field of the instruction. Without REX, the numbers 4
// to 7 of byte operands mean AH, CH, DH and BH, which are parts of the registers 0 to 3.
func (d *decoder) change(r int8) {
	if d.f&bytes1 != 0 && r >= 4 && r < 8 && !d.p.rex {
		r -= 4
	}
	d.clobber(r)
}

// computing adds the effects of an instruction whose table entry determines them all.
func (d *decoder) computing() error {
	size := d.operandSize()
	if d.f&(regG|rmG) == 0 || d.f&rmG != 0 && d.f&regG == 0 && d.p.opmap != 0 {
		size = d.vectorSize()
	}
	if d.memory {
		source, old := int8(insn.None), int8(insn.None)
		switch op := [2]byte{d.p.opmap, d.op}; {
		case d.p.vex:
		case op == [2]byte{0, 0x87} || op == [2]byte{1, 0xC3}: // xchg, movnti
			source = d.reg
		case op == [2]byte{1, 0xB1}: // cmpxchg
			source, old = d.reg, insn.Temp
		case op == [2]byte{1, 0xC1} && size == 8: // xadd
			e := effect(insn.AddReg, insn.Temp, insn.Temp, 0)
			e.Index = d.reg
			defer d.change(d.reg)
			return d.sum(e)
		}
		if d.f&noRead == 0 {
			d.access(insn.Load, size, old)
		}
		if d.f&writeE != 0 {
			d.access(insn.Store, size, source)
		}
		if old != insn.None { // the word may also keep its value
			e := effect(insn.Select, insn.Temp, insn.Temp, 0)
			e.Index = source
			d.add(e)
			d.access(insn.Store, size, insn.Temp)
		}
	} else if d.f&writeE != 0 && d.f&rmG != 0 {
		d.change(d.rm)
	}
	if d.f&writeG != 0 {
		d.change(d.reg)
	}
	if d.f&vvvvG != 0 {
		d.clobber(d.p.vvvv)
	}
	if d.p.opmap == 3 && d.op>>2 == 0x60>>2 { // string comparisons return an index
		d.clobber(cx)
	}
	return nil
}

// implicit lists, by map and opcode, the registers that an instruction changes besides its operands.
var implicit = map[[2]byte][]int8{
	{0, 0x98}: {ax}, {0, 0x99}: {dx}, {0, 0x9F}: {ax},
	{1, 0x01}: {ax, dx}, {1, 0x31}: {ax, dx}, {1, 0xA2}: {ax, bx, cx, dx}, {1, 0xB0}: {ax}, {1, 0xB1}: {ax},
}

var features = map[byte]string{0x31: "clock", 0xA2: "CPUID"}

// small holds, by map and opcode, the number of bytes that a vector instruction stores if it stores less than a whole register.
var small = map[[2]byte]int{
	{1, 0x13}: 8, {1, 0x17}: 8, {1, 0xD6}: 8, {1, 0x91}: 8,
	{3, 0x14}: 1, {3, 0x15}: 2, {3, 0x19}: 16, {3, 0x39}: 16, {3, 0x1B}: 32, {3, 0x3B}: 32,
}

// vectorSize returns an upper bound of the number of bytes that a vector instruction stores.
func (d *decoder) vectorSize() int {
	p := &d.p
	if n, ok := small[[2]byte{p.opmap, d.op}]; ok {
		return n
	}
	switch {
	case p.opmap == 1 && d.op == 0x11 && p.pp >= 2:
		return 4 << (p.pp & 1)
	case p.opmap == 1 && d.op == 0x7E, p.opmap == 3 && d.op|1 == 0x17:
		return 4 << map[bool]int{true: 1}[p.w]
	}
	return max(p.length, 16)
}

// map0F adds the effects of the opcodes after 0F.
func (d *decoder) map0F() error {
	in, p := &d.in, &d.p
	switch op := d.op; {
	case op == 0x0B:
		in.Flow = insn.Trap
	case op == 0x01: // xgetbv only
		if d.memory || d.digit != 2 || d.rm != 0 || p.pp != 0 {
			return d.unknown()
		}
		in.Feature = "CPUID"
	case op == 0x0D || op == 0x18: // prefetches, which never fault
		if !d.memory || op == 0x18 && d.digit > 3 || op == 0x0D && d.digit > 2 {
			return d.unknown()
		}
	case op == 0x1E:
		if p.pp != 2 || d.memory || d.digit != 7 || d.rm != 2 {
			return d.unknown()
		}
		in.Nop = true
	case op == 0x1F:
		if d.digit != 0 {
			return d.unknown()
		}
		in.Nop = true
		// NOPL dist32(DX) after a call marks the call as one that may unwind.
		if d.memory && d.addr.Base == dx && d.addr.Index == insn.None && d.at-d.start == 7 && d.code[d.start] == 0x0F {
			in.Record = true
			in.Target = int(d.addr.Disp)
		}
	case op>>4 == 4 && p.w && !d.memory:
		e := effect(insn.Select, d.reg, d.reg, 0)
		e.Index = d.rm
		d.add(e)
	case op>>4 == 8:
		in.Flow, in.Target = insn.Branch, int(d.immediate)
		in.Below, in.Equal = op == 0x82 || op == 0x86, op == 0x86
		return d.plain()
	case op == 0xAE:
		switch {
		case d.memory && d.digit == 3 && p.pp == 0: // stmxcsr
			d.access(insn.Store, 4, insn.None)
		case !d.memory && d.digit >= 5 && p.pp == 0: // fences
		default:
			return d.unknown()
		}
	case op == 0xB8 && p.pp != 2: // popcnt, which has the prefix F3
		return d.unknown()
	case op == 0xC7:
		switch {
		case d.memory && d.digit == 1: // cmpxchg8b, cmpxchg16b
			if high := d.addr; p.w { // may store RBX and RCX
				d.access(insn.Store, 8, bx)
				high.Op, high.Size, high.Src, high.Disp = insn.Store, 8, cx, high.Disp+8
				d.add(high)
			}
			d.access(insn.Load, 16, insn.None)
			d.access(insn.Store, 16, insn.None)
			d.clobber(ax, dx)
		case !d.memory && d.digit >= 6 && p.pp < 2: // rdrand, rdseed
			in.Feature = "random"
			d.change(d.rm)
		default:
			return d.unknown()
		}
	case op >= 0xC8 && op <= 0xCF:
		r := int8(op & 7)
		if p.b {
			r += 8
		}
		d.clobber(r)
	case op == 0xA3 && d.memory || (op == 0xAB || op == 0xB3 || op == 0xBB) && d.memory:
		// The address depends on a bit number in a register, whose value is not known.
		d.addr.Inexact = true
		return d.computing()
	case op == 0xBA:
		if d.digit < 4 {
			return d.unknown()
		}
		if d.digit == 4 {
			d.f &^= writeE
		}
		return d.computing()
	case op == 0xB6 || op == 0xB7 || op == 0xBE || op == 0xBF:
		if d.memory && op == 0xB6 && !d.p.size16 {
			d.access(insn.Load, 1, d.reg)
			return nil
		}
		if d.memory {
			d.access(insn.Load, 1+int(op&1), insn.None)
		}
		d.change(d.reg)
	default:
		return d.computing()
	}
	return nil
}

// plain returns an error if a jump, call or return has a prefix, because a prefix could change its meaning.
func (d *decoder) plain() error {
	if d.p.size16 || d.p.rep || d.p.repne || d.p.lock || d.p.other || d.p.fs {
		return errors.New("a jump, call or return with a prefix")
	}
	return nil
}
