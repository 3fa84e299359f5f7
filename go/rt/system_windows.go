//go:build amd64 || arm64

package rt

import (
	"syscall"
	"unsafe"
)

// seed gets a key for the generator of random bytes (crates/rt) from the system, by the function that crypto/rand calls. Without a key each call of
// the generator fails.
func seed() {
	random := syscall.NewLazyDLL("bcryptprimitives.dll").NewProc("ProcessPrng")
	if random.Find() != nil {
		return
	}
	var key [4]uint64
	if filled, _, _ := random.Call(uintptr(unsafe.Pointer(&key)), unsafe.Sizeof(key)); filled != 0 {
		randomSeed(key[0], key[1], key[2], key[3])
	}
}
