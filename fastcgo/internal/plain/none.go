//go:build !cgo || ((darwin || windows) && (amd64 || arm64))

package plain

// Built reports whether calls can be made.
const Built = false

// Known is never called, because Built is false.
func Known() bool { return false }

// Make is never called, because Built is false.
func (c *Call) Make() { panic("plain: no cgo") }
