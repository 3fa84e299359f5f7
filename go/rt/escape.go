package rt

import "unsafe"

// Escape is called by generated functions whose result, or the iterator they make, lies in memory that was passed to them. It does nothing; Go's compiler, which
// cannot see what Rust does, takes it that p is kept, and puts what p points to into the heap.
func Escape(p unsafe.Pointer) {
	if escapes {
		escaped = p
	}
}

// Nobody sets escapes, but the compiler does not know that.
var (
	escapes bool
	escaped unsafe.Pointer
)
