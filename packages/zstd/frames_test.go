package zstd_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"testing"

	"rustgo.dev/packages/zstd"
)

// ways has each way to decompress. At the end of the data the functions return the error nil instead of io.EOF.
var ways = map[string]func(src []byte) ([]byte, error){
	"AppendDecompress": func(src []byte) ([]byte, error) { return zstd.AppendDecompress(nil, src, 1<<20) },
	"WriteTo": func(src []byte) ([]byte, error) {
		var got bytes.Buffer
		_, err := zstd.NewDecoder(bytes.NewReader(src), nil).WriteTo(&got)
		return got.Bytes(), err
	},
	"Read of 100,000 bytes":         read(1<<20, 100000),
	"Read of 100 bytes":             read(1<<20, 100),
	"Read from pieces of 1 byte":    read(1, 100000),
	"Read from pieces of 17 bytes":  read(17, 5000),
	"Read from pieces of 999 bytes": read(999, 10),
}

// read returns a function that decompresses by Decoder.Read. The arguments are the largest numbers of bytes of input and of output at a time.
func read(in, out int) func(src []byte) ([]byte, error) {
	return func(src []byte) (got []byte, err error) {
		d := zstd.NewDecoder(&pieces{src, in}, nil)
		defer d.Close()
		for piece := make([]byte, out); err == nil; {
			var n int
			n, err = d.Read(piece)
			got = append(got, piece[:n]...)
		}
		if err == io.EOF {
			err = nil
		}
		return got, err
	}
}

// decompressedAs decompresses src in every way. It fails the test unless each way returns the error want and, if want is nil, the content.
func decompressedAs(t *testing.T, src, content []byte, want error) {
	t.Helper()
	for name, way := range ways {
		got, err := way(src)
		if err != want || want == nil && !bytes.Equal(got, content) {
			t.Errorf("%s of %.100x (%d bytes): %d bytes, %v, want %d bytes, %v", name, src, len(src), len(got), err, len(content), want)
		}
	}
}

func TestCraftedFrames(t *testing.T) {
	for _, c := range []struct {
		what, frame, content string
		err                  error
	}{
		{"no content", "28b52ffd 2000 010000", "", nil},
		{"one byte", "28b52ffd 2001 090000 61", "a", nil},
		{"one byte, repeated", "28b52ffd 2003 1b0000 61", "aaa", nil},
		{"an empty last block", "28b52ffd 2001 080000 61 010000", "a", nil},
		{"an empty block instead of 604,836 bytes", "28b52ffd 8000a43a0900 010000", "", zstd.ErrCorrupt},
		{"an empty block instead of one byte", "28b52ffd 2001 010000", "", zstd.ErrCorrupt},
		{"one byte instead of two, and an empty block", "28b52ffd 2002 080000 61 010000", "", zstd.ErrCorrupt},
		{"one byte instead of two", "28b52ffd 2002 090000 61", "", zstd.ErrCorrupt},
		{"two bytes instead of one", "28b52ffd 2001 080000 61 090000 61", "", zstd.ErrCorrupt},
		{"an empty block instead of one byte, with a checksum", "28b52ffd 2401 010000 99e9d851", "", zstd.ErrCorrupt},
		{"the wrong size in the second frame", "28b52ffd 2001 090000 61 28b52ffd 2002 080000 61 010000", "", zstd.ErrCorrupt},
		{"the sizes of two frames exchanged", "28b52ffd 2002 080000 61 010000 28b52ffd 2001 080000 61 090000 61", "", zstd.ErrCorrupt},
		{"a compressed block of 2 bytes in a window of 0", "28b52ffd 2000 150000 0000", "", zstd.ErrCorrupt},
		{"a compressed block without its sequences", "28b52ffd 2001 150000 0861", "", zstd.ErrCorrupt},
		{"a block of 1025 bytes in a window of 1024", "28b52ffd 400001 03 0b2000 61", "", zstd.ErrCorrupt},
		{"an unknown type of block", "28b52ffd 2001 0f0000 61", "", zstd.ErrCorrupt},
		{"a reserved bit", "28b52ffd 2801 090000 61", "", zstd.ErrUnsupported},
		{"the end in the header", "28b52ffd 20", "", zstd.ErrTruncated},
		{"the end in the magic number", "28b52f", "", zstd.ErrTruncated},
		{"the end in a block", "28b52ffd 2002 110000 61", "", zstd.ErrTruncated},
		{"the end in a compressed block", "28b52ffd 2002 150000 00", "", zstd.ErrTruncated},
		{"the end before a checksum", "28b52ffd 2401 090000 61 00", "", zstd.ErrTruncated},
		{"the end in a frame to be skipped", "502a4d18 02000000 61", "", zstd.ErrTruncated},
		{"a frame to be skipped", "5f2a4d18 02000000 6161", "", nil},
		{"one byte more", "28b52ffd 2001 090000 61 00", "", zstd.ErrUnknownFrame},
	} {
		frame, err := hex.DecodeString(string(bytes.ReplaceAll([]byte(c.frame), []byte(" "), nil)))
		if err != nil {
			t.Fatal(c.what, err)
		}
		t.Run(c.what, func(t *testing.T) { decompressedAs(t, frame, []byte(c.content), c.err) })
	}
}

// A fault makes a random frame invalid.
type fault int

