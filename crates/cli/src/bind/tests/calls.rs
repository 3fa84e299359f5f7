//! Tests of wrappers that convert results.

use super::values::*;
use super::*;

#[test]
fn results_are_converted_and_freed() {
    let text = text_of_file(
        &[
            export("Greet", vec![field("n", basic(Basic::Uint))], result(text())),
            export("Split", vec![], result(list(text()))),
            export("Squares", vec![], vec![field("squares", list(basic(Basic::Uint64))), field("err", Type::Failure {})]),
            release(),
        ],
        &[],
    );
    assert_eq!(
        text,
        r#"
import (
	"unsafe"

	rustgo_rt "rustgo.dev/go/rt"
)

func Greet(n uint) string { // src/lib.rs:7
	return rust_string(rust_Greet(n))
}

//go:noescape
func rust_Greet(n uint) rust_owned

func Split() []string { // src/lib.rs:7
	return rust_list(rust_Split(), rust_string)
}

//go:noescape
func rust_Split() rust_owned

func Squares() (squares []uint64, err error) { // src/lib.rs:7
	value, failure := rust_Squares()
	return rust_slice[uint64](value), rust_failure(failure)
}

//go:noescape
func rust_Squares() (squares, err rust_owned)

// rust_failure makes an error of the texts of a Rust error and its sources, and frees the texts.
func rust_failure(t rust_owned) error {
	if t.ptr == nil {
		return nil
	}
	err := rustgo_rt.NewError(unsafe.Slice((*byte)(t.ptr), t.len))
	rust_release(t.ptr, t.cap, 1)
	return err
}

// rust_string copies an owned text and frees it.
func rust_string(t rust_owned) string {
	s := string(unsafe.Slice((*byte)(t.ptr), t.len))
	if t.cap != 0 {
		rust_release(t.ptr, t.cap, 1)
	}
	return s
}

// rust_slice copies an owned list and frees it.
func rust_slice[T any](l rust_owned) []T {
	s := append([]T(nil), unsafe.Slice((*T)(l.ptr), l.len)...)
	rust_free[T](l)
	return s
}

// rust_list makes a slice of an owned list, value by value, and frees the list.
func rust_list[R, T any](l rust_owned, value func(R) T) []T {
	s := rust_borrowed_list(rust_borrowed{l.ptr, l.len}, value)
	rust_free[R](l)
	return s
}

// rust_borrowed_list makes a slice of a borrowed list, value by value.
func rust_borrowed_list[R, T any](l rust_borrowed, value func(R) T) []T {
	if l.len == 0 {
		return nil
	}
	s := make([]T, l.len)
	for i, raw := range unsafe.Slice((*R)(l.ptr), l.len) {
		s[i] = value(raw)
	}
	return s
}

// rust_free frees the memory of a list.
func rust_free[T any](l rust_owned) {
	if l.cap != 0 {
		var elem T
		rust_release(l.ptr, l.cap*uint(unsafe.Sizeof(elem)), uint(unsafe.Alignof(elem)))
	}
}

// rust_owned is a text or list in the Rust heap, which Go has to free unless cap is 0.
type rust_owned struct {
	ptr unsafe.Pointer
	len uint
	cap uint
}

// rust_borrowed is a text or list that Rust keeps.
type rust_borrowed struct {
	ptr unsafe.Pointer
	len uint
}

//go:noescape
func rust_release(address unsafe.Pointer, size, align uint)
"#
    );
}

#[test]
fn borrowed_texts_are_copied() {
    let text = text_of_file(
        &[
            export("Version", vec![], result(Type::Text { freed: false })),
            export("Primes", vec![], result(Type::List { freed: false, elem: Box::new(basic(Basic::Uint64)) })),
        ],
        &[],
    );
    assert_eq!(
        text,
        r#"
import "unsafe"

func Version() string { // src/lib.rs:7
	return rust_borrowed_string(rust_Version())
}

//go:noescape
func rust_Version() rust_borrowed

func Primes() []uint64 { // src/lib.rs:7
	return rust_borrowed_slice[uint64](rust_Primes())
}

//go:noescape
func rust_Primes() rust_borrowed

// rust_borrowed_string copies a borrowed text.
func rust_borrowed_string(t rust_borrowed) string {
	return string(unsafe.Slice((*byte)(t.ptr), t.len))
}

// rust_borrowed_slice copies a borrowed list.
func rust_borrowed_slice[T any](l rust_borrowed) []T {
	return append([]T(nil), unsafe.Slice((*T)(l.ptr), l.len)...)
}

// rust_borrowed is a text or list that Rust keeps.
type rust_borrowed struct {
	ptr unsafe.Pointer
	len uint
}
"#
    );
}

