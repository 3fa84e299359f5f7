package blake3_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"rustgo.dev/packages/blake3"
)

func TestHasher(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var zero blake3.Hasher
	hashers := []*blake3.Hasher{&zero, blake3.New(), blake3.NewKeyed((*[32]byte)([]byte(key))), blake3.NewDeriveKey(context)}
	for _, v := range vectors {
		for i, h := range hashers {
			want := []string{v.hash, v.hash, v.keyed, v.derived}[i]
			for rest := input(v.length); len(rest) > 0; {
				n := 1 + r.IntN(min(len(rest), 1500))
				if written, err := h.Write(rest[:n]); written != n || err != nil {
					t.Fatal(written, err)
				}
				rest = rest[n:]
			}
			for range 2 { // Sum must change nothing
				if got := hex.EncodeToString(h.Sum([]byte("x"))); got != "78"+want {
					t.Errorf("hasher %d, %d bytes: got %s, want %s", i, v.length, got, want)
				}
			}
			output, err := io.ReadAll(io.LimitReader(h.XOF(), 32))
			if got := hex.EncodeToString(output); got != want || err != nil {
				t.Errorf("hasher %d, %d bytes: the output begins with %s (%v), want %s", i, v.length, got, err, want)
			}
			h.Reset()
		}
	}
}

func TestOutputReader(t *testing.T) {
	msg := input(1025)
	want := make([]byte, 5000)
	blake3.XOF(want, msg)
	h := blake3.New()
	h.Write(msg)
	reader := h.XOF()
	h.Write(msg) // must not change the output reader
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		at := r.IntN(len(want))
		piece := make([]byte, r.IntN(len(want)-at))
		copied := *reader
		if got, err := copied.Seek(int64(at), io.SeekStart); got != int64(at) || err != nil {
			t.Fatal(got, err)
		}
		copied.Read(piece)
		if !bytes.Equal(piece, want[at:][:len(piece)]) {
			t.Fatalf("the %d bytes from %d on differ", len(piece), at)
		}
		if got, err := copied.Seek(-int64(len(piece)), io.SeekCurrent); got != int64(at) || err != nil {
			t.Fatal(got, err)
		}
	}
}

// Seek accepts positions from 0 to 2⁶³-1. Read may go beyond these positions.
func TestSeek(t *testing.T) {
	const most = math.MaxInt64
	const message = "blake3: OutputReader.Seek: "
	const outOfRange, noEnd, whence = message + "position out of range", message + "the output has no end", message + "invalid whence"
	for _, c := range []struct {
		start  int64 // the first position
		read   int   // number of bytes read from start before the call of Seek
		offset int64
		whence int
		want   int64
		err    string
	}{
		{0, 0, 0, io.SeekStart, 0, ""},
		{5, 9, most, io.SeekStart, most, ""},
		{5, 9, -1, io.SeekStart, 0, outOfRange},
		{5, 9, math.MinInt64, io.SeekStart, 0, outOfRange},
		{0, 0, most, io.SeekCurrent, most, ""},
		{0, 0, -1, io.SeekCurrent, 0, outOfRange},
		{5, 9, -14, io.SeekCurrent, 0, ""},
		{5, 9, -15, io.SeekCurrent, 0, outOfRange},
		{5, 9, math.MinInt64, io.SeekCurrent, 0, outOfRange},
		{5, 9, most - 14, io.SeekCurrent, most, ""},
		{5, 9, most - 13, io.SeekCurrent, 0, outOfRange},
		{most, 0, most, io.SeekCurrent, 0, outOfRange},
		{most, 100, 0, io.SeekCurrent, 0, outOfRange},
		{most, 100, most, io.SeekCurrent, 0, outOfRange},
		{most, 100, -99, io.SeekCurrent, 0, outOfRange},
		{most, 100, -100, io.SeekCurrent, most, ""},
		{most, 100, math.MinInt64, io.SeekCurrent, 99, ""},
		{5, 9, 0, io.SeekEnd, 0, noEnd},
		{5, 9, -1, io.SeekEnd, 0, noEnd},
		{5, 9, 0, 7, 0, whence},
		{5, 9, 0, -1, 0, whence},
	} {
		reader := blake3.New().XOF()
		reader.Seek(c.start, io.SeekStart)
		reader.Read(make([]byte, c.read))
		before := *reader
		got, err := reader.Seek(c.offset, c.whence)
		if got != c.want || err == nil != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("from %d, after %d bytes: Seek(%d, %d) = %d, %v, want %d, %s", c.start, c.read, c.offset, c.whence, got, err, c.want, c.err)
		}
		// The next bytes come from the position that Seek has returned. If Seek has returned an error, they come from the previous position.
		if err == nil {
			before = *blake3.New().XOF()
			before.Seek(c.want, io.SeekStart)
		}
		var next, want [70]byte
		reader.Read(next[:])
		before.Read(want[:])
		if next != want {
			t.Errorf("from %d, after %d bytes: Seek(%d, %d) leads elsewhere", c.start, c.read, c.offset, c.whence)
		}
	}
}

func FuzzHasher(f *testing.F) {
	f.Add([]byte("abc"), uint16(1), uint16(100))
	f.Fuzz(func(t *testing.T, msg []byte, cut, n uint16) {
		at := min(int(cut), len(msg))
		var h blake3.Hasher
		h.Write(msg[:at])
		h.Write(msg[at:])
		got, want := make([]byte, n), make([]byte, n)
		h.XOF().Read(got)
		blake3.XOF(want, msg)
		if !bytes.Equal(got, want) {
			t.Errorf("%x, cut at %d: got %x, want %x", msg, at, got, want)
		}
	})
}

func ExampleHasher() {
	var h blake3.Hasher
	fmt.Fprint(&h, "a message ")
	fmt.Fprint(&h, "in pieces")
	fmt.Printf("%x\n", h.Sum(nil)[:8])

	stream := make([]byte, 8)
	io.ReadFull(h.XOF(), stream)
	fmt.Printf("%x\n", stream)
	// Output:
	// 900b25e9212eb56e
	// 900b25e9212eb56e
}
