package nativetest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"syscall"
	"testing"
)

// fakeProgram is the environment variable that makes the test program a native program. The program answers with the sum of the questions' first bytes. If
// a question begins with the variable's value, the program adds 0 or 1 at random. For the value p it answers 12 or 21.
const fakeProgram = "RUSTGO_FAKE_NATIVE"

func init() {
	varies := os.Getenv(fakeProgram)
	if varies == "" {
		return
	}
	sum := 0
	for {
		var head [4]byte
		if _, err := io.ReadFull(os.Stdin, head[:]); err != nil {
			os.Exit(0)
		}
		question := make([]byte, binary.LittleEndian.Uint32(head[:]))
		if _, err := io.ReadFull(os.Stdin, question); err != nil {
			os.Exit(1)
		}
		if sum += int(question[0]); question[0] == varies[0] {
			sum += rand.IntN(2)
		}
		if varies == "p" {
			// 12 and 21 are two orders of the same digits.
			sum = []int{12, 21}[rand.IntN(2)]
		}
		text := append([]byte{text}, fmt.Sprint(sum)...)
		_, _ = os.Stdout.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...))
	}
}

func TestResultsThatVaryAreFound(t *testing.T) {
	t.Setenv(fakeProgram, "v")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command(program, "-test.list=^$").Run(); errors.Is(err, syscall.ENOEXEC) {
		t.Skip("this system starts no programs for this processor: the test runs under an emulator")
	}
	n := &native{path: program}
	for _, c := range []struct {
		questions string
		varies    bool
	}{{"a", false}, {"v", true}, {"aab", false}, {"avb", true}, {"bbv", true}} {
		var questions [][]byte
		for _, q := range c.questions {
			questions = append(questions, []byte{byte(q)})
		}
		if got := n.varies(questions, outcome{text: "213"}); got != c.varies {
			t.Errorf("%s: %v", c.questions, got)
		}
	}
	// The programs answer with values, so a panic is not a possible result. They answer 118 or 119, which have different digits, so a value with
	// other digits is possible.
	if n.varies([][]byte{{'v'}}, outcome{panicked: true}) || !n.varies([][]byte{{'v'}}, outcome{text: "1"}) {
		t.Error("the kind of the result")
	}
	// The sums are 12 and 21: the result must have these digits.
	t.Setenv(fakeProgram, "p")
	if q := [][]byte{{'p'}}; n.varies(q, outcome{text: "11"}) || n.varies(q, outcome{text: "1"}) || !n.varies(q, outcome{text: "12"}) {
		t.Error("the bytes of the result")
	}
	if (&native{path: program + ".missing"}).varies([][]byte{{'v'}}, outcome{}) {
		t.Error("a program that does not start varies")
	}
}

type point struct {
	X    float64
	Tag  [2]byte
	Kind kind
}

type kind uint8

type plain uint32

func (p plain) Error() string { return fmt.Sprintf("plain %d", uint32(p)) }

type syntax struct {
	Line uint
	text string
}

func (s syntax) Error() string { return s.text }

type queue struct{ _ int }

var (
	u8     = &typ{Kind: "uint8"}
	u64    = &typ{Kind: "uint64"}
	text_  = &typ{Kind: "string"}
	bytes_ = &typ{Kind: "slice", Elem: u8}
	points = &typ{Kind: "struct", Name: "Point", Fields: []field{
		{"X", &typ{Kind: "float64"}}, {"Tag", &typ{Kind: "array", Elem: u8}}, {"Kind", &typ{Kind: "enum", Name: "Kind", Elem: u8, Values: []string{"3", "200"}}},
	}}
)

// The tests of the native program expect the same texts: crates/native/src/tests.rs.
func TestValuesAsText(t *testing.T) {
	seq := func(yield func(uint64, string) bool) {
		for i := range uint64(3) {
			if !yield(i, fmt.Sprint(i)) {
				return
			}
		}
	}
	wrapped := fmt.Errorf("outer: %w", errors.New("in\"ner"))
	failure := &typ{Kind: "failure"}
	single := &typ{Kind: "error", Name: "syntax", Single: true, Cases: []variant{{"syntax", []field{{"Line", &typ{Kind: "uint"}}}}}}
	pairs := &typ{Kind: "iterator", Items: []*typ{u64, text_}}
	for _, c := range []struct {
		ty    *typ
		value any
		want  string
	}{
		{&typ{Kind: "bool"}, true, "true"},
		{&typ{Kind: "int8"}, int8(-5), "-5"},
		{&typ{Kind: "float32"}, float32(1.5), "0x3fc00000"},
		{&typ{Kind: "float64"}, math.Copysign(0, -1), "0x8000000000000000"},
		{&typ{Kind: "float64"}, math.Float64frombits(0xfff0000000000001), "NaN"},
		{text_, "a\"ß\\ ~", `"a\x22\xc3\x9f\x5c ~"`},
		{bytes_, []byte(nil), `b""`},
		{bytes_, []byte("x\n"), `b"x\x0a"`},
		{&typ{Kind: "slice", Elem: u64}, []uint64{3, 4}, "[3 4]"},
		{&typ{Kind: "pointer", Elem: u64}, new(uint64), "&0"},
		{&typ{Kind: "pointer", Elem: u64}, (*uint64)(nil), "nil"},
		{points, point{1, [2]byte{1, 0xff}, 200}, `Point{X:0x3ff0000000000000 Tag:b"\x01\xff" Kind:Kind(200)}`},
		{&typ{Kind: "handle"}, uint64(5), "handle(5)"},
		{pairs, iter.Seq2[uint64, string](seq), `<0:"0" 1:"1" …>`},
		{&typ{Kind: "object", Name: "Queue"}, &queue{}, "*Queue#8"},
		{&typ{Kind: "object", Name: "Queue"}, (*queue)(nil), "nil"},
	} {
		s := shower{counter: &counter{last: 7}, most: 2}
		s.value(c.ty, reflect.ValueOf(c.value))
		if s.String() != c.want {
			t.Errorf("%v is %s, want %s", c.value, s.String(), c.want)
		}
	}
	for _, c := range []struct {
		ty   *typ
		err  error
		want string
	}{
		{failure, nil, "nil"},
		{failure, wrapped, `error "outer: in\x22ner" <- "in\x22ner"`},
		{&typ{Kind: "error", Name: "plain", Plain: true}, plain(2), `plain(2) "plain 2"`},
		{single, syntax{3, "near"}, `syntax{Line:3} "near"`},
	} {
		var s shower
		s.value(c.ty, reflect.ValueOf(&c.err).Elem())
		if s.String() != c.want {
			t.Errorf("%v is %s, want %s", c.err, s.String(), c.want)
		}
	}
}

