// Package bordercost has a function for each conversion between Go and Rust, which does next to nothing besides: what a call
// costs more than one of [Increment] is what the conversion costs.
package bordercost

//go:generate rustgo build --crate rust
