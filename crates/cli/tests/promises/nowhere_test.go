package promises

import (
	"runtime"
	"strings"
	"testing"

	"scratch/nowhere"
)

// nilDereference calls f and says whether it ends in Go's panic for a nil pointer.
func nilDereference(f func()) (ok bool) {
	defer func() {
		err, _ := recover().(runtime.Error)
		ok = err != nil && strings.Contains(err.Error(), "nil pointer dereference")
	}()
	f()
	return false
}

// In a package without a function's address a call through a pointer is a fault like any other.
func TestCallsLeadNowhere(t *testing.T) {
	for range 1000 {
		if !nilDereference(func() { nowhere.CallHook(7) }) {
			t.Fatal("a hook that nobody has set")
		}
		nowhere.SetHook(0x7654321)
		if !nilDereference(func() { nowhere.CallHook(7) }) {
			t.Fatal("a hook that is a number")
		}
		nowhere.SetHook(0)
		if !nilDereference(func() { nowhere.JumpToNumber(0x1234567) }) {
			t.Fatal("a number")
		}
	}
}
