package callcost_test

import (
	"bytes"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"rustgo.dev/go/rt"
	"rustgo.dev/packages/callcost"
	"rustgo.dev/packages/internal/panictest"
)

func TestIncrement(t *testing.T) {
	callcost.Nothing()
	for _, x := range []uint64{0, 1, 41, math.MaxUint32, math.MaxUint64 - 1, math.MaxUint64} {
		if got := callcost.Increment(x); got != x+1 {
			t.Errorf("Increment(%d) = %d", x, got)
		}
		if got := callcost.FramedIncrement(x); got != x+1 {
			t.Errorf("FramedIncrement(%d) = %d", x, got)
		}
	}
}

// TestAddLevel runs itself again at each level.
func TestAddLevel(t *testing.T) {
	want := uint64(1)
	switch rt.CPULevel() {
	case "x86-64-v3", "x86-64-v3+crypto", "x86-64-v4", "x86-64-v4+crypto":
		want = 3
	}
	for _, x := range []uint64{0, 41, math.MaxUint64} {
		if got := callcost.AddLevel(x); got != x+want {
			t.Errorf("AddLevel(%d) = %d, want %d", x, got, x+want)
		}
	}
	xs := []uint64{1, 2, 3, math.MaxUint64, 5, 6, 7, 8, 9}
	if got := callcost.Sum(xs); got != 40 {
		t.Errorf("Sum = %d at level %s", got, rt.CPULevel())
	}
	if os.Getenv("RUSTGO_CPU") != "" || runtime.GOARCH != "amd64" {
		return
	}
	for _, setting := range []string{"RUSTGO_CPU=x86-64", "RUSTGO_CPU=x86-64-v2", "RUSTGO_CPU=x86-64-v3", "GODEBUG=cpu.avx2=off"} {
		child := exec.Command(os.Args[0], "-test.run=^TestAddLevel$|^TestBlocking$|^TestPanic")
		child.Env = append(os.Environ(), "RUSTGO_CPU=x86-64-v4", setting)
		if out, err := child.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", setting, err, out)
		}
	}
}

func TestBlocking(t *testing.T) {
	for _, x := range []uint64{0, 41, math.MaxUint64} {
		if got := callcost.BlockingIncrement(x); got != x+1 {
			t.Errorf("BlockingIncrement(%d) = %d", x, got)
		}
	}
	xs := make([]uint64, 100)
	for i := range xs {
		xs[i] = rand.Uint64()
	}
	for n := range len(xs) { // more than 32 are more than 256 bytes
		if got, want := callcost.BlockingSum(xs[:n]), callcost.Sum(xs[:n]); got != want {
			t.Errorf("BlockingSum of %d numbers is %d, want %d", n, got, want)
		}
	}
	if got, want := callcost.BlockingSpin(100), callcost.Spin(100); got != want {
		t.Errorf("BlockingSpin(100) = %d, want %d", got, want)
	}
}

func TestSum(t *testing.T) {
	if got := callcost.Sum(nil); got != 0 {
		t.Errorf("Sum(nil) = %d", got)
	}
	xs := make([]uint64, 300)
	for i := range xs {
		xs[i] = rand.Uint64()
	}
	for i := range 10 {
		var want uint64
		for j := i; j <= len(xs); j++ {
			if got := callcost.Sum(xs[i:j]); got != want {
				t.Fatalf("Sum(xs[%d:%d]) = %d, want %d", i, j, got, want)
			}
			if j < len(xs) {
				want += xs[j]
			}
		}
	}
}

func TestDivmod(t *testing.T) {
	for range 10_000 {
		a, b := rand.Uint64()>>rand.IntN(64), rand.Uint64()>>rand.IntN(64)|1
		if q, r := callcost.Divmod(a, b); q != a/b || r != a%b {
			t.Fatalf("Divmod(%d, %d) = %d, %d", a, b, q, r)
		}
	}
}

func FuzzDivmod(f *testing.F) {
	f.Add(uint64(1), uint64(0))
	f.Add(uint64(math.MaxUint64), uint64(math.MaxUint32))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		var q, r uint64
		p := panictest.Panic(func() { q, r = callcost.Divmod(a, b) })
		if (p != nil) != (b == 0) {
			t.Fatalf("Divmod(%d, %d) panics: %v", a, b, p)
		}
		if hi, lo := bits.Mul64(q, b); b != 0 && (r >= b || hi != 0 || lo+r != a) {
			t.Errorf("Divmod(%d, %d) = %d, %d", a, b, q, r)
		}
	})
}

