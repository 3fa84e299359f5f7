//go:build !race && !asan && !msan

package fastcgo

const sanitized = false
