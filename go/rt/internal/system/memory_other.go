//go:build (amd64 || arm64) && !linux && !darwin && !freebsd && !windows

package system

// HeapSpace returns 0, because there is no Rust heap on this system. Each allocation fails.
func HeapSpace() uintptr { return 0 }

// Reserve reserves nothing.
func Reserve(size uintptr) (base uintptr, strict bool) { return 0, false }

// ReserveInaccessible reserves nothing, so there are no tasks.
func ReserveInaccessible(size uintptr) uintptr { return 0 }

// Unreserve does nothing.
func Unreserve(base, size uintptr) {}

// Commit fails.
func Commit(base, size uintptr) bool { return false }

// Release does nothing.
func Release(base, size uintptr) {}

// VirtualFunctions returns 0. Rust code uses these functions only on Windows.
func VirtualFunctions() (alloc, free uintptr) { return 0, 0 }
