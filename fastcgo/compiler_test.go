//go:build cgo

package fastcgo

import (
	"runtime"
	"strings"
	"sync"
	"syscall"
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

// The test compares strings, as arguments and as a result, with a C compiler's. On amd64 Go passes four of these strings in registers, and the sixteen
// bits of i too.
func TestTextAgainstCCompiler(t *testing.T) {
	for _, opts := range [][]Option{nil, {Blocking()}, {NeedStack(16 << 10)}} {
		join := Bind[func(a string, b int8, c string, d float64, e, f, g, h string, i uint16, j, k, l string, m float32) string](ccall.Join, opts...)
		if got := join("a", -2, "", 2.5, "e e", "f", "", "häh", 60000, "j", "", "l", 1.5); got != "a -2  2.5 e e f  häh 60000 j  l 1.5" {
			t.Errorf("got %q", got)
		}
		if got := join("", 0, "", 0, "", "", "", "", 0, "", "", "", 0); got != "" {
			t.Errorf("NULL is %q", got)
		}
		for _, n := range []int{0, 1, 7, 8, 31, 32, 33, 1000, 100_000} {
			if got := Bind[func(string) uintptr](ccall.Length, opts...)(strings.Repeat("x", n)); got != uintptr(n) {
				t.Errorf("a string of %d bytes has %d bytes in C", n, got)
			}
		}
	}
}

// Some goroutines make calls that set errno, while others make blocking calls and change threads. Each call must return its own errno.
func TestErrnoOfCLibrary(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("C's errno is not the last error of windows")
	}
	defer func() {
		if p, _ := recover().(string); strings.Contains(p, "this program has no dynamic loader") {
			t.Skip(p)
		} else if p != "" {
			t.Error(p)
		}
	}()
	fail := Bind[func(int32) (int32, syscall.Errno)](ccall.Fail)
	failSlowly := Bind[func(int32) (int32, syscall.Errno)](ccall.Fail, Blocking())
	failFloat := Bind[func(float64) (float64, syscall.Errno)](ccall.FailDouble)
	failText := Bind[func(string, int32) (string, syscall.Errno)](ccall.FailText)
	var wg sync.WaitGroup
	for g := range int32(8) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range int32(1000) {
				n := g*1000 + i + 1
				if before, errno := fail(n); before != 0 || errno != syscall.Errno(n) {
					t.Errorf("got %d, %d, want 0, %d", before, errno, n)
				}
				if before, errno := failSlowly(-n); before != 0 || errno != syscall.Errno(uint32(-n)) {
					t.Errorf("got %d, %d, want 0, %d", before, errno, -n)
				}
				if r, errno := failFloat(float64(n)); r != float64(-n) || errno != syscall.Errno(n) {
					t.Errorf("got %v, %d, want %v, %d", r, errno, -n, n)
				}
				if r, errno := failText("some text", n); r != "some text" || errno != syscall.Errno(n) {
					t.Errorf("got %q, %d, want %d", r, errno, n)
				}
			}
		}()
	}
	wg.Wait()
}
