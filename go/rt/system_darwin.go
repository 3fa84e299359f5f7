//go:build amd64 || arm64

package rt

import (
	"syscall"
	"unsafe"
)

// seed reads a key for the generator of random bytes (crates/rt) from /dev/urandom. Without a key each call of the generator fails.
func seed() {
	file, err := syscall.Open("/dev/urandom", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer syscall.Close(file)
	var key [4]uint64
	bytes := (*[unsafe.Sizeof(key)]byte)(unsafe.Pointer(&key))[:]
	if n, err := syscall.Read(file, bytes); err == nil && n == len(bytes) {
		randomSeed(key[0], key[1], key[2], key[3])
	}
}
