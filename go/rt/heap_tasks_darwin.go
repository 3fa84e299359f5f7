//go:build amd64 || arm64

package rt

import (
	"syscall"
	"unsafe"
)

// taskCommit makes reserved memory usable. The system provides each page at the first access.
func taskCommit(base, size uintptr) bool {
	return syscall.Mprotect(unsafe.Slice((*byte)(pointer(base)), size), syscall.PROT_READ|syscall.PROT_WRITE) == nil
}

// taskRelease keeps the memory, because darwin allows system calls only through the C library, and package syscall has no call for this purpose.
func taskRelease(base, size uintptr) {}
