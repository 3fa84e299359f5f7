// Package paint finds how deep a call goes: it fills the stack below with a pattern, and looks for the lowest byte that has changed.
package paint

// Depth calls f and returns how many bytes below its own frame have been written, of room that is looked at.
// The collector must not run meanwhile: it could make the stack smaller.
//
//go:noinline
func Depth(room int, f func()) int {
	reserve(room/1024 + 8)
	paint(uintptr(room))
	f()
	return int(look(uintptr(room)))
}

// reserve makes the stack grow by so many KiB.
//
//go:noinline
func reserve(n int) (sum byte) {
	var block [1024]byte
	block[n%1024] = byte(n)
	if n > 0 {
		sum = reserve(n - 1)
	}
	return sum + block[n%1024/2]
}

func paint(room uintptr)
func look(room uintptr) uintptr
