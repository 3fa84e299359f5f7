package promises

import (
	"testing"

	"scratch/nowhere"
)

// In a package that takes the address of no function, a call through a pointer is an ordinary fault.
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
