package tests

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"testing"

	klauspost "github.com/klauspost/compress/zstd"

	"rustgo.dev/packages/zstd"
)

// This package and klauspost/compress read each other's frames, with and without a dictionary.
func TestZstdAndKlauspost(t *testing.T) {
	data, err := os.ReadFile("../zstd/testdata/dict")
	if err != nil {
		t.Fatal(err)
	}
	dict, err := zstd.NewDict(data, 7)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	decoder, err := klauspost.NewReader(nil, klauspost.WithDecoderDicts(data))
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	for _, level := range []int{1, 3, 9, 19} {
		for _, with := range []bool{false, true} {
			options := []klauspost.EOption{klauspost.WithEncoderLevel(klauspost.EncoderLevelFromZstd(level))}
			if with {
				options = append(options, klauspost.WithEncoderDict(data))
			}
			encoder, err := klauspost.NewWriter(nil, options...)
			if err != nil {
				t.Fatal(err)
			}
			for _, length := range []int{0, 1, 100, 5000, 140000} {
				var src []byte
				for n := 0; len(src) < length; n++ {
					src = append(src, fmt.Sprintf("{\"id\":%d,\"text\":\"%x\"}", n, r.Uint64N(1<<r.IntN(60)))...)
				}
				src = src[:length]
				ours, err := zstd.AppendCompress(nil, src, level)
				if with {
					ours, err = dict.AppendCompress(nil, src)
				}
				if err != nil {
					t.Fatal(err)
				}
				if got, err := decoder.DecodeAll(ours, nil); err != nil || !bytes.Equal(got, src) {
					t.Errorf("level %d, %d bytes, dictionary %v: klauspost reads other bytes (%v)", level, length, with, err)
				}
				theirs := encoder.EncodeAll(src, nil)
				if length == 0 && len(theirs) == 0 {
					continue
				}
				if got, err := dict.AppendDecompress(nil, theirs, length); err != nil || !bytes.Equal(got, src) {
					t.Errorf("level %d, %d bytes, dictionary %v: klauspost's frame gives other bytes (%v)", level, length, with, err)
				}
				// The data is written in pieces, so the frame does not state the length.
				var stream bytes.Buffer
				encoder.Reset(&stream)
				for rest := src; len(rest) > 0; rest = rest[min(len(rest), 777):] {
					encoder.Write(rest[:min(len(rest), 777)])
				}
				encoder.Close()
				if stream.Len() == 0 {
					continue
				}
				if got, err := dict.AppendDecompress(nil, stream.Bytes(), length); err != nil || !bytes.Equal(got, src) {
					t.Errorf("level %d, %d bytes, dictionary %v: klauspost's stream gives other bytes (%v)", level, length, with, err)
				}
			}
		}
	}
}

// This package and klauspost/compress read each other's streams.
func TestZstdStreamsAndKlauspost(t *testing.T) {
	data, err := os.ReadFile("../zstd/testdata/dict")
	if err != nil {
		t.Fatal(err)
	}
	dict, err := zstd.NewDict(data, 5)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	write := func(w io.WriteCloser, flush func() error, src []byte) {
		for rest := src; len(rest) > 0; {
			n := min(len(rest), 1+r.IntN(1<<r.IntN(18)))
			if _, err := w.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			if rest = rest[n:]; r.IntN(4) == 0 {
				if err := flush(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, length := range []int{0, 1, 5000, 140000, 1000000} {
		var src []byte
		for n := 0; len(src) < length; n++ {
			src = append(src, fmt.Sprintf("{\"id\":%d,\"text\":\"%x\"}", n, r.Uint64N(1<<r.IntN(60)))...)
		}
		src = src[:length]
		for _, options := range []zstd.EncoderOptions{{}, {Level: 1, Checksum: true}, {Level: 12}, {Dict: dict, Checksum: true}} {
			var packed bytes.Buffer
			e := zstd.NewEncoder(&packed, &options)
			write(e, e.Flush, src)
			decoder, err := klauspost.NewReader(&packed, klauspost.WithDecoderDicts(data))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(decoder); err != nil || !bytes.Equal(got, src) {
				t.Errorf("%d bytes, %+v: klauspost reads other bytes (%v)", length, options, err)
			}
			decoder.Close()
		}
		for _, options := range [][]klauspost.EOption{
			{klauspost.WithEncoderLevel(klauspost.SpeedFastest)},
			{klauspost.WithEncoderLevel(klauspost.SpeedBestCompression), klauspost.WithEncoderCRC(true)},
			{klauspost.WithEncoderDict(data), klauspost.WithZeroFrames(true)},
			{klauspost.WithEncoderPadding(1000)}, // adds frames that must be skipped
		} {
			var packed bytes.Buffer
			e, err := klauspost.NewWriter(&packed, options...)
			if err != nil {
				t.Fatal(err)
			}
			write(e, e.Flush, src)
			if got, err := io.ReadAll(zstd.NewDecoder(&packed, &zstd.DecoderOptions{Dict: dict})); err != nil || !bytes.Equal(got, src) {
				t.Errorf("%d bytes: klauspost's stream gives other bytes (%v)", length, err)
			}
		}
	}
}

// If klauspost decompresses a damaged frame, this package returns the same content. klauspost refuses more frames, because it also checks that all
// bits of a block are used.
func TestZstdAndKlauspostOnDamage(t *testing.T) {
	decoder, err := klauspost.NewReader(nil, klauspost.WithDecoderMaxMemory(1<<20), klauspost.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	r := rand.New(rand.NewPCG(5, 6))
	both, refused := 0, 0
	for _, name := range []string{"known.zst", "unknown.zst", "unchecked.zst", "frames.zst"} {
		packed, err := os.ReadFile("../zstd/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for range 500 {
			damaged := bytes.Clone(packed)
			damaged[r.IntN(len(damaged))] ^= 1 << r.IntN(8)
			theirs, err := decoder.DecodeAll(damaged, nil)
			ours, err2 := zstd.AppendDecompress(nil, damaged, 1<<20)
			streamed, err3 := io.ReadAll(zstd.NewDecoder(bytes.NewReader(damaged), nil))
			switch {
			case err == nil:
				both++
				if err2 != nil || err3 != nil || !bytes.Equal(theirs, ours) || !bytes.Equal(theirs, streamed) {
					t.Errorf("%s: klauspost: %d bytes; at once: %d bytes, %v; in a stream: %d bytes, %v", name, len(theirs), len(ours), err2, len(streamed), err3)
				}
			case err2 != nil && err3 != nil:
				refused++
			}
		}
	}
	if both == 0 || refused == 0 {
		t.Errorf("%d frames are decompressed by both, and %d are refused by both", both, refused)
	}
}
