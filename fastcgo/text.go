package fastcgo

import (
	"fmt"
	"strings"
	"unsafe"
)

// checkText panics if s, which is a call's argument with this number, has a NUL byte: C would read only the part before this byte.
func checkText(s string, number int) {
	if i := strings.IndexByte(s, 0); i >= 0 {
		panic(fmt.Sprintf("fastcgo: argument %d has a NUL byte at index %d, where C would end the string", number, i))
	}
}

// goText returns a copy of the NUL-terminated string at p, and "" if p is nil.
func goText(p unsafe.Pointer) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(p, n)) != 0 {
		n++
	}
	return strings.Clone(unsafe.String((*byte)(p), n))
}

// textMemory returns n zero bytes on the heap. It is not inlined, so the bytes cannot be on the goroutine's stack. C gets their address as a number,
// and the runtime would not adjust this number if it moved the stack.
//
//go:noinline
func textMemory(n int) []byte { return make([]byte, n) }

// pointer converts an address to a pointer. The address is outside Go's heap, or another reference keeps the object there alive. go vet cannot know
// this and would report a plain conversion, so the conversion has this form.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }
