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

// way is how calls are made.
type way uint8

const (
	wayDirect way = iota // on the system stack, without telling anybody
	wayMasked            // the same with signals blocked: linux/arm64 without cgo
	wayCgo               // as cgo does
	wayNone              // not at all
)

var (
	// indirect is what assembly looks at: not zero if a call must go through run.
	indirect atomic.Uint32

	how      way
	watching uint32 // not zero while there is a watchdog
	why      error  // why not wayDirect
	noticed  atomic.Bool

	callBlockAt, callWordsAt, boundPlainAt, boundNeedAt, boundAnyAt = addresses()
)

// iscgo is set in programs that have cgo, or what stands in for it.
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

// choose returns the way of calls, and why it is not wayDirect.
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

// mustMask reports whether the signal handlers of a program take g from a register that C uses.
func mustMask(goos, goarch string, cgo bool) bool {
	return family(goos) == "linux" && goarch == "arm64" && !cgo
}

// run calls c, which is callBlock or callWords, with arg. It reports false, and calls nothing, if the system stack has not need
// bytes; cgo's way does not look. Unless told is set, which says that the scheduler knows of the call, a watchdog looks at it.
//
// It is nosplit, and so is what it calls until the call was made: what arg points to may hold addresses of variables on the
// goroutine's stack, as numbers, and that stack must not move.
//
// For the same reason it calls no methods of sync/atomic, which the race detector and -gcflags=-l make functions that may grow
// the stack, and is hidden from the race detector. All frames from the caller's to the deepest one below runtime.cgocall must fit into
// what nosplit functions may use, also unoptimised and with coverage, which takes eight bytes of a frame for every branch. So run
// has only the branch that leads there, and leaves the others to functions. TestNosplitStackSuffices links that.
//
//go:norace
//go:nosplit
func run(c uintptr, arg unsafe.Pointer, need uintptr, told bool) (ok bool) {
	var w watch
	w.begin(c, arg, told)
	if how == wayCgo {
		cgocall(*(*unsafe.Pointer)(unsafe.Pointer(&c)), arg)
		notice() // may move the stack, as all that follows: the call was made
		ok = true
	} else {
		ok = runHere(c, arg, need)
	}
	w.end()
	return ok
}

// runHere is run for the ways on the system stack, or no way.
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

// notice says once that calls are slow.
//
//go:noinline
func notice() {
	if !noticed.Load() && noticed.CompareAndSwap(false, true) {
		_, _ = os.Stderr.WriteString("fastcgo: calls go the way of cgo: " + why.Error() + "\n")
	}
}

// Direct reports whether calls are made in the fast way, and if not, why.
func Direct() (bool, error) {
	return how == wayDirect, why
}

// SystemStack returns how many bytes of stack a call has on the thread that runs the caller; the next call may be on another.
// It returns 0 if that is not known.
func SystemStack() uintptr {
	if how == wayCgo || how == wayNone {
		return 0
	}
	return room()
}

// room is nosplit and calls nothing that is not, so that the thread does not change.
//
//go:nosplit
func room() uintptr {
	g0 := *(*uintptr)(pointer(*(*uintptr)(pointer(getg() + offsets.gM)) + offsets.mG0))
	return *(*uintptr)(pointer(g0 + offsets.gSchedSP)) - *(*uintptr)(pointer(g0 + offsets.gStackLo))
}

// blockingCall is blocking, for the functions that Go calls. C that calls Go makes the runtime panic in between, on this goroutine; a
// process that recovers from that would go on with a part of its system stack lost and a thread locked, so it ends here.
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

// blocking is run in a call to the operating system, as far as the scheduler knows: another thread takes the processor over if
// it lasts. Nothing between entersyscall and exitsyscall may look at the stack bound.
//
//go:norace
//go:nosplit
func blocking(b *block, need uintptr) bool {
	if how == wayCgo || how == wayNone {
		return run(callBlockAt, unsafe.Pointer(b), need, true) // cgocall tells it by itself
	}
	entersyscall()
	ok := run(callBlockAt, unsafe.Pointer(b), need, true)
	exitsyscall()
	return ok
}
