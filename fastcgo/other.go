//go:build !((linux || darwin || windows) && (amd64 || arm64))

// On platforms without assembly cgo makes all calls, so this package uses cgo there.

package fastcgo

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"time"
	"unsafe"

	"rustgo.dev/fastcgo/internal/plain"
)

var (
	why      = errors.New("fastcgo has no assembly for " + runtime.GOOS + "/" + runtime.GOARCH)
	possible = plain.Built && plain.Known()
)

// impossible returns a message that says why calls are impossible.
func impossible() string {
	if plain.Built {
		return "fastcgo: no call is possible: " + why.Error() + ", and does not know how C passes arguments there"
	}
	return "fastcgo: no call is possible: " + why.Error() +
		", and this program was built without cgo: set CGO_ENABLED=1, and have a C compiler for that platform (CC)"
}

// Direct returns false and the reason: on this platform calls are not direct.
func Direct() (bool, error) { return false, why }

// SystemStack returns the number of bytes of stack that a call has on the current thread, or 0 if the number is not known. On this platform it
// returns 0.
func SystemStack() uintptr { return 0 }

// Watch does nothing on this platform, because the scheduler knows of every call.
func Watch(limit time.Duration, report func(Overstay)) (stop func()) { return func() {} }

// Bind returns a Go function that calls the C function at fn. F is the type of the Go function. The package documentation lists the possible
// parameters and results. Bind panics if F is not a supported type or fn is nil, so it is meant for the initialization of variables. F must match the
// C function; nothing can check this.
func Bind[F any](fn unsafe.Pointer, opts ...Option) F {
	t := reflect.TypeFor[F]()
	if fn == nil {
		panic(fmt.Sprintf("fastcgo: Bind of a nil function as %v", t))
	}
	sig, err := signatureOf(t)
	if err != nil {
		panic("fastcgo: Bind: " + err.Error())
	}
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		c := newCall(fn)
		c.ErrnoFunc = uint64(uintptr(o.errno))
		texts := make([][]byte, len(args))
		for i, a := range args {
			if a.Kind() != reflect.String {
				c.Add(plainKind(a.Type()), bits(a))
				continue
			}
			checkText(a.String(), i+1)
			texts[i] = textMemory(a.Len() + 1)
			copy(texts[i], a.String())
			c.Add(plainKind(a.Type()), uint64(uintptr(unsafe.Pointer(&texts[i][0]))))
		}
		if sig.result {
			c.Kinds[0] = plainKind(t.Out(0))
		}
		c.Make()
		var results []reflect.Value
		if sig.result {
			results = []reflect.Value{result(t.Out(0), c.Result, c.Result)} // a string may be in an argument
		}
		if sig.errno {
			errno := reflect.New(t.Out(1)).Elem() // not syscall.Errno, which plan9 lacks
			errno.SetUint(c.Errno)
			results = append(results, errno)
		}
		runtime.KeepAlive(args)
		runtime.KeepAlive(texts)
		return results
	}).Interface().(F)
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
	case reflect.String:
		v.SetString(goText(pointer(uintptr(word))))
	default:
		v.SetUint(word & (1<<t.Bits() - 1))
	}
	return v
}

// newCall returns a call of fn. The caller adds arguments and a result.
func newCall(fn unsafe.Pointer) *plain.Call {
	if !possible {
		panic(impossible())
	}
	c := &plain.Call{Fn: uint64(uintptr(fn))}
	c.Kinds[0] = 'i'
	return c
}

// plainKind returns the letter that package plain uses for a type.
func plainKind(t reflect.Type) byte {
	switch {
	case t.Kind() == reflect.Float32:
		return 'f'
	case t.Kind() == reflect.Float64:
		return 'd'
	case t.Kind() != reflect.String && t.Size() == 8, t.Kind() == reflect.String && unsafe.Sizeof(uintptr(0)) == 8:
		return 'l'
	}
	return 'i'
}

// callWords calls fn with integer arguments and returns an integer. If the argument list converts addresses of variables, the directive
// uintptrescapes keeps these variables alive and on the heap.
func callWords(fn unsafe.Pointer, args ...uintptr) uintptr {
	if len(args) > maxInts {
		panic(fmt.Sprintf("fastcgo: %d arguments, at most %d are possible", len(args), maxInts))
	}
	word := byte('i')
	if unsafe.Sizeof(args[0]) == 8 {
		word = 'l'
	}
	c := newCall(fn)
	c.Kinds[0] = word
	for _, a := range args {
		c.Add(word, uint64(a))
	}
	c.Make()
	return uintptr(c.Result)
}

