//go:build amd64 || arm64

// Package fakerust stands in for a package made by rustgo in the tests of rt: hand-written assembly in the form of
// the generated, with functions that panic and a formatter for their messages.
package fakerust

import _ "rustgo.dev/go/rt" // the assembly jumps to its panic entry

// Kind says what the formatter does, or what happens in place of a panic.
type Kind int

const (
	Plain      Kind = iota // copies the message, cut off to what there is room for
	Panics                 // says where the panic was, then panics itself
	Overruns               // writes below the end of its stack, which the checks of generated code do not let happen
	Nowhere                // copies the message and says no place
	Incomplete             // says where the panic was, then calls a function that was not carried
	Exhausts               // no panic: there is no stack for one more level of recursion, of a budget of 64 KiB
	Misses                 // no panic: calls a function that was not carried
	Deep                   // says where the panic was, then finds no stack for one more level
	Nameless               // copies the message and says a place in a file whose name is empty, at an address of no meaning
	FaultsNil              // says where the panic was, then reads address 0
	FaultsHigh             // the same with an address where nothing is
	Divides                // says where the panic was, then divides by zero; on arm64, where that is no fault, returns no text
	Bounds                 // the message is four words: the goroutine's stack bounds, the word at the lower one, and SP
)

// Panic calls itself depth times, in frames of Rust's kind, and panics with the message. Its stack bound allows for a
// depth of 100. The panic is said to have happened at src/lib.rs:12:5. Registers that Go relies on hold garbage; on amd64
// SP is a multiple of 16 or not, as the depth is even or odd.
func Panic(message string, depth int, kind Kind)

// Formatted counts the messages that the formatter began.
func Formatted() uint64

// Pointer says what the frame pointer's register holds when Fault faults.
type Pointer int

const (
	Number Pointer = iota // the number
	Words                 // the address of words of the frame that hold the number
	Cycle                 // the address of a word of the frame that holds that address
	Record                // the address of words of the frame that are a copy of what Go's frame pointer points to
	Top                   // so many bytes below the end of the goroutine's stack
	Kept                  // Go's frame pointer
)

// Way says how Fault faults.
type Way int

const (
	Reads     Way = iota // reads address 0
	Calls                // calls address 0
	CallsHigh            // calls an address where nothing is
	CallsFar             // calls an address that the machine has not
)

// Fault faults in a Rust function.
func Fault(pointer Pointer, number uintptr, way Way)
