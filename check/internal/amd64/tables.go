package amd64

import (
	"strconv"
	"strings"
)

// flags describe an opcode. The zero value means that the checker refuses the opcode.
type flags uint16

const (
	known  flags = 1 << iota
	modrm        // a ModRM byte follows
	imm8         // an immediate of one byte
	immZ         // an immediate of four bytes, or two with the prefix 66
	bytes1       // operands of one byte
	regG         // the field reg names a general register
	rmG          // the field r/m names a general register unless it names memory
	writeG       // changes the register of reg
	writeE       // changes r/m
	noRead       // does not read memory at r/m
	lockOK       // allows the prefix LOCK with an operand in memory
	vvvvG        // VEX.vvvv names a general register that changes
	vsib         // the index is a vector
	needP        // invalid without one of the prefixes 66, F2, F3: the form without a prefix uses MMX registers
)

const (
	rm  = known | modrm
	gen = rm | regG | rmG // general registers
)

type table [256]flags

// fill sets entries to f. The string opcodes lists opcodes and ranges of opcodes in hexadecimal digits.
func (t *table) fill(opcodes string, f flags) {
	for _, word := range strings.Fields(opcodes) {
		first, last, isRange := strings.Cut(word, "-")
		if !isRange {
			last = first
		}
		a, err := strconv.ParseUint(first, 16, 8)
		b, err2 := strconv.ParseUint(last, 16, 8)
		if err != nil || err2 != nil {
			panic("amd64: bad table: " + word)
		}
		for i := a; i <= b; i++ {
			t[i] = f
		}
	}
}

// The opcodes, from the opcode maps of Intel's manual (volume 2, appendix A). Opcodes that are absent are refused: among them system calls, input and
// output, interrupts, segment registers, control registers, x87 and MMX, far jumps, and undefined opcodes.
var legacy, legacy0F, legacy38, legacy3A, vex1, vex2, vex3, evex1, evex2, evex3 = tables()

