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
	painted = 96 << 10 // number of bytes; no examined call needs more
	paint   = 0xa5a5a5a5a5a5a5a5
	record  = 8 // number of words below the zeros that the overwriting code may write, such as its return address
	zeros   = 128
)

// OverwritesStack tests that call, before it returns, fills all the stack that it has used with zeros. If other bytes remain deeper in the stack,
// the test fails, because a secret could be among them. call must use less than 96 KiB of stack.
func OverwritesStack(t *testing.T, what string, call func()) {
	t.Helper()
	memory, err := os.Open("/proc/self/mem")
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	// A garbage collection may shrink the stack.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	stack := make([]byte, painted)
	InNewGoroutine(func() {
		call() // initializes variables, and makes the stack grow
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
		t.Fatalf("%s: no change of the stack was found", what)
	}
	// On arm64 Go's assembler makes a frame for an assembly entry, and stores the return address and the frame pointer at the frame's lower end. The
	// entry moves SP up again before the function runs, so the test skips these words.
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

// room fills a part of the stack with a pattern, and returns its lowest address. Calls that room's caller makes later will use this part.
//
//go:noinline
func room(with uint64) uintptr {
	var area [painted / 8]uint64
	for i := range area {
		area[i] = with
	}
	// The load keeps the compiler from removing the stores.
	return uintptr(unsafe.Pointer(&area)) + uintptr(area[len(area)-1]-with)
}

// MoveStack makes the runtime move a stack that has not grown before. The old stack keeps its contents.
func MoveStack() { room(0) }
