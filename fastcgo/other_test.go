//go:build !((linux || darwin || windows) && (amd64 || arm64))

package fastcgo

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"rustgo.dev/fastcgo/internal/plain"
)

// The test checks everything that can be checked without a call.
func TestWay(t *testing.T) {
	if direct, err := Direct(); direct || err == nil || !strings.Contains(err.Error(), runtime.GOARCH) {
		t.Errorf("Direct() = %v, %v", direct, err)
	}
	if n := SystemStack(); n != 0 {
		t.Errorf("SystemStack() = %d", n)
	}
	Watch(1, func(Overstay) { t.Error("a report") })()
}

// Without cgo Bind succeeds, and every call panics with a message that says what is missing.
func TestWithoutCgo(t *testing.T) {
	if plain.Built {
		t.Skip("this is a program with cgo: set CGO_ENABLED=0")
	}
	x := byte(0)
	fn := unsafe.Pointer(&x)
	for name, call := range map[string]func(){
		"UnsafeCall0":         func() { UnsafeCall0(fn) },
		"UnsafeCall6Return1":  func() { UnsafeCall6Return1(fn, 1, 2, 3, 4, 5, 6) },
		"UnsafeBlockingCall":  func() { UnsafeBlockingCall(fn) },
		"UnsafeCallNeedStack": func() { UnsafeCallNeedStack(fn, 1) },
		"Bind":                func() { Bind[func(int) int](fn)(1) },
		"Blocking":            func() { Bind[func(int) int](fn, Blocking(), NeedStack(1))(1) },
	} {
		func() {
			defer func() {
				want := "fastcgo has no assembly for " + runtime.GOOS + "/" + runtime.GOARCH + ", and this program was built without cgo: set CGO_ENABLED=1"
				if p, _ := recover().(string); !strings.Contains(p, want) {
					t.Errorf("%s: panic %q does not say %q", name, p, want)
				}
			}()
			call()
		}()
	}
}

func TestBindRefuses(t *testing.T) {
	x := byte(0)
	fn := unsafe.Pointer(&x)
	for want, f := range map[string]func(){
		"is not a func type": func() { Bind[int](fn) },
		"parameter 2":        func() { Bind[func(int, []byte)](fn) },
		"13 integers":        func() { Bind[func(a, b, c, d, e, f, g, h, i, j, k, l, m int)](fn) },
		"nil function":       func() { Bind[func()](nil) },
		"13 arguments":       func() { UnsafeBlockingCall(fn, make([]uintptr, 13)...) },
	} {
		func() {
			defer func() {
				if p, _ := recover().(string); !strings.Contains(p, want) {
					t.Errorf("panic %q does not say %q", p, want)
				}
			}()
			f()
		}()
	}
}
