package rt

import (
	"runtime"
	"strconv"
)

// Panic is the value of the Go panic that a Rust panic becomes.
type Panic struct {
	// Message is the text of the Rust panic, without the location: "index out of bounds: the len is 3 but the index is 7".
	// A message of more than 4096 bytes is cut off and ends in "…".
	Message string

	// File, Line and Column are the location that Rust reports: the caller, if the function is marked #[track_caller]. Lines and
	// columns count from 1. File is empty if the location is not known.
	File         string
	Line, Column int

	// Frames are the Rust calls that led to the panic, the innermost first, up to and including the function that Go called. Frames has at
	// most 128 elements (64 if the panic has unwound), and none for inlined calls.
	Frames []Frame
}

// Frame is one Rust call, with function and file named as in a Go traceback.
type Frame struct {
	Function string
	File     string
	Line     int
}

// Error returns the message and the location:
//
//	index out of bounds: the len is 3 but the index is 7 (src/lib.rs:12:5)
func (p *Panic) Error() string {
	if p.File == "" {
		return p.Message
	}
	return p.Message + " (" + p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column) + ")"
}

// AnyPanic is implemented by the *Panic of every copy of this package. A Go module may have a copy in a folder named internal (rustgo build
// --runtime). Each copy has its own type Panic, and other modules cannot import a copy in a folder named internal. The methods use only types of the
// standard library. So code that cannot import the copy can declare this interface, or a part of it:
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
