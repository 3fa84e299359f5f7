package lists_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"example.com/lists"
)

// panics reports whether a function panics.
func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

func TestInts(t *testing.T) {
	var places []int = lists.Places([]byte("abca"), 'a')
	if !slices.Equal(places, []int{0, 3}) || !slices.Equal(lists.Lengths("a bcd"), []int{1, 3}) {
		t.Error(places, lists.Lengths("a bcd"))
	}
	least := 3
	if lists.Sum([]int{1, 3, 5}, nil) != 9 || lists.Sum([]int{1, 3, 5}, &least) != 8 {
		t.Error(lists.Sum([]int{1, 3, 5}, &least))
	}
	for a, b := range lists.Steps([]int{1, 2}) {
		if a != 1 || b != 2 {
			t.Error(a, b)
		}
	}
	if !panics(func() { lists.Sum([]int{-1}, nil) }) || !panics(func() { least = -1; lists.Sum(nil, &least) }) || !panics(func() { span := lists.Span{Start: -1}; span.Len() }) {
		t.Error("a negative number is accepted")
	}
	if span := lists.First("ab c"); span != (lists.Span{Start: 0, End: 2}) || span.Len() != 2 {
		t.Error(span)
	}
	if n := lists.Applied(3, func(n int) int { return 2 * n }); n != 6 || !panics(func() { lists.Applied(3, func(int) int { return -1 }) }) {
		t.Error(n)
	}
	if start, end, ok := lists.Find("a word", "word"); start != 2 || end != 6 || !ok {
		t.Error(start, end, ok)
	}
	sum := 0
	for start, end := range lists.Ranges("a-b-", '-') {
		sum += 10*start + end
	}
	if sum != 10+2+30+4 {
		t.Error(sum)
	}
	if lists.Limit != uint64(1<<64-1) {
		t.Error("the limit is another")
	}
}

func TestTexts(t *testing.T) {
	if !slices.Equal(lists.Colours(), []string{"red", "green"}) {
		t.Error(lists.Colours())
	}
	if text, err := lists.Times("ab", 2); text != "abab" || err != nil {
		t.Error(text, err)
	}
	if name, ok := lists.EscapeOf("html").AsCustom(); name != "markup" || !ok {
		t.Error(name, ok)
	}
	if lengths, ok := lists.EscapeLengths([]int{1, 2}).AsLengths(); !slices.Equal(lengths, []int{1, 2}) || !ok {
		t.Error(lengths, ok)
	}
	var pattern lists.PatternError
	if err := lists.Check("a*"); !errors.As(err, &pattern) || pattern.Pos != 1 || pattern.Msg != "a star" || pattern.Text != "a*" || pattern.After != 5 {
		t.Error(err)
	}
	var archive lists.ArchiveErrorUnsupported
	if err := lists.Open("rar"); !errors.As(err, &archive) || archive.Value != "a rar archive" {
		t.Error(err)
	}
	if err := lists.Fail("no"); err == nil || err.Error() != "no" {
		t.Error(err)
	}
	if n := lists.Longest([][]byte{[]byte("a"), []byte("bcd")}); n != 3 {
		t.Error(n)
	}
	parts := [][]byte{[]byte("a"), []byte("b")}
	if string(lists.Joined(parts)) != "ab" || string(lists.Lined(parts)) != "a\nb" || lists.Count([]byte("abca"), 'a') != 2 {
		t.Error(lists.Joined(parts), lists.Lined(parts))
	}
	if lists.Large([]string{"a", "b"}) != "AB" || lists.Chained([]string{"a", "b"}) != "ab" {
		t.Error(lists.Large([]string{"a", "b"}))
	}
	var b strings.Builder
	if err := lists.WriteTo(&b, "text"); err != nil || b.String() != "text" || lists.Called(func(x uint8) uint8 { return x + 1 }, 2) != 3 {
		t.Error(err, b.String())
	}
}

func TestFields(t *testing.T) {
	label := lists.Named("ab")
	label.SetSize(5)
	label.SetName("other")
	if label.Size() != 5 || label.Name() != "other" || label.Short() != "ab" || label.Long() != "ab" || label.Boxed() != (lists.Words{Value: 1}) {
		t.Error(label.Size(), label.Name(), label.Short(), label.Long())
	}
	made := lists.NewLabel("ab", 2, 1_000_000_000, lists.Words{Value: 1}, "ab", "ab")
	if !made.Equal(lists.LabelOf("ab")) || lists.CountWords("a b").Value != 2 {
		t.Error("a label differs")
	}
	config := lists.NewConfigBuilder().Build()
	if config.Depth() != 3 || config.GetLevel() != 2 || lists.DefaultConfig().Depth() != 0 || lists.NewConfig(4).Depth() != 4 {
		t.Error(config.Depth())
	}
	page := lists.NewPage("title")
	page.SetWidths([]int{4, 5})
	page.SetTitle("other")
	if page.Title() != "other" || !slices.Equal(page.Widths(), []int{4, 5}) || !slices.Equal(page.Words(), []string{"a", "b"}) {
		t.Error(page.Title(), page.Widths(), page.Words())
	}
	tally := lists.NewTally()
	tally.Absorb([]byte{1, 2})
	if tally.Total() != 3 || lists.TallyDigest([]byte{4}) != 4 {
		t.Error(tally.Total())
	}
	if lists.Half(3) != 1.5 || lists.NewDenseBuilder().Depth() != 0 || lists.NewSparseBuilder().Width() != 0 {
		t.Error(lists.Half(3))
	}
}
