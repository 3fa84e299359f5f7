//go:build amd64 || arm64

package fakerust

// Functions of rt that Rust code calls, in the order that Convention has them.
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

// Convention calls a function of rt with three arguments, as Rust code does. It returns the result, and whether the registers that C's
// convention keeps are as they were.
func Convention(function int, a, b, c uintptr) (result uintptr, kept bool)

// ProcessorInCall is what Rust code gets from the function Processor in a call of which the scheduler is told.
func ProcessorInCall() int
