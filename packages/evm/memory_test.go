//go:build (amd64 || arm64) && !purego

package evm

import (
	"errors"
	"math"
	"runtime"
	"testing"
	"time"

	"rustgo.dev/go/rt"
)

// translated is true if the package is the translation of the crate to Go, which has a memory of its own.
const translated = false

// A call leaves nothing in the Rust heap.
func TestMemory(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	list := codes(t)
	call := func() {
		for _, name := range []string{"ERC20", "functions", "vyper-constructor", "readme"} {
			code := list[name]
			functionLines(t, code)
			storageLines(t, code)
			metadataLines(t, code)
			instructionLines(t, code)
			blockLines(t, code)
			graphLines(t, code)
		}
	}
	settle := func(rounds int, enough uint64) uint64 {
		live := rt.HeapLive()
		for n := 0; n < rounds && live > enough; n++ {
			runtime.GC()
			time.Sleep(2 * time.Millisecond)
			live = min(live, rt.HeapLive())
		}
		return live
	}
	call()
	before := settle(50, 0)
	for range 3 {
		call()
	}
	if after := settle(1000, before); after > before {
		t.Errorf("%d bytes of Rust memory are not freed", after-before)
	}
}

// Storage hashes as much memory as the code says. If the memory does not suffice, the error is ErrMemory, and nothing remains of the call.
func TestMemoryLimit(t *testing.T) {
	code := decode(t, "63400000005f205000") // KECCAK256 of 1 GiB
	if _, err := Storage(code[:0]); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.GC()
	rt.FreeMemory()
	before := rt.HeapLive()
	rt.SetMemoryLimit(before + 64<<20)
	defer rt.SetMemoryLimit(math.MaxUint64)
	for range 3 {
		if v, err := Storage(code); v != nil || !errors.Is(err, ErrMemory) || errors.Is(err, ErrPanic) {
			t.Errorf("%v, %v", v, err)
		}
	}
	if after := rt.HeapLive(); after > before+16<<10 {
		t.Errorf("%d bytes of Rust memory are not freed", after-before)
	}
	if found, err := Functions(codes(t)["readme"]); err != nil || len(found) != 2 {
		t.Errorf("%v, %v", found, err)
	}
}
