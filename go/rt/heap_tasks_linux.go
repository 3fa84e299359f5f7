//go:build amd64 || arm64

package rt

import "syscall"

// taskCommit makes reserved memory usable. The system provides each page at the first access.
func taskCommit(base, size uintptr) bool {
	_, _, failed := syscall.RawSyscall(syscall.SYS_MPROTECT, base, size, syscall.PROT_READ|syscall.PROT_WRITE)
	return failed == 0
}

// taskRelease gives the pages of usable memory back to the system. Afterwards the memory reads as zeros.
func taskRelease(base, size uintptr) {
	_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, base, size, syscall.MADV_DONTNEED)
}
