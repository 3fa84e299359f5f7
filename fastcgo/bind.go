//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import (
	"fmt"
	"reflect"
	"runtime"
	"unsafe"
)

// bound is the closure to which a func value made by Bind points. Assembly uses the offsets of the first eight fields as numbers.
type bound struct {
	code  uintptr        // boundPlain, boundNeed, boundAny or boundGo
	fn    unsafe.Pointer // the C function
	need  uintptr        // number of bytes of system stack that the C function needs
	slow  *bound         // makes the call in Go code; nil if code is boundGo
	words uintptr        // number of words of arguments on the C stack
	count uintptr        // number of elements of steps in use
	errno unsafe.Pointer // the C function for block.errno
	steps [maxInts + maxFloats + maxInts]step

	// The assembly does not use the fields below.
	blocking   bool
	callsGo    bool
	texts      []text
	textResult bool
	errnoFirst bool // errno is the first result in an integer register, because the other result is a float
}

// text describes an argument that is a string. Offsets are from the block in the frame of boundGo.
type text struct {
	kept   int    // index of the element of boundCall's argument kept that has the address of the bytes
	length int    // offset of the length
	at     uint16 // offset of the place for the address of the copy
	number int    // the number of the parameter, from 1
}

// step copies one argument within the frame of the assembly function boundFrame or boundGo. Offsets are from SP.
type step struct {
	from, to uint16
	kind     uint16 // the kind of an argument of 1 or 2 bytes, which determines the extension; 0 copies 8 bytes
	_        uint16
}

// Bind returns a Go function that calls the C function at fn. F is the type of the Go function. The package documentation lists the possible
// parameters and results. Bind panics if F is not a supported type or fn is nil, so it is meant for the initialization of variables. F must match the
// C function; nothing can check this.
func Bind[F any](fn unsafe.Pointer, opts ...Option) F {
	c := bind(reflect.TypeFor[F](), fn, opts)
	return *(*F)(unsafe.Pointer(&c))
}

// bind makes the closure of a func value of type t.
func bind(t reflect.Type, fn unsafe.Pointer, opts []Option) *bound {
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
	var errno unsafe.Pointer
	if sig.errno {
		if errno = o.errno; errno == nil {
			if errno, err = systemErrno(); err != nil {
				panic(fmt.Sprintf("fastcgo: Bind: %v: %v: use the option ErrnoFunc", t, err))
			}
		}
	}
	if o.callsGo && !iscgo && runtime.GOOS != "windows" {
		panic(fmt.Sprintf("fastcgo: Bind: %v: CallsGo needs a program with cgo: build it with CGO_ENABLED=1 and import runtime/cgo", t))
	}
	at, words := native.place(sig.args)
	args, kept, texts := sig.steps(at)
	slow := &bound{code: boundGoAt, fn: fn, need: o.need, words: words, errno: errno,
		blocking: o.blocking, callsGo: o.callsGo, texts: texts, textResult: sig.text, errnoFirst: sig.errno && sig.float}
	slow.count = uintptr(copy(slow.steps[:], append(args, kept...)))
	if how != wayDirect || o.blocking || o.callsGo || len(texts) > 0 || sig.text || slow.errnoFirst {
		return slow
	}
	c := &bound{code: boundAnyAt, fn: fn, need: o.need, slow: slow, words: words, errno: errno}
	if errno != nil {
		// boundPlain and boundNeed cannot return errno, only callBlock can
	} else if sig.plain() && o.need == 0 {
		c.code = boundPlainAt
	} else if sig.plain() {
		c.code = boundNeedAt
	}
	c.count = uintptr(copy(c.steps[:], args))
	return c
}

// boundCall makes a call for boundGo. b is in the frame of boundGo, and kept holds the pointers among the arguments.
//
//lint:ignore U1000 assembly calls it
func boundCall(c *bound, b *block, kept [maxInts]unsafe.Pointer) (data unsafe.Pointer) {
	var texts []byte
	if len(c.texts) > 0 {
		texts = c.copyTexts(b, &kept)
	}
	ok := true
	switch {
	case c.callsGo:
		cgoBlock(b)
	case c.blocking:
		ok = blockingCall(b, c.need)
	default:
		ok = runBlock(b, c.need)
	}
	if ok && c.textResult { // the string may be in an argument
		s := goText(pointer(b.ints[0]))
		data = unsafe.Pointer(unsafe.StringData(s))
		b.ints[0], b.ints[1], b.ints[2] = 0, uintptr(len(s)), b.ints[1]
	}
	if c.errnoFirst {
		b.ints[0] = b.ints[1]
	}
	runtime.KeepAlive(unsafe.SliceData(texts))
	keep(&kept)
	if !ok {
		panic(fmt.Sprintf("fastcgo: the C function needs %d bytes of stack, the thread's system stack has less", c.need))
	}
	return data
}

