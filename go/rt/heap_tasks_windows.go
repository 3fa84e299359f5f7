//go:build amd64 || arm64

package rt

import "syscall"

var taskVirtualAlloc, taskVirtualFree = func() (alloc, free *syscall.LazyProc) {
	kernel := syscall.NewLazyDLL("kernel32.dll")
	return kernel.NewProc("VirtualAlloc"), kernel.NewProc("VirtualFree")
}()

const (
	memCommit     = 0x1000
	memReserve    = 0x2000
	memDecommit   = 0x4000
	pageNoAccess  = 1
	pageReadWrite = 4
)

// taskReserve reserves address space that cannot be accessed. It returns 0 if the system has none.
func taskReserve(size uintptr) uintptr {
	base, _, _ := taskVirtualAlloc.Call(0, size, memReserve, pageNoAccess)
	return base
}

// taskCommit makes reserved memory usable. The system provides each page at the first access, but charges the whole size to the process at once.
func taskCommit(base, size uintptr) bool {
	done, _, _ := taskVirtualAlloc.Call(base, size, memCommit, pageReadWrite)
	return done != 0
}

// taskRelease gives memory back to the system. taskCommit makes it usable again.
func taskRelease(base, size uintptr) { taskVirtualFree.Call(base, size, memDecommit) }
