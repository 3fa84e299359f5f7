//go:build amd64 || arm64

package rt

import "syscall"

const (
	mapFlags  = syscall.MAP_PRIVATE | syscall.MAP_ANON
	canCommit = false // commit would need a system call, which darwin allows only through the C library
)

// munmap does nothing: unused address space takes no memory.
func munmap(base, size uintptr) {}

// heapMost returns the number of bytes of address space that StartHeap tries to reserve first.
func heapMost() uintptr { return 256 << 30 }
