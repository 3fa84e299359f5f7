//go:build amd64 || arm64

package zstd

import "io"

// EncoderOptions are what an [Encoder] can be told. The zero value is a good choice.
type EncoderOptions struct {
	// Level is the compression level; 0 is [DefaultCompression]. With a dictionary the level is the dictionary's.
	Level int

	// Dict is a dictionary, which who decompresses needs, too.
	Dict *Dict

	// Checksum adds four bytes to each frame by which damage is found.
	Checksum bool
}

// An Encoder compresses what is written to it, and writes the result to another writer, as one frame. It must be closed: that writes
// the end.
//
// An Encoder may be used by one goroutine at a time; a call that begins while another runs panics. The zero Encoder has the zero
// [EncoderOptions] and is closed: [Encoder.Reset] opens it.
type Encoder struct {
	owner   owner
	options EncoderOptions
	w       io.Writer // nil if it is closed
	err     error     // of w or of the library

	// While it is open and something has been written:
	native *compressor
	begun  bool         // native has the frame's state
	in     *[chunk]byte // its first length bytes are yet to be compressed
	length int
	out    *[chunk]byte
}

// NewEncoder returns an Encoder that writes to w. Options may be nil.
func NewEncoder(w io.Writer, options *EncoderOptions) *Encoder {
	e := &Encoder{w: w}
	if options != nil {
		e.options = *options
	}
	return e
}

// Write compresses p. Much of it may be held back until there is more, or until [Encoder.Flush] or [Encoder.Close] is called.
// Slices of 128 KiB or more are compressed without being copied.
func (e *Encoder) Write(p []byte) (n int, err error) {
	e.owner.enter("Encoder.Write")
	defer e.owner.leave()
	if err := e.ready(); err != nil {
		return 0, err
	}
	for n < len(p) {
		rest := p[n:]
		if e.length == 0 && len(rest) >= chunk {
			read, err := e.push(rest, directiveContinue)
			return n + read, err
		}
		copied := copy(e.in[e.length:], rest)
		e.length += copied
		n += copied
		if e.length == chunk {
			if err := e.drain(directiveContinue); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// ReadFrom compresses what r has, until its end. It implements [io.ReaderFrom], so that [io.Copy] needs no buffer.
func (e *Encoder) ReadFrom(r io.Reader) (n int64, err error) {
	e.owner.enter("Encoder.ReadFrom")
	defer e.owner.leave()
	if err := e.ready(); err != nil {
		return 0, err
	}
	for empty := 0; ; {
		read, err := r.Read(e.in[e.length:])
		e.length += read
		n += int64(read)
		if e.length == chunk {
			if err := e.drain(directiveContinue); err != nil {
				return n, err
			}
		}
		switch {
		case err == io.EOF:
			return n, nil
		case err != nil:
			return n, err
		case read > 0:
			empty = 0
		case empty == mostEmptyReads:
			return n, io.ErrNoProgress
		default:
			empty++
		}
	}
}

// mostEmptyReads is how often a reader may return nothing, one time after another.
const mostEmptyReads = 100

// Flush writes all that was held back, so that who reads it can decompress what has been written to e. It does not end the frame.
// To flush often makes the result longer.
func (e *Encoder) Flush() error {
	e.owner.enter("Encoder.Flush")
	defer e.owner.leave()
	if err := e.ready(); err != nil {
		return err
	}
	return e.drain(directiveFlush)
}

// Close writes all that was held back and the end of the frame. It does not close the writer that e writes to. Where nothing has been
// written to e, it writes a frame without content. To close e again does nothing.
func (e *Encoder) Close() error {
	e.owner.enter("Encoder.Close")
	defer e.owner.leave()
	if e.w == nil {
		return nil
	}
	err := e.ready()
	if err == nil {
		err = e.drain(directiveEnd)
	}
	if e.native != nil {
		compressors.Put(e.native)
		buffers.Put(e.in)
		buffers.Put(e.out)
	}
	e.w, e.err, e.native, e.begun, e.in, e.length, e.out = nil, nil, nil, false, nil, 0, nil
	return err
}

// Reset makes e write a new frame to w, whatever it did before. What it had held back is lost.
func (e *Encoder) Reset(w io.Writer) {
	e.owner.enter("Encoder.Reset")
	defer e.owner.leave()
	e.w, e.err, e.begun, e.length = w, nil, false, 0
}

// ready sees to it that there is what compression needs.
func (e *Encoder) ready() error {
	if e.w == nil {
		return ErrClosed
	}
	if e.err != nil {
		return e.err
	}
	if e.native == nil {
		native, err := takeCompressor()
		if err != nil {
			return err // there may be memory later
		}
		e.native, e.in, e.out = native, buffers.Get().(*[chunk]byte), buffers.Get().(*[chunk]byte)
	}
	return nil
}

// drain compresses what has been written.
func (e *Encoder) drain(d directive) error {
	_, err := e.push(e.in[:e.length], d)
	e.length = 0
	return err
}

// push compresses src, does what the directive says, and returns how much of src has been read.
func (e *Encoder) push(src []byte, d directive) (read int, err error) {
	if !e.begun {
		if e.err = e.native.begin(e.options.Level, e.options.Checksum, e.options.Dict); e.err != nil {
			return 0, e.err
		}
		e.begun = true
	}
	for {
		n, used, left, err := e.native.compressPart(e.out[:], src[read:min(len(src), read+chunk)], d)
		if err != nil {
			e.err = err
			return read, err
		}
		read += used
		if n > 0 {
			written, err := e.w.Write(e.out[:n])
			if err == nil && written < n {
				err = io.ErrShortWrite
			}
			if err != nil {
				e.err = err
				return read, err
			}
		}
		if read == len(src) && (left == 0 || d == directiveContinue) {
			return read, nil
		}
	}
}
