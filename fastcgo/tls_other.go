//go:build (linux || darwin) && (amd64 || arm64)

package fastcgo

// findTLS has a task only on windows.
func findTLS() error { return nil }
