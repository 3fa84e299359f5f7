package fastcgo

import (
	"math"
	"reflect"
	"time"
)

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

// bits returns the contents of the register that passes v as an argument.
func bits(v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return uint64(v.Int())
	case reflect.Float32: // not v.Float: a conversion would change a signalling NaN
		x := reflect.New(v.Type())
		x.Elem().Set(v)
		return uint64(*(*uint32)(x.UnsafePointer()))
	case reflect.Float64:
		return math.Float64bits(v.Float())
	case reflect.Pointer, reflect.UnsafePointer:
		return uint64(v.Pointer())
	}
	return v.Uint()
}

// result returns a value of type t, given the contents of the two result registers after a call: word for integers, float for floating-point
// numbers.
func result(t reflect.Type, word, float uint64) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(uint8(word) != 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(word))
	case reflect.Int8:
		v.SetInt(int64(int8(word)))
	case reflect.Int16:
		v.SetInt(int64(int16(word)))
	case reflect.Int32:
		v.SetInt(int64(int32(word)))
	case reflect.Float32:
		*(*uint32)(v.Addr().UnsafePointer()) = uint32(float)
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(float))
	case reflect.Pointer, reflect.UnsafePointer:
		*(*uintptr)(v.Addr().UnsafePointer()) = uintptr(word)
	default:
		v.SetUint(word & (1<<t.Bits() - 1))
	}
	return v
}
