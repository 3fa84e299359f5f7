//go:build purego || !(amd64 || arm64)

package evm

// translated is true if the package is the translation of the crate to Go, which has a memory of its own.
const translated = true
