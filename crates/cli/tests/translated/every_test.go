package every

import (
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/every/internal/rustgo/handle"
	"example.com/every/internal/rustgo/rt"
)

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if g, w := fmt.Sprintf("%#v", got), fmt.Sprintf("%#v", want); g != w {
		t.Errorf("%s = %s, want %s", what, g, w)
	}
}

// panicked returns the Rust panic of a call.
func panicked(call func()) (p *rt.Panic) {
	defer func() { p, _ = recover().(*rt.Panic) }()
	call()
	return nil
}

func TestNumbers(t *testing.T) {
	a, b, c, d, e, f, g, h := Numbers(1, -2, 0x01020304, 1<<40, 1.5, -3, true, 'z')
	equal(t, "Numbers", fmt.Sprint(a, b, c, d, e, f, g, h), fmt.Sprint(254, 2, 0x02030401, int64(1<<40-1), 3, -1.5, false, 'Z'))
	equal(t, "Sum", Sum([]uint64{1 << 60, 5}), uint64(1<<60+5))
	x, y, z := Sizes(1, -3, []uint{4, 5})
	equal(t, "Sizes", fmt.Sprint(x, y, z), "2 -2 [5 6]")
	var n uint32 = 6
	v, ok := Maybe(&n)
	w, no := Maybe(nil)
	equal(t, "Maybe", fmt.Sprint(v, ok, w, no), "7 true 0 false")
	equal(t, "Limit", Limit, 100)
}

func TestSlices(t *testing.T) {
	xs := []uint32{1, 2, 1 << 31}
	Double(xs[:2])
	equal(t, "Double", xs, []uint32{2, 4, 1 << 31})
	dst := [4]byte{1, 2, 3, 4}
	Xor(&dst, &[4]byte{1, 1, 1, 1})
	equal(t, "Xor", dst, [4]byte{0, 3, 2, 5})
	data := []uint16{1, 2, 3}
	tail := Tail(data, 2)
	tail[0] = 9
	equal(t, "Tail", data, []uint16{1, 9, 3})
	points := []Point{{X: 1, Y: -2, Color: ColorRed, Marks: [3]uint16{1, 2, 3}}}
	first := Mirror(points, Point{X: 7, Color: ColorRed})
	equal(t, "Mirror", points, []Point{{X: -2, Y: 1, Color: ColorRed, Marks: [3]uint16{3, 2, 1}}})
	equal(t, "Mirror", first, Point{X: 7, Color: ColorBlue})
	equal(t, "AppendHex", string(AppendHex([]byte("0x"), 0xabcdef0123)), "0xabcdef0123")
	room := append(make([]byte, 0, 64), "0x"...)
	equal(t, "AppendHex", string(AppendHex(room, 255)), "0xff")
	equal(t, "AppendHex", string(room[:4]), "0xff")
	// The bytes to append may lie within the length of dst, but not beyond it, in the unused part of its capacity.
	equal(t, "AppendTwice", string(AppendTwice(room, room[1:2])), "0xxx")
	equal(t, "AppendTwice", string(AppendTwice(room[:2:3], room[:2])), "0x0x0x")
	words := append(make([]uint16, 0, 64), 7, 8)
	equal(t, "AppendBefore", AppendBefore([]byte{1, 2}, words), []uint16{7, 8, 1, 2, 1, 2})
	equal(t, "AppendBefore", AppendBefore([]byte{1}, words[:2:2]), []uint16{7, 8, 1, 1})
	equal(t, "AppendTimes", AppendTimes([]byte{9}, 3), []byte{9, 0, 1, 2})
	if p := panicked(func() { AppendTwice(room[:2], room[1:4]) }); p == nil {
		t.Error("AppendTwice: bytes in the rest of the capacity are accepted")
	}
}

func TestHandles(t *testing.T) {
	failure := handle.NewOf(error(syscall.ENOENT))
	defer failure.Delete()
	equal(t, "Same", Same(failure), failure)
}

