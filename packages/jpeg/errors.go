//go:build amd64 || arm64

package jpeg

import (
	"errors"
	"io"

	"rustgo.dev/go/rt"
)

// The causes of an [Error], for [errors.Is]. The cause of a file that ends too early is [io.ErrUnexpectedEOF].
var (
	// ErrFormat means that the file is not JPEG.
	ErrFormat = errors.New("not JPEG")
	// ErrUnsupported means that the picture uses a feature that the crate does not support.
	ErrUnsupported = errors.New("not supported")
	// ErrCorrupt means that the file is damaged.
	ErrCorrupt = errors.New("damaged file")
	// ErrMemory means that the memory outside of Go's heap does not suffice, for example because of [rt.SetMemoryLimit].
	ErrMemory = errors.New("not enough memory")
)

// An Error is an error of a picture. Errors of readers are returned as they are.
type Error struct {
	Err  error  // one of the errors above, or io.ErrUnexpectedEOF
	Text string // the message of the crate
}

func (e *Error) Error() string { return "jpeg: " + e.Err.Error() + ": " + e.Text }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

var causes = map[reason]error{
	reasonFormat:      ErrFormat,
	reasonTruncated:   io.ErrUnexpectedEOF,
	reasonUnsupported: ErrUnsupported,
	reasonCorrupt:     ErrCorrupt,
}

// failure returns an error of the Rust code as an *Error.
func failure(err error) error {
	var native nativeError
	if !errors.As(err, &native) {
		return err
	}
	return &Error{Err: causes[native.Reason], Text: native.Text}
}

// noMemory is the message of the panic if no memory is left. The crate rustgo-support has the same text.
const noMemory = "memory allocation failed"

// guard turns a panic of the Rust code into an error. The crate panics for some damaged files.
func guard(err *error) {
	switch value := recover().(type) {
	case nil:
	case *rt.Panic:
		cause := ErrCorrupt
		if value.Message == noMemory {
			cause = ErrMemory
		}
		*err = &Error{Err: cause, Text: value.Error()}
	default:
		panic(value)
	}
}
