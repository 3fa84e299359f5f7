//go:build !race && !handleshared && !handlesteps && !go1.28

package handle

import _ "unsafe" // for linkname

// pin keeps the goroutine on its processor and returns the processor's number, from 0 to GOMAXPROCS-1. Until unpin no other goroutine runs on this
// processor. All writes of goroutines that earlier ran on the processor are visible. Between pin and unpin nothing may block, but memory may be
// allocated and the stack may grow. sync.Pool uses the same functions.
//
// The runtime lets other packages use both functions by linkname, and promises to keep them unchanged (go.dev/issue/67401; src/runtime/proc.go of
// Go 1.24 to 1.27). For Go versions that are not known to have these functions, pin_none.go is compiled instead. The file pin.s has no code. The
// compiler accepts functions without bodies only if the package has an assembly file.
//
//go:linkname pin runtime.procPin
func pin() int

//go:linkname unpin runtime.procUnpin
func unpin()
