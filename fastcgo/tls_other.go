//go:build (linux || darwin) && (amd64 || arm64)

package fastcgo

// findTLS does nothing: only on windows the slot for g must be searched.
func findTLS() error { return nil }