func tables() (l, l0F, l38, l3A, v1, v2, v3, e1, e2, e3 table) {
	for op := 0; op < 0x40; op += 8 { // add or adc sbb and sub xor cmp
		write, writeMem := writeG, writeE|lockOK
		if op == 0x38 {
			write, writeMem = 0, 0
		}
		l[op] = gen | bytes1 | writeMem
		l[op+1] = gen | writeMem
		l[op+2] = gen | bytes1 | write
		l[op+3] = gen | write
		l[op+4] = known | imm8
		l[op+5] = known | immZ
	}
	l.fill("50-5F 90-99 9C-9F A4-A7 AA-AF C3 CC F5 F8 F9 FC", known)
	l.fill("63", gen|writeG)
	l.fill("68 A9", known|immZ)
	l.fill("6A A8 70-7F B0-B7 E3 EB", known|imm8)
	l.fill("69", gen|writeG|immZ)
	l.fill("6B", gen|writeG|imm8)
	l.fill("80", gen|bytes1|writeE|imm8|lockOK)
	l.fill("81", gen|writeE|immZ|lockOK)
	l.fill("83", gen|writeE|imm8|lockOK)
	l.fill("84", gen|bytes1)
	l.fill("85", gen)
	l.fill("86", gen|bytes1|writeE|writeG|lockOK)
	l.fill("87", gen|writeE|writeG|lockOK)
	l.fill("88", gen|bytes1|writeE|noRead)
	l.fill("89", gen|writeE|noRead)
	l.fill("8A", gen|bytes1|writeG)
	l.fill("8B", gen|writeG)
	l.fill("8D", gen|writeG|noRead)
	l.fill("B8-BF", known) // the immediate depends on REX.W
	l.fill("C0", gen|bytes1|writeE|imm8)
	l.fill("C1", gen|writeE|imm8)
	l.fill("C6", gen|bytes1|writeE|noRead|imm8)
	l.fill("C7", gen|writeE|noRead|immZ)
	l.fill("D0 D2", gen|bytes1|writeE)
	l.fill("D1 D3", gen|writeE)
	l.fill("E8 E9", known|immZ)
	l.fill("F6 FE", gen|bytes1|writeE|lockOK)
	l.fill("F7 FF", gen|writeE|lockOK)

	l0F.fill("0B A2", known)
	l0F.fill("01", rm) // xgetbv
	l0F.fill("0D 18 1F", rm|noRead)
	l0F.fill("1E", rm) // endbr64
	l0F.fill("10 12 14-16 28 51-5F", rm)
	l0F.fill("11 13 17 29 2B", rm|writeE|noRead)
	l0F.fill("2E 2F", rm)
	l0F.fill("2A", rm|rmG|needP)
	l0F.fill("2C 2D", rm|regG|writeG|needP)
	l0F.fill("31", known)
	l0F.fill("40-4F", gen|writeG)
	l0F.fill("50", rm|regG|writeG)
	l0F.fill("60-6D 6F 74-76", rm|needP)
	l0F.fill("6E", rm|rmG|needP)
	l0F.fill("70-73", rm|imm8|needP)
	l0F.fill("7C 7D", rm|needP)
	l0F.fill("7E", rm|rmG|writeE|noRead|needP)
	l0F.fill("7F", rm|writeE|noRead|needP)
	l0F.fill("80-8F", known|immZ)
	l0F.fill("90-9F", gen|bytes1|writeE|noRead)
	l0F.fill("A3", gen)
	l0F.fill("AB B3 BB", gen|writeE|lockOK)
	l0F.fill("A4 AC", gen|writeE|imm8)
	l0F.fill("A5 AD", gen|writeE)
	l0F.fill("AE", rm)
	l0F.fill("AF B6 B7 B8 BC BD BE BF", gen|writeG)
	l0F.fill("B0", gen|bytes1|writeE|lockOK)
	l0F.fill("B1", gen|writeE|lockOK)
	l0F.fill("BA", gen|writeE|imm8|lockOK)
	l0F.fill("C0", gen|bytes1|writeE|writeG|lockOK)
	l0F.fill("C1", gen|writeE|writeG|lockOK)
	l0F.fill("C2 C6", rm|imm8)
	l0F.fill("C3", gen|writeE|noRead)
	l0F.fill("C4", rm|rmG|imm8|needP)
	l0F.fill("C5", rm|regG|writeG|imm8|needP)
	l0F.fill("C7", gen|writeE|lockOK)
	l0F.fill("C8-CF", known)
	l0F.fill("D0-D5 D8-E6 E8-F6 F8-FE", rm|needP)
	l0F.fill("D6 E7", rm|writeE|noRead|needP)
	l0F.fill("D7", rm|regG|writeG|needP)

	l38.fill("00-0B 10 14 15 17 1C-1E 20-25 28-2B 30-35 37-41 CF DB-DF", rm|needP)
	l38.fill("C8-CD", rm) // SHA
	l38.fill("F0", gen|writeG)
	l38.fill("F1", gen|writeE|noRead)
	l38.fill("F6", gen|writeG|needP)
	l3A.fill("08-0F 21 40-42 44 60-63 CE CF DF", rm|imm8|needP)
	l3A.fill("14-17", rm|rmG|writeE|noRead|imm8|needP)
	l3A.fill("20 22", rm|rmG|imm8|needP)
	l3A.fill("CC", rm|imm8)

	v1.fill("10 12 14-16 28 2E 2F 51-5F 60-6D 6F 74-76 7C 7D D0-D5 D8-E6 E8-F6 F8-FE", rm)
	v1.fill("11 13 17 29 2B 7F D6 E7", rm|writeE|noRead)
	v1.fill("2A 6E", rm|rmG)
	v1.fill("2C 2D 50 D7", rm|regG|writeG)
	v1.fill("41 42 44-47 4A 4B 90 98 99", rm) // masks
	v1.fill("91", rm|writeE|noRead)
	v1.fill("92", rm|rmG)
	v1.fill("93", rm|regG|writeG)
	v1.fill("70-73 C2 C6", rm|imm8)
	v1.fill("77", known)
	v1.fill("7E", rm|rmG|writeE|noRead)
	v1.fill("C4", rm|rmG|imm8)
	v1.fill("C5", rm|regG|writeG|imm8)
	v2.fill("00-0F 13 16-1A 1C-1E 20-25 28-2D 30-41 45-47 50-53 58-5A 78 79 8C 96-9F A6-AF B6-BF CF DB-DF", rm)
	v2.fill("2E 2F 8E", rm|writeE|noRead)
	v2.fill("90-93", rm|vsib)
	v2.fill("F2 F5 F7", gen|writeG)
	v2.fill("F3", gen|vvvvG)
	v2.fill("F6", gen|writeG|vvvvG)
	v3.fill("00-02 04-06 08-0F 18 21 30-33 38 40-42 44 46 4A-4C 60-63 CE CF DF", rm|imm8)
	v3.fill("14-17", rm|rmG|writeE|noRead|imm8)
	v3.fill("19 1D 39", rm|writeE|noRead|imm8)
	v3.fill("20 22", rm|rmG|imm8)
	v3.fill("F0", gen|writeG|imm8)

	e1.fill("10 12 14-16 28 2E 2F 51-5F 60-6D 6F 74-76 7A D0-D5 D8-E6 E8-F6 F8-FE", rm)
	e1.fill("11 13 17 29 2B 7F D6 E7", rm|writeE|noRead)
	e1.fill("2A 6E 7B", rm|rmG)
	e1.fill("2C 2D 78 79", rm|regG|writeG)
	e1.fill("70-73 C2 C6", rm|imm8)
	e1.fill("7E", rm|rmG|writeE|noRead)
	e1.fill("C4", rm|rmG|imm8)
	e1.fill("C5", rm|regG|writeG|imm8)
	e2.fill("00 04 0B-0D 14-16 18-1B 1C-1F 20-2D 34 36-40 42-47 4C-55 58-5B 62 64-66 68 70-73 75-79 7D-7F 83 88 89 8D 8F 96-9F A6-AF B4-BF C4 C8 CA-CD CF DC-DF", rm)
	e2.fill("10-13 30-33 35", rm) // with the prefix F3 these are narrowing stores; see decode
	e2.fill("63 8A 8B", rm|writeE|noRead)
	e2.fill("7A-7C", rm|rmG)
	e2.fill("90-93", rm|vsib)
	e2.fill("A0-A3", rm|vsib|writeE|noRead)
	e3.fill("00 01 03-05 08-0B 0F 18 1A 1E 1F 21 23 25-27 38 3A 3E 3F 42-44 50 51 54-57 66 67 70-73 CE CF", rm|imm8)
	e3.fill("14-17", rm|rmG|writeE|noRead|imm8)
	e3.fill("19 1B 1D 39 3B", rm|writeE|noRead|imm8)
	e3.fill("20 22", rm|rmG|imm8)
	return
}
