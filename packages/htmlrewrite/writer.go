//go:build amd64 || arm64

package htmlrewrite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// piece is the largest number of bytes of input that one call passes to Rust: Go cannot preempt a call, and the whole output of a call is in memory.
const piece = 8 << 10

// buffers holds the output buffers that are not in use.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 2*piece); return &b }}

// Options are the options of a rewriter. The zero value is a good choice.
type Options struct {
	// Encoding is the label of the encoding of input and output, such as "windows-1252". "" is UTF-8. UTF-16 is not possible.
	Encoding string

	// DetectCharset makes a <meta> with a charset change the encoding.
	DetectCharset bool

	// MaxMemory is the number of bytes of memory for the parser's buffer and for the open elements. It must be more than BufferSize. 0 is no limit.
	// It does not limit the memory for the names of open elements and for the counters of :first-of-type and :nth-of-type.
	MaxMemory int

	// BufferSize is the initial length of the parser's buffer. 0 is 1024.
	BufferSize int

	// Lax makes the rewriter continue after ambiguous markup. Markup is ambiguous if the rewriter cannot know how a browser would read it. Without
	// Lax, the error for such markup is an [*AmbiguityError].
	Lax bool

	// KeepRest makes the Writer copy the rest of the document unchanged after the error of a handler, after an [*EditError], and after
	// [ErrMemoryLimit]. So the output is not cut off. Write then returns nil, and Close returns the error. An end tag whose start tag has been
	// removed may remain.
	KeepRest bool

	// ESITags makes the rewriter treat the tags of Edge Side Includes as void elements.
	ESITags bool
}

// The errors of a [Writer].
var (
	// ErrClosed is the error for a Writer that has been closed. It is an [fs.ErrClosed].
	ErrClosed error = closedError{}

	// ErrMemoryLimit is the error for a document that needs more memory than Options.MaxMemory.
	ErrMemoryLimit = errors.New("htmlrewrite: the memory limit has been exceeded")

	// ErrPanicked is the error for a Writer that cannot be used any more, because a handler has panicked or has ended its goroutine.
	ErrPanicked = errors.New("htmlrewrite: a handler has panicked")
)

type closedError struct{}

func (closedError) Error() string { return "htmlrewrite: the Writer is closed" }

func (closedError) Is(target error) bool { return target == fs.ErrClosed }

// A SelectorError is the error for a selector that is not valid or not supported.
type SelectorError struct {
	Index    int // in Handlers.Elements
	Selector string
	Reason   string
}

func (e *SelectorError) Error() string {
	return fmt.Sprintf("htmlrewrite: selector %q: %s", e.Selector, e.Reason)
}

// An AmbiguityError is the error for markup for which the rewriter cannot know how a browser would read it.
type AmbiguityError struct{ Reason string }

func (e *AmbiguityError) Error() string { return "htmlrewrite: " + e.Reason }

// An EncodingError is the error for an encoding that is unknown or not a superset of ASCII.
type EncodingError struct{ Encoding string }

func (e *EncodingError) Error() string {
	return fmt.Sprintf("htmlrewrite: encoding %q is unknown or not supported", e.Encoding)
}

// An EditError is the error for a tag name, an attribute name or the text of a comment that the encoding of the document cannot express. With UTF-8 it does
// not occur.
type EditError struct{ Reason string }

func (e *EditError) Error() string { return "htmlrewrite: " + e.Reason }

// A Writer rewrites the HTML that is written to it, and writes the result to another writer. It must be closed: only Close writes the end of the
// document.
//
// Only one goroutine at a time may use a Writer; a call that begins during another call panics, also in a handler. A Writer that is not closed is freed some
// time after the last reference to it is gone. The zero Writer is closed.
type Writer struct {
	dst      io.Writer
	handlers Handlers
	native   *native // nil if the Writer is closed
	link     *link
	busy     atomic.Bool
	err      error // the result of later calls
	keepRest bool
	kept     error // the error after which the rest of the document is copied, also after Close
	stopped  error // the error of the handler that has stopped the rewriting

	edits      []byte // the edits of the running handler
	endTags    map[uint32]func(*EndTag) error
	lastEndTag uint32
}

// NewWriter returns a Writer that writes to dst. Options may be nil. The error is a [*SelectorError] or an [*EncodingError].
func NewWriter(dst io.Writer, handlers *Handlers, options *Options) (*Writer, error) {
	w := &Writer{dst: dst, link: &link{}}
	if handlers != nil {
		w.handlers = Handlers{append([]ElementHandlers(nil), handlers.Elements...), append([]DocumentHandlers(nil), handlers.Document...)}
	}
	var o Options
	if options != nil {
		o = *options
	}
	if o.Encoding == "" {
		o.Encoding = "utf-8"
	}
	selectors, kinds, documentKinds := w.handlers.kinds()
	for i, selector := range selectors {
		if reason := selectorFault(selector); reason != "" {
			return nil, &SelectorError{i, selector, reason}
		}
	}
	if !utf8.ValidString(o.Encoding) {
		return nil, &EncodingError{o.Encoding}
	}
	flags := [4]bool{o.Lax, o.ESITags, o.DetectCharset, o.KeepRest}
	n, err := newNative(selectors, kinds, documentKinds, o.Encoding, max(0, o.MaxMemory), max(0, o.BufferSize), flags, w.link.dispatch)
	if err != nil {
		var failure nativeError
		errors.As(err, &failure)
		if failure.Reason == reasonSelector {
			return nil, &SelectorError{failure.Index, selectors[failure.Index], failure.Text}
		}
		return nil, &EncodingError{o.Encoding}
	}
	w.native, w.keepRest = n, o.KeepRest
	return w, nil
}

