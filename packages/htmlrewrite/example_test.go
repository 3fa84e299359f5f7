//go:build amd64 || arm64

package htmlrewrite_test

import (
	"fmt"
	"io"
	"os"
	"strings"

	"rustgo.dev/packages/htmlrewrite"
)

func Example() {
	w, err := htmlrewrite.NewWriter(os.Stdout, &htmlrewrite.Handlers{
		Elements: []htmlrewrite.ElementHandlers{{
			Selector: "a[href]",
			Element: func(e *htmlrewrite.Element) error {
				href, _ := e.Attribute("href")
				return e.SetAttribute("href", strings.Replace(href, "http:", "https:", 1))
			},
		}},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	io.WriteString(w, "<div><a href=")
	io.WriteString(w, "http://example.com>link</a></div>\n")
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output: <div><a href="https://example.com">link</a></div>
}

// A text may come in several chunks. The handler joins them.
func ExampleTextChunk() {
	var text strings.Builder
	out, err := htmlrewrite.RewriteString("<title>news of <b>today</title>", &htmlrewrite.Handlers{
		Elements: []htmlrewrite.ElementHandlers{{
			Selector: "title",
			Text: func(c *htmlrewrite.TextChunk) error {
				text.WriteString(c.Text())
				if c.LastInTextNode() {
					c.Replace(strings.ToUpper(text.String()), htmlrewrite.Text)
					text.Reset()
				} else {
					c.Remove()
				}
				return nil
			},
		}},
	}, nil)
	fmt.Println(out, err)
	// Output: <title>NEWS OF &lt;B&gt;TODAY</title> <nil>
}

func ExampleElement_OnEndTag() {
	words := 0
	out, err := htmlrewrite.RewriteString("<article>one two three</article>", &htmlrewrite.Handlers{
		Elements: []htmlrewrite.ElementHandlers{{
			Selector: "article",
			Element: func(e *htmlrewrite.Element) error {
				return e.OnEndTag(func(t *htmlrewrite.EndTag) error {
					t.Before(fmt.Sprintf("<p>%d words</p>", words), htmlrewrite.HTML)
					return nil
				})
			},
			Text: func(c *htmlrewrite.TextChunk) error {
				words += len(strings.Fields(c.Text()))
				return nil
			},
		}},
	}, nil)
	fmt.Println(out, err)
	// Output: <article>one two three<p>3 words</p></article> <nil>
}

func ExampleNewReader() {
	page := strings.NewReader("<p>text</p><script>track()</script>")
	r, err := htmlrewrite.NewReader(page, &htmlrewrite.Handlers{
		Elements: []htmlrewrite.ElementHandlers{{Selector: "script", Element: func(e *htmlrewrite.Element) error { e.Remove(); return nil }}},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	out, err := io.ReadAll(r)
	fmt.Println(string(out), err)
	// Output: <p>text</p> <nil>
}
