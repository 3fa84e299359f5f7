package rows

import (
	"strings"
	"sync"
	"testing"
)

// A pair has two concurrent calls that use shared memory in a forbidden way (racy), and two that use it in an allowed way (right). The pairs share
// no memory with each other, because the detector reports only one race for an address.
type pair struct {
	name   string
	racy   [2]func()
	right  [2]func()
	report string // the generated function that the report must name
}

func pairs() []pair {
	xs := make([]float64, 9)
	dst, src := make([]uint16, 4), make([]uint16, 4)
	keys, key := [2][3]byte{}, [3]byte{1, 2, 3}
	a, b, c, d := uint16(1), 'b', uint64(2), [3]bool{}
	p, q := Point{Kind: ColorRed}, Point{Kind: ColorRed}
	text := []byte("a b c")
	points := []Point{{Kind: ColorRed}, {Kind: ColorRed}}
	words := []string{"a", "b"}
	list := []uint16{1, 2}
	lists := [][]uint32{{1}, {2}}
	appended := make([]byte, 0, 64)
	var hasher Hasher
	read := func(x *byte) func() { return func() { use(*x) } }
	return []pair{
		{"slice written, and read by Go", [2]func(){func() { Scale(xs, 2) }, func() { use(xs[8]) }}, [2]func(){func() { Scale(xs[:8], 2) }, func() { use(xs[8]) }}, "Scale()"},
		{"slice read, and written by Go", [2]func(){func() { Mix(dst, src, &keys, &key) }, func() { src[3] = 1 }}, [2]func(){func() { Mix(dst, src, &keys, &key) }, func() { use(src[3] + uint16(key[0])) }}, "Mix()"},
		{"array written, and read by Go", [2]func(){func() { Mix(nil, nil, &keys, &key) }, read(&keys[1][2])}, [2]func(){func() { Mix(nil, nil, &keys, &key) }, read(&key[2])}, "Mix()"},
		{"pointer written by both", [2]func(){func() { Pointers(&a, &b, nil, nil) }, func() { Pointers(&a, &b, nil, nil) }}, [2]func(){func() { Pointers(&a, &b, nil, nil) }, func() { use(b) }}, "Pointers()"},
		{"pointer read, and written by Go", [2]func(){func() { Pointers(new(uint16), &b, &c, nil) }, func() { c = 3 }}, [2]func(){func() { Pointers(new(uint16), &b, &c, nil) }, func() { use(c) }}, "Pointers()"},
		{"optional pointer written", [2]func(){func() { Pointers(new(uint16), &b, nil, &d) }, func() { use(d[2]) }}, [2]func(){func() { Pointers(new(uint16), &b, nil, nil) }, func() { d[2] = true }}, "Pointers()"},
		{"struct written by a method", [2]func(){func() { p.Scale(2) }, func() { use(p.N) }}, [2]func(){func() { p.Norm() }, func() { use(p.N) }}, "(*Point).Scale()"},
		{"struct read by a method", [2]func(){func() { q.Norm() }, func() { q.N = 2 }}, [2]func(){func() { q.Norm() }, func() { q.Norm() }}, "(*Point).Norm()"},
		{"elements that are structs", [2]func(){func() { SumPoints(points, q, &Point{Kind: ColorRed}) }, func() { points[1].N = 1 }}, [2]func(){func() { SumPoints(points, q, &Point{Kind: ColorRed}) }, func() { use(points[1].N) }}, "SumPoints()"},
		{"strings in a slice", [2]func(){func() { Join(words, nil, "", nil, nil) }, func() { words[1] = "c" }}, [2]func(){func() { Join(words, nil, "", nil, nil) }, func() { use(words[1]) }}, "Join()"},
		{"slices in a slice", [2]func(){func() { Join(nil, lists, "", nil, nil) }, func() { lists[1][0] = 3 }}, [2]func(){func() { Join(nil, lists, "", nil, nil) }, func() { use(lists[1][0]) }}, "Join()"},
		{"list that is copied", [2]func(){func() { Join(nil, nil, "", list, nil) }, func() { list[0] = 3 }}, [2]func(){func() { Join(nil, nil, "", list, nil) }, func() { use(list[0]) }}, "Join()"},
		{"spare capacity appended to", [2]func(){func() { AppendHex(appended, 1, 4) }, read(&appended[:4][3])}, [2]func(){func() { AppendHex(appended, 1, 4) }, read(&appended[:5][4])}, "AppendHex()"},
		{"inline object written by both", [2]func(){func() { hasher.Write(text) }, func() { hasher.Write(text) }}, [2]func(){func() { new(Hasher).Write(text) }, func() { new(Hasher).Write(text) }}, "(*Hasher).Write()"},
	}
}

// use makes the compiler read a value.
//
//go:noinline
func use[T any](T) {}

// together runs both calls at the same time, in two goroutines.
func together(calls [2]func()) {
	var both sync.WaitGroup
	for _, call := range calls {
		both.Add(1)
		go func() {
			defer both.Done()
			call()
		}()
	}
	both.Wait()
}

func TestRacy(t *testing.T) {
	for _, pair := range pairs() {
		t.Run(strings.ReplaceAll(pair.name, " ", "-")+"/"+pair.report, func(*testing.T) { together(pair.racy) })
	}
}

func TestRight(t *testing.T) {
	for _, pair := range pairs() {
		t.Run(strings.ReplaceAll(pair.name, " ", "-"), func(*testing.T) { together(pair.right) })
	}
}
