//go:build (amd64 || arm64) && !purego

package buildinfo

// Translated reports whether packages with fallback = "wasm" run as Go code that was translated from WebAssembly, instead of machine code. Calls of
// translated code allocate.
const Translated = false
