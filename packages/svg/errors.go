//go:build amd64 || arm64

package svg

import (
	"errors"
	"fmt"
	"strings"

	"rustgo.dev/go/rt"
)

// The causes of an [Error], for [errors.Is].
var (
	// ErrFormat means that the data is neither SVG nor gzip.
	ErrFormat = errors.New("not SVG")
	// ErrSyntax means that the document is not well-formed XML. Line and Column of the error are the place.
	ErrSyntax = errors.New("malformed XML")
	// ErrEncoding means that the text is not UTF-8.
	ErrEncoding = errors.New("not UTF-8")
	// ErrSize means that the document has no width and height, or none above 0.
	ErrSize = errors.New("invalid size")
	// ErrTooLarge means that the document or the picture exceeds one of the [Limits].
	ErrTooLarge = errors.New("too large")
	// ErrTooDeep means that the elements are nested too deeply, or refer to each other in a circle.
	ErrTooDeep = errors.New("nested too deeply")
	// ErrFont means that a file has no font.
	ErrFont = errors.New("not a font")
	// ErrOption means that an option or an argument has an invalid value.
	ErrOption = errors.New("invalid option")
	// ErrMemory means that the memory outside of Go's heap does not suffice, for example because of [rt.SetMemoryLimit].
	ErrMemory = errors.New("not enough memory")
	// ErrPanic means that the crate panicked.
	ErrPanic = errors.New("panic of the crate")
	// ErrClosed means that the document has been closed, or that [Parse] has not made it.
	ErrClosed = rt.ErrClosed
)

// An Error is an error of a document or a font. Errors of readers are returned as they are.
type Error struct {
	Err          error  // one of the errors above
	Text         string // the message of the crate; may be empty
	Line, Column int    // a place in the document, from 1, if it is known; otherwise 0

	again bool // the export with more stack must be called
}

func (e *Error) Error() string {
	place, text := "", ""
	if e.Line > 0 {
		place = fmt.Sprintf("%d:%d: ", e.Line, e.Column)
	}
	if e.Text != "" {
		text = ": " + e.Text
	}
	return "svg: " + place + e.Err.Error() + text
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

var causes = map[reason]error{
	reasonFormat:   ErrFormat,
	reasonSyntax:   ErrSyntax,
	reasonEncoding: ErrEncoding,
	reasonSize:     ErrSize,
	reasonTooLarge: ErrTooLarge,
	reasonTooDeep:  ErrTooDeep,
	reasonStack:    ErrTooDeep,
	reasonFont:     ErrFont,
}

// failure returns an error of the Rust code as an *Error.
func failure(err error) error {
	var native nativeError
	if !errors.As(err, &native) {
		return err
	}
	return &Error{
		Err: causes[native.Reason], Text: native.Text, Line: int(native.Line), Column: int(native.Column), again: native.Reason == reasonStack,
	}
}

// The messages of panics that are not mistakes of the crate. The crate rustgo-support and the package rt have the same texts.
const (
	noMemory = "memory allocation failed"
	noStack  = "rust stack budget"
)

// caught turns a panic of the Rust code into an error. Other panics continue. caught must be deferred.
func caught(err *error) {
	value := recover()
	if value == nil {
		return
	}
	p, ok := value.(*rt.Panic)
	if !ok {
		panic(value)
	}
	cause := ErrPanic
	switch {
	case p.Message == noMemory:
		cause = ErrMemory
	case strings.HasPrefix(p.Message, noStack):
		cause = ErrTooDeep
	}
	*err = &Error{Err: cause, Text: p.Error()}
}
