// Package viacgo calls functions through cgo, for comparison in benchmarks. With a C compiler it calls C functions. With the build tag rustnative it
// also calls the Rust library of ../../native, which must be built first.
package viacgo
