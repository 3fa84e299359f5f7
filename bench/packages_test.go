package bench

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"
	xxh3zeebo "github.com/zeebo/xxh3"

	"rustgo.dev/bench/internal/processor"
	"rustgo.dev/packages/xxh3"
	rustzstd "rustgo.dev/packages/zstd"
)

// BenchmarkXXH3 hashes data in one call, and by writing the data to a hasher.
func BenchmarkXXH3(b *testing.B) {
	for _, size := range []int{0, 8, 64, 240, 256, 1 << 10, 4 << 10, 1 << 20} {
		data := bytes.Repeat([]byte{7}, size)
		run := func(name string, hash func()) {
			b.Run(fmt.Sprintf("%s/%s", sizeName(size), name), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				worked := processor.Time()
				for range b.N {
					hash()
				}
				processor.Report(b, processor.Time()-worked, b.N)
			})
		}
		run("at-once/rustgo", func() { xxh3.Sum64(data) })
		run("at-once/Go-zeebo", func() { xxh3zeebo.Hash(data) })
		run("hasher/rustgo", func() {
			var h xxh3.Hasher
			h.Write(data)
			h.Sum64()
		})
		run("hasher/Go-zeebo", func() {
			var h xxh3zeebo.Hasher
			h.Write(data)
			h.Sum64()
		})
	}
}

// BenchmarkStream compresses and decompresses streams of 1 MiB in pieces, in one goroutine.
func BenchmarkStream(b *testing.B) {
	var text bytes.Buffer
	for i := 0; text.Len() < 1<<20; i++ {
		fmt.Fprintf(&text, "{\"id\":%d,\"name\":\"item %x\",\"price\":%d.%02d}\n", i, i*2654435761, i%300, i*7%100)
	}
	src := text.Bytes()
	packed, err := rustzstd.AppendCompress(nil, src, 3)
	if err != nil {
		b.Fatal(err)
	}
	type encoder interface {
		io.WriteCloser
		Reset(io.Writer)
	}
	theirs, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(3)), zstd.WithEncoderCRC(false))
	if err != nil {
		b.Fatal(err)
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		b.Fatal(err)
	}
	ours, d := rustzstd.NewEncoder(nil, nil), rustzstd.NewDecoder(nil, nil)
	for _, piece := range []int{100, 32 << 10} {
		run := func(name string, call func()) {
			b.Run(fmt.Sprintf("pieces-%s/%s", sizeName(piece), name), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for range b.N {
					call()
				}
			})
		}
		compress := func(e encoder) {
			e.Reset(io.Discard)
			for rest := src; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
				if _, err := e.Write(rest[:min(piece, len(rest))]); err != nil {
					b.Fatal(err)
				}
			}
			if err := e.Close(); err != nil {
				b.Fatal(err)
			}
		}
		run("compress/rustgo", func() { compress(ours) })
		run("compress/Go-klauspost", func() { compress(theirs) })
		buffer, reader := make([]byte, piece), bytes.NewReader(nil)
		read := func(r io.Reader) {
			for {
				if _, err := r.Read(buffer); err == io.EOF {
					return
				} else if err != nil {
					b.Fatal(err)
				}
			}
		}
		run("decompress/rustgo", func() {
			reader.Reset(packed)
			d.Reset(reader)
			read(d)
		})
		run("decompress/Go-klauspost", func() {
			reader.Reset(packed)
			if err := decoder.Reset(reader); err != nil {
				b.Fatal(err)
			}
			read(decoder)
		})
	}
}
