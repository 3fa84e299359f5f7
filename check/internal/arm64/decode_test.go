package arm64

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/arch/arm64/arm64asm"

	"rustgo.dev/check/internal/insn"
)

// TestUnpredictable requires that the decoder refuses instructions whose results the manual leaves open.
func TestUnpredictable(t *testing.T) {
	for _, w := range []uint32{
		0xA9400441, // ldp x1, x1, [x2]
		0xAD400441, // ldp q1, q1, [x2]
		0x69400441, // ldpsw x1, x1, [x2]
		0xA8810400, // stp x0, x1, [x0], 16
		0xC87F0441, // ldxp x1, x1, [x2]
		0xC8017C41, // stxr w1, x1, [x2]
		0xC8027C41, // stxr w2, x1, [x2]
		0xC8230C41, // stxp w3, x1, x3, [x2]
		0x48217C42, // casp x1, x2, x2, x3, [x2]
		0x48227C41, // casp x2, x3, x1, x2, [x2]
	} {
		if _, err := Decode(binary.LittleEndian.AppendUint32(nil, w), 0, nil); err == nil {
			t.Errorf("%08x is allowed", w)
		}
	}
}

// TestClasses compares control flow and system instructions with another decoder, for random encodings.
func TestClasses(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[insn.Flow]int{}
	for range 3_000_000 {
		w := r.Uint32()
		if r.IntN(2) == 0 {
			w = w&^(15<<25) | 10<<25 // branches and system instructions
		}
		code := binary.LittleEndian.AppendUint32(nil, w)
		in, err := Decode(code, 0, nil)
		other, err2 := arm64asm.Decode(code)
		if err != nil || err2 != nil {
			continue
		}
		flow, name := insn.Next, other.Op.String()
		switch {
		case name == "B" && w>>26 == 5:
			flow = insn.Jump
		case name == "BL":
			flow = insn.Call
		case name == "BR":
			flow = insn.JumpReg
		case name == "BLR":
			flow = insn.CallReg
		case name == "RET":
			flow = insn.Return
		case name == "BRK" || w>>16 == 0:
			flow = insn.Trap
		case name == "B" || name == "CBZ" || name == "CBNZ" || name == "TBZ" || name == "TBNZ":
			flow = insn.Branch
		case name == "SVC" || name == "HVC" || name == "SMC" || name == "HLT" || name == "ERET" || strings.HasPrefix(name, "DCPS"):
			t.Fatalf("%08x: %v is allowed", w, other)
		}
		if in.Flow != flow {
			t.Fatalf("%08x: %v has the flow %d", w, other, in.Flow)
		}
		seen[flow]++
	}
	if seen[insn.Next] < 100_000 || seen[insn.Branch] < 10_000 {
		t.Errorf("too few comparisons: %v", seen)
	}
}
