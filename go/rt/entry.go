//go:build amd64 || arm64

//lint:file-ignore U1000 assembly uses these declarations

package rt

import (
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"
)

const (
	slots      = 64    // messages that may wait for their goroutine at one time
	slotSize   = 4096  // bytes of a message
	stackSize  = 65536 // bytes of the stack the formatter runs on
	systemSize = 4096  // bytes below the stack that an operating system may overwrite at a fault: runtime/stack.go, stackSystem
	aboveSize  = 1024  // bytes above the stack that entries of Rust functions may read (on amd64)
	guardSize  = 1024  // bytes below systemSize: the limit of the stack in the first 8, and the others must stay zero
	limit      = guardSize + systemSize
	wholeSize  = limit + stackSize
	maxFrames  = 128
	noSlot     = slots // the slot that enter passes if all are taken
	reportSize = unsafe.Sizeof(report{})
)

// The length that enter passes if the formatter did not return, by the reason.
const (
	unfinished = ^uintptr(0) - iota // the formatter panicked
	tooDeep                         // its stack was exhausted
	notCarried                      // it needs a function that the generated package does not include
	faulted                         // it faulted
	moved                           // it was not called, because the stack has moved
)

// report is the argument of the Rust formatter, which reads message and capacity and fills in the other fields. The support crate declares
// the same struct as Report.
type report struct {
	message  *byte
	capacity uintptr
	length   uintptr
	file     *byte // in read-only data of the Rust crate, which is never unloaded
	fileLen  uintptr
	line     uint32
	column   uint32
}

var (
	// messages holds the texts of panics: enter fills a slot, raise empties it. The last slot is used if all others are taken; its
	// text is not read.
	messages [slots + 1][slotSize]byte

	// busy has bit i set while messages[i] is taken. Bits are set under enter's lock and cleared without it.
	busy uint64

	// panicLock is enter's lock. It is a variable of Go, since static data of assembly exists once in a program and once in each plugin, which
	// share messages and busy.
	panicLock uint32
)

// enter is the target of generated assembly when Rust panics; see panic_amd64.s and panic_arm64.s.
func enter()

// watchFaults installs a signal handler before Go's on Linux; see panic_amd64.s. Generated packages that may fault import this package, so that
// the handler is installed before the first fault.
func watchFaults()

func init() { watchFaults() }

// raise is the last part of enter: it makes the Go panic. The Rust frames above it are dead by now, so the stack may grow and deferred
// functions may run.
//
// raise empties the slot before it allocates. An allocation may have to assist the garbage collector and wait for it, and goroutines that
// wait would soon hold all slots.
func raise(slot, length uintptr, file *byte, fileLen uintptr, line, column uint32) {
	var text [slotSize]byte
	n := 0
	if slot < slots {
		if length < moved {
			n = copy(text[:], messages[slot][:min(length, slotSize)])
		}
		atomic.AndUint64(&busy, ^(uint64(1) << slot))
	}

	p := &Panic{Line: int(line), Column: int(column)}
	switch {
	case length == unfinished:
		p.Message = "panicked while formatting a panic message"
	case length == tooDeep:
		p.Message = "panicked (the message is lost: formatting it needs more than 64 KiB of stack)"
	case length == notCarried:
		p.Message = "panicked (the message is lost: formatting it needs a function that is not carried into Go)"
	case length == faulted:
		p.Message = "panicked (the message is lost: formatting it faulted)"
	case length == moved:
		p.Message = "panicked (the message is lost: the stack moved)"
	case slot == noSlot:
		p.Message = "panicked (the message is lost: more than 64 goroutines panicked at once)"
	default:
		p.Message = string(text[:n])
	}
	if file != nil {
		p.File = unsafe.String(file, fileLen)
	}
	var pcs [maxFrames]uintptr
	p.Frames = rustFrames(pcs[:runtime.Callers(3, pcs[:])]) // 3: without Callers, raise and enter
	panic(p)
}

// exhausted is the target of the checked entry of a Rust function if the stack of the call does not suffice; see panic_amd64.s and
// panic_arm64.s.
func exhausted()

// raiseExhausted is the last part of exhausted.
func raiseExhausted(name *byte, nameLen, budget uintptr) {
	message := "rust stack budget exhausted in " + unsafe.String(name, nameLen)
	if budget != 0 {
		message = "rust stack budget of " + size(budget) + " exhausted in " + unsafe.String(name, nameLen)
	}
	p := &Panic{Message: message}
	var pcs [maxFrames]uintptr
	p.Frames = rustFrames(pcs[:runtime.Callers(3, pcs[:])]) // 3: without Callers, raiseExhausted and exhausted
	panic(p)
}

// missing is the target of a call of a Rust function that the generated package does not include; see panic_amd64.s and panic_arm64.s.
func missing()

// raiseMissing is the last part of missing.
func raiseMissing() {
	p := &Panic{Message: "rustgo: Rust called a function that was not carried into Go; please report this as a fault of rustgo's"}
	var pcs [maxFrames]uintptr
	p.Frames = rustFrames(pcs[:runtime.Callers(3, pcs[:])]) // 3: without Callers, raiseMissing and missing
	panic(p)
}

// size formats a number of bytes, in KiB if possible.
func size(bytes uintptr) string {
	if bytes%1024 == 0 {
		return strconv.Itoa(int(bytes/1024)) + " KiB"
	}
	return strconv.Itoa(int(bytes)) + " bytes"
}

// rustFrames returns the frames before the first Go frame: a frame in a Go file, or in the assembly of the runtime if a go statement or
// reflection made the call.
func rustFrames(pcs []uintptr) []Frame {
	if len(pcs) == 0 {
		return nil
	}
	frames := make([]Frame, 0, len(pcs))
	for next, more := runtime.CallersFrames(pcs), true; more; {
		var f runtime.Frame
		f, more = next.Next()
		if strings.HasSuffix(f.File, ".go") || strings.HasPrefix(f.Function, "runtime.") {
			break
		}
		frames = append(frames, Frame{f.Function, f.File, f.Line})
	}
	return frames
}

// overflowed ends the process: the formatter exceeded its stack, which its checks did not notice, and may have overwritten other memory.
// The panic is on a goroutine of its own, so that it cannot be recovered.
func overflowed() {
	go panic("rustgo: formatting a Rust panic message took more than 64 KiB of stack: memory is corrupt")
	select {}
}
