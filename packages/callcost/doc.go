// Package callcost has functions that do next to nothing, to measure what a call of Rust costs and to show what its
// panics look like.
package callcost

//go:generate rustgo build --crate rust
