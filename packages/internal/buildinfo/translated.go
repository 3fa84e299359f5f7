//go:build purego || !(amd64 || arm64)

package buildinfo

// Translated reports whether packages with a setting for other processors are Go code that was translated from WebAssembly. Calls of such code
// allocate.
const Translated = true
