//go:build amd64 || arm64

package tokenizers

import (
	"errors"

	"rustgo.dev/go/rt"
)

// The causes of an [Error], for [errors.Is].
var (
	// ErrFormat means that the file is not a tokenizer.json, or has something that the crate does not read.
	ErrFormat = errors.New("not a supported tokenizer.json")
	// ErrUTF8 means that a text is not UTF-8.
	ErrUTF8 = errors.New("invalid UTF-8")
	// ErrTruncation means that a text or pair cannot be truncated with the given strategy.
	ErrTruncation = errors.New("cannot truncate")
	// ErrLength means that a length or an id in the options or in the file is out of range.
	ErrLength = errors.New("number out of range")
	// ErrText means that a step of the tokenizer refused a text or ids: a regular expression needed too many steps, for example.
	ErrText = errors.New("refused by the tokenizer")
	// ErrPanic means that the crate panicked, or needed more memory or stack than there is.
	ErrPanic = errors.New("panic of the crate")
	// ErrClosed means that the tokenizer has been closed.
	ErrClosed = rt.ErrClosed
)

// An Error is an error of a tokenizer.
type Error struct {
	Err  error  // one of the errors above
	Text string // the message of the crate
}

func (e *Error) Error() string {
	if e.Text == "" {
		return "tokenizers: " + e.Err.Error()
	}
	return "tokenizers: " + e.Err.Error() + ": " + e.Text
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

var causes = map[reason]error{
	reasonFormat:     ErrFormat,
	reasonUTF8:       ErrUTF8,
	reasonTruncation: ErrTruncation,
	reasonLength:     ErrLength,
	reasonText:       ErrText,
}

// failure returns an error of the Rust code as an *Error.
func failure(err error) error {
	var native nativeError
	if !errors.As(err, &native) {
		return err
	}
	return &Error{Err: causes[native.Reason], Text: native.Text}
}

// caught turns a panic of the Rust code into an error. Other panics continue. caught must be deferred. The crate may panic for an unusual file.
func caught(err *error) {
	value := recover()
	if value == nil {
		return
	}
	p, ok := value.(*rt.Panic)
	if !ok {
		panic(value)
	}
	*err = &Error{Err: ErrPanic, Text: p.Error()}
}
