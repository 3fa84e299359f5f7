//go:build amd64 || arm64

package zstd

import (
	"io"
	"sync/atomic"
)

// DecoderOptions are the options of a [Decoder]. The zero value is a good choice.
type DecoderOptions struct {
	// MaxWindow limits the memory that decompression takes. If a frame has a larger window, in bytes, the error is [ErrWindow]. MaxWindow is rounded
	// down to a power of two, and is at least 1024. 0 means 128 MiB, which is enough for all levels; data made with zstd --ultra --long=31 needs 2
	// GiB. In addition to the window, a Decoder takes some 0.4 MiB.
	MaxWindow int

	// Dict is the dictionary that the data was compressed with. Frames that need no dictionary are decompressed too.
	Dict *Dict
}

// A Decoder decompresses the bytes that it reads from another reader: any number of concatenated frames.
//
// Only one goroutine at a time may use a Decoder; a call that begins during another call panics. The exception is [Decoder.Close], which may be called
// at any time, as net/http does with the body of a request. The zero Decoder has the zero [DecoderOptions] and is closed. [Decoder.Reset] opens it.
type Decoder struct {
	owner   owner
	closed  atomic.Bool // set by Close, perhaps during another call, which frees the memory then
	options DecoderOptions
	r       io.Reader // nil if the Decoder is closed
	readErr error     // an error of r, which is returned when src is used up
	err     error     // an error that is returned when rest is used up

	// These fields are set from the first call that needs them until Close.
	native *decompressor
	begun  bool // native.begin has been called
	within bool // a frame has begun and not ended
	full   bool // native may have more to write without reading more
	in     *[chunk]byte
	src    []byte       // the part of in that has not been decompressed
	out    *[chunk]byte // nil if no call needed it
	rest   []byte       // the part of out that no call has returned
}

// NewDecoder returns a Decoder that reads from r. Options may be nil. A Decoder may read bytes after the end of a frame before it returns the
// frame's content.
func NewDecoder(r io.Reader, options *DecoderOptions) *Decoder {
	d := &Decoder{r: r}
	if options != nil {
		d.options = *options
	}
	return d
}

// worthACall is the smallest length of a caller's slice to which the library writes directly. Shorter slices are filled from the buffer.
const worthACall = 4096

// Read decompresses the next bytes. At the end of the input it returns [io.EOF] if a frame ends there, or if the input is empty, and otherwise
// [ErrTruncated]. If the bytes after a frame are not another frame, the error is [ErrUnknownFrame].
func (d *Decoder) Read(p []byte) (n int, err error) {
	if !d.enter("Decoder.Read") {
		return 0, ErrClosed
	}
	defer d.leave()
	if d.r == nil {
		return 0, ErrClosed
	}
	if len(p) == 0 {
		return 0, nil
	}
	if len(d.rest) == 0 {
		if len(p) >= worthACall {
			return d.decompress(p)
		}
		if err := d.fill(); err != nil {
			return 0, err
		}
	}
	n = copy(p, d.rest)
	d.rest = d.rest[n:]
	return n, nil
}

// WriteTo decompresses the rest of the input and writes it to w. It implements [io.WriterTo], so that [io.Copy] needs no buffer.
func (d *Decoder) WriteTo(w io.Writer) (n int64, err error) {
	if !d.enter("Decoder.WriteTo") {
		return 0, ErrClosed
	}
	defer d.leave()
	if d.r == nil {
		return 0, ErrClosed
	}
	for {
		if d.closed.Load() {
			return n, ErrClosed
		}
		if len(d.rest) == 0 {
			switch err := d.fill(); {
			case err == io.EOF:
				return n, nil
			case err != nil:
				return n, err
			}
		}
		written, err := w.Write(d.rest)
		if err == nil && written < len(d.rest) {
			err = io.ErrShortWrite
		}
		d.rest = d.rest[max(written, 0):]
		n += int64(written)
		if err != nil {
			return n, err
		}
	}
}

