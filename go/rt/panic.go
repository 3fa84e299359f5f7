package rt

import (
	"runtime"
	"strconv"
)

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

// AnyPanic is an interface that the *Panic of every copy of this package implements. A Go module may have a copy of its own
// (rustgo build --runtime), whose Panic is another type, and may keep it in a folder named internal, from which other modules
// cannot import. All methods have types of the standard library only, so that whoever cannot import this package declares the
// interface, or a part of it, anew:
//
//	var p interface{ RustMessage() string }
//	if errors.As(err, &p) {
//		log.Print(p.RustMessage())
//	}
type AnyPanic interface {
	error

	// RustMessage returns [Panic.Message].
	RustMessage() string

	// RustPosition returns [Panic.File], Line and Column.
	RustPosition() (file string, line, column int)

	// RustFrames returns [Panic.Frames], with Function, File and Line set.
	RustFrames() []runtime.Frame
}

var _ AnyPanic = (*Panic)(nil)

// RustMessage returns p.Message.
func (p *Panic) RustMessage() string { return p.Message }

// RustPosition returns p.File, p.Line and p.Column.
func (p *Panic) RustPosition() (file string, line, column int) { return p.File, p.Line, p.Column }

// RustFrames returns p.Frames in the form of package runtime, with Function, File and Line set.
func (p *Panic) RustFrames() []runtime.Frame {
	frames := make([]runtime.Frame, len(p.Frames))
	for i, f := range p.Frames {
		frames[i] = runtime.Frame{Function: f.Function, File: f.File, Line: f.Line}
	}
	return frames
}
