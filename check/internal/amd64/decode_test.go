package amd64

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/arch/x86/x86asm"

	"rustgo.dev/check/internal/insn"
)

// TestLengths compares lengths with another decoder, for random bytes. Three quarters of them begin with 0F, 48 or 66 0F. The other decoder knows
// neither VEX nor EVEX, and decodes some prefixes as instructions of their own.
func TestLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	agreed, code := 0, make([]byte, 20)
	for range 2_000_000 {
		for i := range code {
			code[i] = byte(r.Uint32())
		}
		switch r.IntN(4) {
		case 0:
			code[0] = 0x0F
		case 1:
			code[0] = 0x48
		case 2:
			code[0], code[1] = 0x66, 0x0F
		}
		in, err := Decode(code, 0, nil)
		other, err2 := x86asm.Decode(code, 64)
		if err != nil || err2 != nil || other.Op == 0 || code[0] == 0xC4 || code[0] == 0xC5 || code[0] == 0x62 {
			continue
		}
		if in.Len != other.Len {
			t.Fatalf("% x: %d bytes, and %d (%v)", code, in.Len, other.Len, other)
		}
		agreed++
	}
	if agreed < 200_000 {
		t.Errorf("only %d instructions compared", agreed)
	}
}

// TestVectorLengths compares lengths with Intel's manual, mostly for VEX and EVEX, with and without SIB, displacement and immediate.
func TestVectorLengths(t *testing.T) {
	for _, code := range [][]byte{
		{0xC5, 0xF8, 0x77},                                        // vzeroupper
		{0xC5, 0xFE, 0x7F, 0x44, 0x24, 0x20},                      // vmovdqu [rsp+32], ymm0
		{0xC4, 0xE3, 0x7D, 0x39, 0xC1, 0x01},                      // vextracti128 xmm1, ymm0, 1
		{0xC4, 0xE2, 0xFB, 0xF6, 0xC1},                            // mulx rax, rax, rcx
		{0xC4, 0xE3, 0xFB, 0xF0, 0xC1, 0x07},                      // rorx rax, rcx, 7
		{0x62, 0xF1, 0x7C, 0x48, 0x11, 0x84, 0x24, 0x40, 0, 0, 0}, // vmovups [rsp+64], zmm0
		{0x62, 0xF1, 0x7C, 0x48, 0x11, 0x44, 0x24, 0x01},          // the same with a short displacement
		{0x62, 0xF3, 0xFD, 0x48, 0x39, 0x05, 0, 0, 0, 0, 0x01},    // vextracti64x2 [rip], zmm0, 1
		{0x62, 0xF2, 0x7D, 0x48, 0xA0, 0x04, 0x08},                // vpscatterdd
		{0x62, 0xF1, 0x7D, 0x48, 0x72, 0xC1, 0x07},                // vprord zmm0, zmm1, 7
		{0xC5, 0xFA, 0x7E, 0x05, 0, 0, 0, 0},                      // vmovq xmm0, [rip]
		{0x0F, 0x1F, 0x82, 1, 2, 3, 4},                            // nopl [rdx+disp32]
		{0x66, 0x2E, 0x0F, 0x1F, 0x84, 0, 0, 0, 0, 0},             // a nop of ten bytes
		{0x49, 0xB8, 1, 2, 3, 4, 5, 6, 7, 8},                      // movabs
		{0x64, 0x4C, 0x8B, 0x14, 0x25, 0, 0, 0, 0},                // mov r10, fs:[0]
		{0xF2, 0x0F, 0x38, 0xF1, 0xC1},                            // crc32
		{0x66, 0x0F, 0x3A, 0x63, 0xC1, 0x04},                      // pcmpistri
		{0xF0, 0x48, 0x0F, 0xC7, 0x0F},                            // lock cmpxchg16b [rdi]
	} {
		in, err := Decode(append(code, 0x90, 0x90, 0x90, 0x90), 0, nil)
		if err != nil || in.Len != len(code) {
			t.Errorf("% x: %d bytes, %v", code, in.Len, err)
		}
		if _, err := Decode(code[:len(code)-1], 0, nil); err == nil {
			t.Errorf("% x: accepted without its last byte", code)
		}
	}
}

// TestEffects checks which registers instructions change, mostly for registers that are not an ordinary destination operand.
func TestEffects(t *testing.T) {
	for _, c := range []struct {
		code    []byte
		changed []int8
	}{
		{[]byte{0xF7, 0xE1}, []int8{ax, dx}},                     // mul ecx
		{[]byte{0x0F, 0xA2}, []int8{ax, bx, cx, dx}},             // cpuid
		{[]byte{0xF3, 0xA4}, []int8{cx, si, di}},                 // rep movsb
		{[]byte{0xF0, 0x0F, 0xB1, 0x0F}, []int8{ax}},             // lock cmpxchg [rdi], ecx
		{[]byte{0x88, 0xC4}, []int8{ax}},                         // mov ah, al
		{[]byte{0x40, 0x88, 0xC4}, []int8{SP}},                   // mov spl, al
		{[]byte{0xC4, 0xE2, 0xFB, 0xF6, 0xD9}, []int8{ax, bx}},   // mulx rbx, rax, rcx
		{[]byte{0x66, 0x0F, 0x3A, 0x61, 0xC1, 0x04}, []int8{cx}}, // pcmpestri
		{[]byte{0xC5, 0xFD, 0xD7, 0xD8}, []int8{bx}},             // vpmovmskb ebx, ymm0
		{[]byte{0x48, 0x0F, 0xC1, 0xD9}, []int8{cx, bx}},         // xadd rcx, rbx
		{[]byte{0x48, 0x87, 0xE0}, []int8{ax, SP}},               // xchg rax, rsp
	} {
		in, err := Decode(c.code, 0, nil)
		if err != nil {
			t.Errorf("% x: %v", c.code, err)
		}
		changed := map[int8]bool{}
		for _, e := range in.Effects {
			if e.Dst >= 0 && e.Op != insn.Load {
				changed[e.Dst] = true
			}
		}
		for _, r := range c.changed {
			if !changed[r] {
				t.Errorf("% x: register %d does not change", c.code, r)
			}
		}
	}
}

// TestSums requires that only additions and subtractions of 64 bits have the effect AddImm. Other results are unknown values.
func TestSums(t *testing.T) {
	for _, c := range []struct {
		code     []byte
		followed bool
	}{
		{[]byte{0x48, 0x83, 0xEC, 0x08}, true},  // sub rsp, 8
		{[]byte{0x83, 0xEC, 0x08}, false},       // sub esp, 8
		{[]byte{0x48, 0x80, 0xEC, 0x08}, false}, // sub spl, 8
		{[]byte{0x48, 0x80, 0xC0, 0x10}, false}, // add al, 16
	} {
		in, err := Decode(c.code, 0, nil)
		if err != nil || len(in.Effects) != 1 || (in.Effects[0].Op == insn.AddImm) != c.followed {
			t.Errorf("% x: %v, effects %v", c.code, err, in.Effects)
		}
	}
}
