//lint:file-ignore U1000 the variables exist for the compiler

package rt

import "unsafe"

// Escape is called by generated functions whose result or iterator points into memory that was passed to them. Escape has no effect at run time.
// Go's compiler does not see Rust code. Because of Escape it assumes that p stays in use, and allocates the memory in Go's heap.
func Escape(p unsafe.Pointer) {
	if escapes {
		escaped = p
	}
}

// escapes is never true, but the compiler does not know this.
var (
	escapes bool
	escaped unsafe.Pointer
)