// A panic in a step of an iterator breaks the iterator's object: later calls with the object panic. Panics of translated code abandon their frames,
// so no one drops the iterator.
func TestStepsThatPanic(t *testing.T) {
	q := NewQueue()
	n := 0
	for range q.Steps(100) {
		if n++; n == 2 {
			break
		}
	}
	q = NewQueue()
	if p := panicked(func() {
		for range q.Steps(0) {
		}
	}); p == nil || p.Message != "step 0" {
		t.Error(p)
	}
	if p := panicked(func() { q.Len() }); p == nil {
		t.Error("the queue is not broken")
	}
}

func TestTexts(t *testing.T) {
	equal(t, "Upper", Upper("straße"), "STRASSE")
	equal(t, "Upper", Upper(""), "")
	equal(t, "Trim", Trim(" a b "), "a b")
	equal(t, "Bytes", Bytes("\xff\xfe"), 2)
	s, b := Join([]string{"a", "", "bc"}, [][]byte{{1}, nil, {2, 3}})
	equal(t, "Join", fmt.Sprint(s, b), "abc[1 2 3]")
	equal(t, "Split", Split("a bc d"), []string{"a", "bc", "d"})
	b, words, chars := Parts("a é")
	equal(t, "Parts", fmt.Sprint(b, words, chars), "[97 32 195 169] [a é] [97 32 233]")
	equal(t, "Chars", fmt.Sprint(slices.Sorted(maps.Keys(maps.Collect(Chars("aößb"))))), "[0 1 3 5]")
}

// Results that are parts of arguments lie in Go's memory, also where Go's layout differs from the crate's.
func TestPartsOfArguments(t *testing.T) {
	data := []byte("0123456789")
	groups := Groups(data)
	groups[0][0] = 'x'
	equal(t, "Groups", fmt.Sprintf("%s %s %s", groups[0], groups[1], data), "x234 5678 0x23456789")
	values := []Labelled{{N: 1, Label: [8]byte([]byte("abcdefgh"))}, {N: 2, Label: [8]byte([]byte("ijklmnop"))}}
	label := LabelOf(&values[1])
	label[0] = 'X'
	equal(t, "LabelOf", string(label), "Xjklmnop")
	last := LastLabel(values)
	last[6] = 'Y'
	equal(t, "LastLabel", string(last), "jklmnoY")
	equal(t, "values", string(values[1].Label[:]), "XjklmnoY")
	texts := make([]string, 100_000) // each text has memory of its own
	for i := range texts {
		texts[i] = fmt.Sprint(i)
	}
	texts[70_000] = "the longest"
	equal(t, "Longest", Longest(texts), "the longest")
}

func TestFailedAllocations(t *testing.T) {
	q := NewQueue()
	q.Push("text")
	equal(t, "Reserve", Reserve(1<<20), true)
	equal(t, "Reserve", Reserve(^uint(0)), false)
	// The sizes are larger than the memory that the crate can get.
	for _, n := range []uint{1 << (bits.UintSize - 2), 1 << (bits.UintSize/2 + 14)} {
		equal(t, "Reserve", Reserve(n), false)
		if p := panicked(func() { Allocate(n) }); p == nil || p.Message != "memory allocation failed" {
			t.Errorf("Allocate: %v", p)
		}
		if p := panicked(func() { q.Len() }); p != nil {
			t.Errorf("the queue is lost: %v", p)
		}
	}
}

func TestAborts(t *testing.T) {
	q := NewQueue()
	q.Push("text")
	if p := panicked(PanicTwice); p == nil {
		t.Error("PanicTwice returns")
	}
	equal(t, "Panicking", Panicking(), false)
	if p := panicked(func() { At(nil, 0) }); p == nil || p.Line != atLine {
		t.Errorf("%#v", p)
	}
	equal(t, "Panicking", Panicking(), false)
	equal(t, "Len", q.Len(), 1)
}

