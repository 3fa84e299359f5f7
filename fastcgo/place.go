package fastcgo

import (
	"fmt"
	"reflect"
)

// kind is the class of a Go type in C's calling conventions.
type kind uint8

const (
	word kind = iota // an integer of 8 bytes, or an int, uint or uintptr
	uint8kind
	int8kind
	uint16kind
	int16kind
	word32 // an integer of 4 bytes
	pointerKind
	textKind // a string in Go, const char * in C
	float32kind
	float64kind
)

func (k kind) size() uintptr {
	switch k {
	case uint8kind, int8kind:
		return 1
	case uint16kind, int16kind:
		return 2
	case word32, float32kind:
		return 4
	}
	return 8
}

// goWords returns the number of words that an argument takes in Go, if it is not a float.
func (k kind) goWords() uintptr {
	if k == textKind {
		return 2
	}
	return 1
}

func (k kind) float() bool { return k >= float32kind }

// convention is a C calling convention. The comment at each constant describes where arguments are passed.
type convention uint8

const (
	systemV   convention = iota // amd64: six integers, eight floats, then the stack in words. System V psABI 3.2.3.
	windows64                   // amd64: the first four in registers by position, then the stack in words
	aapcs64                     // arm64: eight integers, eight floats, then the stack in words. AAPCS64 6.8.2; Windows does the same.
	apple64                     // arm64: the same registers as in AAPCS64, but each argument on the stack takes its own size
)

// These constants are the largest numbers of integers and floats that Bind accepts.
const (
	maxInts   = 12
	maxFloats = 8
)

// intRegs returns the number of integers passed in registers if there are no floats.
func (c convention) intRegs() uintptr {
	switch c {
	case windows64:
		return 4
	case systemV:
		return 6
	}
	return 8
}

// place returns the offset of each argument in a block, and the number of words of stack that the arguments take.
func (c convention) place(args []kind) (at []uintptr, words uintptr) {
	const ints, floats, stack = 16, 80, 144
	var ni, nf, used uintptr
	intRegs, floatRegs := c.intRegs(), uintptr(8)
	for i, k := range args {
		switch {
		case c == windows64 && i < 4 && k.float():
			at = append(at, floats+8*uintptr(i))
		case c == windows64 && i < 4:
			at = append(at, ints+8*uintptr(i))
		case c != windows64 && k.float() && nf < floatRegs:
			at = append(at, floats+8*nf)
			nf++
		case c != windows64 && !k.float() && ni < intRegs:
			at = append(at, ints+8*ni)
			ni++
		default:
			size := uintptr(8)
			if c == apple64 {
				size = k.size()
			}
			used = (used + size - 1) &^ (size - 1)
			at = append(at, stack+used)
			used += size
		}
	}
	return at, (used + 7) / 8
}

// kindOf returns the kind of a type, or an error if a value of the type cannot be passed.
func kindOf(t reflect.Type) (kind, error) {
	switch t.Kind() {
	case reflect.Bool, reflect.Uint8:
		return uint8kind, nil
	case reflect.Int8:
		return int8kind, nil
	case reflect.Uint16:
		return uint16kind, nil
	case reflect.Int16:
		return int16kind, nil
	case reflect.Int32, reflect.Uint32:
		return word32, nil
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return word, nil
	case reflect.UnsafePointer, reflect.Pointer:
		return pointerKind, nil
	case reflect.String:
		return textKind, nil
	case reflect.Float32:
		return float32kind, nil
	case reflect.Float64:
		return float64kind, nil
	}
	return 0, fmt.Errorf("%v cannot be a parameter or result of a C function: use integers, floats, bool, pointers and strings", t)
}

// signature describes a function type for a call in C's convention.
type signature struct {
	args   []kind
	result bool
	float  bool // the result is a float
	text   bool // the result is a string
	errno  bool // there is a second result, which is errno
}

func signatureOf(t reflect.Type) (signature, error) {
	var s signature
	if t.Kind() != reflect.Func {
		return s, fmt.Errorf("%v is not a func type", t)
	}
	if t.IsVariadic() {
		return s, fmt.Errorf("%v: variadic functions are not supported", t)
	}
	ints, floats := 0, 0
	for i := range t.NumIn() {
		k, err := kindOf(t.In(i))
		if err != nil {
			return s, fmt.Errorf("parameter %d of %v: %w", i+1, t, err)
		}
		if k.float() {
			floats++
		} else {
			ints++
		}
		s.args = append(s.args, k)
	}
	if ints > maxInts || floats > maxFloats {
		return s, fmt.Errorf("%v: %d integers and %d floats, at most %d and %d are possible", t, ints, floats, maxInts, maxFloats)
	}
	s.errno = t.NumOut() == 2 && t.Out(1).PkgPath() == "syscall" && t.Out(1).Name() == "Errno"
	if t.NumOut() > 1 && !s.errno {
		return s, fmt.Errorf("%v: a C function has at most one result, and a syscall.Errno after it", t)
	}
	if t.NumOut() > 0 {
		k, err := kindOf(t.Out(0))
		if err != nil {
			return s, fmt.Errorf("result of %v: %w", t, err)
		}
		s.result, s.float, s.text = true, k.float(), k == textKind
	}
	return s, nil
}
