package fastcgo

import "time"

// Option changes how a function made by Bind makes its calls.
type Option func(*options)

type options struct {
	need     uintptr
	blocking bool
}

// NeedStack states the number of bytes of stack that the C function needs. If the thread's system stack has less, the call panics before calling C.
func NeedStack(bytes uintptr) Option { return func(o *options) { o.need = bytes } }

// Blocking makes calls tell the scheduler that the goroutine waits. It is for C functions that wait or run long; see the package documentation.
func Blocking() Option { return func(o *options) { o.blocking = true } }

// Overstay describes a call that took longer than the limit of Watch.
type Overstay struct {
	Func    uintptr       // address of the C function
	Elapsed time.Duration // time from the start of the call until now, or until the call returned
	Running bool          // the call has not returned yet

	// Callers holds the Go frames that led to the call, in the form of runtime.Callers. The first frame is the function that made the call. Callers
	// is nil while the call runs.
	Callers []uintptr
}