func TestArguments(t *testing.T) {
	params := []field{
		{"a", &typ{Kind: "slice", Mutable: true, Elem: points}},
		{"b", &typ{Kind: "slice", Elem: points}},
		{"c", &typ{Kind: "pointer", Elem: points}},
		{"d", &typ{Kind: "slice", Elem: text_}},
		{"e", &typ{Kind: "rune"}},
		{"f", &typ{Kind: "append", Elem: u8}},
		{"g", &typ{Kind: "int16"}},
		{"h", &typ{Kind: "float32"}},
	}
	function := func([]point, []point, *point, []string, rune, []byte, int16, float32) {}
	e := &export{Name: "F", Params: params, function: reflect.ValueOf(function)}
	question := func(seed uint64, i int) (*call, string) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), mode: modeOf(i), words: []string{"word", "12"}}
		c := g.call(e, nil)
		return c, string(c.question())
	}
	shared, wrong, rounds := 0, 0, 2000
	if testing.Short() {
		rounds = 400
	}
	for i := range rounds {
		c, q := question(uint64(i), i)
		if _, again := question(uint64(i), i); again != q {
			t.Fatalf("seed %d gives two questions", i)
		}
		if problem := c.guards(); problem != "" {
			t.Fatal(problem)
		}
		for _, a := range c.args[1:3] {
			if a.encoded[0] == placeShared {
				shared++
			}
		}
		if r := rune(c.args[4].value.Int()); r < 0 || r > 0x10ffff || 0xd800 <= r && r < 0xe000 {
			wrong++
		}
	}
	if shared < rounds/20 || wrong < rounds/100 || wrong > rounds/10 {
		t.Errorf("%d arguments share memory, %d runes are invalid", shared, wrong)
	}
	for i, want := range []string{"F(a = []nativetest.point(nil), b = []nativetest.point(nil), c = (*nativetest.point)(nil), d = []string(nil), e = 0,", "F(a = []nativetest.point{"} {
		if c, _ := question(1, i); !strings.HasPrefix(c.String(), want) {
			t.Errorf("%s, want %s…", c, want)
		}
	}
}

func TestGuards(t *testing.T) {
	g := &generator{Rand: rand.New(rand.NewPCG(1, 1)), mode: mixed}
	e := &export{Name: "F", Params: []field{{"a", bytes_}}, function: reflect.ValueOf(func([]byte) {})}
	for range 50 {
		c := g.call(e, nil)
		if len(c.args[0].guards) == 0 {
			continue
		}
		if len(c.args[0].guards[1].memory) == 0 {
			t.Fatal("no guard after the slice")
		}
		c.args[0].guards[1].memory[0]++
		if !strings.Contains(c.guards(), "a: memory around the slice was written to") {
			t.Fatal("the write to the guard was not reported")
		}
	}
}

func TestCompare(t *testing.T) {
	returns := func(s string) outcome { return outcome{text: s} }
	panicked := func(s, place string) outcome { return outcome{text: s, place: place, panicked: true} }
	for _, c := range []struct {
		got  outcome
		want answer
		part string
	}{
		{returns("a = 1\n"), answer{text, "a = 1\n"}, ""},
		{returns("a = 1\nb = 2\n"), answer{text, "a = 1\nb = 3\n"}, "in Go:    b = 2"},
		{returns("a = 0x3fc00000\n"), answer{text, "a = 0x3fc00001\n"}, "0x3fc00000(1.5)"},
		{panicked("bad", ""), answer{text, "a = 1\n"}, "panics: bad"},
		{returns("a = 1\n"), answer{panics, "x.rs:1:2\nbad"}, "natively it panics: bad"},
		{panicked("bad", "lib.rs:1:2"), answer{panics, "/src/lib.rs:1:2\nbad"}, ""},
		{panicked("bad", "lib.rs:1:3"), answer{panics, "/src/lib.rs:1:2\nbad"}, "panics at lib.rs:1:3"},
		{panicked("bad", ""), answer{panics, "/src/lib.rs:1:2\nworse"}, "natively: worse"},
		{panicked("long…", ""), answer{panics, "/src/lib.rs:1:2\nlonger"}, ""},
		{panicked("panicked (the message is lost: formatting it faulted)", ""), answer{panics, "\nx"}, ""},
	} {
		problem := compare(c.got, c.want)
		if c.part == "" && problem != "" || !strings.Contains(problem, c.part) {
			t.Errorf("%v and %v: %q, want %q in it", c.got, c.want, problem, c.part)
		}
	}
}
