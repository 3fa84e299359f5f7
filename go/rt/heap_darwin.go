//go:build amd64 || arm64

package rt

import "syscall"

const (
	mapFlags  = syscall.MAP_PRIVATE | syscall.MAP_ANON
	canCommit = false // darwin allows system calls only through the C library
)

// munmap does nothing. Unused address space costs nothing that matters here.
func munmap(base, size uintptr) {}

// heapMost returns the size of the address space to reserve first, in bytes.
func heapMost() uintptr { return 256 << 30 }
