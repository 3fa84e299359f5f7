//go:build amd64 || arm64

package zstd

import "io"

// DecoderOptions are what a [Decoder] can be told. The zero value is a good choice.
type DecoderOptions struct {
	// MaxWindow limits the memory that decompression takes: a frame that needs a window of more bytes is refused with [ErrWindow]. It is
	// rounded down to a power of two, and is at least 1024. 0 is 128 MiB, which is enough for all levels; data made with zstd --ultra
	// --long=31 needs 2 GiB. A Decoder takes some 0.4 MiB besides.
	MaxWindow int

	// Dict is the dictionary that was used to compress. Frames that were made without one are decompressed, too.
	Dict *Dict
}

// A Decoder decompresses what it reads from another reader: frames, one behind the other, until the end.
//
// A Decoder may be used by one goroutine at a time; a call that begins while another runs panics. The zero Decoder has the zero
// [DecoderOptions] and is closed: [Decoder.Reset] opens it.
type Decoder struct {
	owner   owner
	options DecoderOptions
	r       io.Reader // nil if it is closed
	readErr error     // of r, when src is used up
	err     error     // when rest is used up

	// While it is open and something has been read:
	native *decompressor
	begun  bool // native has been made ready
	within bool // a frame has begun and not ended
	full   bool // native may have more to write without reading more
	in     *[chunk]byte
	src    []byte       // of in: what has not been decompressed
	out    *[chunk]byte // nil if no call needed it
	rest   []byte       // of out: what no call has got
}

// NewDecoder returns a Decoder that reads from r. Options may be nil. It reads more than it needs: what is behind the frames, it has read.
func NewDecoder(r io.Reader, options *DecoderOptions) *Decoder {
	d := &Decoder{r: r}
	if options != nil {
		d.options = *options
	}
	return d
}

// Shorter slices are filled from a buffer.
const worthACall = 4096

// Read decompresses the next bytes. At the end of the input it returns [io.EOF] if a frame ends there, or if there is no input at all, and
// otherwise [ErrTruncated]. What is behind a frame must be another one, or the error is [ErrUnknownFrame].
func (d *Decoder) Read(p []byte) (n int, err error) {
	d.owner.enter("Decoder.Read")
	defer d.owner.leave()
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

// WriteTo decompresses all that is left, and writes it to w. It implements [io.WriterTo], so that [io.Copy] needs no buffer.
func (d *Decoder) WriteTo(w io.Writer) (n int64, err error) {
	d.owner.enter("Decoder.WriteTo")
	defer d.owner.leave()
	if d.r == nil {
		return 0, ErrClosed
	}
	for {
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

// Close lets go of the memory. It does not close the reader that d reads from. To close d again does nothing.
func (d *Decoder) Close() error {
	d.owner.enter("Decoder.Close")
	defer d.owner.leave()
	if d.native != nil {
		decompressors.Put(d.native)
		buffers.Put(d.in)
	}
	if d.out != nil {
		buffers.Put(d.out)
	}
	d.native, d.in, d.out = nil, nil, nil
	d.open(nil)
	return nil
}

// Reset makes d read from r, whatever it did before.
func (d *Decoder) Reset(r io.Reader) {
	d.owner.enter("Decoder.Reset")
	defer d.owner.leave()
	d.open(r)
}

func (d *Decoder) open(r io.Reader) {
	d.r, d.readErr, d.err, d.begun, d.within, d.full, d.src, d.rest = r, nil, nil, false, false, false, nil, nil
}

// fill sees to it that there is a rest.
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

// begin sees to it that there is what decompression needs.
func (d *Decoder) begin() error {
	if d.native == nil {
		native, err := takeDecompressor()
		if err != nil {
			return err // there may be memory later
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

// read sees to it that there is something to decompress.
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
		if n > 0 {
			d.src = d.in[:n]
			return nil
		}
	}
	return io.ErrNoProgress
}
