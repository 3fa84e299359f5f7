//go:build amd64 || arm64

package fakerust

// The argument function of Convention is one of these numbers. Each selects a function of rt that Rust code calls.
const (
	Thread = iota
	Processor
	Relax
	Clock
	Auxiliary
	Random
	WriteOut
	Commit
	Release
)

// Convention calls a function of rt with three arguments, as Rust code does. It returns the function's result, and whether the function preserved
// the callee-saved registers of C's convention.
func Convention(function int, a, b, c uintptr) (result uintptr, kept bool)

// ProcessorInCall calls Processor during a blocking call, and returns its result.
func ProcessorInCall() int
