package tests

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	zeebo "github.com/zeebo/blake3"
	lukechampine "lukechampine.com/blake3"

	"rustgo.dev/packages/blake3"
)

func randomBytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	return b
}

func checkBLAKE3(t *testing.T, key [32]byte, context string, msg []byte, outputLength int) {
	t.Helper()
	var got [32]byte
	blake3.Sum256(&got, msg)
	if l, z := lukechampine.Sum256(msg), zeebo.Sum256(msg); got != l || got != z {
		t.Errorf("hash of %d bytes: got %x, lukechampine.com/blake3 %x, zeebo/blake3 %x", len(msg), got, l, z)
	}

	blake3.KeyedSum256(&got, &key, msg)
	h := lukechampine.New(32, key[:])
	h.Write(msg)
	if want := h.Sum(nil); !bytes.Equal(got[:], want) {
		t.Errorf("keyed hash of %d bytes: got %x, want %x", len(msg), got, want)
	}

	blake3.DeriveKey(&got, context, msg)
	var want [32]byte
	lukechampine.DeriveKey(want[:], context, msg)
	if got != want {
		t.Errorf("key for %q from %d bytes: got %x, want %x", context, len(msg), got, want)
	}

	long, wantLong := make([]byte, outputLength), make([]byte, outputLength)
	blake3.XOF(long, msg)
	x := lukechampine.New(32, nil)
	x.Write(msg)
	x.XOF().Read(wantLong)
	if !bytes.Equal(long, wantLong) {
		t.Errorf("%d bytes of extended output for %d bytes: got %x, want %x", outputLength, len(msg), long, wantLong)
	}
}

// TestBLAKE3 hashes messages of all lengths up to four blocks (of 64 bytes), of lengths near each multiple of a chunk (1 KiB) up to 64 chunks, of
// random lengths, and of at least 1 MiB. The code may hash several chunks at the same time.
func TestBLAKE3(t *testing.T) {
	msg := randomBytes(5 << 20)
	key := [32]byte(randomBytes(32))
	var lengths []int
	for n := range 260 {
		lengths = append(lengths, n)
	}
	for chunks := 1; chunks <= 64; chunks++ {
		lengths = append(lengths, chunks<<10-1, chunks<<10, chunks<<10+1, chunks<<10+65)
	}
	for range 200 {
		lengths = append(lengths, rand.IntN(200_000))
	}
	lengths = append(lengths, 1<<20, 1<<20+1, len(msg))
	for _, n := range lengths {
		checkBLAKE3(t, key, "rustgo.dev 2026 tests context", msg[:n], rand.IntN(300))
	}
}

func FuzzBLAKE3(f *testing.F) {
	f.Add([]byte("key"), "context", []byte("message"), uint16(100))
	f.Fuzz(func(t *testing.T, key []byte, context string, msg []byte, n uint16) {
		var k [32]byte
		copy(k[:], key)
		if utf8.ValidString(context) {
			checkBLAKE3(t, k, context, msg, int(n))
		}
	})
}
