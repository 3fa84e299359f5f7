//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"unsafe"
)

// way is a way in which this package makes calls.
type way uint8

const (
	wayDirect way = iota // on the system stack, without telling the scheduler
	wayMasked            // on the system stack, with signals blocked: linux/arm64 without cgo
	wayCgo               // by runtime.cgocall
	wayNone              // calls are impossible
)

var (
	// indirect is not zero if calls must use the function run. Assembly reads indirect.
	indirect atomic.Uint32

	how      way
	watching uint32 // not zero while a watchdog runs
	why      error  // the reason if how is not wayDirect
	noticed  atomic.Bool

	callBlockAt, callWordsAt, boundPlainAt, boundNeedAt, boundAnyAt, boundGoAt, _ = addresses()
)

// iscgo is true in programs that have cgo or a replacement of it.
//
//go:linkname iscgo runtime.iscgo
var iscgo bool

//go:linkname cgocall runtime.cgocall
//go:noescape
func cgocall(fn, arg unsafe.Pointer) int32

//go:linkname cgoNoCallback runtime.cgoNoCallback
func cgoNoCallback(bool)

func init() {
	how, why = choose(runtime.Version(), os.Getenv("FASTCGO"), iscgo || runtime.GOOS == "windows")
	if how != wayDirect {
		indirect.Store(1)
	}
}

// choose returns the way to make calls, and the reason if the way is not wayDirect.
func choose(version, environment string, cgo bool) (way, error) {
	err := known(version)
	if err == nil {
		err = offsets.consistent()
	}
	if err == nil {
		err = findTLS()
	}
	if environment == "cgo" {
		err = errors.New("FASTCGO=cgo is set")
	}
	switch {
	case err != nil && cgo:
		return wayCgo, err
	case err != nil:
		return wayNone, err
	case mustMask(runtime.GOOS, runtime.GOARCH, cgo):
		return wayMasked, fmt.Errorf("a program without cgo on %s/arm64 must block signals during a call", runtime.GOOS)
	}
	return wayDirect, nil
}

// mustMask reports whether the program's signal handlers read g from a register that C uses.
func mustMask(goos, goarch string, cgo bool) bool {
	return family(goos) == "linux" && goarch == "arm64" && !cgo
}

// run calls c, which is callBlock or callWords, with arg. If the system stack has less than need bytes, run calls nothing and returns false. (With
// wayCgo, need is ignored.) If announced is false, run lets a watchdog measure the call. announced is true if the scheduler knows of the call, or if
// the caller already lets a watchdog measure it.
//
// run and its callees are nosplit until the call has been made. arg may point to addresses of variables on the goroutine's stack, as numbers, so
// this stack must not move.
//
// For the same reason run and its callees are hidden from the race detector, and call no methods of sync/atomic: the race detector and -gcflags=-l
// turn these methods into functions that may grow the stack.
//
// All frames from the caller of run to the deepest frame below runtime.cgocall must fit into the stack for nosplit functions. This must hold without
// optimization too, and with coverage, which takes eight bytes of a frame for every branch. So run has only the branch to cgocall, and other branches
// are in the functions that run calls. TestNosplitStackSuffices links such a program.
//
//go:norace
//go:nosplit
func run(c uintptr, arg unsafe.Pointer, need uintptr, announced bool) (ok bool) {
	var w watch
	w.begin(c, arg, announced)
	if how == wayCgo {
		cgocall(*(*unsafe.Pointer)(unsafe.Pointer(&c)), arg)
		notice() // notice and the code below may move the stack, because the call has been made
		ok = true
	} else {
		ok = runHere(c, arg, need)
	}
	w.end()
	return ok
}