// Close returns the decoder's memory to pools. It does not close the reader that d reads from. A second Close does nothing.
//
// Close may be called during a Read or WriteTo. Then the running call returns [ErrClosed] after its next read from the other reader, and it returns
// the memory to the pools.
func (d *Decoder) Close() error {
	d.closed.Store(true)
	d.settle()
	return nil
}

// enter begins a call. It returns false while Close returns the memory, and panics if another call is running.
func (d *Decoder) enter(what string) bool {
	if d.owner.tryEnter() {
		return true
	}
	if !d.closed.Load() {
		d.owner.refuse(what)
	}
	return false
}

// leave ends a call.
func (d *Decoder) leave() {
	d.owner.leave()
	d.settle()
}

// settle returns the memory of a closed decoder. If a call is running, settle does nothing, and leave calls settle again when that call ends.
func (d *Decoder) settle() {
	if d.closed.Load() && d.owner.tryEnter() {
		defer d.owner.leave()
		if d.closed.Load() { // Reset may have opened the decoder meanwhile
			d.free()
		}
	}
}

func (d *Decoder) free() {
	if d.native != nil {
		decompressors.Put(d.native)
		buffers.Put(d.in)
	}
	if d.out != nil {
		buffers.Put(d.out)
	}
	d.native, d.in, d.out = nil, nil, nil
	d.open(nil)
}

// Reset makes d decompress the bytes that it reads from r. Bytes that no call has returned are lost.
func (d *Decoder) Reset(r io.Reader) {
	d.owner.enter("Decoder.Reset")
	defer d.owner.leave()
	d.open(r)
	d.closed.Store(false)
}

func (d *Decoder) open(r io.Reader) {
	d.r, d.readErr, d.err, d.begun, d.within, d.full, d.src, d.rest = r, nil, nil, false, false, false, nil, nil
}

// fill decompresses into the buffer. If it returns no error, rest is not empty.
func (d *Decoder) fill() error {
	if d.out == nil {
		d.out = buffers.Get().(*[chunk]byte)
	}
	n, err := d.decompress(d.out[:])
	d.rest = d.out[:n]
	return err
}

// decompress writes at least one byte to dst, or returns an error.
func (d *Decoder) decompress(dst []byte) (int, error) {
	if d.err != nil {
		return 0, d.err
	}
	if !d.begun {
		if err := d.begin(); err != nil {
			return 0, err
		}
	}
	for {
		if len(d.src) == 0 && !d.full {
			if err := d.read(); err != nil {
				d.err = err
				return 0, err
			}
		}
		n, used, ended, err := d.native.decompressPart(dst, d.src)
		if err != nil {
			d.err = err
			return 0, err
		}
		if n > 0 || used > 0 {
			d.within = !ended
		}
		d.src, d.full = d.src[used:], n == len(dst) && !ended
		if n > 0 {
			return n, nil
		}
	}
}

// begin takes a context and a buffer from the pools, unless d has them, and prepares the context.
func (d *Decoder) begin() error {
	if d.native == nil {
		native, err := takeDecompressor()
		if err != nil {
			return err // not stored in d: a later call may find memory
		}
		d.native, d.in = native, buffers.Get().(*[chunk]byte)
	}
	if err := d.native.begin(max(d.options.MaxWindow, 0), d.options.Dict); err != nil {
		d.err = err
		return err
	}
	d.begun = true
	return nil
}

// read reads from r. If it returns no error, src is not empty.
func (d *Decoder) read() error {
	for range mostEmptyReads {
		if d.readErr != nil {
			if d.readErr == io.EOF && d.within {
				return ErrTruncated
			}
			return d.readErr
		}
		var n int
		n, d.readErr = d.r.Read(d.in[:])
		if d.closed.Load() {
			return ErrClosed
		}
		if n > 0 {
			d.src = d.in[:n]
			return nil
		}
	}
	return io.ErrNoProgress
}
