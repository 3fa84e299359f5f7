package rt

import "syscall"

// exceptedAddress is the address of excepted, a vectored exception handler; see fault_windows_amd64.s.
func exceptedAddress() uintptr

// init installs the handler before Go's, because first puts it at the front of the list. Every version of Windows has AddVectoredExceptionHandler.
func init() {
	const first = 1
	syscall.NewLazyDLL("kernel32.dll").NewProc("AddVectoredExceptionHandler").Call(first, exceptedAddress())
}
