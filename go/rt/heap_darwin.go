//go:build amd64 || arm64

package rt

import "syscall"

const (
	mapFlags  = syscall.MAP_PRIVATE | syscall.MAP_ANON
	canCommit = false // no system call but through the C library
)

// munmap does nothing: the system has no limit on address space that would matter.
func munmap(base, size uintptr) {}

// heapMost is the address space to ask for.
func heapMost() uintptr { return 256 << 30 }
