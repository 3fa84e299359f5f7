package shapes_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
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

func TestErrorsOfShapes(t *testing.T) {
	if _, err := shapes.ParseStyle(""); !errors.Is(err, shapes.StyleErrorEmpty) || err.Error() != "no name" {
		t.Error(err)
	}
	if style, err := shapes.ParseStyle("dashed"); err != nil || style != shapes.StyleDashed {
		t.Error(style, err)
	}
	var outside shapes.PlanErrorOutside
	if err := shapes.PlanFromSlice([]float64{1, 5}).Check(2); !errors.As(err, &outside) || outside.Index != 1 || outside.Limit != 2 || err.Error() != "shape 1 is outside" {
		t.Error(err)
	}
	var empty shapes.PlanErrorEmpty
	if err := shapes.NewPlan().Check(2); !errors.As(err, &empty) {
		t.Error(err)
	}
	var style shapes.PlanErrorStyle
	if err := shapes.NewPlanWithWidth(-1).Check(2); !errors.As(err, &style) || style.Value0 != "0" || errors.Unwrap(err).Error() != "unknown style" {
		t.Error(err)
	}
	var file shapes.FileError
	if err := shapes.FailAt(3); !errors.As(err, &file) || file.Line != 3 || err.Error() != "line 3" {
		t.Error(err)
	}
}

func TestTraitsOfShapes(t *testing.T) {
	const most = shapes.PlanMost / 2
	p := shapes.NewPlanWithWidth(2)
	p.Add(3)
	if got := slices.Collect(p.All()); !slices.Equal(got, []float64{2, 3}) || most != 50 {
		t.Error(got, most)
	}
	if p.Float64() != 5 || p.MulFloat64(2).Float64() != 10 {
		t.Error(p.Float64())
	}
	if order, ok := p.Compare(p.MulFloat64(2)); order != -1 || !ok {
		t.Error(order, ok)
	}
	if n, err := io.WriteString(p, "abc"); n != 3 || err != nil || p.Sum64() != 3 {
		t.Error(n, err, p.Sum64())
	}
	fill := shapes.UsualFill()
	if name, ok := fill.AsPatternName(); fill.Kind() != shapes.FillKindPattern || name != "dots" || !ok {
		t.Error(fill.Kind(), name, ok)
	}
	if gray, ok := shapes.FillGray(7).AsGray(); gray != 7 || !ok || !shapes.FillNothing().Equal(shapes.FillNothing()) {
		t.Error(gray, ok)
	}
	if stroke := shapes.UsualStroke(); stroke.Text() != "the Thin one" || stroke != shapes.StrokeThin {
		t.Error(stroke)
	}
	if shapes.Large("a") != "A" || shapes.Larger("a") != "AA" {
		t.Error(shapes.Large("a"), shapes.Larger("a"))
	}
}
