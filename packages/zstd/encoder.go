//go:build amd64 || arm64

package zstd

import "io"

// EncoderOptions are the options of an [Encoder]. The zero value is a good choice.
type EncoderOptions struct {
	// Level is the compression level; 0 is [DefaultCompression]. With a dictionary this field is ignored, and the level is the dictionary's.
	Level int

	// Dict is a dictionary. Decompression needs the same dictionary.
	Dict *Dict

	// Checksum adds four bytes to each frame. Decompression uses them to detect damage.
	Checksum bool
}

// An Encoder compresses the bytes that are written to it, and writes the result to another writer, as one frame. Close writes the end of the
// frame, so an Encoder must be closed.
//
// Only one goroutine at a time may use an Encoder; a call that begins during another call panics. The zero Encoder has the zero
// [EncoderOptions] and is closed. [Encoder.Reset] opens it.
type Encoder struct {
	owner   owner
	options EncoderOptions
	w       io.Writer // nil if the Encoder is closed
	err     error     // an error of w or of the library

	// These fields are set from the first call that needs them until Close.
	native *compressor
	begun  bool         // native is within a frame
	in     *[chunk]byte // the first length bytes are not compressed yet
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

// Write compresses p. The encoder may keep much of the result until the next Write, [Encoder.Flush] or [Encoder.Close]. It compresses slices of 128
// KiB or more without a copy.
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

// ReadFrom compresses everything that r returns up to [io.EOF]. It implements [io.ReaderFrom], so that [io.Copy] needs no buffer.
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

// mostEmptyReads is the number of reads in a row without bytes after which a Decoder returns [io.ErrNoProgress]. [Encoder.ReadFrom] returns the
// error after one more.
const mostEmptyReads = 100

// Flush writes the bytes that the encoder has kept, so that a reader can decompress everything that has been written to e. It does not end the
// frame. Frequent flushes make the result longer.
func (e *Encoder) Flush() error {
	e.owner.enter("Encoder.Flush")
	defer e.owner.leave()
	if err := e.ready(); err != nil {
		return err
	}
	return e.drain(directiveFlush)
}

// Close writes the bytes that the encoder has kept, and the end of the frame. It does not close the writer that e writes to. If nothing has been
// written to e, Close writes a frame without content. A second Close does nothing.
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

// Reset makes e write a new frame to w. Bytes that the encoder has kept are lost.
func (e *Encoder) Reset(w io.Writer) {
	e.owner.enter("Encoder.Reset")
	defer e.owner.leave()
	e.w, e.err, e.begun, e.length = w, nil, false, 0
}

// ready takes a context and buffers from the pools, unless e has them or cannot be used.
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
			return err // not stored in e: a later call may find memory
		}
		e.native, e.in, e.out = native, buffers.Get().(*[chunk]byte), buffers.Get().(*[chunk]byte)
	}
	return nil
}

// drain compresses the contents of the buffer.
func (e *Encoder) drain(d directive) error {
	_, err := e.push(e.in[:e.length], d)
	e.length = 0
	return err
}

// push compresses src as the directive d requires, and returns the number of bytes of src that have been read.
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
