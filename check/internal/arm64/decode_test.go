package arm64

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/arch/arm64/arm64asm"

	"rustgo.dev/check/internal/insn"
)

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
