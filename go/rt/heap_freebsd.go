//go:build amd64 || arm64

package rt

import "syscall"

const (
	mapFlags  = syscall.MAP_PRIVATE | syscall.MAP_ANON
	canCommit = true
)

func munmap(base, size uintptr) { syscall.RawSyscall(syscall.SYS_MUNMAP, base, size, 0) }

// heapMost returns the number of bytes of address space that StartHeap tries to reserve first.
func heapMost() uintptr { return 256 << 30 }
