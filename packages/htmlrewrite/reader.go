//go:build amd64 || arm64

package htmlrewrite

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"
)

// A reader rewrites what it reads from another reader.
type reader struct {
	closed atomic.Bool
	busy   sync.Mutex // held by Read, and while the rewriter is freed. It guards the fields below.
	r      io.Reader
	w      *Writer
	out    bytes.Buffer
	in     []byte
	err    error // the error of Read when out is empty
}

// NewReader returns a reader that rewrites the document that it reads from r. Close of this reader frees the rewriter, and does not close r.
// options may be nil. NewReader returns the same errors as [NewWriter]. Read returns errors of r and of handlers unchanged.
//
// Close may be called during a Read, as net/http does with the body of a request. A handler may also call Close. In both cases the rewriter is
// freed when the running Read returns.
func NewReader(r io.Reader, handlers *Handlers, options *Options) (io.ReadCloser, error) {
	rd := &reader{r: r}
	w, err := NewWriter(&rd.out, handlers, options)
	if err != nil {
		return nil, err
	}
	rd.w = w
	return rd, nil
}

func (rd *reader) Read(p []byte) (int, error) {
	if !rd.busy.TryLock() {
		if rd.closed.Load() {
			return 0, ErrClosed // Close may be freeing the rewriter
		}
		panic("htmlrewrite: Read: in use by another call")
	}
	defer rd.leave()
	if len(p) == 0 {
		return 0, nil
	}
	if rd.in == nil {
		rd.in = make([]byte, piece)
	}
	for empty := 0; rd.out.Len() == 0 && rd.err == nil && !rd.closed.Load(); {
		n, err := rd.r.Read(rd.in)
		if n > 0 {
			_, rd.err = rd.w.Write(rd.in[:n])
			empty = 0
		} else if empty++; empty == mostEmptyReads && err == nil {
			err = io.ErrNoProgress
		}
		if rd.err == nil && err == io.EOF {
			if rd.err = rd.w.Close(); rd.err == nil {
				rd.err = io.EOF
			}
		} else if rd.err == nil {
			rd.err = err
		}
	}
	if rd.closed.Load() {
		return 0, ErrClosed
	}
	if rd.out.Len() > 0 {
		return rd.out.Read(p)
	}
	return 0, rd.err
}

// mostEmptyReads is the number of reads in a row without bytes after which Read returns [io.ErrNoProgress].
const mostEmptyReads = 100

func (rd *reader) Close() error {
	rd.closed.Store(true)
	rd.free()
	return nil
}

// leave ends a Read. If the reader has been closed meanwhile, it frees the rewriter.
func (rd *reader) leave() {
	rd.busy.Unlock()
	if rd.closed.Load() {
		rd.free()
	}
}

// free frees the rewriter. If a Read is running, free does nothing, and leave calls free again when that Read ends.
func (rd *reader) free() {
	if rd.busy.TryLock() {
		defer rd.busy.Unlock()
		rd.out.Reset()
		rd.w.abandon()
	}
}
