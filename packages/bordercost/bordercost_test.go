package bordercost_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"rustgo.dev/packages/bordercost"
	"rustgo.dev/packages/internal/panictest"
)

func TestConversions(t *testing.T) {
	xs := make([]uint64, 5)
	for _, x := range []uint64{0, 1, 41, math.MaxUint64} {
		for what, got := range map[string]uint64{
			"Increment": bordercost.Increment(x) + 4,
			"Slice":     bordercost.Slice(x, xs),
			"Bytes":     bordercost.Bytes(x, "\xff2345"),
			"Text":      bordercost.Text(x, "12345"),
			"Owned":     bordercost.Owned(x, "12345"),
		} {
			if got != x+5 {
				t.Errorf("%s of %d: %d, want %d", what, x, got, x+5)
			}
		}
		p := bordercost.Point{X: x, Y: 2, Z: 3}
		if got, want := bordercost.Turn(p), (bordercost.Point{X: 2, Y: 3, Z: x + 1}); got != want {
			t.Errorf("Turn: %v, want %v", got, want)
		}
		if bordercost.Move(&p); p.X != x+1 {
			t.Errorf("Move: %v", p)
		}
		sixteen := slices.Repeat([]uint64{x + 1}, 16)
		if got := bordercost.List(x); !slices.Equal(got, sixteen) {
			t.Errorf("List: %v", got)
		}
		if got := bordercost.AppendList([]uint64{7}, x); got[0] != 7 || !slices.Equal(got[1:], sixteen) {
			t.Errorf("AppendList: %v", got)
		}
	}
	if got, want := bordercost.Message(27), strings.Repeat("b", 16); got != want {
		t.Errorf("Message: %q, want %q", got, want)
	}
	if got, want := slices.Collect(bordercost.Count(1000)), 1000; len(got) != want || got[999] != 999 {
		t.Errorf("Count: %v", got)
	}
	if panictest.Panic(func() { bordercost.Text(1, "\xff") }) == nil {
		t.Error("Text takes what is not UTF-8")
	}
}

func TestErrors(t *testing.T) {
	for x := range uint64(10) {
		half, even := bordercost.Half(x)
		byCode, code := bordercost.HalfOrCode(x)
		byText, text := bordercost.HalfOrText(x)
		if even != (x%2 == 0) || even && (half != x/2 || byCode != x/2 || byText != x/2) {
			t.Errorf("halves of %d: %d, %d, %d", x, half, byCode, byText)
		}
		if even && (code != nil || text != nil) || !even && (!errors.Is(code, bordercost.ParityOdd) || text == nil || text.Error() != code.Error()) {
			t.Errorf("errors of %d: %v, %v", x, code, text)
		}
	}
}

func TestObjects(t *testing.T) {
	if got := bordercost.NewConstant(5).Plus(2); got != 7 {
		t.Errorf("Constant: %d", got)
	}
	counter := bordercost.NewCounter(5)
	var tally bordercost.Tally
	for x := range uint64(10) {
		counter.Add(x)
		tally.Add(x)
	}
	if counter.Plus(2) != 52 || tally.Sum() != 45 {
		t.Errorf("Counter: %d, Tally: %d", counter.Plus(2), tally.Sum())
	}
}
