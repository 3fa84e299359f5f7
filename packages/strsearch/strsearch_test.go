package strsearch_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"rustgo.dev/packages/strsearch"
)

func check(t *testing.T, haystack, needle []byte) {
	t.Helper()
	if got, want := strsearch.Index(haystack, needle), bytes.Index(haystack, needle); got != want {
		t.Fatalf("Index(%q, %q) = %d, want %d", haystack, needle, got, want)
	}
	if got, want := strsearch.LastIndex(haystack, needle), bytes.LastIndex(haystack, needle); got != want {
		t.Fatalf("LastIndex(%q, %q) = %d, want %d", haystack, needle, got, want)
	}
	want := len(haystack) + 1 // package bytes counts runes
	if len(needle) > 0 {
		want = bytes.Count(haystack, needle)
	}
	if got := strsearch.Count(haystack, needle); got != want {
		t.Fatalf("Count(%q, %q) = %d, want %d", haystack, needle, got, want)
	}
	var a, b, c byte
	if len(needle) > 2 {
		a, b, c = needle[0], needle[1], needle[2]
	}
	if got, want := strsearch.IndexByte(haystack, a), bytes.IndexByte(haystack, a); got != want {
		t.Fatalf("IndexByte(%q, %q) = %d, want %d", haystack, a, got, want)
	}
	if got, want := strsearch.LastIndexByte(haystack, a), bytes.LastIndexByte(haystack, a); got != want {
		t.Fatalf("LastIndexByte(%q, %q) = %d, want %d", haystack, a, got, want)
	}
	want3 := -1
	for i, x := range haystack {
		if x == a || x == b || x == c {
			want3 = i
			break
		}
	}
	if got := strsearch.IndexByte3(haystack, a, b, c); got != want3 {
		t.Fatalf("IndexByte3(%q, %q, %q, %q) = %d, want %d", haystack, a, b, c, got, want3)
	}
}

func TestEdges(t *testing.T) {
	for _, haystack := range []string{"", "a", "aa", "ab", "abcabcabc", "\x00\xff\x00"} {
		for _, needle := range []string{"", "a", "b", "bc", "abc", "abcabcabc", "abcabcabcd", "\xff\x00"} {
			check(t, []byte(haystack), []byte(needle))
		}
	}
	check(t, nil, nil)
}

// TestRandom searches texts of few letters, so that there is much to find, of lengths about those at which the
// algorithm changes.
func TestRandom(t *testing.T) {
	for range 20_000 {
		letters := 1 + rand.IntN(4)
		haystack := make([]byte, rand.IntN(300))
		for i := range haystack {
			haystack[i] = 'a' + byte(rand.IntN(letters))
		}
		needle := make([]byte, rand.IntN(12))
		for i := range needle {
			needle[i] = 'a' + byte(rand.IntN(letters))
		}
		if from := rand.IntN(len(haystack) + 1); rand.IntN(2) == 0 {
			needle = haystack[from : from+rand.IntN(len(haystack)-from+1)]
		}
		check(t, haystack, needle)
	}
}

func TestLong(t *testing.T) {
	haystack := bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog. "), 3000)
	copy(haystack[len(haystack)/2:], "five boxing wizards")
	for _, needle := range []string{"five boxing wizards", "lazy dog. the quick", "dog. the quick brown fox jumps over the lazy dogs", "!", "the"} {
		check(t, haystack, []byte(needle))
	}
	check(t, haystack, haystack[1000:90_000])
	// Quadratic for a naive search.
	check(t, bytes.Repeat([]byte{'a'}, 20_000), append(bytes.Repeat([]byte{'a'}, 1000), 'b'))
}

func FuzzSearch(f *testing.F) {
	f.Add([]byte("a rose is a rose"), []byte("rose"))
	f.Fuzz(func(t *testing.T, haystack, needle []byte) { check(t, haystack, needle) })
}

func BenchmarkIndex(b *testing.B) {
	haystack := bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog. "), 3000)
	needle := []byte("five boxing wizards")
	for name, index := range map[string]func(haystack, needle []byte) int{"rust": strsearch.Index, "bytes": bytes.Index} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(haystack)))
			for range b.N {
				index(haystack, needle)
			}
		})
	}
}
