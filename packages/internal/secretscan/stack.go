//go:build linux && (amd64 || arm64)

package secretscan

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"unsafe"
)

const (
	painted = 96 << 10 // bytes: no call whose stack is looked at needs more
	paint   = 0xa5a5a5a5a5a5a5a5
	record  = 8 // words: what overwrites the stack may keep as much below its zeros, such as where it returns to
	zeros   = 128
)

// OverwritesStack calls, and fails the test if the call has written deeper into the stack than what it overwrote with zeros in the end: whatever it has kept
// there, it would be left. The call must do so itself, and take less than 96 KiB of stack.
func OverwritesStack(t *testing.T, what string, call func()) {
	t.Helper()
	memory, err := os.Open("/proc/self/mem")
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	// Collections give back stacks that are little used.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	stack := make([]byte, painted)
	InNewGoroutine(func() {
		call() // what is done once is done, and the stack has grown
		at := room(paint)
		call()
		_, err = memory.ReadAt(stack, int64(at))
	})
	if err != nil {
		t.Fatal(err)
	}
	words := unsafe.Slice((*uint64)(unsafe.Pointer(&stack[0])), painted/8)
	next := func(at int, written bool) int {
		for at < len(words) && (words[at] != paint) != written {
			at++
		}
		return at
	}
	deepest := next(0, true)
	if deepest == 0 || deepest == len(words) {
		t.Fatalf("%s: the stack cannot be seen", what)
	}
	// On arm64 an entry's frame is made by Go's assembler, which stores the return address and the frame pointer at its lowest end. The code goes up
	// again before it runs.
	if end := next(deepest, false); runtime.GOARCH == "arm64" && end-deepest <= 2 {
		deepest = next(end, true)
	}
	for run, at := 0, deepest; at < len(words); at++ {
		if run++; words[at] != 0 {
			run = 0
		}
		if run == zeros {
			if left := at + 1 - zeros - deepest; left > record {
				t.Errorf("%s has written %d bytes deeper than it overwrote", what, 8*left)
			}
			return
		}
	}
	t.Errorf("%s has written into the stack and overwritten nothing", what)
}

// room fills the stack that calls of its caller will use, and gives the lowest address.
//
//go:noinline
func room(with uint64) uintptr {
	var area [painted / 8]uint64
	for i := range area {
		area[i] = with
	}
	// What is read keeps the compiler from leaving out what is written.
	return uintptr(unsafe.Pointer(&area)) + uintptr(area[len(area)-1]-with)
}

// MoveStack uses so much stack that it is moved, unless it has grown before: what lies there stays in the old one.
func MoveStack() { room(0) }
