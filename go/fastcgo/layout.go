//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"unsafe"
)

// The versions of Go whose layout is known: go1.oldest, from a patch release on, to go1.newest. That one put a field into m, as no
// patch release of the later versions has done; should one do it, consistent sees it.
const oldest, oldestPatch, newest = 24, 6, 27

// layout is where the runtime keeps what a call needs, as offsets in its structures g and m.
type layout struct {
	gStackLo    uintptr // g.stack.lo, and g.stack.hi behind it
	gM          uintptr // g.m
	gSchedSP    uintptr // g.sched.sp
	gSchedPC    uintptr // g.sched.pc
	gThrowsplit uintptr // g.throwsplit
	mG0         uintptr // m.g0
	mCurg       uintptr // m.curg
	mLockedg    uintptr // m.lockedg
	mLockedExt  uintptr // m.lockedExt
	mProfStack  uintptr // m.profStack
	seenPC      uintptr // m.vdsoPC; on windows m.libcallpc
	seenSP      uintptr // m.vdsoSP; on windows m.libcallsp
	libcallg    uintptr // m.libcallg, on windows
	mSelf       uintptr // m.self, from go1.26
}

// offsets are those of the running program.
var offsets = offsetsOf(runtime.GOOS)

// release returns x and y of a version go1.x.y. Of go1.x and of a release candidate, y is 0.
func release(version string) (minor, patch int, err error) {
	rest, ok := strings.CutPrefix(version, "go1.")
	if !ok || strings.ContainsAny(rest, " -") {
		return 0, 0, errors.New(version + " is not a release of Go") // a development version, or an experiment
	}
	digits, rest, _ := strings.Cut(rest, ".")
	digits, _, _ = strings.Cut(digits, "rc")
	if minor, err = strconv.Atoi(digits); err == nil && rest != "" {
		patch, err = strconv.Atoi(rest)
	}
	if err != nil {
		err = errors.New(version + " is not a release of Go")
	}
	return minor, patch, err
}

// known says whether the layout of a version of Go is known.
func known(version string) error {
	minor, patch, err := release(version)
	if err != nil {
		return err
	}
	if minor < oldest || minor > newest || minor == oldest && patch < oldestPatch {
		return fmt.Errorf("%s is not known to this version of fastcgo, which is for go1.%d.%d to go1.%d", version, oldest, oldestPatch, newest)
	}
	return nil
}

func wordAt(base, offset uintptr) uintptr { return *(*uintptr)(pointer(base + offset)) }
func byteAt(base, offset uintptr) byte    { return *(*byte)(pointer(base + offset)) }

// pointer makes a pointer of an address that is none of Go's heap or whose object somebody else keeps alive. It is written so
// that go vet, which cannot know that, has nothing to say.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

// consistent checks l against the structures of the running program, as far as they explain themselves: pointers that must
// lead back, stack pointers that must lie in their stacks, flags that must be set in a system call. A wrong offset may lead
// anywhere, so that a fault is an answer too.
func (l *layout) consistent() (err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the layout of the runtime is not as expected: %v", p)
		}
	}()
	g, at := getg(), getsp()
	lo, hi := wordAt(g, l.gStackLo), wordAt(g, l.gStackLo+8)
	if at < lo || at >= hi {
		return fmt.Errorf("g.stack is %#x to %#x, which does not hold %#x", lo, hi, at)
	}
	m := wordAt(g, l.gM)
	g0 := wordAt(m, l.mG0)
	if g0 == g || wordAt(g0, l.gM) != m {
		return errors.New("m.g0.m is not m")
	}
	if wordAt(m, l.mCurg) != g {
		return errors.New("m.curg is not g")
	}
	// Fields around those that cannot be looked at since they are zero: that these are where they should be shows that nothing was put
	// in front.
	once := uint32(wordAt(m, l.mLockedExt))
	runtime.LockOSThread()
	twice := uint32(wordAt(m, l.mLockedExt))
	runtime.UnlockOSThread()
	if wordAt(m, l.mLockedg) != g || once == 0 || twice != once+1 {
		return errors.New("m.lockedg and m.lockedExt do not say that the thread is locked")
	}
	if p, n := wordAt(m, l.mProfStack), wordAt(m, l.mProfStack+8); p == 0 || n == 0 || n > 4096 || n != wordAt(m, l.mProfStack+16) {
		return errors.New("m.profStack is not a slice with room for a stack")
	}
	if l.mSelf != 0 && wordAt(wordAt(m, l.mSelf), 0) != m {
		return errors.New("m.self is not m")
	}
	lo, hi = wordAt(g0, l.gStackLo), wordAt(g0, l.gStackLo+8)
	if sp := wordAt(g0, l.gSchedSP); sp <= lo || sp > hi || sp-lo < 4096 {
		return fmt.Errorf("m.g0.sched.sp is %#x, in a stack from %#x to %#x", sp, lo, hi)
	}
	if wordAt(m, l.seenSP) != 0 {
		return errors.New("m.vdsoSP or m.libcallsp is not zero")
	}
	before, during, after := throwsplit(g + l.gThrowsplit)
	if before != 0 || during != 1 || after != 0 {
		return fmt.Errorf("g.throwsplit is %d before, %d in and %d after a system call", before, during, after)
	}
	return nil
}

// throwsplit returns what the byte at an address is before, in and after a system call.
//
//go:nosplit
func throwsplit(at uintptr) (before, during, after byte) {
	p := (*byte)(pointer(at))
	before = *p
	entersyscall()
	during = *p
	exitsyscall()
	after = *p
	return
}

//go:linkname entersyscall runtime.entersyscall
func entersyscall()

//go:linkname exitsyscall runtime.exitsyscall
func exitsyscall()
