//go:build linux || windows

package fastcgo

const native = aapcs64