func TestCopyBytes(t *testing.T) {
	src := make([]byte, 400)
	for i := range src {
		src[i] = byte(i*7 + 1)
	}
	for n := range 300 {
		for offset := range 33 {
			dst := make([]byte, offset+n+32)
			want := bytes.Clone(dst)
			copy(want[offset:offset+n], src[offset/2:])
			if got := callcost.CopyBytes(dst[offset:offset+n], src[offset/2:]); got != n || !bytes.Equal(dst, want) {
				t.Fatalf("%d bytes at offset %d: copied %d", n, offset, got)
			}
		}
	}
	if got := callcost.CopyBytes(nil, src); got != 0 {
		t.Errorf("to nil: copied %d", got)
	}
	dst := make([]byte, 1<<20)
	big := bytes.Repeat([]byte("0123456789abcde"), 1<<20/15+1)[:1<<20]
	if got := callcost.CopyBytes(dst, big); got != 1<<20 || !bytes.Equal(dst, big) {
		t.Errorf("1 MiB: copied %d", got)
	}
}

func TestOverlap(t *testing.T) {
	b := make([]byte, 40)
	for i := range 21 {
		got := panictest.Message(func() { callcost.CopyBytes(b[10:20], b[i:i+10]) })
		if overlap := i > 0 && i < 20; overlap != (got == "parameters dst and src overlap") || !overlap && got != "" {
			t.Errorf("b[10:20] and b[%d:%d]: got panic %q", i, i+10, got)
		}
	}
	if got := panictest.Message(func() { callcost.CopyBytes(b[10:20], b[15:15]) }); got != "" {
		t.Errorf("nothing overlaps an empty slice, but got panic %q", got)
	}
}

// lineOf returns the number of the only line of rust/src/lib.rs with the text in it.
func lineOf(t *testing.T, text string) int {
	source, err := os.ReadFile("rust/src/lib.rs")
	if err != nil {
		t.Fatal(err)
	}
	before, after, ok := strings.Cut(string(source), text)
	if !ok || strings.Contains(after, text) {
		t.Fatalf("rust/src/lib.rs should have %q once", text)
	}
	return strings.Count(before, "\n") + 1
}

func TestPanics(t *testing.T) {
	for _, c := range []struct {
		call    func()
		message string
		at      string // in the source, on the line that panics
		export  string
	}{
		{func() { callcost.Divmod(1, 0) }, "attempt to divide by zero", "(a / b, a % b)", "Divmod"},
		{func() { callcost.BlockingDivmod(1, 0) }, "attempt to divide by zero", "(a / b, a % b)", "BlockingDivmod"},
		{func() { callcost.At([]uint64{7, 8}, 2) }, "index out of bounds: the len is 2 but the index is 2", "xs[i]", "rust_At"},
	} {
		p := panictest.Panic(c.call)
		if p == nil {
			t.Errorf("no panic, want %q", c.message)
			continue
		}
		if p.Message != c.message {
			t.Errorf("got message %q, want %q", p.Message, c.message)
		}
		if p.File != "rust/src/lib.rs" || p.Line != lineOf(t, c.at) || p.Column == 0 {
			t.Errorf("%s: got place %s:%d:%d, want rust/src/lib.rs:%d", c.message, p.File, p.Line, p.Column, lineOf(t, c.at))
		}
		if len(p.Frames) == 0 || p.Frames[len(p.Frames)-1].Function != "rustgo.dev/packages/callcost."+c.export {
			t.Errorf("%s: got frames %v, want the last to be %s", c.message, p.Frames, c.export)
		}
	}
}

func BenchmarkIncrement(b *testing.B) {
	var x uint64
	for range b.N {
		x = callcost.Increment(x)
	}
	if x != uint64(b.N) {
		b.Errorf("got %d", x)
	}
}

func BenchmarkFramedIncrement(b *testing.B) {
	var x uint64
	for range b.N {
		x = callcost.FramedIncrement(x)
	}
	if x != uint64(b.N) {
		b.Errorf("got %d", x)
	}
}