// runBlock makes the call that b describes; see run. In cgo's way C may call Go, and the goroutine's stack may move during the call. So for a call in
// cgo's way, C gets a copy of b on the heap.
func runBlock(b *block, need uintptr) bool {
	if how != wayCgo {
		return run(callBlockAt, unsafe.Pointer(b), need, false)
	}
	h := newBlock()
	*h = *b
	var w watch
	w.begin(callBlockAt, unsafe.Pointer(h), false)
	defer w.end() // a Go function that C calls may panic
	ok := run(callBlockAt, unsafe.Pointer(h), need, true)
	*b = *h
	return ok
}

// cgoBlock makes the call that b describes in cgo's way. As in runBlock, C gets a copy of b.
func cgoBlock(b *block) {
	h := newBlock()
	*h = *b
	cgocall(pointer(callBlockAt), unsafe.Pointer(h))
	*b = *h
}

// newBlock returns a new block. The block is on the heap, because newBlock is not inlined.
//
//go:noinline
func newBlock() *block { return new(block) }

// runHere is the part of run that makes calls without cgo, with or without blocked signals. It panics if calls are impossible.
//
//go:norace
//go:nosplit
func runHere(c uintptr, arg unsafe.Pointer, need uintptr) bool {
	switch how {
	case wayDirect:
		return direct(c, arg, need)
	case wayMasked:
		return masked(c, arg, need)
	}
	refuse()
	return false
}

//go:noinline
func refuse() { panic(impossible()) }

//go:noinline
func impossible() string {
	return "fastcgo: no call is possible: " + why.Error() + ", and this program has no cgo to fall back to: build it with CGO_ENABLED=1 and import runtime/cgo"
}

// notice prints, once in a process, that calls are slow.
//
//go:noinline
func notice() {
	if !noticed.Load() && noticed.CompareAndSwap(false, true) {
		_, _ = os.Stderr.WriteString("fastcgo: calls use the slower way of cgo: " + why.Error() + "\n")
	}
}

// Direct reports whether calls are direct. If they are not, Direct also returns the reason.
func Direct() (bool, error) {
	return how == wayDirect, why
}

// SystemStack returns the number of bytes of stack that a call has on the current thread, or 0 if the number is not known. The next call may run on
// another thread.
func SystemStack() uintptr {
	if how == wayCgo || how == wayNone {
		return 0
	}
	return room()
}

// room returns the number of bytes of stack that a call has. It is nosplit and calls only nosplit functions, so that the thread does not change
// meanwhile.
//
//go:nosplit
func room() uintptr {
	g0 := *(*uintptr)(pointer(*(*uintptr)(pointer(getg() + offsets.gM)) + offsets.mG0))
	return *(*uintptr)(pointer(g0 + offsets.gSchedSP)) - *(*uintptr)(pointer(g0 + offsets.gStackLo))
}

// blockingCall makes the blocking calls of UnsafeBlockingCall and of functions made by Bind. If the C function calls Go, the runtime panics on this
// goroutine during the call. If the program recovered from this panic, a part of the thread's system stack would be lost and a thread would stay
// locked. So blockingCall ends the process.
func blockingCall(b *block, need uintptr) bool {
	if how == wayNone {
		panic(impossible())
	}
	returned := false
	defer func() {
		if !returned {
			_, _ = os.Stderr.WriteString("fatal error: fastcgo: the C function called Go, which is not possible\n\n" + string(debug.Stack()))
			os.Exit(2)
		}
	}()
	cgoNoCallback(true)
	ok := blocking(b, need)
	cgoNoCallback(false)
	returned = true
	return ok
}

// blocking makes a call in the state of a system call: if the call takes long, another thread takes over the processor. Nothing between
// entersyscall and exitsyscall may check the stack bound.
//
//go:norace
//go:nosplit
func blocking(b *block, need uintptr) bool {
	if how == wayCgo {
		return run(callBlockAt, unsafe.Pointer(b), need, true) // cgocall itself tells the scheduler
	}
	entersyscall()
	ok := runHere(callBlockAt, unsafe.Pointer(b), need)
	exitsyscall()
	return ok
}
