// Package viacgo calls by way of cgo what the benchmarks compare with: C functions, where there is a C compiler, and,
// with the build tag rustnative, the Rust library of ../../native, which must have been built.
package viacgo
