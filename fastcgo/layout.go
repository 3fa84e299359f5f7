//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	_ "unsafe" // for go:linkname
)

// The package supports Go from patch release oldestPatch of go1.oldest to go1.newest. Release oldestPatch added a field to m. In later minor versions
// no patch release has added a field. If a future one does, [layout.consistent] returns an error.
const oldest, oldestPatch, newest = 24, 6, 27

// layout holds the offsets of fields in the runtime's structures g and m: the fields that calls and the start-up check use.
type layout struct {
	gStackLo    uintptr // g.stack.lo; g.stack.hi follows
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
	mChacha8    uintptr // m.chacha8.i; m.chacha8.n and m.chacha8.c follow
	mSelf       uintptr // m.self, from go1.26
}

// offsets holds the offsets for the running program.
var offsets = offsetsOf(family(runtime.GOOS))

// family returns the operating system whose runtime a GOOS uses: linux for android, darwin for ios.
func family(goos string) string {
	switch goos {
	case "android":
		return "linux"
	case "ios":
		return "darwin"
	}
	return goos
}

// release returns x and y of a version that contains go1.x.y. Without .y, as in a release candidate, y is 0. release ignores the text before and
// after, because experiments ("go1.26.8-X:jsonv2"), vendors ("go1.25.3-1.el9") and development versions ("devel go1.27-0123456789") add text to the
// name. [layout.consistent] checks whether such a version has the expected layout.
func release(version string) (minor, patch int, err error) {
	_, rest, ok := strings.Cut(version, "go1.")
	x, rest := digits(rest)
	if !ok || x == "" {
		return 0, 0, fmt.Errorf("%q does not name a version of Go", version)
	}
	if minor, err = strconv.Atoi(x); err != nil {
		return 0, 0, err
	}
	if rest, ok = strings.CutPrefix(rest, "."); ok {
		if y, _ := digits(rest); y != "" {
			patch, err = strconv.Atoi(y)
		}
	}
	return minor, patch, err
}

// digits splits s into its leading decimal digits and the rest.
func digits(s string) (digits, rest string) {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return s[:n], s[n:]
}

// known returns an error if there are no offsets for this version of Go. It does not check that the offsets are correct.
func known(version string) error {
	minor, patch, err := release(version)
	if err != nil {
		return err
	}
	if minor < oldest || minor > newest || minor == oldest && patch < oldestPatch {
		return fmt.Errorf("%s is not supported by this version of fastcgo, which supports go1.%d.%d to go1.%d", version, oldest, oldestPatch, newest)
	}
	return nil
}

func wordAt(base, offset uintptr) uintptr { return *(*uintptr)(pointer(base + offset)) }
func halfAt(base, offset uintptr) uint32  { return *(*uint32)(pointer(base + offset)) }
func byteAt(base, offset uintptr) byte    { return *(*byte)(pointer(base + offset)) }

// consistent checks l against the structures of the running program. It checks the fields that it can recognize: pointers that must point back, stack
// pointers that must lie in their stacks, flags that must be set in a system call. A read at a wrong offset may fault, so a fault also counts as a
// mismatch.
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
	// The fields that calls write are zero now, so the check cannot recognize them. It checks the fields around them instead. If the surrounding
	// fields are at their offsets, the fields between them are too, because no field was added.
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
	// m.chacha8 follows the fields that a call writes. The fields checked above precede them.
	if i, n, c := halfAt(m, l.mChacha8), halfAt(m, l.mChacha8+4), halfAt(m, l.mChacha8+8); n != 32 && n != 28 || i > n || c > 12 || c%4 != 0 {
		return errors.New("m.chacha8 is not the state of a random generator")
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

// throwsplit returns the byte at an address before, during and after a system call.
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
