// Package strsearch searches byte slices, with the Rust crate memchr: like the functions of the same names in package
// bytes.
package strsearch

//go:generate rustgo build --crate rust