const (
	none fault = iota
	wrongSize
	wrongChecksum
	longBlock
	unknownBlock
	cut
	trailing
	faults
)

var faultErrors = [faults]error{nil, zstd.ErrCorrupt, zstd.ErrChecksum, zstd.ErrCorrupt, zstd.ErrCorrupt, zstd.ErrTruncated, zstd.ErrUnknownFrame}

// randomFrame returns a frame of raw and repeated blocks with one fault, and the frame's content.
func randomFrame(t *testing.T, r *rand.Rand, wrong fault) (frame, content []byte) {
	var blocks []byte
	window := 1 << (10 + r.IntN(3))
	for range r.IntN(6) {
		size := r.IntN(min(window, 1<<r.IntN(13)) + 1)
		block := sample("random", size, r.Uint64())
		kind, stored := uint32(0), block
		if size > 0 && r.IntN(2) == 0 {
			block, kind, stored = bytes.Repeat(block[:1], size), 1, block[:1]
		}
		content = append(content, block...)
		blocks = binary.LittleEndian.AppendUint32(blocks, uint32(size)<<3|kind<<1)[:len(blocks)+3]
		blocks = append(blocks, stored...)
	}
	last := []byte{1, 0, 0}
	switch wrong {
	case longBlock:
		size := window + 1 + r.IntN(1000)
		last = append(binary.LittleEndian.AppendUint32(nil, uint32(size)<<3|3)[:3], 'a')
		content = append(content, bytes.Repeat([]byte("a"), size)...)
	case unknownBlock:
		last = []byte{7, 0, 0}
	default:
		if r.IntN(2) == 0 {
			last = []byte{9, 0, 0, 'z'}
			content = append(content, 'z')
		}
	}
	blocks = append(blocks, last...)

	stated := len(content)
	if wrong == wrongSize {
		stated += 1 + r.IntN(5000)
		if less := r.IntN(len(content) + 1); less > 0 && r.IntN(2) == 0 {
			stated = len(content) - less
		}
	}
	hasSize := wrong == wrongSize || r.IntN(2) == 0
	hasChecksum := wrong == wrongChecksum || r.IntN(2) == 0
	descriptor := byte(0)
	if hasSize {
		descriptor |= 2 << 6
	}
	if hasChecksum {
		descriptor |= 4
	}
	frame = append(frame, 0x28, 0xB5, 0x2F, 0xFD, descriptor, byte(window>>11)<<3)
	if hasSize {
		frame = binary.LittleEndian.AppendUint32(frame, uint32(stated))
	}
	frame = append(frame, blocks...)
	if hasChecksum {
		var packed bytes.Buffer
		e := zstd.NewEncoder(&packed, &zstd.EncoderOptions{Checksum: true})
		e.Write(content)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		frame = append(frame, packed.Bytes()[packed.Len()-4:]...)
	}
	switch wrong {
	case wrongChecksum:
		frame[len(frame)-1-r.IntN(4)] ^= 1 << r.IntN(8)
	case cut:
		frame = frame[:1+r.IntN(len(frame)-1)]
	case trailing:
		frame = append(frame, "more"[:1+r.IntN(4)]...)
	}
	return frame, content
}

// All ways to decompress must return what the format requires, for all frames and all places of a fault. Each sample has at most one fault.
func TestWaysAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	rounds := 1000
	if testing.Short() {
		rounds = 40
	}
	for range rounds {
		var src, content []byte
		for range r.IntN(3) {
			if r.IntN(3) == 0 {
				size := r.IntN(300)
				src = append(src, 0x50+byte(r.IntN(16)), 0x2A, 0x4D, 0x18, byte(size), byte(size>>8), 0, 0)
				src = append(src, make([]byte, size)...)
			}
			frame, part := randomFrame(t, r, none)
			src, content = append(src, frame...), append(content, part...)
		}
		wrong := fault(r.IntN(int(faults)))
		frame, part := randomFrame(t, r, wrong)
		decompressedAs(t, append(src, frame...), append(content, part...), faultErrors[wrong])
		if t.Failed() {
			t.Fatalf("fault %d", wrong)
		}
	}
}

// If a bit of a frame is changed, all ways to decompress must return the same content, or all must return an error.
func TestWaysAgreeOnDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	rounds := 200
	if testing.Short() {
		rounds = 10
	}
	for _, name := range []string{"known.zst", "unknown.zst", "unchecked.zst", "frames.zst"} {
		packed := file(t, name)
		for range rounds {
			damaged := bytes.Clone(packed)
			at := r.IntN(len(damaged))
			if r.IntN(4) == 0 {
				at = r.IntN(20)
			}
			damaged[at] ^= 1 << r.IntN(8)
			want, err := zstd.AppendDecompress(nil, damaged, 1<<20)
			if err == zstd.ErrLimit {
				continue
			}
			for way, decompress := range ways {
				got, err2 := decompress(damaged)
				if err2 == zstd.ErrWindow {
					continue
				}
				if (err == nil) != (err2 == nil) || err == nil && !bytes.Equal(got, want) {
					t.Fatalf("%s, byte %d is %#x: AppendDecompress: %d bytes, %v; %s: %d bytes, %v", name, at, damaged[at], len(want), err, way, len(got), err2)
				}
			}
		}
	}
}
