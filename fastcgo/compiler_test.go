//go:build cgo

package fastcgo

import (
	"testing"
	"unsafe"

	"rustgo.dev/fastcgo/internal/ccall"
)

// The test compares the places of arguments in fastcgo's calls with the places that a C compiler uses.
func TestAgainstCCompiler(t *testing.T) {
	for _, opts := range [][]Option{nil, {Blocking()}} {
		mixed := Bind[func(int8, float64, uint8, float32, int16, uint16, float64, int32, uint32, float32, int64, uint64, float64,
			unsafe.Pointer, bool, float32, uintptr, int32, float64, float32) float64](ccall.Mixed, opts...)
		x := [2]byte{}
		i := unsafe.Pointer(&x)
		got := mixed(-1, 2, 200, 3, -300, 60000, 4, -70000, 4000000000, 5, -6, 7, 8, i, true, 9, 10, -11, 12, 13)
		want := -1 + 2*200 - 3*300 + 4*60000.0 - 5*70000 + 6*4000000000.0 - 7*6 + 8*7 + 9*float64(uintptr(i)) + 10 + 11*10 - 12*11 +
			0.5*2 + 0.25*3 + 0.125*4 + 0.0625*5 + 100*8 + 200*9 + 300*12 + 400*13
		if diff := got - want; diff > 1 || diff < -1 {
			t.Errorf("mixed = %v, want %v", got, want)
		}
		if got := Bind[func(float32) float32](ccall.Half, opts...)(3); got != 1.5 {
			t.Errorf("half of 3 is %v", got)
		}
		both := Bind[func(a, b bool) bool](ccall.Both, opts...)
		if !both(true, true) || both(true, false) || both(false, true) {
			t.Error("Both gives a wrong result")
		}
		if got := Bind[func(int8) int8](ccall.Negate, opts...)(100); got != -100 {
			t.Errorf("-100 is %v", got)
		}
		if got := Bind[func(uint32, int32) uint32](ccall.Rotate, opts...)(0x80000001, 4); got != 0x18 {
			t.Errorf("rotate = %#x", got)
		}
	}
}
