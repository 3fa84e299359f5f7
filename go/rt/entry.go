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
	slots      = 64    // number of messages that may wait for their goroutine at one time
	slotSize   = 4096  // number of bytes for a message
	stackSize  = 65536 // number of bytes of the stack that the formatter runs on
	systemSize = 4096  // number of bytes below the stack that an operating system may overwrite at a fault: runtime/stack.go, stackSystem
	aboveSize  = 1024  // number of bytes above the stack that entries of Rust functions on amd64 may read
	guardSize  = 1024  // number of bytes below systemSize: the first 8 hold the limit of the stack, and the others must stay zero
	limit      = guardSize + systemSize
	wholeSize  = limit + stackSize
	maxFrames  = 128
	noSlot     = slots // the slot that enter passes to raise if all other slots are taken
	reportSize = unsafe.Sizeof(report{})
)

// enter passes one of these values to raise, in place of the message's length, if there is no formatted message.
const (
	unfinished = ^uintptr(0) - iota // the formatter panicked
	tooDeep                         // the formatter's stack was exhausted
	notCarried                      // the formatter needs a function that the generated package does not include
	faulted                         // the formatter faulted
	moved                           // the formatter was not called, because the stack has moved
)

// report is the argument of the Rust formatter. The formatter reads message and capacity, and fills in the other fields. The support crate declares
// the same struct as Report.
type report struct {
	message  *byte
	capacity uintptr
	length   uintptr
	file     *byte // points into read-only data of the Rust crate, which is never unloaded
	fileLen  uintptr
	line     uint32
	column   uint32
}

var (
	// messages holds the texts of panics. enter fills a slot, and raise empties the slot. If all other slots are taken, enter uses the last slot,
	// whose text raise does not read.
	messages [slots + 1][slotSize]byte

	// busy has bit i set while messages[i] is taken. Code that sets a bit holds panicLock; code that clears a bit does not.
	busy uint64

	// panicLock is the lock of enter. It is a Go variable, as messages and busy are, because a program and its plugins share Go variables. Static
	// data of assembly would exist once in the program and once in each plugin.
	panicLock uint32
)

// enter is the target of the jump in generated assembly when Rust panics; see panic_amd64.s and panic_arm64.s.
func enter()

// watchFaults installs a signal handler before Go's on Linux; see panic_amd64.s. Generated packages that may fault import this package, so that
// the handler is installed before the first fault.
func watchFaults()

func init() { watchFaults() }

// corrupt ends the process. Rust code calls corrupt if the heap is corrupt, or if the code can neither continue nor panic. corruptMessage lists the
// reasons. See panic_amd64.s.
func corrupt()

// raise is the last part of enter and makes the Go panic. The Rust frames are dead by now, so the stack may grow and deferred functions may run.
//
// raise empties the slot before it allocates. An allocation may make the goroutine assist the garbage collector and wait for it. If waiting
// goroutines held slots, they would soon occupy all slots.
func raise(slot, length uintptr, file *byte, fileLen uintptr, line, column uint32) {
	p := newPanic(slot, length, file, fileLen, line, column)
	var pcs [maxFrames]uintptr
	p.Frames = rustFrames(pcs[:runtime.Callers(3, pcs[:])]) // 3: without Callers, raise and enter
	panic(p)
}

// newPanic makes the Panic whose message is in the slot, and empties the slot. length is the message's length, or one of the values for a lost
// message.
func newPanic(slot, length uintptr, file *byte, fileLen uintptr, line, column uint32) *Panic {
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
		p.Message = "panicked (the message is lost: formatting it needs a function that the package does not include)"
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
	return p
}

// exhausted is the target of the jump in the checked entry of a Rust function if the stack budget of the call does not suffice; see panic_amd64.s and
// panic_arm64.s.
func exhausted()

// raiseExhausted is the last part of exhausted.
func raiseExhausted(name *byte, nameLen, budget uintptr) {
	fatal := budget&endsProcess != 0
	budget &^= endsProcess
	message := "rust stack budget exhausted in " + unsafe.String(name, nameLen)
	if budget != 0 {
		message = "rust stack budget of " + size(budget) + " exhausted in " + unsafe.String(name, nameLen)
	}
	p := &Panic{Message: message}
	var pcs [maxFrames]uintptr
	p.Frames = rustFrames(pcs[:runtime.Callers(3, pcs[:])]) // 3: without Callers, raiseExhausted and exhausted
	abandon(p, fatal)
}

