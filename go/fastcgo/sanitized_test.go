//go:build race || asan || msan

package fastcgo

const sanitized = true
