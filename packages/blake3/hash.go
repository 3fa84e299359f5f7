package blake3

import (
	"errors"
	"io"
	"math"
	"math/bits"
	"strconv"
	"sync"
)

// Write adds p to the message. It never returns an error.
func (h *Hasher) Write(p []byte) (n int, err error) {
	h.write(p)
	return len(p), nil
}

// pieceLength is the length of the buffer of ReadFrom. BLAKE3 hashes chunks of 1 KiB. If a piece begins within a chunk, the hasher works on groups
// of 1, 2, 4 and more chunks, and the small groups are slow; so long pieces are faster. If each piece began at the start of a chunk, pieces of 16
// KiB would be as fast.
const pieceLength = 128 << 10

var buffers = sync.Pool{New: func() any { return new([pieceLength]byte) }}

// mostEmptyReads is the number of reads in a row without bytes after which ReadFrom returns [io.ErrNoProgress].
const mostEmptyReads = 100

var _ io.ReaderFrom = (*Hasher)(nil)

// ReadFrom adds the bytes that r returns up to [io.EOF] to the message. It implements [io.ReaderFrom], so that [io.Copy] needs no buffer. Short reads are
// collected in a buffer of 128 KiB, because long pieces are hashed faster. If r returns another error, ReadFrom returns the error as it is, and all n bytes
// before it belong to the message. A reader that returns no bytes and no error a hundred times in a row gives [io.ErrNoProgress]. ReadFrom panics if r
// returns a count that is negative or exceeds the length of the slice.
func (h *Hasher) ReadFrom(r io.Reader) (n int64, err error) {
	buffer := buffers.Get().(*[pieceLength]byte)
	length, empty := 0, 0
	for err == nil {
		var read int
		rest := buffer[length:]
		read, err = r.Read(rest)
		switch {
		case read < 0 || read > len(rest):
			panic("blake3: Hasher.ReadFrom: the reader has returned the count " + strconv.Itoa(read) + " for " + strconv.Itoa(len(rest)) + " bytes")
		case read > 0:
			empty = 0
		case err == nil:
			if empty++; empty == mostEmptyReads {
				err = io.ErrNoProgress
			}
		}
		length += read
		n += int64(read)
		if length == len(buffer) || err != nil {
			h.write(buffer[:length])
			length = 0
		}
	}
	buffers.Put(buffer)
	if err == io.EOF {
		return n, nil
	}
	return n, err
}

// Sum appends the hash of the written data to b.
func (h *Hasher) Sum(b []byte) []byte {
	var sum [32]byte
	h.sum(&sum)
	return append(b, sum[:]...)
}

// Size returns 32, the number of bytes that Sum appends.
func (*Hasher) Size() int { return 32 }

// BlockSize returns 64, the length of a block. Write is most efficient with slices of 16 KiB or more.
func (*Hasher) BlockSize() int { return 64 }

// Read fills p with the next bytes of the output. It never returns an error.
func (r *OutputReader) Read(p []byte) (n int, err error) {
	r.fill(p)
	return len(p), nil
}

// Seek sets the position of the next Read and returns the position, which is at most 2⁶³-1. The output has no end, so whence must be [io.SeekStart]
// or [io.SeekCurrent]. If there is an error, the position does not change.
func (r *OutputReader) Seek(offset int64, whence int) (int64, error) {
	var from uint64
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		from = r.position() // Read may have moved the position beyond 2⁶³
	case io.SeekEnd:
		return 0, errEnd
	default:
		return 0, errWhence
	}
	// uint64(offset) is a large number if offset is negative. Then the carry of the sum is 1, unless the sum is negative.
	position, carry := bits.Add64(from, uint64(offset), 0)
	if (carry == 1) != (offset < 0) || position > math.MaxInt64 {
		return 0, errPosition
	}
	r.setPosition(position)
	return int64(position), nil
}

var (
	errEnd      = errors.New("blake3: OutputReader.Seek: the output has no end")
	errWhence   = errors.New("blake3: OutputReader.Seek: invalid whence")
	errPosition = errors.New("blake3: OutputReader.Seek: position out of range")
)
