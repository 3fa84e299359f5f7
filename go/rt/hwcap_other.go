//go:build (amd64 || arm64) && !(linux || freebsd || darwin || windows)

package rt

func hardware() (hwcap, hwcap2 uintptr) { return 0, 0 }
