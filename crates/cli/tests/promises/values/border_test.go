package promises

import (
	"testing"

	"rustgo.dev/go/handle"
	"scratch/border"
)

func TestPointersToSingleValues(t *testing.T) {
	x, by := uint64(40), uint8(2)
	if got := border.Increment(&x, &by); got != 42 || x != 42 {
		t.Errorf("Increment gives %d and leaves %d", got, x)
	}
	a, b, c, d, e, f, g, h := uint8(1), int16(2), float32(3), 4.0, true, 'a', 5, uint(6)
	border.Flip(&a, &b, &c, &d, &e, &f, &g, &h)
	if a != 254 || b != -3 || c != -3 || d != -4 || e || f != 'é' || g != -6 || h != ^uint(6) {
		t.Error(a, b, c, d, e, f, g, h)
	}
}

func TestNilIsNone(t *testing.T) {
	x, y, z := uint64(1), [2]uint32{2, 3}, int16(7)
	if got := border.Sum(&x, &y, &z); got != 1+5-7 || z != -7 {
		t.Errorf("Sum gives %d and leaves %d", got, z)
	}
	if got := border.Sum(nil, nil, nil); got != 1110 {
		t.Errorf("Sum of nothing gives %d", got)
	}
	// A nil pointer overlaps no other memory.
	if got := border.Sum(nil, &y, nil); got != 1015 {
		t.Errorf("Sum gives %d", got)
	}
}

func TestPointersAreChecked(t *testing.T) {
	x := uint64(1)
	one, other := 'a', rune(0xd800)
	number := handle.New(1)
	defer number.Delete()
	zero, taken := handle.Handle(0), number
	for want, call := range map[string]func(){
		"nil pointer passed for parameter x":     func() { border.Increment(nil, new(uint8)) },
		"nil pointer passed for parameter by":    func() { border.Increment(&x, nil) },
		"parameter c holds an invalid rune":      func() { border.Character(&other, nil) },
		"parameter maybe holds an invalid rune":  func() { border.Character(&one, &other) },
		"parameter to holds a zero handle":       func() { border.Handle(&zero, &taken, &number) },
		"parameters to and maybe overlap":        func() { border.Handle(&taken, &taken, &number) },
		"nil pointer passed for parameter maybe": func() { border.Handle(&taken, nil, &number) },
	} {
		if got := panicked(t, want, call).Message; got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if border.Character(&one, &one) != 2*'a' {
		t.Error("shared references may be the same")
	}
	var maybe handle.Handle
	border.Handle(&taken, &maybe, &number)
	if maybe != number || taken != number {
		t.Error(maybe, taken, number)
	}
}

func TestResultsThatMayBeMissing(t *testing.T) {
	if q, r, ok := border.Divide(17, 5); q != 3 || r != 2 || !ok {
		t.Error(q, r, ok)
	}
	if q, r, ok := border.Divide(17, 0); q != 0 || r != 0 || ok {
		t.Error(q, r, ok)
	}
	if start, end := border.Word("  ab cd"); start != 2 || end != 4 {
		t.Error(start, end)
	}
	if c, ok := border.First("é"); c != 'é' || !ok {
		t.Error(c, ok)
	}
	if c, ok := border.First(""); c != 0 || ok {
		t.Error(c, ok)
	}
	if at, ok := border.Position(3, []byte{1, 2, 3}); at != 2 || !ok {
		t.Error(at, ok)
	}
	if at, ok := border.Position(3, nil); at != 0 || ok {
		t.Error(at, ok)
	}
	if x, ok := border.Half(5); x != 2.5 || !ok {
		t.Error(x, ok)
	}
	if x, ok := border.Half(0); x != 0 || ok {
		t.Error(x, ok)
	}
	for x, want := range map[int8][2]bool{-1: {false, false}, 0: {false, true}, 1: {true, true}} {
		if yes, ok := border.Truth(x); yes != want[0] || ok != want[1] {
			t.Error(x, yes, ok)
		}
	}
	a, b, c, d, e, f, g, h, ok := border.Many(257)
	if a != 1 || b != 257 || !c || d != -1 || e != 0.5 || f != 'x' || g != -2 || h != 257 || !ok {
		t.Error(a, b, c, d, e, f, g, h, ok)
	}
	a, b, c, d, e, f, g, h, ok = border.Many(0)
	if a != 0 || b != 0 || c || d != 0 || e != 0 || f != 0 || g != 0 || h != 0 || ok {
		t.Error(a, b, c, d, e, f, g, h, ok)
	}
}

// Pointer arguments do not escape to the heap, and a call allocates nothing.
func TestTheBorderAllocatesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() {
		x, by, z := uint64(1), uint8(1), int16(2)
		border.Increment(&x, &by)
		border.Sum(&x, nil, &z)
		border.Divide(uint32(x), by)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
