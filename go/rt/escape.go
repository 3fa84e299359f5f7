//lint:file-ignore U1000 the variables exist for the compiler

package rt

import "unsafe"

// Escape is called by generated functions whose result or iterator points into memory that was passed to them. Go's compiler does not see Rust code,
// so it would assume that p is not used after the call. Escape makes it allocate the memory in Go's heap. Escape has no effect at run time.
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
