//go:build amd64 || arm64

package rt

import (
	"syscall"
	"unsafe"
)

// action is the kernel's struct for the handler of a signal.
type action struct {
	handler, flags, restorer, mask uintptr
}

func sigaction(signal int, new, old *action) {
	_, _, err := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(signal), uintptr(unsafe.Pointer(new)), uintptr(unsafe.Pointer(old)), 8, 0, 0)
	if err != 0 {
		panic(err)
	}
}

// Handler returns the address of the signal's handler.
func Handler(signal int) uintptr {
	var a action
	sigaction(signal, nil, &a)
	return a.handler
}

// SetHandler replaces the address of the signal's handler and keeps the flags.
func SetHandler(signal int, handler uintptr) {
	var a action
	sigaction(signal, nil, &a)
	a.handler = handler
	sigaction(signal, &a, nil)
}
