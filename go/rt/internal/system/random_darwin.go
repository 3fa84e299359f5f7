//go:build amd64 || arm64

package system

import (
	"syscall"
	"unsafe"
)

// RandomKey reads a key for the generator of random bytes (crates/rt) from /dev/urandom. ok is false if the system gives no key. Without a key each
// call of the generator fails.
func RandomKey() (key [4]uint64, ok bool) {
	file, err := syscall.Open("/dev/urandom", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return key, false
	}
	defer syscall.Close(file)
	bytes := (*[unsafe.Sizeof(key)]byte)(unsafe.Pointer(&key))[:]
	n, err := syscall.Read(file, bytes)
	return key, err == nil && n == len(bytes)
}
