//go:build amd64 || arm64

package zstd

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
)

// Levels that the library names. A level may be any number: those that are too small or too large count as the smallest or largest. 0 is
// [DefaultCompression]; negative levels are faster than [BestSpeed].
const (
	BestSpeed          = 1
	DefaultCompression = 3
	BestCompression    = 19 // the highest that needs no more memory to decompress than others
)

// ErrLimit means that the decompressed data is longer than the limit.
var ErrLimit = errors.New("zstd: the decompressed data is longer than the limit")

// An Error is one of the library's: a code of its header zstd_errors.h.
type Error uint32

// Codes that callers may want to know.
const (
	ErrUnknownFrame Error = 10 // the data does not begin like a frame
	ErrWindow       Error = 16 // decompression would need more than 128 MiB besides the result
	ErrCorrupt      Error = 20
	ErrChecksum     Error = 22
	ErrCorruptDict  Error = 30
	ErrWrongDict    Error = 32 // the data was made with another dictionary
	ErrMemory       Error = 64
	ErrTruncated    Error = 72
)

var texts = map[Error]string{
	ErrUnknownFrame: "the data is not a frame",
	ErrWindow:       "the frame needs too much memory",
	ErrCorrupt:      "the data is corrupt",
	ErrChecksum:     "the checksum is wrong",
	ErrCorruptDict:  "the dictionary is corrupt",
	ErrWrongDict:    "the data needs another dictionary",
	ErrMemory:       "no memory left",
	ErrTruncated:    "the data is truncated",
}

func (e Error) Error() string {
	if text := texts[e]; text != "" {
		return "zstd: " + text
	}
	return fmt.Sprintf("zstd: error %d", uint32(e))
}

// AppendCompress appends a frame with the content of src to dst. The free part of dst must not overlap src.
func AppendCompress(dst, src []byte, level int) ([]byte, error) {
	return appendCompress(dst, src, func(c *native, to []byte) (uint, uint32) { return compress(c.address, to, src, clamp(level)) })
}

func appendCompress(dst, src []byte, call func(c *native, to []byte) (uint, uint32)) ([]byte, error) {
	bound := compressBound(uint(len(src)))
	if bound == 0 || bound > math.MaxInt-uint(len(dst)) {
		return dst, ErrMemory
	}
	c, err := take(&compressors, newCompressor, freeCompressor)
	if err != nil {
		return dst, err
	}
	to := slices.Grow(dst, int(bound))
	n, code := call(c, to[len(dst):len(dst)+int(bound)])
	runtime.KeepAlive(c)
	compressors.Put(c)
	if code != 0 {
		return dst, Error(code)
	}
	return to[:len(dst)+int(n)], nil
}

// AppendDecompress appends the content of src, one frame or several, to dst. If it is longer than limit bytes, the error is [ErrLimit], and
// no more memory than that has been used for it. The free part of dst must not overlap src. With an error dst is returned as it was; the
// bytes behind its end may have changed.
func AppendDecompress(dst, src []byte, limit int) ([]byte, error) {
	return appendDecompress(dst, src, limit, 0)
}

// The largest content of a byte of input: a block of 128 KiB can be 4 bytes long.
const mostPerByte = 128 << 10 / 4

func appendDecompress(dst, src []byte, limit int, dict uint) ([]byte, error) {
	if len(src) == 0 {
		return dst, ErrTruncated
	}
	size, known := contentSize(src)
	if known && size > uint64(max(limit, 0)) {
		return dst, ErrLimit
	}
	if known && size/mostPerByte > uint64(len(src)) {
		return dst, ErrCorrupt
	}
	c, err := take(&decompressors, newDecompressor, freeDecompressor)
	if err != nil {
		return dst, err
	}
	defer runtime.KeepAlive(c)
	if !known {
		to, err := stream(c, dst, src, max(limit, 0), dict)
		decompressors.Put(c)
		return to, err
	}
	to := slices.Grow(dst, int(size))
	n, code := decompress(c.address, to[len(dst):len(dst)+int(size)], src, dict)
	decompressors.Put(c)
	if code != 0 {
		return dst, Error(code)
	}
	return to[:len(dst)+int(n)], nil
}

// stream decompresses data whose length nothing says, or that is damaged.
func stream(c *native, dst, src []byte, limit int, dict uint) ([]byte, error) {
	if code := beginStream(c.address, dict); code != 0 {
		return dst, Error(code)
	}
	to := dst
	for {
		// One byte more than the limit shows that it is exceeded.
		room := min(max(4*len(src), len(to)-len(dst), 512), limit-(len(to)-len(dst))+1)
		to = slices.Grow(to, room)
		written, read, ended, code := decompressPart(c.address, to[len(to):len(to)+room], src)
		if code != 0 {
			return dst, Error(code)
		}
		to, src = to[:len(to)+int(written)], src[read:]
		switch {
		case len(to)-len(dst) > limit:
			return dst, ErrLimit
		case ended && len(src) == 0:
			return to, nil
		case len(src) == 0 && int(written) < room:
			return dst, ErrTruncated
		}
	}
}

// A Dict is a dictionary that has been prepared for use. It may be used by many goroutines at once. Its memory outside of Go's heap is
// freed after Go's collector finds that nobody has it.
type Dict struct{ compress, decompress *native }

// NewDict prepares a dictionary, as `zstd --train` makes it, or any data that is like what will be compressed. It is used at the
// given level. The data is copied.
func NewDict(data []byte, level int) (*Dict, error) {
	c, err := keep(newCompressDict(data, clamp(level)), freeCompressDict)
	if err != nil {
		return nil, ErrCorruptDict
	}
	d, err := keep(newDecompressDict(data), freeDecompressDict)
	if err != nil {
		return nil, ErrCorruptDict
	}
	return &Dict{c, d}, nil
}

// AppendCompress is like the function [AppendCompress], with the dictionary.
func (d *Dict) AppendCompress(dst, src []byte) ([]byte, error) {
	defer runtime.KeepAlive(d)
	return appendCompress(dst, src, func(c *native, to []byte) (uint, uint32) {
		return compressWithDict(c.address, to, src, d.compress.address)
	})
}

// AppendDecompress is like the function [AppendDecompress], with the dictionary. It also takes data that was made without one.
func (d *Dict) AppendDecompress(dst, src []byte, limit int) ([]byte, error) {
	defer runtime.KeepAlive(d)
	return appendDecompress(dst, src, limit, d.decompress.address)
}

// native is something of the library's, which is freed when nobody has it any more.
type native struct {
	address uint
	_       uint // with 16 bytes it shares no allocation with others, for which its cleanup would wait (runtime.AddCleanup)
}

var compressors, decompressors sync.Pool

func take(pool *sync.Pool, make func() uint, free func(uint)) (*native, error) {
	if found, ok := pool.Get().(*native); ok {
		return found, nil
	}
	return keep(make(), free)
}

func keep(address uint, free func(uint)) (*native, error) {
	if address == 0 {
		return nil, ErrMemory
	}
	n := &native{address: address}
	runtime.AddCleanup(n, free, address)
	return n, nil
}

// clamp gives the library a level of its own range.
func clamp(level int) int32 { return int32(min(max(level, -1<<17), 22)) }
