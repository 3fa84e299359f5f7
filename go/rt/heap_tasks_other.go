//go:build (amd64 || arm64) && !linux && !darwin && !freebsd && !windows

package rt

// On other systems there are no tasks.

func taskReserve(size uintptr) uintptr   { return 0 }
func taskCommit(base, size uintptr) bool { return false }
func taskRelease(base, size uintptr)     {}
