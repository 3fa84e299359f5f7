package shapes_test

import (
	"fmt"
	"testing"

	"example.com/shapes"
)

func TestShapes(t *testing.T) {
	r, err := shapes.ParseRectangle("2x3")
	if err != nil || r.Area() != 6 || r.Name() != "parsed" || r.String() != "parsed 2x3" {
		t.Fatal(r, err)
	}
	if _, err := shapes.ParseRectangle("2"); err == nil || err.Error() != "no rectangle: 2" {
		t.Error(err)
	}
	r.Grow(2)
	named := r.WithName("wide")
	if fmt.Sprint(r, " ", named) != "parsed 4x3 wide 4x3" {
		t.Error(r, named)
	}
	if named.Equal(r) || !r.Equal(r.Clone()) {
		t.Error("rectangles with other names are equal, or a clone is not")
	}
	last := shapes.Point{}
	for corner := range r.All() {
		last = corner
	}
	if last != (shapes.Point{X: 0, Y: 3}) || last.Distance(shapes.Point{X: 4, Y: 0}) != 5 {
		t.Error(last)
	}
	if style, ok := r.Style(1); !ok || style != shapes.StyleDashed {
		t.Error(style, ok)
	}
	if area, err := shapes.AreaOf("3x3"); area != 9 || err != nil {
		t.Error(area, err)
	}
	if joined := shapes.Join([]string{"a", "b"}, "-"); joined != "a-b" {
		t.Error(joined)
	}
	if n := shapes.Count("a1b2", func(c rune) bool { return c < 'a' }); n != 2 {
		t.Error(n)
	}
	if shapes.Width("äb") != 2 || shapes.MaxName != 20 {
		t.Error(shapes.Width("äb"), shapes.MaxName)
	}
}
