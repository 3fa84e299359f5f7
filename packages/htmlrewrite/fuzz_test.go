//go:build amd64 || arm64

package htmlrewrite

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzRewrite rewrites arbitrary documents, in one piece and in several pieces, with handlers that make arbitrary changes.
//
// Go code shows a handler its own changes of an element immediately. A second handler for the same element sees the element as the crate has
// changed it, and compares this element with the element that the first handler saw. The two differ only in attributes whose names in the document
// are not UTF-8, because the crate finds such attributes by their bytes.
func FuzzRewrite(f *testing.F) {
	for _, fixture := range fixtures(f) {
		f.Add(fixture[0], []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, uint8(3), false)
	}
	f.Add("<a b=c>d</a><!--e--><br>", []byte("abc"), uint8(0), true)
	f.Fuzz(func(t *testing.T, in string, program []byte, size uint8, lax bool) {
		options := &Options{Lax: lax, MaxMemory: 1 << 20}
		whole, err := rewrite(in, handlersOf(t, in, program), options, func() int { return len(in) })
		for _, n := range []int{1, int(size) + 1} {
			cut, err2 := rewrite(in, handlersOf(t, in, program), options, func() int { return n })
			if fmt.Sprint(err) != fmt.Sprint(err2) {
				t.Fatalf("%v and, in pieces of %d, %v", err, n, err2)
			}
			if err == nil && cut != whole {
				t.Fatalf("%q and, in pieces of %d, %q", whole, n, cut)
			}
		}
		var ambiguous *AmbiguityError
		if err != nil && err != ErrMemoryLimit && !errors.As(err, &ambiguous) {
			t.Fatal(err)
		}
	})
}

// handlersOf returns handlers that do what the program says.
func handlersOf(t *testing.T, in string, program []byte) *Handlers {
	at := 0
	next := func() byte {
		if len(program) == 0 {
			return 0
		}
		at++
		return program[(at-1)%len(program)]
	}
	content := func() (string, ContentType) {
		return []string{"", "x", "<b>é", "&\xff", strings.Repeat("long ", 100)}[next()%5], ContentType(next() % 2)
	}
	name := func() string { return []string{"a", "B", "title", "", "x y", "é", "\xff"}[next()%7] }
	shown := func(e *Element) string {
		var s strings.Builder
		fmt.Fprint(&s, e.TagName(), e.Removed(), e.CanHaveContent(), e.SelfClosing(), e.Namespace())
		for name, value := range e.Attributes() {
			fmt.Fprintf(&s, " %q=%q", name, value)
		}
		return s.String()
	}
	var want string
	return &Handlers{
		Elements: []ElementHandlers{
			{Selector: "*", Element: func(e *Element) error {
				for range next() % 4 {
					switch next() % 14 {
					case 0:
						e.Before(content())
					case 1:
						e.After(content())
					case 2:
						e.Prepend(content())
					case 3:
						e.Append(content())
					case 4:
						e.SetInnerContent(content())
					case 5:
						e.Replace(content())
					case 6:
						e.Remove()
					case 7:
						e.RemoveAndKeepContent()
					case 8:
						e.SetTagName(name())
					case 9:
						value, _ := content()
						e.SetAttribute(name(), strings.ToValidUTF8(value, "?"))
					case 10:
						e.RemoveAttribute(name())
					case 11:
						e.OnEndTag(func(t *EndTag) error {
							t.Before(content())
							t.After(content())
							t.SetName(name())
							if next()%4 == 0 {
								t.Remove()
							}
							return nil
						})
					}
				}
				want = shown(e)
				return nil
			}},
			{Selector: "*", Element: func(e *Element) error {
				if got := shown(e); got != want && utf8.ValidString(in) {
					t.Errorf("the crate has %s, and Go %s", got, want)
				}
				return nil
			}, Comment: func(c *Comment) error {
				text, _ := content()
				c.SetText(text)
				c.Before(content())
				c.After(content())
				return nil
			}},
		},
		Document: []DocumentHandlers{{
			// Whether a chunk is the last one does not depend on the pieces.
			Text: func(c *TextChunk) error {
				if c.LastInTextNode() {
					c.Before(content())
					c.After(content())
				}
				return nil
			},
			Doctype: func(d *Doctype) error {
				if next()%2 == 0 {
					d.Remove()
				}
				return nil
			},
			End: func(d *DocumentEnd) error { d.Append(content()); return nil },
		}},
	}
}
