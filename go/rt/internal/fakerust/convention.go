//go:build amd64 || arm64

package fakerust

// Functions of rt that Rust code calls, by their number in Convention.
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

// Convention calls a function of rt with three arguments, as Rust code does. It returns the result, and whether the function kept the registers
// that C's convention keeps.
func Convention(function int, a, b, c uintptr) (result uintptr, kept bool)

// ProcessorInCall calls Processor during a blocking call, and returns its result.
func ProcessorInCall() int
