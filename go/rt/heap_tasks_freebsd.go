//go:build amd64 || arm64

package rt

import "syscall"

const madvFree = 5

// taskCommit makes reserved memory usable. The system provides each page at the first access.
func taskCommit(base, size uintptr) bool {
	_, _, failed := syscall.RawSyscall(syscall.SYS_MPROTECT, base, size, syscall.PROT_READ|syscall.PROT_WRITE)
	return failed == 0
}

// taskRelease gives the pages of usable memory back to the system.
func taskRelease(base, size uintptr) { syscall.RawSyscall(syscall.SYS_MADVISE, base, size, madvFree) }
