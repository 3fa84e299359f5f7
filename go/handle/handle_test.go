package handle_test

import (
	"errors"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"rustgo.dev/go/handle"
)

// panicOf returns the value with which f panics, or nil.
func panicOf(f func()) (p any) {
	defer func() { p = recover() }()
	f()
	return nil
}

func wantInvalid(t *testing.T, h handle.Handle) {
	t.Helper()
	for name, f := range map[string]func(){"Value": func() { h.Value() }, "Delete": h.Delete} {
		if err, ok := panicOf(f).(handle.InvalidError); !ok || handle.Handle(err) != h {
			t.Errorf("%s of %#x panicked with %v, want InvalidError", name, uint64(h), err)
		}
	}
	if v, ok := h.Lookup(); ok || v != nil {
		t.Errorf("Lookup of %#x: got %v, %v", uint64(h), v, ok)
	}
}

func TestNewValueDelete(t *testing.T) {
	type pair struct{ a, b int }
	p := &pair{1, 2}
	for _, v := range []any{nil, 7, "text", 1.5, pair{3, 4}, p, struct{}{}, (*int)(nil), error(nil), [40]int{39: 1}} {
		h := handle.New(v)
		if h == 0 {
			t.Fatal("got the zero handle")
		}
		if got := h.Value(); got != v {
			t.Errorf("Value: got %v, want %v", got, v)
		}
		if got, ok := h.Lookup(); got != v || !ok {
			t.Errorf("Lookup: got %v, %v, want %v", got, ok, v)
		}
		if got := handle.Handle(uintptr(h)); ^uintptr(0)>>32 != 0 && got != h {
			t.Errorf("converted to uintptr and back, %#x became %#x", uint64(h), uint64(got))
		}
		wantInvalid(t, handle.Handle(uint32(h)))
		wantInvalid(t, handle.Handle(int32(h))&0xffff_ffff)
		h.Delete()
		wantInvalid(t, h)
	}
}

