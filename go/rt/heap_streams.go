//go:build amd64 || arm64

package rt

import (
	"context"
	"errors"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A Stream lets Rust code call the methods of a reader or writer.
type Stream struct {
	Of    any
	err   error // the error that a Read has returned with data
	wrote error // the error that a Write has returned after a part of the data
}

// These constants are the operations of a Stream. The support crate has the same numbers.
const (
	streamRead = iota
	streamWrite
	streamFlush
	streamSeek
	streamReadAt
)

// streamCall holds the arguments of a call of a method, in Rust's memory.
type streamCall struct {
	operation    uintptr
	data, length uintptr // memory of Rust
	offset       int64
	whence       uintptr
}

// streamAnswer is the result of a call of a method, in Rust's memory.
type streamAnswer struct {
	n   int64
	err RawError
}

// streamBuffer is the largest number of bytes that one call passes. The reader or writer gets a buffer in Go's memory. A reader or writer that keeps
// the buffer after the call, which package io forbids, may see or cause wrong bytes in the buffer. But it cannot access memory of Rust.
const streamBuffer = 64 << 10

var streamBuffers = sync.Pool{New: func() any { return new([streamBuffer]byte) }}

// Call calls a method of the reader or writer. Generated functions call it.
func (s *Stream) Call(arguments, result unsafe.Pointer) unsafe.Pointer {
	call, answer := (*streamCall)(arguments), (*streamAnswer)(result)
	n, err := s.call(call)
	if err != nil {
		return Fail(&answer.err, err)
	}
	answer.n = n
	return nil
}

func (s *Stream) call(call *streamCall) (int64, error) {
	if err := s.wrote; err != nil && call.operation != streamRead && call.operation != streamReadAt {
		s.wrote = nil
		return 0, err
	}
	switch call.operation {
	case streamFlush:
		if flusher, ok := s.Of.(interface{ Flush() error }); ok {
			return 0, flusher.Flush()
		}
		return 0, nil
	case streamSeek:
		position, err := s.Of.(io.Seeker).Seek(call.offset, int(call.whence))
		if isMove := call.offset != 0 || call.whence != io.SeekCurrent; err == nil && isMove {
			s.err = nil // the error belongs to another position
		}
		return position, err
	}
	if call.length == 0 {
		return 0, nil
	}
	buffer := streamBuffers.Get().(*[streamBuffer]byte)
	part := buffer[:min(call.length, streamBuffer)]
	memory := unsafe.Slice((*byte)(pointer(call.data)), len(part))
	var n int
	var err error
	switch call.operation {
	case streamRead:
		n, err = s.read(part)
		copy(memory, part[:n])
	case streamReadAt:
		n, err = readAt(s.Of.(io.ReaderAt), part, call.offset)
		copy(memory, part[:n])
	case streamWrite:
		copy(part, memory)
		n, err = s.write(part)
	}
	streamBuffers.Put(buffer)
	return int64(n), err
}

// read reads at least one byte, or returns 0 and nil at the end, or an error. An error that comes with data is kept for the next call.
func (s *Stream) read(part []byte) (int, error) {
	if err := s.err; err != nil {
		s.err = nil
		return 0, notEOF(err)
	}
	for range 100 {
		n, err := s.Of.(io.Reader).Read(part)
		check(n, len(part), "Read")
		if n > 0 {
			s.err = err
			return n, nil
		}
		if err != nil {
			return 0, notEOF(err)
		}
	}
	return 0, io.ErrNoProgress
}

func notEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func readAt(r io.ReaderAt, part []byte, offset int64) (int, error) {
	n, err := r.ReadAt(part, offset)
	check(n, len(part), "ReadAt")
	if n > 0 {
		return n, nil // Rust asks for the rest, and gets the error then
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return 0, notEOF(err)
}

// write writes the data or a first part of the data, or returns an error. Rust code that gets an error assumes that nothing was written, and may
// write the same data again. So if an error comes after a part was written, write keeps the error for the next call that does not read. If all data was
// written, there may be no such call, so Rust gets the error at once.
func (s *Stream) write(part []byte) (int, error) {
	n, err := s.Of.(io.Writer).Write(part)
	check(n, len(part), "Write")
	if err == nil && n < len(part) {
		err = io.ErrShortWrite
	}
	if n > 0 && n < len(part) {
		s.wrote = err
		return n, nil
	}
	return n, err
}

func check(n, most int, method string) {
	if n < 0 || n > most {
		panic("rt: the method " + method + " of a Go value has returned the count " + strconv.Itoa(n) + " for " + strconv.Itoa(most) + " bytes")
	}
}

// KeepContext returns a number that identifies a context in Rust code until end is called. Generated functions call it. The number is the address of
// a word, which becomes keptDone when the context is done.
func KeepContext(ctx context.Context) (number uintptr, end func()) {
	answer := func(arguments, result unsafe.Pointer) unsafe.Pointer {
		if err := ctx.Err(); err != nil {
			return Fail((*RawError)(result), err)
		}
		return Fail((*RawError)(result), errNotDone)
	}
	kept := Keep(answer)
	state := (*uint32)(pointer(kept.Number))
	var lock sync.Mutex
	ended := false
	done := func() {
		lock.Lock()
		defer lock.Unlock()
		if !ended {
			atomic.StoreUint32(state, keptDone)
		}
	}
	release := func() {
		lock.Lock()
		defer lock.Unlock()
		ended = true
		releaseKept(kept.Number)
	}
	made := false
	defer func() {
		// If made is false, a method of the context has panicked.
		if !made {
			release()
		}
	}()
	if ctx.Err() != nil {
		done()
	}
	stop := context.AfterFunc(ctx, done)
	made = true
	return kept.Number, func() {
		defer release()
		stop()
	}
}

var errNotDone = errors.New("the context is not done")
