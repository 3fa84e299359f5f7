package rt

import (
	"encoding/binary"
	"unsafe"
)

// Error is a Rust error for which the package declares no type. Go has the error's text and the texts of its sources.
type Error struct {
	text   string
	source *Error
}

// Error returns the error's text, which Rust's Display wrote.
func (e *Error) Error() string { return e.text }

// Unwrap returns the error's source, or nil if there is no source.
func (e *Error) Unwrap() error {
	if e.source == nil {
		return nil
	}
	return e.source
}

// NewError is called by generated functions. texts holds the text of the error, then the text of its source, and so on. Before each text stands its
// length in four bytes, little-endian. NewError copies the texts. A text whose length exceeds the rest of texts ends with texts.
func NewError(texts []byte) error {
	count := 0
	for rest := texts; len(rest) >= lengthSize; count++ {
		_, rest = firstText(rest)
	}
	if count == 0 {
		return &Error{}
	}
	if text, _ := firstText(texts); count == 1 && len(text) <= shortText {
		e := new(shortError)
		copy(e.bytes[:], text)
		e.text = unsafe.String(&e.bytes[0], len(text))
		return &e.Error
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

// shortText is the largest length of a text that shares one allocation with its Error. The allocation then has 96 bytes, one of the sizes of Go's
// allocator.
const shortText = 72

// shortError is an Error and the bytes of its text, which do not change after NewError.
type shortError struct {
	Error
	bytes [shortText]byte
}

const lengthSize = 4

// firstText splits texts, which has at least four bytes, into the first text and the rest.
func firstText(texts []byte) (text, rest []byte) {
	length := uint64(binary.LittleEndian.Uint32(texts))
	texts = texts[lengthSize:]
	length = min(length, uint64(len(texts)))
	return texts[:length], texts[length:]
}
