//go:build (amd64 || arm64) && !(linux || freebsd || darwin || windows)

package hwcap

// Read returns no features, because this package does not know how to ask this system.
func Read() (hwcap, hwcap2 uintptr) { return 0, 0 }
