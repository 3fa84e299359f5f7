//go:build (amd64 || arm64) && !darwin && !windows

package system

// RandomKey returns no key for the generator of random bytes (crates/rt). On Linux and FreeBSD Rust code gets random bytes from the kernel
// (system_*.s of package rt), so it does not use the generator. On other systems each call of the generator fails.
func RandomKey() (key [4]uint64, ok bool) { return key, false }
