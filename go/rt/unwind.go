//go:build amd64 || arm64

//lint:file-ignore U1000 assembly uses these declarations

package rt

import (
	"runtime"
	"unsafe"
)

const (
	maxPlaces     = 64 // largest number of return addresses that are kept for a panic that unwinds
	unwindingSize = unsafe.Sizeof(unwinding{})
)

// The field unwinding.ends and raiseUnwound's argument ends have these values too, in addition to 0 and 1.
const (
	endsReady = 2 // set by the formatter: it is ready, and the next exception that it raises belongs to the panic for which it was called
	endsStuck = 3 // passed to raiseUnwound: a frame could not be unwound

	fatalShift = 8
)

// unwinding is the argument of the formatter of a crate whose panics unwind. The support crate declares the same struct as Unwinding.
type unwinding struct {
	report
	frames *uintptr // the return addresses of the Rust frames: input at the start of a panic, output at its end
	count  uintptr
	ends   uintptr // 0 at the start of a panic, 1 at its end
	fatal  uintptr // output: not 0 if the process must end when a panic abandons frames
}

// places[i] holds the return addresses of the Rust frames of the panic whose message is in messages[i].
var places [slots + 1][maxPlaces]uintptr

// throw, raiseException, resumeException and unwound are in panic_amd64.s and panic_arm64.s. Generated code jumps to them.
func throw()
func raiseException()
func resumeException()
func unwound()

// raiseUnwound makes the Go panic for a Rust panic that has unwound all Rust frames, cannot unwind further (endsStuck), or must not unwind (ends is
// 0). The low fatalShift bits of ends hold unwinding.ends or endsStuck; the higher bits hold unwinding.fatal.
//
// raiseUnwound empties the slot before it allocates, as raise does.
func raiseUnwound(slot, length uintptr, file *byte, fileLen uintptr, line, column uint32, count, ends uintptr) {
	fatal := ends>>fatalShift != 0
	ends &= 1<<fatalShift - 1
	if ends == 0 {
		p := newPanic(slot, length, file, fileLen, line, column)
		pcs := make([]uintptr, maxFrames)
		p.Frames = rustFrames(pcs[:runtime.Callers(3, pcs)]) // 3: without Callers, raiseUnwound and raiseReport
		abandon(p, fatal)
	}
	var found [maxPlaces]uintptr // an array on the stack, because the code must not allocate before the slot is empty
	n := 0
	if slot < slots {
		n = copy(found[:], places[slot][:min(count, maxPlaces)])
	}
	p := newPanic(slot, length, file, fileLen, line, column)
	pcs := append([]uintptr(nil), found[:n]...)
	if ends == endsStuck {
		// The last stored return address and the first current frame may be the same frame: the frame at which the unwinder stopped.
		left := make([]uintptr, maxFrames-maxPlaces)
		left = left[:runtime.Callers(3, left)] // 3: without Callers, raiseUnwound and raiseReport
		if n > 0 && len(left) > 0 && pcs[n-1] == left[0] {
			pcs = pcs[:n-1]
		}
		pcs = append(pcs, left...)
	}
	p.Frames = rustFrames(pcs)
	// The formatter drops the panic's payload. If the formatter failed (length >= moved), the destructor of the payload may have been abandoned.
	abandon(p, fatal && (ends == endsStuck || length >= moved))
}

// raiseLost makes the Go panic for an exception whose message is not known, after the unwinder has reached code that cannot be unwound.
func raiseLost(fatal uintptr) {
	abandon(&Panic{Message: "panicked (the message is lost: the panic met code that cannot be unwound)"}, fatal != 0)
}
