//go:build (amd64 || arm64) && !go1.28

package rt

import _ "unsafe" // for linkname

// procPin keeps the goroutine on its processor (P) and returns the processor's number. procUnpin lets the goroutine change processors again. The
// runtime lets other packages use both functions by linkname, and promises not to remove or change them (go.dev/issue/67401; src/runtime/proc.go of
// Go 1.24 to 1.27).

//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()
