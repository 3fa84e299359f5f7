package tests

import (
	"math/rand/v2"
	"testing"

	zeebo "github.com/zeebo/xxh3"

	"rustgo.dev/packages/xxh3"
)

func checkXXH3(t *testing.T, data []byte, seed uint64, cut int) {
	t.Helper()
	if got, want := xxh3.Sum64(data), zeebo.Hash(data); got != want {
		t.Errorf("%d bytes: %#x, want %#x", len(data), got, want)
	}
	if got, want := xxh3.Sum64Seed(data, seed), zeebo.HashSeed(data, seed); got != want {
		t.Errorf("%d bytes, seed %#x: %#x, want %#x", len(data), seed, got, want)
	}
	hi, lo := xxh3.Sum128Seed(data, seed)
	if want := zeebo.Hash128Seed(data, seed); hi != want.Hi || lo != want.Lo {
		t.Errorf("%d bytes, seed %#x: %#x %#x, want %#x", len(data), seed, hi, lo, want)
	}
	ours, theirs := xxh3.NewSeed(seed), zeebo.NewSeed(seed)
	ours.Write(data[:cut])
	ours.Write(data[cut:])
	theirs.Write(data[:cut])
	theirs.Write(data[cut:])
	if got, want := ours.Sum([]byte("x")), theirs.Sum([]byte("x")); string(got) != string(want) {
		t.Errorf("%d bytes, seed %#x, cut at %d: %x, want %x", len(data), seed, cut, got, want)
	}
}

func TestXXH3(t *testing.T) {
	data := randomBytes(1 << 20)
	for n := range 1100 {
		checkXXH3(t, data[:n], rand.Uint64(), rand.IntN(n+1))
	}
	for range 100 {
		n := rand.IntN(len(data))
		checkXXH3(t, data[:n], rand.Uint64(), rand.IntN(n+1))
	}
}

func FuzzXXH3(f *testing.F) {
	f.Add([]byte("some text"), uint64(1), uint16(3))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64, cut uint16) {
		checkXXH3(t, data, seed, min(int(cut), len(data)))
	})
}
