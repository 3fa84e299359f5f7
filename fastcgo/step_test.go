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

// The profiler's signal at every single instruction of every way of a call: the way there, C, and the way back. Wherever it comes,
// the stack goes on to the Go caller.
func TestProfileAtEveryInstruction(t *testing.T) {
	if how != wayDirect {
		t.Skip("only direct calls are ours")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer ccall.ProfileTraps()()
	p := newProfiled()
	// stepped returns what a profile with a sample at each instruction of the calls has, and whether it lost some.
	stepped := func(calls func()) (n int, seen map[string]bool, lost bool) {
		calls()
		var profile bytes.Buffer
		if err := pprof.StartCPUProfile(&profile); err != nil {
			t.Fatal(err)
		}
		runtime.Gosched() // the thread takes part in the profile from now on
		ctest.Step(true)
		calls()
		ctest.Step(false)
		pprof.StopCPUProfile()
		return checkProfile(t, profile.Bytes())
	}
	// Where the thread was preempted it was stepped through Go's scheduler too, and there was no room for all samples: once more.
	n, seen, lost := stepped(func() { p.profiledCaller(true) })
	for lost {
		n, seen, lost = stepped(func() { p.profiledCaller(true) })
	}
	blocked, _, _ := stepped(p.profiledBlocking) // always through the scheduler
	n += blocked
	for _, f := range []string{"CFunction", "UnsafeCall0", "UnsafeCall1", "UnsafeCall6Return1", "boundPlain", "boundNeed", "boundAny", "boundFrame", "direct"} {
		if !seen[f] {
			t.Errorf("no sample is in %s", f)
		}
	}
	// Nine calls of some sixty instructions at least; Spin alone has forty.
	if n < 9*60 {
		t.Errorf("only %d samples in calls", n)
	}
	t.Logf("%d samples in calls", n)
}
