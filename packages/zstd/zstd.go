//go:build amd64 || arm64

package zstd

import (
	"io"
	"math"
	"slices"
	"sync"
)

// These are common levels. A level may be any number: a number outside the library's range counts as the library's lowest or highest level, and 0
// is [DefaultCompression]. Negative levels are faster than [BestSpeed].
const (
	BestSpeed          = 1
	DefaultCompression = 3
	BestCompression    = 19 // higher levels need more memory to decompress
)

// Is reports that [ErrTruncated] is also an [io.ErrUnexpectedEOF].
func (e Error) Is(target error) bool { return e == ErrTruncated && target == io.ErrUnexpectedEOF }

// AppendCompress appends a frame with the content src to dst. The free part of dst must not overlap src.
func AppendCompress(dst, src []byte, level int) ([]byte, error) {
	return appendCompress(dst, src, level, nil)
}

func appendCompress(dst, src []byte, level int, dict *Dict) ([]byte, error) {
	bound := compressBound(len(src))
	if bound == 0 || bound > math.MaxInt-len(dst) {
		return dst, ErrMemory
	}
	c, err := takeCompressor()
	if err != nil {
		return dst, err
	}
	to := slices.Grow(dst, bound)
	free, n := to[len(dst):len(dst)+bound], 0
	if dict != nil {
		n, err = c.compressWithDict(free, src, dict)
	} else {
		n, err = c.compress(free, src, level)
	}
	compressors.Put(c)
	if err != nil {
		return dst, err
	}
	return to[:len(dst)+n], nil
}

// AppendDecompress appends the content of src, one frame or several, to dst. If the content is longer than limit bytes, the error is [ErrLimit]. In
// no case does decompression allocate more than limit bytes for the content. If the header of a frame does not state the length of the content,
// decompression also takes memory for the frame's window: at most 8 MiB or limit bytes, whichever is more, and never more than 128 MiB.
//
// The free part of dst must not overlap src. If there is an error, AppendDecompress returns dst unchanged, but the bytes after its end may have
// changed.
func AppendDecompress(dst, src []byte, limit int) ([]byte, error) {
	return appendDecompress(dst, src, limit, nil)
}

// mostPerByte is the largest number of bytes of content for one byte of input: a block of 4 bytes can decompress to 128 KiB.
const mostPerByte = 128 << 10 / 4

func appendDecompress(dst, src []byte, limit int, dict *Dict) ([]byte, error) {
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
	d, err := takeDecompressor()
	if err != nil {
		return dst, err
	}
	if !known {
		// The length of the content plus one byte must not exceed the largest int.
		to, err := decompressUnknown(d, dst, src, min(max(limit, 0), math.MaxInt-1-len(dst)), dict)
		decompressors.Put(d)
		return to, err
	}
	to := slices.Grow(dst, int(size))
	n, err := d.decompress(to[len(dst):len(dst)+int(size)], src, dict)
	decompressors.Put(d)
	if err == ErrLimit {
		err = ErrCorrupt // more content than the headers state
	}
	if err != nil {
		return dst, err
	}
	return to[:len(dst)+n], nil
}

// Sizes of windows in bytes. A window up to smallWindow counts as small. Frames with a window above largestStream are refused.
const (
	smallWindow   = 8 << 20
	largestStream = 128 << 20
)

// decompressUnknown decompresses frames whose headers state no content size, and also damaged frames.
func decompressUnknown(d *decompressor, dst, src []byte, limit int, dict *Dict) ([]byte, error) {
	// Decompressing in parts takes memory for the whole window, even if the content is short. So a short frame with a large window is decompressed at
	// once.
	if window := largestWindow(src); window > smallWindow && window <= largestStream {
		most, err := contentBound(src)
		if err != nil {
			return dst, err
		}
		if room := min(most, uint64(limit)+1); window > room {
			return decompressAtOnce(d, dst, src, int(room), limit, dict)
		}
	}
	if err := d.begin(0, dict); err != nil {
		return dst, err
	}
	to := dst
	for {
		// The room is one byte larger than the limit allows, to notice a content that exceeds the limit.
		room := min(max(4*len(src), len(to)-len(dst), 512), limit-(len(to)-len(dst))+1)
		to = slices.Grow(to, room)
		written, read, ended, err := d.decompressPart(to[len(to):len(to)+room], src)
		if err != nil {
			return dst, err
		}
		to, src = to[:len(to)+written], src[read:]
		switch {
		case len(to)-len(dst) > limit:
			return dst, ErrLimit
		case ended && len(src) == 0:
			return to, nil
		case len(src) == 0 && written < room:
			return dst, ErrTruncated
		}
	}
}

// decompressAtOnce decompresses frames in one call. Their content has at most room bytes, unless room is limit + 1; then it may be longer.
func decompressAtOnce(d *decompressor, dst, src []byte, room, limit int, dict *Dict) ([]byte, error) {
	to := slices.Grow(dst, room)
	n, err := d.decompress(to[len(dst):len(dst)+room], src, dict)
	switch {
	case err == ErrLimit && room <= limit:
		return dst, ErrCorrupt
	case err != nil:
		return dst, err
	case n > limit:
		return dst, ErrLimit
	}
	return to[:len(dst)+n], nil
}

// AppendCompress is like the function [AppendCompress], with the dictionary.
func (d *Dict) AppendCompress(dst, src []byte) ([]byte, error) {
	return appendCompress(dst, src, 0, notNil(d))
}

// AppendDecompress is like the function [AppendDecompress], with the dictionary. It also decompresses frames that need no dictionary.
func (d *Dict) AppendDecompress(dst, src []byte, limit int) ([]byte, error) {
	return appendDecompress(dst, src, limit, notNil(d))
}

func notNil(d *Dict) *Dict {
	if d == nil {
		panic("zstd: nil *Dict")
	}
	return d
}

// These pools have the contexts that are not in use. If the garbage collector removes a context from a pool, the context's cleanup frees it.
var compressors, decompressors sync.Pool

func takeCompressor() (*compressor, error) {
	if c, ok := compressors.Get().(*compressor); ok {
		return c, nil
	}
	return newCompressor()
}

func takeDecompressor() (*decompressor, error) {
	if d, ok := decompressors.Get().(*decompressor); ok {
		return d, nil
	}
	return newDecompressor()
}
