//go:build cgo && linux && amd64

package fastcgo

import (
	"bytes"
	"runtime"
	"runtime/pprof"
	"testing"

	"rustgo.dev/fastcgo/internal/ccall"
	"rustgo.dev/fastcgo/internal/ctest"
)

// The test sends the profiler's signal at every instruction of each kind of call: before C, in C, and after C. Every sample must include the Go
// caller.
func TestProfileAtEveryInstruction(t *testing.T) {
	if how != wayDirect {
		t.Skip("only direct calls are checked")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer ccall.ProfileTraps()()
	p := newProfiled()
	// stepped takes a profile with a sample at each instruction of the calls. It returns the number of samples in calls, the functions in the
	// samples, and whether samples were lost.
	stepped := func(calls func()) (n int, seen map[string]bool, lost bool) {
		calls()
		var profile bytes.Buffer
		if err := pprof.StartCPUProfile(&profile); err != nil {
			t.Fatal(err)
		}
		runtime.Gosched() // after this call the profile includes this thread
		ctest.Step(true)
		calls()
		ctest.Step(false)
		pprof.StopCPUProfile()
		return checkProfile(t, profile.Bytes())
	}
	// If the thread was preempted, instructions of the scheduler were sampled too, and the profile's buffer overflowed. Then the test takes the
	// profile again.
	n, seen, lost := stepped(func() { p.profiledCaller(true) })
	for lost {
		n, seen, lost = stepped(func() { p.profiledCaller(true) })
	}
	blocked, _, _ := stepped(p.profiledBlocking) // always includes the scheduler
	n += blocked
	for _, f := range []string{"CFunction", "UnsafeCall0", "UnsafeCall1", "UnsafeCall6Return1", "boundPlain", "boundNeed", "boundAny", "boundFrame", "direct"} {
		if !seen[f] {
			t.Errorf("no sample is in %s", f)
		}
	}
	// The test makes nine calls of at least sixty instructions each. The C function Spin alone has forty.
	if n < 9*60 {
		t.Errorf("only %d samples in calls", n)
	}
	t.Logf("%d samples in calls", n)
}
