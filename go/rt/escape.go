//lint:file-ignore U1000 the variables exist for the compiler

package rt

import "unsafe"

// Escape is called by generated functions whose result or iterator lies in memory that was passed to them. It has no effect at run time. It
// makes Go's compiler, which does not see Rust code, assume that p is kept, so that the memory is in Go's heap.
func Escape(p unsafe.Pointer) {
	if escapes {
		escaped = p
	}
}

// escapes is never set, which the compiler does not know.
var (
	escapes bool
	escaped unsafe.Pointer
)
