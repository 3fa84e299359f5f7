//go:build (amd64 || arm64) && !linux && !darwin && !freebsd && !windows

package rt

// On other systems there is no Rust heap, so each allocation fails.

func heapMost() uintptr                                { return 0 }
func reserve(size uintptr) (base uintptr, strict bool) { return 0, false }
func unreserve(base, size uintptr)                     {}
