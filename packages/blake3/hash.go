//go:build amd64 || arm64

package blake3

import (
	"errors"
	"io"
	"math"
	"math/bits"
)

// Write adds p to the message. It never returns an error.
func (h *Hasher) Write(p []byte) (n int, err error) {
	h.write(p)
	return len(p), nil
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
	// A negative offset is a large number here. The carry of the sum is then 1, unless the sum is negative.
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
