//go:build amd64 || arm64

package htmlrewrite

import (
	"encoding/binary"
	"strings"
)

// The methods that change a unit. rust/src/edit.rs has the same numbers.
const (
	methodBefore               = 1
	methodAfter                = 2
	methodPrepend              = 3
	methodAppend               = 4
	methodSetInnerContent      = 5
	methodReplace              = 6
	methodRemove               = 7
	methodRemoveAndKeepContent = 8
	methodSet                  = 9
	methodSetAttribute         = 10
	methodRemoveAttribute      = 11
	methodOnEndTag             = 12
)

// markup is the bit of a method's number that marks the content as HTML.
const markup = 0x80

// A unit is the common part of the arguments of handlers, such as [Element] and [Comment]. Methods that change the unit append to the writer's list
// of edits, which Rust applies when the handler has returned.
type unit struct {
	w          *Writer // nil after the handler has returned
	flags      int
	start, end int
}

func (u *unit) read(w *Writer, s *snapshot) {
	u.w, u.flags, u.start = w, s.number(), s.number()
	u.end = u.start + s.number()
}

// Removed reports whether this handler or an earlier one has removed or replaced this part of the document.
func (u *unit) Removed() bool { return u.flags&flagRemoved != 0 }

// Location returns the position of this part in the input: the number of the first byte, and of the byte after the last. For an element it is the
// position of the start tag.
func (u *unit) Location() (start, end int) { return u.start, u.end }

// edit begins a change. It panics if the handler has returned.
func (u *unit) edit(what string, method byte) {
	if u.w == nil {
		panic("htmlrewrite: " + what + ": called after the handler has returned")
	}
	u.w.edits = append(u.w.edits, method)
}

// string appends s as an argument of the change. It returns s with the bytes that are not UTF-8 replaced by U+FFFD.
func (u *unit) string(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	u.w.edits = binary.AppendUvarint(u.w.edits, uint64(len(s)))
	u.w.edits = append(u.w.edits, s...)
	return s
}

// content appends a change that inserts content.
func (u *unit) content(what string, method byte, content string, as ContentType) {
	if as == HTML {
		method |= markup
	}
	u.edit(what, method)
	u.string(content)
}

// remove appends a change that removes the unit.
func (u *unit) remove(what string, method byte) {
	u.edit(what, method)
	u.flags |= flagRemoved
}