func TestInvalidHandles(t *testing.T) {
	handle.New(t)
	for _, h := range []handle.Handle{0, 1, 2, 1 << 32, 1<<64 - 1, 1 << 63, 0xc000012345} {
		wantInvalid(t, h)
	}
	for h, want := range map[handle.Handle]string{
		0:       "handle: the zero handle stands for nothing",
		0xabcde: "handle: 0xabcde stands for nothing: it was deleted, or not made in this process",
	} {
		if got := panicOf(func() { h.Value() }).(error).Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestOf(t *testing.T) {
	n := handle.NewOf(41)
	if n.Value() != 41 {
		t.Errorf("got %d", n.Value())
	}
	if v, ok := n.Lookup(); v != 41 || !ok {
		t.Errorf("got %d, %v", v, ok)
	}
	if v := handle.Handle(n).Value(); v != 41 {
		t.Errorf("got %v", v)
	}

	wrong := handle.Of[string](n)
	if _, ok := wrong.Lookup(); ok {
		t.Error("an int was found as a string")
	}
	var mismatch *runtime.TypeAssertionError
	if err, ok := panicOf(func() { wrong.Value() }).(error); !ok || !errors.As(err, &mismatch) {
		t.Errorf("panicked with %v", err)
	}

	n.Delete()
	if _, ok := n.Lookup(); ok {
		t.Error("found after Delete")
	}
	for _, f := range []func(){func() { n.Value() }, n.Delete, func() { handle.Of[io.Reader](0).Value() }} {
		if _, ok := panicOf(f).(handle.InvalidError); !ok {
			t.Errorf("panicked with %v", panicOf(f))
		}
	}
	if _, ok := handle.Of[any](0).Lookup(); ok {
		t.Error("the zero handle was found")
	}
}

func TestOfInterface(t *testing.T) {
	e := handle.NewOf(io.EOF)
	if e.Value() != io.EOF {
		t.Errorf("got %v", e.Value())
	}
	none := handle.NewOf[error](nil)
	if v, ok := none.Lookup(); v != nil || !ok || none.Value() != nil {
		t.Errorf("got %v, %v", v, ok)
	}
	if _, ok := handle.Of[int](none).Lookup(); ok {
		t.Error("nil was found as an int")
	}
	if _, ok := panicOf(func() { handle.Of[int](none).Value() }).(*runtime.TypeAssertionError); !ok {
		t.Error("nil was given as an int")
	}
	e.Delete()
	none.Delete()
}

func TestAllAndLen(t *testing.T) {
	before := handle.Len()
	mine := map[handle.Handle]int{}
	for i := range 3000 {
		mine[handle.New(i)] = i
	}
	if n := handle.Len(); n != before+3000 {
		t.Errorf("Len is %d, want %d", n, before+3000)
	}
	found := 0
	for h, v := range handle.All() {
		if i, ok := mine[h]; ok {
			if v != i {
				t.Errorf("%#x: got %v, want %d", uint64(h), v, i)
			}
			found++
			h.Delete() // the loop body may delete handles
			handle.New(h).Delete()
		}
	}
	if found != 3000 {
		t.Errorf("found %d of 3000", found)
	}
	if n := handle.Len(); n != before {
		t.Errorf("Len is %d, want %d", n, before)
	}
	h1, h2 := handle.New(1), handle.New(2)
	n := 0
	for range handle.All() {
		n++
		break
	}
	if n != 1 {
		t.Errorf("a loop that breaks at once ran %d times", n)
	}
	h1.Delete()
	h2.Delete()
}

// collected reports whether the collector frees the value to which p points within some 30 seconds.
func collected[T any](p weak.Pointer[T]) bool {
	for range 3000 {
		runtime.GC()
		if p.Value() == nil {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func TestValueStaysUntilDelete(t *testing.T) {
	type big struct{ b [1 << 12]byte }
	for range 20 {
		v := &big{}
		v.b[7] = 7
		p := weak.Make(v)
		cleaned := make(chan int, 1)
		runtime.AddCleanup(v, func(n int) { cleaned <- n }, 9)
		h := handle.New(v)
		v = nil
		for range 3 {
			runtime.GC()
		}
		if p.Value() == nil || h.Value().(*big).b[7] != 7 {
			t.Fatal("the value did not stay")
		}
		h.Delete()
		if !collected(p) {
			t.Fatal("the value stays after Delete")
		}
		if n := <-cleaned; n != 9 {
			t.Errorf("got %d", n)
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	v := new(int)
	h := handle.New(v)
	of := handle.NewOf(v)
	var sink any
	for name, f := range map[string]func(){
		"Value":      func() { sink = h.Value() },
		"Lookup":     func() { sink, _ = h.Lookup() },
		"Of.Value":   func() { v = of.Value() },
		"New+Delete": func() { h := handle.New(v); h.Delete() },
		"stale":      func() { handle.Handle(5).Lookup() },
	} {
		if n := testing.AllocsPerRun(1000, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
	_ = sink
	h.Delete()
	of.Delete()
}

func TestValueIsInlined(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("Value is made to be inlined on amd64; run this there")
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command on the PATH; put it there")
	}
	out, err := exec.Command(goTool, "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"can inline Handle.Value\n", "can inline (*table).lookup\n"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the compiler does not report %q", want)
		}
	}
}

func BenchmarkValue(b *testing.B) {
	h := handle.New(b)
	var v any
	for range b.N {
		v = h.Value()
	}
	if v != b {
		b.Fatal("wrong value")
	}
	h.Delete()
}

func BenchmarkLookup(b *testing.B) {
	h := handle.New(b)
	var v any
	for range b.N {
		v, _ = h.Lookup()
	}
	if v != b {
		b.Fatal("wrong value")
	}
	h.Delete()
}

func BenchmarkNewValueDelete(b *testing.B) {
	for range b.N {
		h := handle.New(b)
		if h.Value() != b {
			b.Fatal("wrong value")
		}
		h.Delete()
	}
}

func BenchmarkNewValueDeleteParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			h := handle.New(b)
			if h.Value() != b {
				panic("wrong value")
			}
			h.Delete()
		}
	})
}
