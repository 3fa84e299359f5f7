//go:build amd64 || arm64

package rt

import "runtime/debug"

// largestRoom is the largest room that [StackUsed] accepts, in bytes. Go limits the stack of a goroutine to 1 GB on 64-bit systems.
const largestRoom = 256 << 20

// StackUsed calls f on a goroutine of its own, and returns the number of bytes of stack that the call has written to, at most room. If the result
// is room, f may have used more. Tests use StackUsed to choose a stack budget:
//
//	used := rt.StackUsed(1<<20, func() { parser.Parse(deeplyNested) })
//	t.Logf("Parse used %d KiB of stack", used>>10)
//
// The result includes the stack of Go code in f. On amd64 the result shows the part of a budget that the call needed; a budget of twice the result
// leaves room for other data. On arm64 the entry of a generated function writes the return address to the lowest word of its frame, and the frame
// has the size of the budget. So there the result is at least the budget of each export that f calls.
//
// StackUsed fills room bytes of stack with a pattern, calls f, and then searches for the lowest byte that has changed. The garbage collector
// is off meanwhile, because a collection could shrink the stack. runtime.GC and a memory limit collect nevertheless. If the stack has moved, the
// result is room. Calls of StackUsed must not overlap.
//
// StackUsed panics if room is less than 1 KiB or more than 256 MiB. A panic in f ends the program, because f runs on another goroutine. So f
// recovers the panics that the test expects.
func StackUsed(room int, f func()) int {
	if room < 1<<10 || room > largestRoom {
		panic("rustgo: StackUsed needs a room of at least 1 KiB and at most 256 MiB")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	used := make(chan int)
	go func() { used <- stackUsed(room, f) }()
	return <-used
}

//go:noinline
func stackUsed(room int, f func()) int {
	// A collection that other code asks for may shrink the stack before it is filled.
	low := uintptr(0)
	for low == 0 {
		reserveStack(room/1024 + 8)
		low = paintStack(uintptr(room))
	}
	f()
	return int(searchStack(uintptr(room), low))
}

// reserveStack makes the stack grow by n KiB.
//
//go:noinline
func reserveStack(n int) (sum byte) {
	var block [1024]byte
	block[n%1024] = byte(n)
	if n > 0 {
		sum = reserveStack(n - 1)
	}
	return sum + block[n%1024/2]
}

// paintStack fills room bytes below its frame with the pattern, and returns the lowest address of the goroutine's stack. It returns 0 and fills nothing if
// the stack has less room.
func paintStack(room uintptr) (low uintptr)

// searchStack returns the distance from its frame to the lowest byte, among room bytes, that differs from the pattern. It returns room if the stack
// has moved since paintStack returned low.
func searchStack(room, low uintptr) uintptr
