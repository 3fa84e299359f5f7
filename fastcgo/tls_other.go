//go:build (linux || darwin) && (amd64 || arm64)

package fastcgo

// findTLS has something to find on windows only.
func findTLS() error { return nil }
