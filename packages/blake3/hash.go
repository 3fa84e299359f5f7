//go:build amd64 || arm64

package blake3

import (
	"errors"
	"io"
)

// Write takes more of the message. It returns no error.
func (h *Hasher) Write(p []byte) (n int, err error) {
	h.write(p)
	return len(p), nil
}

// Sum appends the hash of what has been written to b.
func (h *Hasher) Sum(b []byte) []byte {
	var sum [32]byte
	h.sum(&sum)
	return append(b, sum[:]...)
}

// Size returns 32, the number of bytes that Sum appends.
func (*Hasher) Size() int { return 32 }

// BlockSize returns 64. Write is most efficient with slices of 16 KiB or more.
func (*Hasher) BlockSize() int { return 64 }

// Read sets p to the next bytes. It returns no error.
func (r *OutputReader) Read(p []byte) (n int, err error) {
	r.fill(p)
	return len(p), nil
}

// Seek goes to a place of the output. There is no end to which offset could be relative.
func (r *OutputReader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		if offset += int64(r.position()); offset < 0 {
			return 0, errPosition
		}
	default:
		return 0, errors.New("blake3: OutputReader.Seek: the output has no end")
	}
	if offset < 0 {
		return 0, errPosition
	}
	r.setPosition(uint64(offset))
	return offset, nil
}

var errPosition = errors.New("blake3: OutputReader.Seek: no such position")
