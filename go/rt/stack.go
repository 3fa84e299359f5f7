//go:build amd64 || arm64

package rt

// largestRoom is the largest room that [StackUsed] accepts, in bytes. Go limits the stack of a goroutine to 1 GB on 64-bit systems.
const largestRoom = 256 << 20

// StackUsed calls f on a goroutine of its own, and returns the number of bytes of stack that the call has written to, at most room. If the result
// is room, f may have used more. Tests use StackUsed to choose a stack budget:
//
//	used := rt.StackUsed(1<<20, func() { parser.Parse(deeplyNested) })
//	t.Logf("Parse used %d KiB of stack", used>>10)
//
// The result includes the stack of Go code in f. On amd64 the result shows how much of its budget a call needed; a budget of twice the result leaves
// room for other data. On arm64 the entry of a generated function has a frame of the size of the budget, and writes the return address to the lowest
// word of this frame. So there the result is at least the budget of each export that f calls.
//
// StackUsed fills room bytes of stack with a pattern, calls f, and then searches for the lowest byte that has changed. If f uses more than room
// bytes, the stack moves to a larger place, and the result is room.
//
// StackUsed panics if room is less than 1 KiB or more than 256 MiB. A panic in f ends the program, because f runs on another goroutine. So f
// recovers the panics that the test expects.
func StackUsed(room int, f func()) int {
	if room < 1<<10 || room > largestRoom {
		panic("rustgo: StackUsed needs a room of at least 1 KiB and at most 256 MiB")
	}
	used := make(chan int)
	go func() { used <- stackUsed(0, room, f) }()
	return <-used
}

// stackUsed calls itself hold times, with 1 KiB of stack for each call, and then measures f.
//
//go:noinline
func stackUsed(hold, room int, f func()) (used int) {
	var block [1024]byte
	block[hold%1024] = byte(hold)
	if hold > 0 {
		used = stackUsed(hold-1, room, f)
	} else {
		var low, missing uintptr
		// A collection may shrink the stack before it is filled.
		for low == 0 && missing == 0 {
			reserveStack(room/1024 + 8)
			low, missing = paintStack(uintptr(room))
		}
		if missing > 0 {
			used = stackUsed(int(missing)/1024+1, room, f)
		} else {
			f()
			used = int(searchStack(uintptr(room), low))
		}
	}
	// This use keeps the block in the frame while f runs.
	return used + int(block[(hold+1)%1024])
}

// reserveStack makes the stack grow until it has room for n KiB more.
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

// paintStack fills room bytes below its frame with the pattern, and returns the lowest address of the goroutine's stack. If the stack has less room,
// paintStack fills nothing and returns 0. It also fills nothing if less than a quarter of the stack is in use, because a collection halves such a
// stack (shrinkstack in runtime/stack.go). In this case missing is the number of bytes by which the part in use must grow.
func paintStack(room uintptr) (low, missing uintptr)

// searchStack returns the distance from its frame to the lowest byte that differs from the pattern, among the room bytes below its frame. It returns
// room if the stack has moved since paintStack returned low.
func searchStack(room, low uintptr) uintptr
