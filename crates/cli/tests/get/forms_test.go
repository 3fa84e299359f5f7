package forms_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/forms"
)

func want(t *testing.T, what string, got ...any) {
	t.Helper()
	if shown := strings.TrimSuffix(fmt.Sprintln(got...), "\n"); shown != what {
		t.Errorf("%s, want %s", shown, what)
	}
}

func TestForms(t *testing.T) {
	want(t, "hello you hello Ada", forms.Greet("", false), forms.Greet("Ada", true))
	want(t, `Some("x") true None false`, forms.Describe("x", true, true), forms.Describe("x", false, false))
	c := 'c'
	want(t, "111 2", forms.Sizes(nil, false, nil, false, nil), forms.Sizes([]byte{1}, true, []string{"a"}, true, &c))
	text, ok := forms.FirstOf("a", false, "b", true)
	want(t, "b true", text, ok)
	seed, length := uint64(1), 2
	want(t, "1000 16", forms.Total(nil, nil, nil, nil), forms.Total(&seed, &[4]byte{1, 2, 3, 4}, &[2]uint16{1, 2}, &length))
	number := uint32(7)
	want(t, "false true 8", forms.Increment(nil), forms.Increment(&number), number)

	note := forms.NewNote()
	note.SetAuthor("me", true)
	author, ok := note.Author()
	want(t, "me true", author, ok)
	note.SetAuthor("me", false)
	_, ok = note.Author()
	forms.WriteLine(note, "one")
	forms.WriteLine(nil, "two")
	want(t, "false map[1:one]", ok, maps.Collect(note.Lines()))

	want(t, "el true false", forms.Part("hello", 1, 3), forms.Contains(1, 1, 2), forms.Contains(2, 1, 2))
	want(t, "6 13", forms.Sum(1, 3, 0, 9, false), forms.Sum(1, 3, 3, 5, true))
	want(t, "5", forms.Distance(1, 2, 4, 6))
	want(t, "a=b", forms.JoinPair("a", "b", true, 'c', 1))

	want(t, "2 [1 2] true", forms.FeaturesCount, forms.FeaturesFirst(), forms.FeaturesHasColors())
	want(t, "plain 3 1", forms.PlainWord(), forms.PlainCount("abc"), forms.PlainPairs("abc"))

	ending, ok := forms.Ending("a/b.txt")
	want(t, "txt true a/b", ending, ok, forms.Joined("a", "b", "", false))

	usual := forms.Usual()
	want(t, "[{1 0 0} {0 1 0}] [1 0 0]", usual, forms.Reds(usual, [1]forms.Color{{Blue: 1}}))
	want(t, "[red green] 2", forms.Names(), len(forms.FirstNotes()))
	want(t, "map[a:1]", maps.Collect(forms.FirstNotes()[1].Pairs()))
	want(t, "[{1 0 0} {0 1 0}]", forms.NewPalette(usual).Colors())
	color := forms.ColorFromFloat32s3([3]float32{1, 2, 3})
	want(t, "{1 2 3} [1 2 3] {4 5 0}", color, color.Float32s3(), forms.ColorFromBytes2(4, 5))

	read, err := forms.ReadNumber("2.5")
	want(t, "2.5 <nil> 3", read, err, forms.Other(2, 3))
	words, err := forms.Words("a b")
	want(t, "[a b] <nil>", words, err)
	_, err = forms.Words("a  b")
	var failed forms.Failed
	want(t, "failed with 0 true", err, errors.As(err, &failed))
	digits, err := forms.Digits("123")
	want(t, "[1 2 3] <nil> [1 2]", digits, err, forms.Lengths("a bc"))

	want(t, "[1 2]", slices.Collect(forms.NumbersFromString("12x")))

	size, err := forms.Size(strings.NewReader("hello"))
	want(t, "5 <nil>", size, err)
	line, err := forms.LastLine(strings.NewReader("a\nbc\nd"), 4)
	want(t, "bc\n <nil>", line, err)

	few := forms.NewFewBytes('a', []byte{7})
	second, ok := few.Get(0)
	want(t, "97 7 true [97 97 97] a 3", few.First(), second, ok, few.Starts(), string(few.Letter()), forms.FewBytesMost)
	want(t, "true", few.Equal(forms.NewFewBytes('a', []byte{7})))
	want(t, "5 98", forms.OneNumberFromInt64(5).First(), forms.SomeBytes(98).First())
	sum := forms.NewTally(2)
	sum.Add(3)
	want(t, "5 0", sum.Total(), forms.DefaultTally().Total())

	want(t, "page: 7", forms.Page(7))
	length2, err := forms.Check("abc")
	want(t, "3 <nil>", length2, err)
	_, err = forms.Check("aä")
	want(t, "['ä']", err)
	want(t, "ABC X", forms.Upper("abc"), forms.RuneUpper('x'))
}