// A word that is too large for Go's uint causes a panic. It hides no other panic of the call, and an object that the call consumes still becomes
// unusable.
func TestWordsThatAreTooLarge(t *testing.T) {
	q, words := NewQueue(), make([]uint, 1)
	p := panicked(func() { Largest(words, q) })
	if fits := words[0] == ^uint(0) && words[0]>>32 != 0; fits != (p == nil) {
		t.Errorf("%v, %v", words, p)
	}
	if p := panicked(func() { q.Len() }); p == nil {
		t.Error("a taken queue can be used")
	}
	for range 3 {
		if p := panicked(func() { LargestThenPanic(words) }); p == nil || p.Message != "after a large word" {
			t.Errorf("%v", p)
		}
	}
}

// A word that is too large does not make an object unusable, because the Rust code has returned.
func TestAnObjectOutlivesAWordThatIsTooLarge(t *testing.T) {
	q := NewQueue()
	if p := panicked(func() { q.Far() }); (p == nil) != (bits.UintSize == 64) {
		t.Errorf("%v", p)
	}
	q.Push("x")
	equal(t, "Len", q.Len(), uint(1))
}

// The crate's data is not changed by the translation.
func TestTextsThatLookLikeCode(t *testing.T) {
	code, after := Helper()
	equal(t, "Helper", code+after, `p64(x), "p64("after it`)
}

func TestTypesWithTheNamesOfVariables(t *testing.T) {
	calls, place, value := CallsOf([]call{{1}, {2}}, v{[2]at{1, 1}})
	equal(t, "CallsOf", fmt.Sprint(calls, place, value.Places), fmt.Sprint([]call{{2}, {1}}, at(1), [2]at{1, 1}))
}

// A panic leaves no memory behind for its text.
func TestPanicsLeaveNoText(t *testing.T) {
	text := strings.Repeat("x", 1<<20)
	for range 600 {
		if p := panicked(func() { Fail(text) }); p == nil || p.Message[:4] != "xxxx" {
			t.Fatalf("%v", p)
		}
	}
}

// A panic about overlapping arguments names the first pair.
func TestTheFirstOverlapIsNamed(t *testing.T) {
	x := make([]byte, 8)
	for i, c := range []struct{ a, b, c []byte }{{x[:4], x[4:], x}, {x[:5], x[4:], x}, {x[:4], x[4:], x[4:]}} {
		want := []string{"a and c", "a and b", "b and c"}[i]
		if p := panicked(func() { Overlapping(c.a, c.b, c.c) }); p == nil || !strings.Contains(p.Message, want) {
			t.Errorf("%d: %v, not %s", i, p, want)
		}
	}
}

// Memory full of unreachable objects makes Go's collector run, even if Go has enough memory. Translated code has 512 MiB at most on processors with 32
// bits.
func TestUnreachableObjectsAreCollectedInTime(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for range 700 {
		if n := NewBlock().Size(); n < 1<<20 {
			t.Fatal(n)
		}
		time.Sleep(time.Millisecond)
	}
}