#[test]
fn structs_are_converted_field_by_field() {
    let text = text_of_file(&[export("Tokens", vec![], result(list(token()))), release()], &[]);
    assert_eq!(
        part(&text, "func Tokens", "func rust_Token_value"),
        r#"func Tokens() []Token { // src/lib.rs:7
	return rust_list(rust_Tokens(), rust_Token_value)
}

//go:noescape
func rust_Tokens() rust_owned

// rust_Token is a Token as Rust writes it.
type rust_Token struct {
	Text  rust_owned
	Words rust_owned
	At    Point
}

func rust_Token_value(raw rust_Token) Token {
	return Token{Text: rust_string(raw.Text), Words: rust_list(raw.Words, rust_string), At: raw.At}
}
"#
    );
}

#[test]
fn errors_have_types() {
    let text = text_of_file(
        &[
            export("Parse", vec![], vec![field("", point()), field("", parse_error())]),
            export("Read", vec![], result(read_error())),
            export("Check", vec![], result(syntax_error())),
            text_of("ParseError"),
            release(),
        ],
        &[],
    );
    assert_eq!(
        part(&text, "// ParseError is", "func rust_ParseError_text"),
        r#"// ParseError is a type.
type ParseError uint32 // src/lib.rs:3

const (
	ParseErrorEmpty   ParseError = 1
	ParseErrorTooLong ParseError = 2
)

// Error returns the text of the error's Display.
func (p ParseError) Error() string {
	if p == 0 || p > 2 {
		return "ParseError(" + strconv.FormatUint(uint64(p), 10) + ")"
	}
	text := make([]byte, 128)
	for {
		n := rust_ParseError_text(uint32(p), text)
		if n <= uint(len(text)) {
			return string(text[:n])
		}
		text = make([]byte, 2*n) // the next may be longer
	}
}

//go:noescape
func rust_ParseError_text(number uint32, text []byte) uint
"#
    );
    assert_eq!(
        part(&text, "// ReadError is", "func (ReadErrorUnexpected) readError"),
        r#"// ReadError is a type.
type ReadError interface { // src/lib.rs:3
	error
	readError()
}

type ReadErrorClosed struct {
	text string
	said bool
}

// Error returns the text of the error's Display, or the type's name if the value was made in Go.
func (r ReadErrorClosed) Error() string {
	if !r.said {
		return "ReadErrorClosed"
	}
	return r.text
}

// Is reports whether the target is the same error, with the same fields.
func (r ReadErrorClosed) Is(target error) bool {
	t, ok := target.(ReadErrorClosed)
	var none ReadErrorClosed
	t.text, t.said = none.text, none.said
	r.text, r.said = none.text, none.said
	return ok && t == r
}

func (ReadErrorClosed) readError() {}

type ReadErrorUnexpected struct {
	Byte uint8
	At   Point
	Near []byte
	text string
	said bool
}

// Error returns the text of the error's Display, or the type's name if the value was made in Go.
func (r ReadErrorUnexpected) Error() string {
	if !r.said {
		return "ReadErrorUnexpected"
	}
	return r.text
}

// Is reports whether the target is the same error, with the same fields.
func (r ReadErrorUnexpected) Is(target error) bool {
	t, ok := target.(ReadErrorUnexpected)
	var none ReadErrorUnexpected
	t.text, t.said = none.text, none.said
	r.text, r.said = none.text, none.said
	return ok && reflect.DeepEqual(t, r)
}

func (ReadErrorUnexpected) readError() {}
"#
    );
    assert_eq!(
        part(&text, "// SyntaxError is", ") Is("),
        r#"// SyntaxError is a type.
type SyntaxError struct { // src/lib.rs:3
	Line   uint
	Column uint
	text   string
	said   bool
}

// Error returns the text of the error's Display, or the type's name if the value was made in Go.
func (s SyntaxError) Error() string {
	if !s.said {
		return "SyntaxError"
	}
	return s.text
}

// Is reports whether the target is the same error, with the same fields.
func (s SyntaxError) Is(target error) bool {
	t, ok := target.(SyntaxError)
	var none SyntaxError
	t.text, t.said = none.text, none.said
	s.text, s.said = none.text, none.said
	return ok && t == s
}
"#
    );
    assert_eq!(
        part(&text, "func rust_ParseError_error", "func rust_SyntaxError_error"),
        r#"func rust_ParseError_error(number uint32) error {
	if number == 0 {
		return nil
	}
	return ParseError(number)
}

// rust_ReadError is a ReadError as Rust writes it.
type rust_ReadError struct {
	code            uint32
	text            rust_owned
	Unexpected_Byte uint8
	Unexpected_At   Point
	Unexpected_Near rust_owned
}

func rust_ReadError_error(raw rust_ReadError) error {
	switch raw.code {
	case 1:
		return ReadErrorClosed{text: rust_string(raw.text), said: true}
	case 2:
		return ReadErrorUnexpected{Byte: raw.Unexpected_Byte, At: raw.Unexpected_At, Near: rust_slice[byte](raw.Unexpected_Near), text: rust_string(raw.text), said: true}
	}
	return nil
}

// rust_SyntaxError is a SyntaxError as Rust writes it.
type rust_SyntaxError struct {
	code   uint32
	text   rust_owned
	Line   uint
	Column uint
}

func rust_SyntaxError_error(raw rust_SyntaxError) error {
	if raw.code == 0 {
		return nil
	}
	return SyntaxError{Line: raw.Line, Column: raw.Column, text: rust_string(raw.text), said: true}
}
"#
    );
}

