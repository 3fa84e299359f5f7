//go:build !((linux || darwin || windows) && (amd64 || arm64))

package fastcgo

import (
	"errors"
	"runtime"
	"time"
	"unsafe"
)

var why = errors.New("fastcgo is not made for " + runtime.GOOS + "/" + runtime.GOARCH)

// Direct reports whether calls are made in the fast way, and if not, why.
func Direct() (bool, error) { return false, why }

// SystemStack returns 0: not known.
func SystemStack() uintptr { return 0 }

// Option changes how a function that Bind makes is called.
type Option func()

// NeedStack does nothing here.
func NeedStack(bytes uintptr) Option { return nil }

// Blocking does nothing here.
func Blocking() Option { return nil }

// Bind panics here.
func Bind[F any](fn unsafe.Pointer, opts ...Option) F { panic(why.Error()) }

// UnsafeBlockingCall panics here.
func UnsafeBlockingCall(fn unsafe.Pointer, args ...uintptr) uintptr { panic(why.Error()) }

// UnsafeCallNeedStack panics here.
func UnsafeCallNeedStack(fn unsafe.Pointer, need uintptr, args ...uintptr) (uintptr, bool) {
	panic(why.Error())
}

// Overstay is a call that took longer than it should.
type Overstay struct {
	Func    uintptr
	Elapsed time.Duration
	Running bool
	Callers []uintptr
}

// Watch has nothing to watch here.
func Watch(limit time.Duration, report func(Overstay)) (stop func()) { return func() {} }

// UnsafeCall0 panics here.
func UnsafeCall0(fn unsafe.Pointer) { panic(why.Error()) }

// UnsafeCall1 panics here.
func UnsafeCall1(fn unsafe.Pointer, a0 uintptr) { panic(why.Error()) }

// UnsafeCall2 panics here.
func UnsafeCall2(fn unsafe.Pointer, a0, a1 uintptr) { panic(why.Error()) }

// UnsafeCall3 panics here.
func UnsafeCall3(fn unsafe.Pointer, a0, a1, a2 uintptr) { panic(why.Error()) }

// UnsafeCall4 panics here.
func UnsafeCall4(fn unsafe.Pointer, a0, a1, a2, a3 uintptr) { panic(why.Error()) }

// UnsafeCall5 panics here.
func UnsafeCall5(fn unsafe.Pointer, a0, a1, a2, a3, a4 uintptr) { panic(why.Error()) }

// UnsafeCall6 panics here.
func UnsafeCall6(fn unsafe.Pointer, a0, a1, a2, a3, a4, a5 uintptr) { panic(why.Error()) }

// UnsafeCall0Return1 panics here.
func UnsafeCall0Return1(fn unsafe.Pointer) uintptr { panic(why.Error()) }

// UnsafeCall1Return1 panics here.
func UnsafeCall1Return1(fn unsafe.Pointer, a0 uintptr) uintptr { panic(why.Error()) }

// UnsafeCall2Return1 panics here.
func UnsafeCall2Return1(fn unsafe.Pointer, a0, a1 uintptr) uintptr { panic(why.Error()) }

// UnsafeCall3Return1 panics here.
func UnsafeCall3Return1(fn unsafe.Pointer, a0, a1, a2 uintptr) uintptr { panic(why.Error()) }

// UnsafeCall4Return1 panics here.
func UnsafeCall4Return1(fn unsafe.Pointer, a0, a1, a2, a3 uintptr) uintptr { panic(why.Error()) }

// UnsafeCall5Return1 panics here.
func UnsafeCall5Return1(fn unsafe.Pointer, a0, a1, a2, a3, a4 uintptr) uintptr { panic(why.Error()) }

// UnsafeCall6Return1 panics here.
func UnsafeCall6Return1(fn unsafe.Pointer, a0, a1, a2, a3, a4, a5 uintptr) uintptr {
	panic(why.Error())
}
