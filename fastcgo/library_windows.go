package fastcgo

import "syscall"

func openLibrary(name string) (handle uintptr, err error) {
	h, err := syscall.LoadLibrary(name)
	return uintptr(h), err
}

func findSymbol(handle uintptr, name string) (address uintptr, err error) {
	return syscall.GetProcAddress(syscall.Handle(handle), name)
}
