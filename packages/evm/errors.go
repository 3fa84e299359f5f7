package evm

import (
	"errors"
	"fmt"

	"rustgo.dev/go/rt"
)

// MaxCode is the greatest length of code in bytes. It is 42 times the greatest length of a contract in the main network of Ethereum.
const MaxCode = 1 << 20

// The causes of an [Error], for [errors.Is].
var (
	// ErrTooLarge means that the code is longer than [MaxCode].
	ErrTooLarge = errors.New("too large")
	// ErrNoMetadata means that the code does not end with metadata.
	ErrNoMetadata = errors.New("no metadata")
	// ErrMemory means that the memory outside of Go's heap does not suffice, for example because of [rt.SetMemoryLimit].
	ErrMemory = errors.New("not enough memory")
	// ErrPanic means that the crate panicked or needed more stack than it has. That is known only of processors other than amd64 and arm64, for arguments
	// nested some thousand levels deep.
	ErrPanic = errors.New("panic of the crate")
)

// An Error is an error of an analysis.
type Error struct {
	Err  error  // one of the errors above
	Text string // more about the error, or empty
}

func (e *Error) Error() string {
	if e.Text == "" {
		return "evm: " + e.Err.Error()
	}
	return "evm: " + e.Err.Error() + ": " + e.Text
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// checkLength returns an error for code that is too long.
func checkLength(code []byte) error {
	if len(code) > MaxCode {
		return &Error{Err: ErrTooLarge, Text: fmt.Sprintf("%d bytes", len(code))}
	}
	return nil
}

// noMemory is the message of the panic if no memory is left. The crate rustgo-support has the same text.
const noMemory = "memory allocation failed"

// guard turns a panic of the Rust code into an error. Other panics continue. guard must be deferred.
func guard(err *error) {
	switch value := recover().(type) {
	case nil:
	case *rt.Panic:
		cause := ErrPanic
		if value.Message == noMemory {
			cause = ErrMemory
		}
		*err = &Error{Err: cause, Text: value.Error()}
	default:
		panic(value)
	}
}
