//go:build amd64 || arm64

package rt_test

import (
	"os"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"rustgo.dev/go/rt"
	"rustgo.dev/go/rt/internal/fakerust"
)

// The functions of rt that Rust code calls must preserve the callee-saved registers of C's convention.
func TestRegistersAreKept(t *testing.T) {
	rt.StartHeap()
	var room [64]byte
	var address = uintptr(unsafe.Pointer(&room))
	for name, call := range map[string]struct {
		function int
		a, b, c  uintptr
	}{
		"thread":     {function: fakerust.Thread},
		"processor":  {function: fakerust.Processor},
		"relax":      {function: fakerust.Relax, a: 1},
		"yield":      {function: fakerust.Relax, a: 1 << 20},
		"clock":      {function: fakerust.Clock, a: 1, b: address},
		"no clock":   {function: fakerust.Clock, a: 77, b: address},
		"auxiliary":  {function: fakerust.Auxiliary, a: 6},
		"random":     {function: fakerust.Random, a: address, b: 16},
		"write":      {function: fakerust.WriteOut, a: 1, b: address, c: 0},
		"no stream":  {function: fakerust.WriteOut, a: 77, b: address, c: 1},
		"no commit":  {function: fakerust.Commit, a: 0, b: 1 << 16},
		"no commit2": {function: fakerust.Commit, a: 1 << 62, b: 1 << 16},
	} {
		if runtime.GOOS == "windows" && call.function == fakerust.Commit {
			continue // the function would commit memory at an arbitrary address
		}
		if _, kept := fakerust.Convention(call.function, call.a, call.b, call.c); !kept {
			t.Errorf("%s changes a register that C's convention keeps", name)
		}
	}
	runtime.KeepAlive(&room)
}

// The function processor must return the runtime's number of the P.
func TestTheProcessorIsKnown(t *testing.T) {
	rt.StartHeap()
	var wg sync.WaitGroup
	seen := make([]bool, 4096)
	var mu sync.Mutex
	for range 4 * runtime.GOMAXPROCS(0) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 1000 {
				id, _ := fakerust.Convention(fakerust.Processor, 0, 0, 0)
				if id >= uintptr(runtime.GOMAXPROCS(0)) {
					t.Errorf("the processor is %d, of %d", int(id), runtime.GOMAXPROCS(0))
					return
				}
				mu.Lock()
				seen[id] = true
				mu.Unlock()
				runtime.Gosched()
			}
		}()
	}
	wg.Wait()
	if runtime.GOMAXPROCS(0) > 1 && os.Getenv("GOMAXPROCS") == "" && (!seen[0] || !seen[1]) {
		t.Log("only one processor was used")
	}
}

// Threads that exist at the same time must have different addresses of m.
func TestThreadsHaveDifferentAddresses(t *testing.T) {
	rt.StartHeap()
	const threads = 20
	var ready, wg sync.WaitGroup
	ready.Add(threads)
	addresses := make([]uintptr, threads)
	for i := range threads {
		wg.Add(1)
		go func() {
			defer wg.Done()
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			ready.Done()
			ready.Wait()
			addresses[i], _ = fakerust.Convention(fakerust.Thread, 0, 0, 0)
			if again, _ := fakerust.Convention(fakerust.Thread, 0, 0, 0); again != addresses[i] {
				t.Errorf("a thread is %#x and %#x", addresses[i], again)
			}
		}()
	}
	wg.Wait()
	count := map[uintptr]int{}
	for _, address := range addresses {
		count[address]++
	}
	if len(count) != threads {
		t.Errorf("%d threads are told apart of %d", len(count), threads)
	}
}
