package fastcgo

import (
	"time"
	"unsafe"
)

// Option changes how a function made by Bind makes its calls.
type Option func(*options)

type options struct {
	need     uintptr
	blocking bool
	callsGo  bool
	errno    unsafe.Pointer
}

// NeedStack states the number of bytes of stack that the C function needs. If the thread's system stack has less, the call panics before calling C.
func NeedStack(bytes uintptr) Option { return func(o *options) { o.need = bytes } }

// Blocking makes calls tell the scheduler that the goroutine waits. It is for C functions that wait or run long; see the package documentation.
func Blocking() Option { return func(o *options) { o.blocking = true } }

// CallsGo lets the C function call Go on its thread, by a function that cgo exports or, on windows, a callback of syscall.NewCallback. Such calls are
// made in cgo's way and cost more than a call of cgo. They may wait or run long, as with Blocking, and NeedStack has no effect on them. The
// goroutine's stack may move while Go runs. The arguments of a bound function stay valid, because they do not point into the goroutine's stack. A
// panic in the Go code that C calls unwinds the C function, as with cgo. CallsGo needs a program with cgo, except on windows; otherwise Bind panics.
func CallsGo() Option { return func(o *options) { o.callsGo = true } }

// ErrnoFunc states the C function that returns the address of the thread's errno, an int *f(void). It has an effect only if the Go function has a
// result of type syscall.Errno. It is for programs in which the package does not find this function itself, or in which it finds the function of
// another C library. The function is __errno_location in glibc and musl, __errno in Android's library, __error on darwin, and _errno in the C
// libraries of windows.
func ErrnoFunc(f unsafe.Pointer) Option { return func(o *options) { o.errno = f } }

// Overstay describes a call that took longer than the limit of Watch.
type Overstay struct {
	Func    uintptr       // address of the C function
	Elapsed time.Duration // time from the start of the call until now, or until the call returned
	Running bool          // the call has not returned yet

	// Callers holds the Go frames that led to the call, in the form of runtime.Callers. The first frame is the function that made the call. Callers
	// is nil while the call runs.
	Callers []uintptr
}