// Write rewrites p. The rewriter keeps the part of p that it cannot interpret yet, such as an incomplete tag. A handler must not change p.
//
// After an error, all calls return the same error. The output up to the failure has been written.
func (w *Writer) Write(p []byte) (n int, err error) {
	w.enter("Writer.Write")
	defer w.busy.Store(false)
	for n < len(p) || n == 0 && w.err != nil {
		part := p[n:min(len(p), n+piece)]
		if err := w.push(part); err != nil {
			return n, err
		}
		n += len(part)
	}
	return n, nil
}

// WriteString is Write for a string.
func (w *Writer) WriteString(s string) (n int, err error) {
	w.enter("Writer.WriteString")
	defer w.busy.Store(false)
	for n < len(s) || n == 0 && w.err != nil {
		part := []byte(s[n:min(len(s), n+piece)])
		if err := w.push(part); err != nil {
			return n, err
		}
		n += len(part)
	}
	return n, nil
}

// Close ends the document: it rewrites the input that the rewriter has kept, and calls the handlers for the end of the document. It does not close
// the writer that w writes to. After a failure it returns the error of the failure. A second Close returns nil.
func (w *Writer) Close() error {
	w.enter("Writer.Close")
	defer w.busy.Store(false)
	if w.native == nil {
		return nil
	}
	err := w.err
	if err == nil && w.kept == nil {
		err = w.call(func(out []byte) ([]byte, error) { return w.native.end(out) })
	}
	if err == nil {
		err = w.kept
	}
	w.free()
	return err
}

// abandon closes the Writer without a call of a handler.
func (w *Writer) abandon() {
	w.enter("Close")
	defer w.busy.Store(false)
	if w.native != nil {
		w.free()
	}
}

// free frees the rewriter and all that it refers to.
func (w *Writer) free() {
	_ = w.native.Close()
	w.native, w.err, w.endTags, w.edits, w.handlers, w.stopped = nil, ErrClosed, nil, nil, Handlers{}, nil
}

// enter panics if it is called during another call of the same Writer.
func (w *Writer) enter(what string) {
	if !w.busy.CompareAndSwap(false, true) {
		panic("htmlrewrite: " + what + ": in use by another call")
	}
}

// push rewrites a part of the input.
func (w *Writer) push(part []byte) error {
	if w.kept != nil && w.err == nil {
		w.err = w.emit(part)
		return w.err
	}
	return w.call(func(out []byte) ([]byte, error) { return w.native.write(out, part) })
}

// emit writes output.
func (w *Writer) emit(out []byte) error {
	if len(out) == 0 {
		return nil
	}
	n, err := w.dst.Write(out)
	if err == nil && n < len(out) {
		err = io.ErrShortWrite
	}
	return err
}

// call calls Rust with a buffer for output, and writes the output.
func (w *Writer) call(f func(out []byte) ([]byte, error)) error {
	if w.err != nil {
		return w.err
	}
	if w.native == nil {
		return ErrClosed // the zero Writer
	}
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	w.err = ErrPanicked // stays if f or dst panics
	w.link.w = w
	defer func() { w.link.w = nil }()
	out, err := f((*buffer)[:0])
	if cap(out) <= 8*piece {
		*buffer = out
	}
	err, hasRest := w.failure(err)
	if len(w.endTags) > 0 && err == nil {
		for _, number := range w.native.dropped() {
			delete(w.endTags, number)
		}
	}
	failed := w.emit(out)
	if hasRest && w.keepRest {
		w.kept, err = err, nil
	}
	if err == nil {
		err = failed
	}
	w.err = err
	return err
}

// failure returns the error of this package for an error of the Rust code. hasRest is true if the option KeepRest makes Rust copy the rest of its input.
func (w *Writer) failure(err error) (result error, hasRest bool) {
	if err == nil {
		return nil, false
	}
	var failure nativeError
	errors.As(err, &failure)
	switch failure.Reason {
	case reasonStopped:
		return w.stopped, true
	case reasonMemory:
		return ErrMemoryLimit, true
	case reasonAmbiguity:
		return &AmbiguityError{failure.Text}, false
	}
	return &EditError{failure.Text}, true
}

// RewriteString rewrites a document. Options may be nil. If there is an error, RewriteString returns "" and the error. If Options.KeepRest has made
// it copy the rest of the document after the error, it returns the document and the error.
func RewriteString(document string, handlers *Handlers, options *Options) (string, error) {
	var out strings.Builder
	w, err := NewWriter(&out, handlers, options)
	if err != nil {
		return "", err
	}
	defer w.abandon()
	if _, err := w.WriteString(document); err != nil {
		return "", err
	}
	err = w.Close()
	if err != nil && w.kept == nil {
		return "", err
	}
	return out.String(), err
}
