//go:build cgo && linux && amd64

package fastcgo

import (
	"bytes"
	"runtime"
	"runtime/pprof"
	"testing"

	"rustgo.dev/go/fastcgo/internal/ccall"
	"rustgo.dev/go/fastcgo/internal/ctest"
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
	p.profiledCaller(true)
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		t.Fatal(err)
	}
	runtime.Gosched() // the thread takes part in the profile from now on
	labelled(func() {
		ctest.Step(true)
		p.profiledCaller(true)
		ctest.Step(false)
	})
	pprof.StopCPUProfile()
	n, seen := checkProfile(t, profile.Bytes())
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