#[test]
fn errors_have_sources() {
    let text = text_of_file(&[export("Fail", vec![], result(sourced_error())), release()], &[]);
    assert_eq!(
        part(&text, "type SourcedErrorBad", "func (s SourcedErrorBad) Is"),
        r#"type SourcedErrorBad struct {
	Line   int
	source *error
	text   string
	said   bool
}

// Error returns the text of the error's Display, or the type's name if the value was made in Go.
func (s SourcedErrorBad) Error() string {
	if !s.said {
		return "SourcedErrorBad"
	}
	return s.text
}

// Unwrap returns the result of the error's source method, or nil if it had none.
func (s SourcedErrorBad) Unwrap() error {
	if s.source == nil {
		return nil
	}
	return *s.source
}

// Is reports whether the target is the same error, with the same fields.
func (s SourcedErrorBad) Is(target error) bool {
	t, ok := target.(SourcedErrorBad)
	var none SourcedErrorBad
	t.text, t.said, t.source = none.text, none.said, none.source
	s.text, s.said, s.source = none.text, none.said, none.source
	return ok && t == s
}
"#
    );
    assert_eq!(
        part(&text, "// rust_SourcedError is", "func rust_SourcedError_error"),
        r#"// rust_SourcedError is a SourcedError as Rust writes it.
type rust_SourcedError struct {
	code     uint32
	text     rust_owned
	source   rust_owned
	Bad_Line int
}

func rust_SourcedError_error(raw rust_SourcedError) error {
	switch raw.code {
	case 1:
		return SourcedErrorBad{Line: raw.Bad_Line, source: rust_source(raw.source), text: rust_string(raw.text), said: true}
	case 2:
		return SourcedErrorLost{source: rust_source(raw.source), text: rust_string(raw.text), said: true}
	}
	return nil
}
"#
    );
    assert!(text.contains("_ = x[unsafe.Offsetof(rust_SourcedError{}.source)-32]"), "{text}");
}

#[test]
fn appending_comes_first() {
    let bytes = || slice(basic(Basic::Uint8));
    let append = |elem| field("dst", Type::Append { elem: Box::new(elem) });
    let text = text_of_file(
        &[
            export("AppendHex", vec![append(basic(Basic::Uint8)), field("src", bytes())], vec![]),
            export("AppendPoints", vec![append(point())], vec![field("n", basic(Basic::Int)), field("err", Type::Failure {})]),
            release(),
        ],
        &[],
    );
    assert_eq!(
        part(&text, "func AppendHex", "func rust_AppendPoints"),
        r#"func AppendHex(dst, src []byte) []byte { // src/lib.rs:7
	if rustgo_rt.RaceEnabled {
		rustgo_rt.RaceRead(unsafe.Pointer(unsafe.SliceData(src)), uintptr(len(src)))
	}
	a := rust_append[byte]{dst: dst}
	rust_AppendHex(&a, src)
	if rustgo_rt.RaceEnabled {
		written := a.dst[len(dst):]
		rustgo_rt.RaceWrite(unsafe.Pointer(unsafe.SliceData(written)), uintptr(len(written)))
	}
	return rust_appended(&a)
}

//go:noescape
func rust_AppendHex(dst *rust_append[byte], src []byte)

func AppendPoints(dst []Point) (out []Point, n int, err error) { // src/lib.rs:7
	a := rust_append[Point]{dst: dst}
	value, failure := rust_AppendPoints(&a)
	if rustgo_rt.RaceEnabled {
		written := a.dst[len(dst):]
		rustgo_rt.RaceWrite(unsafe.Pointer(unsafe.SliceData(written)), uintptr(len(written))*16)
	}
	return rust_appended(&a), value, rust_failure(failure)
}

//go:noescape
func rust_AppendPoints(dst *rust_append[Point]) (n int, err rust_owned)
"#
    );
    assert_eq!(
        part(&text, "// rust_append is", "func rust_appended"),
        r#"// rust_append is a slice to which Rust appends: up to its capacity in place, and what does not fit to a list of its own.
type rust_append[T any] struct {
	dst   []T
	spill rust_owned
}

// rust_appended joins the slice and what did not fit.
func rust_appended[T any](a *rust_append[T]) []T {
	if a.spill.ptr == nil {
		return a.dst
	}
	dst := append(a.dst, unsafe.Slice((*T)(a.spill.ptr), a.spill.len)...)
	rust_free[T](a.spill)
	return dst
}
"#
    );
}
