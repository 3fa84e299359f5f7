//go:build !race && !handleshared && !handlesteps && !go1.28

package handle

import _ "unsafe" // for linkname

// pin keeps the goroutine on its processor and returns the processor's number, from 0 to GOMAXPROCS-1. Until unpin no other goroutine runs on this
// processor, and all writes of earlier goroutines on it are visible. Between pin and unpin nothing may block; memory may be allocated and the stack
// may grow. sync.Pool uses the same functions.
//
// The runtime exports both functions to other packages with a linkname of its own and promises to keep them unchanged (go.dev/issue/67401;
// src/runtime/proc.go of Go 1.24 to 1.27). For Go versions not known to export them, pin_none.go is compiled instead. The file pin.s has no code;
// because of it the compiler accepts functions without bodies.
//
//go:linkname pin runtime.procPin
func pin() int

//go:linkname unpin runtime.procUnpin
func unpin()