// copyTexts copies the string arguments, each with a NUL byte at its end, into the memory that it returns. It stores the addresses of the copies in
// b, at the places of the arguments.
func (c *bound) copyTexts(b *block, kept *[maxInts]unsafe.Pointer) []byte {
	size := 0
	for i := range c.texts {
		size += *(*int)(unsafe.Add(unsafe.Pointer(b), c.texts[i].length)) + 1
	}
	memory := textMemory(size)
	rest := memory
	for i := range c.texts {
		t := &c.texts[i]
		s := unsafe.String((*byte)(kept[t.kept]), *(*int)(unsafe.Add(unsafe.Pointer(b), t.length)))
		checkText(s, t.number)
		*(*uintptr)(unsafe.Add(unsafe.Pointer(b), t.at)) = uintptr(unsafe.Pointer(unsafe.SliceData(rest)))
		rest = rest[copy(rest, s)+1:]
	}
	return memory
}

// keep is called after the C function, so the pointers in kept stay alive until then. (runtime.KeepAlive(kept) would keep the array alive, but not
// the pointers in it.)
//
//go:noinline
func keep(kept *[maxInts]unsafe.Pointer) {}

// plain reports whether boundPlain can make the call: all arguments are in registers, and no argument must be extended.
func (s *signature) plain() bool {
	if native == windows64 {
		return false
	}
	ints := 0
	for _, k := range s.args {
		switch k {
		case uint8kind, int8kind, uint16kind, int16kind:
			return false
		case word, word32, pointerKind:
			ints++
		}
	}
	return ints <= plainInts
}

// steps returns two lists of steps. boundFrame and boundGo copy the arguments into their block by the steps in args. boundGo also copies the pointers
// among the arguments to boundCall's argument kept, by the steps in kept. Each step writes eight bytes and may overwrite the start of the next place,
// so args has the order of the places in the block. args has no step for a string, because boundCall later stores the address of the string's copy.
func (s *signature) steps(at []uintptr) (args, kept []step, texts []text) {
	ints, floats, stack := uintptr(0), uintptr(0), uintptr(0)
	for i, k := range s.args {
		p := step{to: uint16(frameBlock + at[i])}
		switch {
		case k.float():
			p.from = uint16(frameFloats + 8*floats)
			floats++
		case ints+k.goWords() <= goInts:
			p.from = uint16(frameInts + 8*ints)
			ints += k.goWords()
		default:
			stack = (stack + k.size() - 1) &^ (k.size() - 1)
			p.from = uint16(frameStack + stack)
			stack += k.size() + 8*(k.goWords()-1)
		}
		if k == textKind {
			texts = append(texts, text{kept: len(kept), length: int(p.from) + 8 - frameBlock, at: uint16(at[i]), number: i + 1})
		}
		if k <= int16kind {
			p.kind = uint16(k)
		}
		if k != textKind {
			args = append(args, p)
		}
		if k == pointerKind || k == textKind {
			kept = append(kept, step{from: p.from, to: uint16(frameKept + 8*len(kept))})
		}
	}
	return args, kept, texts
}

// UnsafeBlockingCall calls the C function fn with up to 12 arguments and returns its result. It tells the scheduler of the call, so the C function
// may wait or run long. It panics if there are more than 12 arguments.
//
//go:uintptrescapes
func UnsafeBlockingCall(fn unsafe.Pointer, args ...uintptr) uintptr {
	b := block{fn: fn}
	b.place(args)
	blockingCall(&b, 0)
	return b.ints[0]
}

// UnsafeCallNeedStack calls the C function fn with up to 12 arguments and returns its result and true. If the thread's system stack has less than
// need bytes, it calls nothing and returns false.
//
//go:uintptrescapes
func UnsafeCallNeedStack(fn unsafe.Pointer, need uintptr, args ...uintptr) (uintptr, bool) {
	b := block{fn: fn}
	b.place(args)
	ok := runBlock(&b, need)
	return b.ints[0], ok
}

// place places integer arguments in the same way as native.place, but without allocating.
func (b *block) place(args []uintptr) {
	if len(args) > maxInts {
		panic(fmt.Sprintf("fastcgo: %d arguments, at most %d are possible", len(args), maxInts))
	}
	regs := copy(b.ints[:native.intRegs()], args)
	b.words = uintptr(copy(b.stack[:], args[regs:]))
}
