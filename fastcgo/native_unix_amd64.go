//go:build linux || darwin

package fastcgo

const native = systemV