// endsProcess is a bit of exhausted's argument budget. Generated code sets this bit if abandoned frames must end the process; see abandon.
const endsProcess = 1 << 31

// abandon panics with p and does not return. If fatal is true, Rust frames were abandoned without running their destructors, and the package contains
// code that is sound only if no other code runs after that. In this case abandon ends the process, as native Rust does: it panics on a new goroutine,
// where nothing can recover the panic.
func abandon(p *Panic, fatal bool) {
	if fatal {
		go panic(p)
		select {}
	}
	panic(p)
}

// missing replaces each Rust function that the generated package calls but does not include; see panic_amd64.s and panic_arm64.s.
func missing()

// raiseMissing is the last part of missing.
func raiseMissing() {
	p := &Panic{Message: "rustgo: Rust called a function that the package does not include; this is a bug in rustgo, please report it"}
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

// rustFrames returns the frames that precede the first Go frame. A frame counts as a Go frame if it is in a Go file, or in the assembly of the
// runtime (after a go statement or a call by reflection), or if it is taskBase, the first frame on the stack of a task.
func rustFrames(pcs []uintptr) []Frame {
	if len(pcs) == 0 {
		return nil
	}
	frames := make([]Frame, 0, len(pcs))
	for next, more := runtime.CallersFrames(pcs), true; more; {
		var f runtime.Frame
		f, more = next.Next()
		if strings.HasSuffix(f.File, ".go") || strings.HasPrefix(f.Function, "runtime.") || strings.HasSuffix(f.Function, "rt.taskBase") {
			break
		}
		frames = append(frames, Frame{f.Function, f.File, f.Line})
	}
	return frames
}

// overflowed ends the process, for one of two reasons. A corrupt heap was found while a message was formatted (see corruption). Or the formatter
// exceeded its stack, its own checks did not notice, and it may have overwritten other memory. The panic is on a new goroutine, so that it cannot be
// recovered.
func overflowed() {
	message := "rustgo: formatting a Rust panic message took more than 64 KiB of stack: memory is corrupt"
	if corruption[0] != 0 {
		message = corruptMessage(corruption[0])
	}
	go panic(message)
	select {}
}

// corruptNoMemory is the kind for a lack of memory for thread-local variables. Nothing is corrupt then, but Rust code cannot continue.
const corruptNoMemory = 5

// corruption is the kind and the address of a corruption, from a call of corrupt while a panic message was formatted. The kind is 0 if there was no
// such call. A lack of memory is no corruption.
var corruption [2]uintptr

// corruptMessage returns the message for the argument kind of corrupt.
func corruptMessage(kind uintptr) string {
	switch kind {
	case 1, 2:
		return "rustgo: Rust or C code freed or resized a pointer that malloc has not returned"
	case 3:
		return "rustgo: Rust or C code freed a pointer twice"
	case 4:
		return "rustgo: Rust or C code wrote to memory after it was freed"
	case corruptNoMemory:
		return "rustgo: there is no memory for the thread-local variables of Rust or C code"
	case 6:
		return "rustgo: a call of Rust code has waited 10 s for another thread to wake it (std::thread::park, a channel, or a lock that is not std's, whose holder may have panicked). The process ends, because a panic of the call would be unsafe: other threads may still use variables of the call"
	case 7:
		return "rustgo: a call of Rust code waits for another thread, and its package has none (threads = \"none\"). The process ends, because a panic of the call would be unsafe: later calls may use variables of the call"
	}
	return "rustgo: the Rust heap is corrupt"
}

// raiseCorrupt is the last part of corrupt. It ends the process, because memory may be corrupt or a panic of the call would be unsafe; see
// corruptMessage.
func raiseCorrupt(kind, address uintptr) {
	message := corruptMessage(kind)
	var pcs [maxFrames]uintptr
	for _, frame := range rustFrames(pcs[:runtime.Callers(3, pcs[:])]) {
		message += "\n\t" + frame.Function + " (" + frame.File + ":" + strconv.Itoa(frame.Line) + ")"
	}
	go panic(message) // on a new goroutine, so that nothing can recover the panic
	select {}
}
