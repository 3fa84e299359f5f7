package rt

import (
	"encoding/binary"
	"unsafe"
)

// Error is a Rust error for which the package declares no type. An Error holds copies of the error's text and of the texts of its sources.
type Error struct {
	text   string
	source error
}

// Error returns the error's text, which Rust's Display wrote.
func (e *Error) Error() string { return e.text }

// Unwrap returns the error's source, or nil if there is no source. The source is an *Error, or an error that Go code has passed to Rust.
func (e *Error) Unwrap() error { return e.source }

// NewError is called by generated functions. texts holds the text of the error, then the text of its source, and so on. Each text is preceded by its
// length, as four bytes in little-endian order. If a length exceeds the rest of texts, the text is the whole rest. NewError copies the texts.
//
// The last entry may be a Go error: goError in the place of a length, then eight bytes with the number of the Go error. This Go error is the source
// of the last text. If there is no text, NewError returns the Go error itself.
func NewError(texts []byte) error {
	var origin error
	count := 0
	for rest := texts; len(rest) >= lengthSize; count++ {
		if length := binary.LittleEndian.Uint32(rest); length == goError && len(rest) >= lengthSize+8 {
			origin = takeOrigin(uintptr(binary.LittleEndian.Uint64(rest[lengthSize:])))
			break
		}
		_, rest = firstText(rest)
	}
	if count == 0 && origin != nil {
		return origin
	}
	if count == 0 {
		return &Error{}
	}
	if text, _ := firstText(texts); count == 1 && len(text) <= shortText {
		e := new(shortError)
		copy(e.bytes[:], text)
		e.text = unsafe.String(&e.bytes[0], len(text))
		e.source = origin
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
		texts = rest
		if i+1 < count {
			errors[i].source = &errors[i+1]
		} else {
			errors[i].source = origin
		}
	}
	return &errors[0]
}

// shortText is the largest length of a text that shares one allocation with its Error. The allocation then has 112 bytes, one of the sizes of Go's
// allocator.
const shortText = 80

// shortError is an Error and the bytes of its text, which do not change after NewError.
type shortError struct {
	Error
	bytes [shortText]byte
}

const (
	lengthSize = 4
	goError    = 1<<32 - 1 // is in the place of a length, before the number of a Go error
)

// takeOrigin returns the Go error with this number. Rust code has kept the error and now returns it to Go. heap_kept.go sets takeOrigin.
var takeOrigin func(number uintptr) error

// firstText splits texts, which has at least four bytes, into the first text and the rest.
func firstText(texts []byte) (text, rest []byte) {
	length := uint64(binary.LittleEndian.Uint32(texts))
	texts = texts[lengthSize:]
	length = min(length, uint64(len(texts)))
	return texts[:length], texts[length:]
}
