package rt

import "strconv"

// Panic is the value of the Go panic that a Rust panic becomes.
type Panic struct {
	// Message is what Rust's panic message says, without the location: "index out of bounds: the len is 3 but the
	// index is 7". A message of more than 4096 bytes is cut off and ends in "…".
	Message string

	// File, Line and Column are the place in the Rust source that Rust holds responsible: the caller, where a
	// function is marked #[track_caller]. Lines and columns count from 1. File is empty where Rust did not say.
	File         string
	Line, Column int

	// Frames are the Rust calls that led to the panic, the innermost first, up to and including the function that
	// Go called. Calls that Rust inlined are not listed, and no more than 128 frames are.
	Frames []Frame
}

// Frame is one Rust call. It names functions and files as a Go traceback does.
type Frame struct {
	Function string
	File     string
	Line     int
}

// Error returns the message and where it came from:
//
//	index out of bounds: the len is 3 but the index is 7 (src/lib.rs:12:5)
func (p *Panic) Error() string {
	if p.File == "" {
		return p.Message
	}
	return p.Message + " (" + p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column) + ")"
}