// UnsafeBlockingCall calls the C function fn with up to 12 arguments and returns its result. It panics if there are more arguments.
//
//go:uintptrescapes
func UnsafeBlockingCall(fn unsafe.Pointer, args ...uintptr) uintptr { return callWords(fn, args...) }

// UnsafeCallNeedStack calls the C function fn with up to 12 arguments and returns its result and true. On this platform need is ignored.
//
//go:uintptrescapes
func UnsafeCallNeedStack(fn unsafe.Pointer, need uintptr, args ...uintptr) (uintptr, bool) {
	return callWords(fn, args...), true
}

// UnsafeCall0 calls the C function fn.
//
//go:uintptrescapes
func UnsafeCall0(fn unsafe.Pointer) { callWords(fn) }

// UnsafeCall1 calls the C function fn with one argument.
//
//go:uintptrescapes
func UnsafeCall1(fn unsafe.Pointer, a0 uintptr) { callWords(fn, a0) }

// UnsafeCall2 calls the C function fn with two arguments.
//
//go:uintptrescapes
func UnsafeCall2(fn unsafe.Pointer, a0, a1 uintptr) { callWords(fn, a0, a1) }

// UnsafeCall3 calls the C function fn with three arguments.
//
//go:uintptrescapes
func UnsafeCall3(fn unsafe.Pointer, a0, a1, a2 uintptr) { callWords(fn, a0, a1, a2) }

// UnsafeCall4 calls the C function fn with four arguments.
//
//go:uintptrescapes
func UnsafeCall4(fn unsafe.Pointer, a0, a1, a2, a3 uintptr) { callWords(fn, a0, a1, a2, a3) }

// UnsafeCall5 calls the C function fn with five arguments.
//
//go:uintptrescapes
func UnsafeCall5(fn unsafe.Pointer, a0, a1, a2, a3, a4 uintptr) { callWords(fn, a0, a1, a2, a3, a4) }

// UnsafeCall6 calls the C function fn with six arguments.
//
//go:uintptrescapes
func UnsafeCall6(fn unsafe.Pointer, a0, a1, a2, a3, a4, a5 uintptr) {
	callWords(fn, a0, a1, a2, a3, a4, a5)
}

// UnsafeCall0Return1 calls the C function fn and returns its result.
//
//go:uintptrescapes
func UnsafeCall0Return1(fn unsafe.Pointer) uintptr { return callWords(fn) }

// UnsafeCall1Return1 calls the C function fn with one argument and returns its result.
//
//go:uintptrescapes
func UnsafeCall1Return1(fn unsafe.Pointer, a0 uintptr) uintptr { return callWords(fn, a0) }

// UnsafeCall2Return1 calls the C function fn with two arguments and returns its result.
//
//go:uintptrescapes
func UnsafeCall2Return1(fn unsafe.Pointer, a0, a1 uintptr) uintptr { return callWords(fn, a0, a1) }

// UnsafeCall3Return1 calls the C function fn with three arguments and returns its result.
//
//go:uintptrescapes
func UnsafeCall3Return1(fn unsafe.Pointer, a0, a1, a2 uintptr) uintptr {
	return callWords(fn, a0, a1, a2)
}

// UnsafeCall4Return1 calls the C function fn with four arguments and returns its result.
//
//go:uintptrescapes
func UnsafeCall4Return1(fn unsafe.Pointer, a0, a1, a2, a3 uintptr) uintptr {
	return callWords(fn, a0, a1, a2, a3)
}

// UnsafeCall5Return1 calls the C function fn with five arguments and returns its result.
//
//go:uintptrescapes
func UnsafeCall5Return1(fn unsafe.Pointer, a0, a1, a2, a3, a4 uintptr) uintptr {
	return callWords(fn, a0, a1, a2, a3, a4)
}

// UnsafeCall6Return1 calls the C function fn with six arguments and returns its result.
//
//go:uintptrescapes
func UnsafeCall6Return1(fn unsafe.Pointer, a0, a1, a2, a3, a4, a5 uintptr) uintptr {
	return callWords(fn, a0, a1, a2, a3, a4, a5)
}
