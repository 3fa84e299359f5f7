//go:build amd64 || arm64

package rt

import (
	"syscall"
	"unsafe"
)

// action is a signal's handler as the kernel has it.
type action struct {
	handler, flags, restorer, mask uintptr
}

func sigaction(signal int, new, old *action) {
	_, _, err := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(signal), uintptr(unsafe.Pointer(new)), uintptr(unsafe.Pointer(old)), 8, 0, 0)
	if err != 0 {
		panic(err)
	}
}

// Handler is the address of what handles the signal.
func Handler(signal int) uintptr {
	var a action
	sigaction(signal, nil, &a)
	return a.handler
}

// SetHandler puts another in its place and leaves the flags.
func SetHandler(signal int, handler uintptr) {
	var a action
	sigaction(signal, nil, &a)
	a.handler = handler
	sigaction(signal, &a, nil)
}
