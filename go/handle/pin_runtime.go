//go:build !race && !handleshared && !handlesteps && !go1.28

package handle

import _ "unsafe" // for linkname

// pin keeps the goroutine on its processor, and returns which that is: a number from 0 to GOMAXPROCS-1. Until unpin no
// other goroutine runs there, and what the last one wrote there is visible. In between nothing may block; memory may be
// allocated and the stack may grow. sync.Pool does the same.
//
// The runtime exports these two functions to other packages by a linkname of its own, with the promise not to remove or
// change them (go.dev/issue/67401; src/runtime/proc.go of Go 1.24 to 1.27). Versions of Go that are not known to do so
// get pin_none.go. pin.s is empty: with it the compiler accepts functions without bodies.
//
//go:linkname pin runtime.procPin
func pin() int

//go:linkname unpin runtime.procUnpin
func unpin()
