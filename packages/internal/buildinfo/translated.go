//go:build purego || !(amd64 || arm64)

package buildinfo

// Translated reports whether packages with fallback = "wasm" run as Go code that was translated from WebAssembly, instead of machine code. Calls of
// translated code allocate.
const Translated = true
