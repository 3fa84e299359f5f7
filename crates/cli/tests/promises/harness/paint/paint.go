// Package paint measures how much stack a call uses. It fills the stack below the call with a pattern, and then searches for the lowest changed
// byte.
package paint

// Depth calls f and returns how many bytes below Depth's frame the call has written to, at most room. The collector must be off, because it could
// shrink the stack.
//
//go:noinline
func Depth(room int, f func()) int {
	reserve(room/1024 + 8)
	paint(uintptr(room))
	f()
	return int(look(uintptr(room)))
}

// reserve makes the stack grow by n KiB.
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
