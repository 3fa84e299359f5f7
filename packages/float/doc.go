// Package float turns floating-point numbers into the shortest decimal text that gives the same number back, and text into
// the nearest number, with the Rust crates zmij and fast-float2.
package float

//go:generate rustgo build --crate rust
