//go:build amd64 || arm64

package system

import (
	"syscall"
	"unsafe"
)

// RandomKey gets a key for the generator of random bytes (crates/rt) from the system, by the function that crypto/rand calls. ok is false if the
// system gives no key. Without a key each call of the generator fails.
func RandomKey() (key [4]uint64, ok bool) {
	random := syscall.NewLazyDLL("bcryptprimitives.dll").NewProc("ProcessPrng")
	if random.Find() != nil {
		return key, false
	}
	filled, _, _ := random.Call(uintptr(unsafe.Pointer(&key)), unsafe.Sizeof(key))
	return key, filled != 0
}
