//go:build (amd64 || arm64) && (linux || freebsd)

package rt

// seed does nothing: random gets its bytes from the kernel.
func seed() {}
