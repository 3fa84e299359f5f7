//go:build !cgo || ((darwin || windows) && (amd64 || arm64))

package plain

// Built says whether calls can be made.
const Built = false

// Known is never asked here.
func Known() bool { return false }

// Make is never called here.
func (c *Call) Make() { panic("plain: no cgo") }