// When the garbage collector frees objects, Rust drops their values.
func TestCollectedObjects(t *testing.T) {
	kept := NewCounted()
	before := kept.Dropped()
	for range 100 {
		NewCounted()
	}
	for try := 0; kept.Dropped() < before+90; try++ {
		if try == 1000 {
			t.Fatalf("%d of 100 objects are dropped", kept.Dropped()-before)
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	runtime.KeepAlive(kept)
}

// HashSet uses random keys, so two runs of a program give different orders of its elements.
func TestKeysAreRandom(t *testing.T) {
	if os.Getenv("EVERY_ORDER") != "" {
		fmt.Println(Order())
		os.Exit(0)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	orders := map[string]bool{}
	for range 4 {
		command := exec.Command(program, "-test.run=TestKeysAreRandom")
		command.Env = append(os.Environ(), "EVERY_ORDER=1")
		out, err := command.Output()
		if errors.Is(err, syscall.ENOEXEC) {
			t.Skip("an emulated program cannot run itself again")
		} else if err != nil {
			t.Fatal(err)
		}
		orders[string(out)] = true
	}
	if len(orders) == 1 {
		t.Errorf("four programs have the same order: %v", orders)
	}
}

func TestErrors(t *testing.T) {
	n, err := Parse("-12")
	equal(t, "Parse", fmt.Sprint(n, err), "-12 <nil>")
	_, err = Parse("x")
	equal(t, "Parse", err.Error(), "invalid digit found in string")
	_, err = Check("list", nil)
	equal(t, "Check", err.Error(), "nothing is there")
	_, err = Check("list", make([]byte, 5))
	var large FaultLarge
	equal(t, "Check", errors.As(err, &large), true)
	equal(t, "Check", fmt.Sprint(large.Size, err), "5 list is 5")
	_, err = Half(3)
	equal(t, "Half", fmt.Sprint(err, err == KindOdd), "the number is odd true")
}

// atLine is the line of the code that panics in At.
const atLine = 227

func TestPanics(t *testing.T) {
	for range 3 {
		p := panicked(func() { At([]byte{1, 2}, 7) })
		if p == nil || p.Message != "index out of bounds: the len is 2 but the index is 7" || p.File != "rust/src/lib.rs" || p.Line != atLine || p.Column == 0 {
			t.Fatalf("%#v", p)
		}
	}
	for message, call := range map[string]func(){
		"too deep: 1000": func() { Deep(1000) },
		"parameter text is not valid UTF-8 (byte 1)": func() { Upper("a\xff") },
		"nil pointer passed for parameter key":       func() { Xor(&[4]byte{}, nil) },
		"parameter h is not a valid rune (0xd800)":   func() { Numbers(0, 0, 0, 0, 0, 0, true, 0xd800) },
	} {
		if p := panicked(call); p == nil || p.Message != message || p.File == "" || p.Line == 0 {
			t.Errorf("%#v, want %s", p, message)
		}
	}
	// The string is longer than scratchSize of rt/translated, so the call allocates memory for the argument.
	long := string(make([]byte, 1<<20))
	equal(t, "Trim", len(Trim(long)), 1<<20)
	var both [8]byte
	first, second := (*[4]byte)(both[:4]), (*[4]byte)(both[2:6])
	for _, call := range []func(){func() { Xor(first, second) }, func() { Xor(second, first) }, func() { Xor(first, first) }} {
		if p := panicked(call); p == nil || p.Message != "parameters dst and key overlap" {
			t.Errorf("%#v", p)
		}
	}
	all := make([]rune, 1<<20)
	if p := panicked(func() { Pick(all[:4], all[2:]) }); p == nil || p.Message != "parameters dst and src overlap" {
		t.Errorf("%#v", p)
	}
	equal(t, "Sum", Sum([]uint64{1, 2}), 3)
}

func TestObjects(t *testing.T) {
	q := NewQueue()
	q.Push("a")
	q.Push("bc")
	equal(t, "Len", q.Len(), 2)
	equal(t, "Texts", slices.Collect(q.Texts()), []string{"a", "bc"})
	for text := range q.Texts() {
		equal(t, "Texts", text, "a")
		break
	}
	other := NewQueue()
	other.Push("d")
	equal(t, "Joined", q.Joined(other), "abcd")
	if p := panicked(func() { other.Len() }); p == nil {
		t.Error("a taken queue can be used")
	}
	text, ok := q.Pop()
	equal(t, "Pop", fmt.Sprintf("%s %t", text, ok), "bc true")
	if p := panicked(func() { q.Push("") }); p == nil || p.Message != "no text" {
		t.Errorf("%#v", p)
	}
	if p := panicked(func() { q.Len() }); p == nil {
		t.Error("a broken queue can be used")
	}
	var s State
	s.Add(2)
	equal(t, "Add", s.Add(3), 5)
	runtime.GC()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			q := NewQueue()
			for range 100 {
				q.Push(fmt.Sprint(i))
			}
			equal(t, "Len", q.Len(), 100)
		}()
	}
	wg.Wait()
}
