package rt

import (
	"encoding/binary"
)

// Error is an error of Rust's of which Go knows the text: a function whose result is a Result with such an error returns it. Errors of
// types that the package declares are not Errors.
type Error struct {
	text   string
	source *Error
}

// Error returns what the error's Display says.
func (e *Error) Error() string { return e.text }

// Unwrap returns what the error's source method returned, or nil if there was nothing.
func (e *Error) Unwrap() error {
	if e.source == nil {
		return nil
	}
	return e.source
}

// NewError is called by generated functions. texts holds a text for each error, first the one that was returned, then its source,
// and so on, each behind its length in four bytes, the lowest first. NewError copies them. What a length promises beyond the end is not there.
func NewError(texts []byte) error {
	count := 0
	for rest := texts; len(rest) >= lengthSize; count++ {
		_, rest = firstText(rest)
	}
	if count == 0 {
		return &Error{}
	}
	copied := string(texts)
	errors := make([]Error, count)
	at := 0
	for i := range errors {
		text, rest := firstText(texts)
		at += lengthSize
		errors[i].text = copied[at : at+len(text)]
		at += len(text)
		if texts = rest; i+1 < count {
			errors[i].source = &errors[i+1]
		}
	}
	return &errors[0]
}

const lengthSize = 4

// firstText divides texts, of at least four bytes, into the first text and what is behind it.
func firstText(texts []byte) (text, rest []byte) {
	length := uint64(binary.LittleEndian.Uint32(texts))
	texts = texts[lengthSize:]
	length = min(length, uint64(len(texts)))
	return texts[:length], texts[length:]
}
