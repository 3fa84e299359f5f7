//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"rustgo.dev/fastcgo/internal/ctest"
)

type name string

// The C function returns the address of the copy plus one. So the result is the argument without its first byte.
func TestText(t *testing.T) {
	if how == wayNone {
		t.Skip("no calls: see TestWay")
	}
	eachWayOfBind(func(opts ...Option) {
		tail := Bind[func(string) string](ctest.Increment, opts...)
		for n := range 100 {
			s := strings.Repeat("é", n) + strings.Repeat("z", n) + "\n"
			if got := tail(s); got != s[1:] {
				t.Errorf("got %q, want %q", got, s[1:])
			}
		}
		if got := Bind[func(name) name](ctest.Increment, opts...)("abc"); got != "bc" {
			t.Errorf("a named string: %q", got)
		}
		if got := Bind[func(uint64) string](ctest.Increment, opts...)(^uint64(0)); got != "" {
			t.Errorf("NULL is %q", got)
		}
		text := []byte("12345\x00")
		from := Bind[func(*byte) string](ctest.Increment, opts...)
		got := from(&text[0])
		copy(text, "xxxxx")
		if got != "2345" {
			t.Errorf("the result is not a copy: %q", got)
		}
	})
}

// The signatures place strings in registers and on the stack, in Go and in C. On amd64 one signature passes a word in a register, although a string
// before the word is on the stack.
func TestTextsInEveryPlace(t *testing.T) {
	if how == wayNone {
		t.Skip("no calls: see TestWay")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the copies stay until the test has read them
	type s = string
	eachWayOfBind(func(opts ...Option) {
		check := func(want ...any) {
			t.Helper()
			for i, w := range recordedWords()[:len(want)] {
				switch want := want[i].(type) {
				case int:
					if int64(w) != int64(want) {
						t.Errorf("argument %d is %#x, want %d", i+1, w, want)
					}
				case string:
					if got := goText(pointer(uintptr(w))); got != want {
						t.Errorf("argument %d is %q, want %q", i+1, got, want)
					}
				}
			}
		}
		Bind[func(a, b, c, d, e, f, g, h, i, j, k, l s)](ctest.Record, opts...)("a", "bb", "", "d", "e", "f", "g", "h", "i", "", "k", "l")
		check("a", "bb", "", "d", "e", "f", "g", "h", "i", "", "k", "l")
		Bind[func(a, b, c, d, e s, f int64, g s, h int64, i s, j *int, k, l s)](ctest.Record, opts...)("a", "b", "c", "d", "e", 6, "g", -8, "i", nil, "k", "l")
		check("a", "b", "c", "d", "e", 6, "g", -8, "i", 0, "k", "l")
		Bind[func(a int64, b, c, d, e s, f, g, h, i, j int64, k s, l int64)](ctest.Record, opts...)(-1, "b", "c", "d", "e", 6, 7, 8, 9, 10, "k", -12)
		check(-1, "b", "c", "d", "e", 6, 7, 8, 9, 10, "k", -12)
	})
}

func TestTextWithNULIsRefused(t *testing.T) {
	ctest.Recorded.SP = 0
	defer func() {
		if p, want := recover(), "fastcgo: argument 2 has a NUL byte at index 3, where C would end the string"; p != want {
			t.Errorf("panic %q, want %q", p, want)
		}
		if ctest.Recorded.SP != 0 {
			t.Error("C was called")
		}
	}()
	Bind[func(int, string)](ctest.Record)(1, "abc\x00def")
}

// While C runs, nothing in Go refers to the copy of a string. C returns the copy after two collections. If the collector freed the copy, its memory
// would be reused.
func TestTextStaysAliveInBlockingCalls(t *testing.T) {
	if how == wayNone {
		t.Skip("no calls: see TestWay")
	}
	hold := Bind[func(words *uint64, steps uint64, s string) string](ctest.Hold, Blocking())
	for round := range 20 {
		want := strings.Repeat("text", 4+round)
		meeting = [2]uint64{}
		got := make(chan string)
		go func() { got <- hold(&meeting[0], 1<<40, want) }()
		for atomic.LoadUint64(&meeting[0]) == 0 {
			runtime.Gosched()
		}
		var others [][]byte
		for range 2 {
			runtime.GC()
			for range 1000 {
				others = append(others, bytes.Repeat([]byte{'x'}, len(want)+1))
			}
		}
		atomic.StoreUint64(&meeting[1], 1)
		if got := <-got; got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
		runtime.KeepAlive(others)
	}
}

// The copies of all arguments take one allocation. (In cgo's way a call takes another one.)
func TestTextAllocations(t *testing.T) {
	if how == wayNone {
		t.Skip("no calls: see TestWay")
	}
	args := Bind[func(a, b, c string) uint64](ctest.Increment)
	if n := testing.AllocsPerRun(100, func() { args("a", "b", "c") }); n != 1 && how != wayCgo {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkBoundText(b *testing.B) {
	f := Bind[func(string) unsafe.Pointer](ctest.Increment)
	for range b.N {
		f("a short text")
	}
}
