package edges_test

import (
	"errors"
	"testing"

	"example.com/edges"
)

func TestEdges(t *testing.T) {
	a, b := edges.NewAngle(30), edges.NewAngle(390)
	if a == b || !a.Equal(b) || a.Equal(edges.NewAngle(31)) {
		t.Error(a, b)
	}
	r := edges.NewReader()
	if w := edges.NewWriter(); r.Gen(5) != 5 || r.Type() != 0 || w.Value0() != 0 || w.Value1() != 0 {
		t.Error(r.Gen(5), r.Type(), w.Value0(), w.Value1())
	}
	if sum := edges.NewFunc().Sum(4, func(x uint8) uint32 { return 10 * uint32(x) }); sum != 60 {
		t.Error(sum)
	}
	if n := edges.TextStringOf("äb").Count(); n != 2 {
		t.Error(n)
	}
	if edges.Match() != 1 || edges.Most() != 999 || edges.NewMark().Value != 0 || edges.FromHTML("abc") != 3 {
		t.Error(edges.Match())
	}
	if edges.SmallSize().Width() != 3 || edges.SizesSmallSize().Width() != 5 || edges.Double(1.5) != 3 || edges.Letters("a1b") != "ab" || edges.Site != "http://example.com//a\"b" {
		t.Error(edges.SmallSize().Width(), edges.Double(1.5), edges.Letters("a1b"), edges.Site)
	}
	if edges.Widest([]edges.Angle{a, b}, nil) != 390 || edges.Widest([]edges.Angle{a}, &b) != 390 {
		t.Error(edges.Widest([]edges.Angle{a, b}, nil))
	}
}

func TestClosedVariants(t *testing.T) {
	number := edges.NewToken("-7")
	if n, ok := number.AsNumber0(); n != -7 || !ok || number.Kind() != edges.TokenKindNumber {
		t.Error(n, ok)
	}
	if kind, ok := edges.NewToken("word").AsWordType(); kind != 2 || !ok || edges.NewToken("").Kind() != edges.TokenKindEnd {
		t.Error(kind, ok)
	}
	if edges.NewPage(true).Kind() != edges.PageKindLarge || !edges.NewPage(false).Equal(edges.PageSmall()) {
		t.Error("pages are confused")
	}
}

func TestErrorsOfEdges(t *testing.T) {
	var torn edges.PageErrorTorn
	if _, err := edges.Turn(-1); !errors.As(err, &torn) || err.Error() != "a torn page" {
		t.Error(err)
	}
	var page edges.BookErrorPage
	if err := edges.Check(13); !errors.As(err, &page) || page.Number != 13 || page.Type != 4 || errors.Unwrap(err).Error() != "a torn page" {
		t.Error(err)
	}
	var text edges.TextError
	if err := edges.CheckText(3); !errors.As(err, &text) || text.Line != 3 || text.ErrorValue != 7 {
		t.Error(err)
	}
}
