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

// Each implementation reads the other's frames, with and without a dictionary.
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
				// Written in pieces, so without the length.
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

// Each implementation reads the other's streams.
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
			{klauspost.WithEncoderPadding(1000)}, // frames to skip
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
