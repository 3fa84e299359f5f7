//go:build cgo && !((linux || darwin || windows) && (amd64 || arm64))

package fastcgo

import (
	"math"
	"runtime"
	"testing"
	"unsafe"

	"rustgo.dev/fastcgo/internal/ccall"
)

func TestUnsafeCalls(t *testing.T) {
	x := uintptr(1000)
	w := ccall.Weigh
	if got := UnsafeCall6Return1(w, uintptr(unsafe.Pointer(&x)), 1, 2, 3, 4, 5); got != 1000+2+6+12+20+30 {
		t.Errorf("UnsafeCall6Return1 = %d", got)
	}
	if got := UnsafeBlockingCall(w, uintptr(unsafe.Pointer(&x)), 1, 2, 3, 4, 5, 6); got != 1070 {
		t.Errorf("UnsafeBlockingCall = %d", got)
	}
	if got, ok := UnsafeCallNeedStack(w, 1<<30, uintptr(unsafe.Pointer(&x)), 1, 2, 3, 4, 5, 6); got != 1070 || !ok {
		t.Errorf("UnsafeCallNeedStack = %d, %v", got, ok)
	}
	// A C function ignores arguments beyond its own parameters.
	rotate := ccall.Rotate
	for n, got := range []uintptr{
		UnsafeCall2Return1(rotate, 1, 4), UnsafeCall3Return1(rotate, 1, 4, 9), UnsafeCall4Return1(rotate, 1, 4, 9, 9),
		UnsafeCall5Return1(rotate, 1, 4, 9, 9, 9), UnsafeCall6Return1(rotate, 1, 4, 9, 9, 9, 9),
	} {
		if uint32(got) != 16 {
			t.Errorf("%d arguments: 1 rotated by 4 is %d", n+2, got)
		}
	}
	UnsafeCall2(rotate, 1, 4)
	UnsafeCall3(rotate, 1, 4, 9)
	UnsafeCall4(rotate, 1, 4, 9, 9)
	UnsafeCall5(rotate, 1, 4, 9, 9, 9)
	UnsafeCall6(rotate, 1, 4, 9, 9, 9, 9)
	UnsafeCall1(ccall.Negate, 1)
	if got := UnsafeCall1Return1(ccall.Negate, 1); int8(got) != -1 {
		t.Errorf("-1 is %#x", got)
	}
	zero := shape(t, "L:")
	*ccall.ShapeResult = 0
	UnsafeCall0(zero)
	if got := UnsafeCall0Return1(zero); got != 0 {
		t.Errorf("UnsafeCall0Return1 = %d", got)
	}
}

// shape returns the function of ccall.Shapes with the given type.
func shape(t *testing.T, text string) unsafe.Pointer {
	t.Helper()
	for _, s := range ccall.Shapes() {
		if s.Type == text {
			return s.Fn
		}
	}
	t.Fatalf("no function of type %s", text)
	return nil
}

// This test covers the Go types of arguments and results. The tests of package plain cover the registers and stack words in which C expects the
// arguments.
func TestBindResults(t *testing.T) {
	for _, opts := range [][]Option{nil, {Blocking()}, {NeedStack(1000)}} {
		*ccall.ShapeResult = 0x8899aabbccddeeff
		if got := Bind[func() uint64](shape(t, "L:"), opts...)(); got != 0x8899aabbccddeeff {
			t.Errorf("uint64: %#x", got)
		}
		if got := Bind[func() int64](shape(t, "L:"), opts...)(); got != -0x7766554433221101 {
			t.Errorf("int64: %#x", got)
		}
		*ccall.ShapeResult = math.Float64bits(2.25)
		if got := Bind[func() float64](shape(t, "d:"), opts...)(); got != 2.25 {
			t.Errorf("float64: %v", got)
		}
		*(*float32)(unsafe.Pointer(ccall.ShapeResult)) = 1.5
		if got := Bind[func() float32](shape(t, "f:"), opts...)(); got != 1.5 {
			t.Errorf("float32: %v", got)
		}
	}
	x := uintptr(7)
	weigh := Bind[func(*uintptr, uint, uintptr, int, uint, uint) uintptr](ccall.Weigh)
	if got := weigh(&x, 1, 1, 1, 1, 1); got != 27 {
		t.Errorf("weigh = %d", got)
	}
}

// On this platform cgo makes the calls, so C may call Go, and the garbage collector may run during the calls.
func TestCallbacks(t *testing.T) {
	call := Bind[func(int32) int32](ccall.Callback)
	done := make(chan bool)
	for range 4 {
		go func() {
			for i := range int32(200) {
				if got := call(i); got != i+1 {
					t.Errorf("got %d, want %d", got, i+1)
				}
				if i%50 == 0 {
					runtime.GC()
				}
			}
			done <- true
		}()
	}
	for range 4 {
		<-done
	}
	if got := Bind[func(int32) int32](ccall.OnThread, Blocking())(41); got != 42 {
		t.Errorf("on another thread: %d", got)
	}
}
