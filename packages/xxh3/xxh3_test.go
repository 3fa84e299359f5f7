package xxh3_test

import (
	"bytes"
	"fmt"
	"hash"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"rustgo.dev/packages/internal/buildinfo"
	"rustgo.dev/packages/xxh3"
)

// rounds returns the number of repetitions in a test: n, or fewer with -short, because package fixtures/step single-steps such a run.
func rounds(n int) int {
	if testing.Short() {
		return max(1, n/30)
	}
	return n
}

// input returns the input that the tests of the xxHash repository use.
func input(n int) []byte {
	data := make([]byte, n)
	x := uint64(2654435761)
	for i := range data {
		data[i] = byte(x >> 56)
		x *= 11400714785074694797
	}
	return data
}

const seed = 0x9E3779B185EBCA8D

// vectors are test vectors of the xxHash repository.
var vectors = []struct {
	length       int
	hash, seeded uint64
}{
	{0, 0x2D06800538D394C2, 0xA8A6B918B2F0364A},
	{1, 0xC44BDFF4074EECDB, 0x032BE332DD766EF8},
	{6, 0x27B56A84CD2D7325, 0x84589C116AB59AB9},
	{12, 0xA713DAF0DFBB77E7, 0xE7303E1B2336DE0E},
	{24, 0xA3FE70BF9D3510EB, 0x850E80FC35BDD690},
	{48, 0x397DA259ECBA1F11, 0xADC2CBAA44ACC616},
	{80, 0xBCDEFBBB2C47C90A, 0xC6DD0CB699532E73},
	{195, 0xCD94217EE362EC3A, 0xBA68003D370CB3D9},
	{403, 0xCDEB804D65C6DEA4, 0x6259F6ECFD6443FD},
	{512, 0x617E49599013CB6B, 0x3CE457DE14C27708},
	{2048, 0xDD59E2C3A5F038E0, 0x66F81670669ABABC},
	{2240, 0x6E73A90539CF2948, 0x757BA8487D1B5247},
	{2367, 0xCB37AEB9E5D361ED, 0xD2DB3415B942B42A},
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		data := input(v.length)
		if got := xxh3.Sum64(data); got != v.hash {
			t.Errorf("%d bytes: %#x, want %#x", v.length, got, v.hash)
		}
		if got := xxh3.Sum64String(string(data)); got != v.hash {
			t.Errorf("a string of %d bytes: %#x, want %#x", v.length, got, v.hash)
		}
		if got := xxh3.Sum64Seed(data, seed); got != v.seeded {
			t.Errorf("%d bytes with a seed: %#x, want %#x", v.length, got, v.seeded)
		}
	}
	for _, v := range []struct {
		length int
		hi, lo uint64
	}{
		{0, 0x99AA06D3014798D8, 0x6001C324468D497F},
		{1, 0xA6CD5E9392000F6A, 0xC44BDFF4074EECDB},
		{6, 0x082AFE0B8162D12A, 0x3E7039BDDA43CFC6},
	} {
		if hi, lo := xxh3.Sum128(input(v.length)); hi != v.hi || lo != v.lo {
			t.Errorf("%d bytes: %#x %#x, want %#x %#x", v.length, hi, lo, v.hi, v.lo)
		}
	}
}

// Data that is written in pieces has the same hash as the whole data.
func TestPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	data := input(5000)
	var zero xxh3.Hasher
	var zero128 xxh3.Hasher128
	for _, s := range []uint64{0, seed} {
		h, h128 := xxh3.NewSeed(s), xxh3.NewSeed128(s)
		if s == 0 {
			h, h128 = &zero, &zero128
		}
		for range rounds(300) {
			n := r.IntN(len(data))
			h.Reset()
			h128.Reset()
			for rest := data[:n]; len(rest) > 0; {
				piece := rest[:1+r.IntN(min(len(rest), 400))]
				if r.IntN(2) == 0 {
					h.Write(piece)
					h128.WriteString(string(piece))
				} else {
					h.WriteString(string(piece))
					h128.Write(piece)
				}
				rest = rest[len(piece):]
			}
			if got, want := h.Sum64(), xxh3.Sum64Seed(data[:n], s); got != want {
				t.Fatalf("%d bytes: %#x, want %#x", n, got, want)
			}
			hi, lo := h128.Sum128()
			if wantHi, wantLo := xxh3.Sum128Seed(data[:n], s); hi != wantHi || lo != wantLo {
				t.Fatalf("%d bytes: %#x %#x, want %#x %#x", n, hi, lo, wantHi, wantLo)
			}
			if got, want := fmt.Sprintf("%x", h128.Sum(h.Sum([]byte("x")))), fmt.Sprintf("78%016x%016x%016x", h.Sum64(), hi, lo); got != want {
				t.Fatalf("got %s, want %s", got, want)
			}
		}
	}
}

