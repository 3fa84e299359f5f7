package promises

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
	"unsafe"

	"scratch/references"
)

// refused reports whether f panics with this message.
func refused(t *testing.T, f func(), words string) bool {
	t.Helper()
	value := caught(f)
	if value == nil {
		return false
	}
	if message := panicked(t, words, f).Message; !strings.Contains(message, words) {
		t.Errorf("%q, not %q", message, words)
	}
	return true
}

// A call with two slices of one array is refused if and only if the slices have a common element and Rust may write to one of the slices.
func TestOverlaps(t *testing.T) {
	const n = 6
	var array [n]uint64
	for a := range n + 1 {
		for b := a; b <= n; b++ {
			for c := range n + 1 {
				for d := c; d <= n; d++ {
					x, y := array[a:b], array[c:d]
					common := max(a, c) < min(b, d)
					if refused(t, func() { references.TwoMutable(x, y) }, "parameters a and b overlap") != common {
						t.Errorf("two mutable: %d:%d and %d:%d", a, b, c, d)
					}
					if refused(t, func() { references.MutableAndShared(x, y) }, "parameters a and b overlap") != common {
						t.Errorf("one mutable: %d:%d and %d:%d", a, b, c, d)
					}
					if refused(t, func() { references.Shared(x, y) }, "") {
						t.Errorf("none mutable: %d:%d and %d:%d", a, b, c, d)
					}
				}
			}
			if b-a != 3 {
				continue
			}
			for c := range n - 1 {
				first, last := (*[3]uint64)(array[a:b]), (*[2]uint64)(array[c:c+2])
				for d := range n + 1 {
					words := "overlap"
					some := d > 0 && (d > a || d > c) || max(a, c) < min(b, c+2)
					if refused(t, func() { references.ArrayAndSlice(first, array[:d], last) }, words) != some {
						t.Errorf("arrays at %d and %d, and %d words", a, c, d)
					}
				}
			}
		}
	}
	// A slice of bytes may overlap a value of another type.
	var words [4]uint64
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&words)), 32)
	runes := new([2]rune)
	for from := range 33 {
		for to := from; to <= 32; to++ {
			common := from < 24 && to > 8 && from < to
			if refused(t, func() { references.OtherTypes(bytes[from:to], words[1:3], "", runes) }, "overlap") != common {
				t.Errorf("bytes %d:%d", from, to)
			}
		}
	}
	clear(words[:])
	text := unsafe.String(&bytes[5], 3)
	if !refused(t, func() { references.OtherTypes(bytes[:6], nil, text, runes) }, "parameters a and c overlap") {
		t.Error("a text that is written")
	}
	clear(words[:])
	if !refused(t, func() { references.OtherTypes(nil, words[:], "", (*[2]rune)(unsafe.Pointer(&words[3]))) }, "parameters b and d overlap") {
		t.Error("an array that is written")
	}
}

func TestTexts(t *testing.T) {
	edges := []byte{0, 'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff}
	check := func(b []byte) {
		if got, want := refused(t, func() { references.Text(string(b)) }, "parameter s is not valid UTF-8"), !utf8.Valid(b); got != want {
			t.Fatalf("%x is refused: %v", b, got)
		}
	}
	limit := len(edges)
	if emulated || raced {
		limit = 4
	}
	for _, a := range edges {
		check([]byte{a})
		for _, b := range edges {
			check([]byte{a, b})
			for _, c := range edges[:limit] {
				check([]byte{a, b, c})
				check([]byte{0xf0, a, b, c})
				check(append([]byte("some text before it, long enough for words: "), a, b, c))
			}
		}
	}
}

func TestRunes(t *testing.T) {
	one, grid := [1]rune{'a'}, [][2]rune{{'a', 'b'}}
	for _, r := range []rune{-1, -1 << 31, 0, 'a', 0xd7ff, 0xd800, 0xdbff, 0xdfff, 0xe000, 0xfffe, 0x10ffff, 0x110000, 1<<31 - 1} {
		bad := !utf8.ValidRune(r)
		if refused(t, func() { references.Runes(r, nil, nil, &one) }, "parameter c is not a valid rune") != bad ||
			refused(t, func() { references.Runes('a', []rune{'b', r, 'c'}, nil, &one) }, "parameter all holds an invalid rune") != bad ||
			refused(t, func() { references.Runes('a', nil, append(grid, [2]rune{'a', r}), &one) }, "parameter grid holds an invalid rune") != bad ||
			refused(t, func() { references.Runes('a', nil, nil, &[1]rune{r}) }, "parameter one holds an invalid rune") != bad {
			t.Errorf("%#x", r)
		}
	}
	if references.Bools(true, []bool{true, false, true}, &[2]bool{false, true}) != 121 {
		t.Error("bools")
	}
}

func TestNilAndEmpty(t *testing.T) {
	if !refused(t, func() { references.Arrays(nil, new([5]byte)) }, "nil pointer passed for parameter a") ||
		!refused(t, func() { references.Arrays(new([3]uint64), nil) }, "nil pointer passed for parameter b") {
		t.Error("nil arrays")
	}
	if got := references.Empty(nil, nil, "", nil); got != 0 {
		t.Error(got)
	}
	some := make([]uint64, 3)
	if got := references.Empty(some[3:], []byte{}, "abc"[3:], make([][3]uint32, 2)); got != 6000 {
		t.Error(got)
	}
}

// Go passes memory on stacks that have moved, memory in objects that only the call keeps alive, and memory that lies beside other values.
func TestBorrowedFromEverywhere(t *testing.T) {
	var all sync.WaitGroup
	stop := make(chan bool)
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	for n := range times(200) {
		all.Add(1)
		go func() {
			defer all.Done()
			var onStack [300]byte
			deep(n % 30)
			for from := 0; from < 300; from += 1 + n%7 {
				to := min(from+n%50, 300)
				with := byte(from | 1)
				before := onStack
				references.Whole(onStack[from:to], with)
				for i, b := range onStack {
					if want := before[i]; i >= from && i < to && b != with || (i < from || i >= to) && b != want {
						t.Errorf("byte %d of %d:%d is %d", i, from, to, b)
						return
					}
				}
				// Only the call itself refers to this memory.
				references.Whole(make([]byte, 1+n*3), 5)
				text := append([]byte("a text of its own "), byte('a'+n%20))
				if references.Text(string(text)) == 0 {
					t.Error("wrong")
				}
			}
		}()
	}
	all.Wait()
	close(stop)
}
