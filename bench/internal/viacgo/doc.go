// Package viacgo calls functions through cgo, for comparison in benchmarks: C functions, if there is a C compiler, and, with the build tag
// rustnative, the Rust library of ../../native, which must be built first.
package viacgo
