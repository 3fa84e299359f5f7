//go:build amd64 || arm64

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
	systemSize = 4096  // bytes below it for what an operating system writes below SP when a fault happens: runtime/stack.go, stackSystem
	aboveSize  = 1024  // bytes above it that entries of Rust functions may read (on amd64)
	guardSize  = 1024  // bytes below those: the limit of the stack in the first 8, and the others must stay zero
	limit      = guardSize + systemSize
	wholeSize  = limit + stackSize
	maxFrames  = 128
	noSlot     = slots // what enter passes for slot if all were taken
	reportSize = unsafe.Sizeof(report{})
)

// What enter passes for length if the formatter did not return: why not.
const (
	unfinished = ^uintptr(0) - iota // it panicked
	tooDeep                         // its stack was exhausted
	notCarried                      // it needs a function that the generator did not carry
	faulted                         // it faulted
	moved                           // it was not called: the stack has moved
)

// report is what the Rust formatter is given (message, capacity) and fills in (the rest). The support crate declares the
// same struct as Report.
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
	// messages holds the text of panics between enter, which fills a slot, and raise, which empties it. The last
	// one stands in when the others are taken; its text is not read.
	messages [slots + 1][slotSize]byte

	// busy has bit i set while messages[i] is taken. Bits are set under enter's lock and cleared without it.
	busy uint64

	// panicLock is enter's lock. It is a variable of Go, since static data of assembly exists once in a program and once in each plugin, which
	// share messages and busy.
	panicLock uint32
)

// enter is where generated assembly jumps when Rust panics; see panic_amd64.s and panic_arm64.s.
func enter()

// watchFaults puts a signal handler before Go's on Linux; see panic_amd64.s. It is there before the first fault: generated packages
// that may fault import this one for that.
func watchFaults()

func init() { watchFaults() }

// raise is the end of enter: it makes the Go panic. By now the Rust frames above it are dead, so that the stack may grow
// and deferred functions may run.
//
// The slot is emptied before anything is allocated. An allocation may be made to help the garbage collector and wait for
// it; goroutines waiting so would soon hold all the slots.
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

// exhausted is where the checked entry of a Rust function goes for which the call that is running has no stack left; see
// panic_amd64.s and panic_arm64.s.
func exhausted()

// raiseExhausted is the end of exhausted.
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

// missing is where a call goes of a Rust function that was not carried; see panic_amd64.s and panic_arm64.s.
func missing()

// raiseMissing is the end of missing.
func raiseMissing() {
	p := &Panic{Message: "rustgo: Rust called a function that was not carried into Go; please report this as a fault of rustgo's"}
	var pcs [maxFrames]uintptr
	p.Frames = rustFrames(pcs[:runtime.Callers(3, pcs[:])]) // 3: without Callers, raiseMissing and missing
	panic(p)
}

// size is a number of bytes as people write it.
func size(bytes uintptr) string {
	if bytes%1024 == 0 {
		return strconv.Itoa(int(bytes/1024)) + " KiB"
	}
	return strconv.Itoa(int(bytes)) + " bytes"
}

// rustFrames keeps the frames up to the first of Go's own, which is the first in a Go file or, if a go statement or
// reflection made the call, in the assembly of the runtime.
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

// overflowed ends the process: the formatter ran past the end of its stack, which its checks should have seen, and may have
// overwritten memory that belongs to others.
// A panic that nobody can recover says so, because it is on a goroutine of its own.
func overflowed() {
	go panic("rustgo: formatting a Rust panic message took more than 64 KiB of stack: memory is corrupt")
	select {}
}