// A copy of a hasher is independent of the original, wherever the copy lies in memory.
func TestCopies(t *testing.T) {
	data := input(3000)
	h := *xxh3.New()
	h.Write(data[:1000])
	copies := make([]struct {
		_ [1]byte
		h xxh3.Hasher
	}, 50)
	for i := range copies {
		copies[i].h = h
		copies[i].h.Write(data[1000 : 1000+i])
	}
	moved := append(copies[:50:50], copies...)
	for i := range moved {
		if got, want := moved[i].h.Sum64(), xxh3.Sum64(data[:1000+i%50]); got != want {
			t.Errorf("copy %d: %#x, want %#x", i, got, want)
		}
	}
	if got, want := h.Sum64(), xxh3.Sum64(data[:1000]); got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}

func TestNoAllocation(t *testing.T) {
	if buildinfo.Translated {
		t.Skip("a call of translated code allocates")
	}
	if !buildinfo.Optimised() {
		t.Skip("without inlining more escapes")
	}
	data := input(1000)
	var heap xxh3.Hasher
	for name, call := range map[string]func(){
		"a local Hasher":    func() { var h xxh3.Hasher; h.Write(data); h.Sum64() },
		"a local Hasher128": func() { var h xxh3.Hasher128; h.Write(data); h.Sum128() },
		"New":               func() { h := xxh3.New(); h.Write(data); h.Sum64() },
		"Write":             func() { heap.Write(data) },
		"Sum":               func() { var sum [8]byte; heap.Sum(sum[:0]) },
		"Sum64":             func() { xxh3.Sum64(data); xxh3.Sum128(data) },
	} {
		if n := testing.AllocsPerRun(100, call); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

// Hashers on the stacks of goroutines move when the stacks grow.
func TestGrowingStacks(t *testing.T) {
	data := input(2000)
	var wait sync.WaitGroup
	for g := range 8 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for n := range rounds(40) {
				var h xxh3.Hasher
				h.Write(data[:1000])
				grow(n)
				h.Write(data[1000 : 1000+g*100])
				if got, want := h.Sum64(), xxh3.Sum64(data[:1000+g*100]); got != want {
					t.Errorf("%#x, want %#x", got, want)
				}
			}
		}()
	}
	for range 10 {
		runtime.GC()
	}
	wait.Wait()
}

//go:noinline
func grow(n int) byte {
	var frame [1024]byte
	if n == 0 {
		return 0
	}
	frame[n] = grow(n - 1)
	return frame[n]
}

func FuzzPieces(f *testing.F) {
	f.Add([]byte("some text"), uint64(1), uint16(3))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64, at uint16) {
		cut := min(int(at), len(data))
		h, h128 := xxh3.NewSeed(seed), xxh3.NewSeed128(seed)
		for _, h := range []hash.Hash{h, h128} {
			h.Write(data[:cut])
			h.Sum(nil)
			h.Write(data[cut:])
		}
		if got, want := h.Sum64(), xxh3.Sum64Seed(data, seed); got != want {
			t.Errorf("%#x, want %#x", got, want)
		}
		hi, lo := h128.Sum128()
		if wantHi, wantLo := xxh3.Sum128Seed(data, seed); hi != wantHi || lo != wantLo {
			t.Errorf("%#x %#x, want %#x %#x", hi, lo, wantHi, wantLo)
		}
	})
}

func ExampleHasher() {
	var h xxh3.Hasher
	fmt.Fprintf(&h, "%d bottles of beer", 99)
	fmt.Printf("%016x\n", h.Sum64())
	fmt.Println(h.Sum64() == xxh3.Sum64([]byte("99 bottles of beer")))
	// Output:
	// 51daa7d59636a699
	// true
}

func BenchmarkSum64(b *testing.B) {
	for _, n := range []int{8, 64, 1 << 10, 64 << 10} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			data := bytes.Repeat([]byte{1}, n)
			b.SetBytes(int64(n))
			for range b.N {
				xxh3.Sum64(data)
			}
		})
	}
}

func BenchmarkHasher(b *testing.B) {
	for _, n := range []int{8, 64, 1 << 10, 64 << 10} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			data := bytes.Repeat([]byte{1}, n)
			b.SetBytes(int64(n))
			var h xxh3.Hasher
			for range b.N {
				h.Write(data)
			}
		})
	}
}
