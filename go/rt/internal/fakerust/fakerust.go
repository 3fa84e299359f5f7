//go:build amd64 || arm64

// Package fakerust replaces a package made by rustgo in the tests of rt. It is assembly written by hand in the form of generated assembly. It has
// functions that panic, and a formatter for their messages.
package fakerust

import _ "rustgo.dev/go/rt" // the assembly jumps to its panic entry

// Kind selects what the formatter does, or an event that happens instead of the panic.
type Kind int

const (
	Plain      Kind = iota // copies the message, which is cut off at the capacity
	Panics                 // sets the location, then panics itself
	Overruns               // writes below the end of the formatter's stack, which the checks in generated code prevent
	Nowhere                // copies the message and sets no location
	Incomplete             // sets the location, then calls a function that the package does not include
	Exhausts               // no panic: the stack budget of 64 KiB does not suffice for one more call of the recursion
	Misses                 // no panic: calls a function that the package does not include
	Deep                   // sets the location, then lacks stack for one more call
	Nameless               // copies the message and sets a location in a file with an empty name at an arbitrary address
	FaultsNil              // sets the location, then reads address 0
	FaultsHigh             // sets the location, then reads an address where nothing is mapped
	Divides                // sets the location, then divides by zero. On arm64 that is no fault, and the formatter returns an empty text
	Bounds                 // the message is four words: the goroutine's two stack bounds, the word at the lower bound, and SP
)

// Panic calls itself depth times, in frames like Rust's, and panics with the message. Its stack bound suffices for a depth of 100. The location of
// the panic is src/lib.rs:12:5. Registers that Go relies on hold garbage. On amd64 SP is a multiple of 16 at every second depth.
func Panic(message string, depth int, kind Kind)

// Formatted returns the number of messages that the formatter has begun.
func Formatted() uint64

// Pointer selects the value in the frame pointer's register when Fault faults.
type Pointer int

const (
	Number Pointer = iota // the argument number itself
	Words                 // the address of words in the frame that hold the argument number
	Cycle                 // the address of a word in the frame that holds its own address
	Record                // the address of words in the frame that are a copy of the words that Go's frame pointer points to
	Top                   // the address that lies number bytes below the end of the goroutine's stack
	Kept                  // Go's frame pointer, unchanged
)

// Way selects in which way Fault faults.
type Way int

const (
	Reads     Way = iota // reads address 0
	Calls                // calls address 0
	CallsHigh            // calls an address where nothing is mapped
	CallsFar             // calls an address that no processor of this kind has
)

// Fault faults in a Rust function.
func Fault(pointer Pointer, number uintptr, way Way)
