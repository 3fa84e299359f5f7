package htmlrewrite

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"rustgo.dev/bench/internal/processor"
	"rustgo.dev/packages/htmlrewrite"
)

// page returns a document of about this length: articles with links, lists, comments, a script and a style sheet.
func page(length int) []byte {
	var b bytes.Buffer
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en\"><head><title>Page</title><style>p > a { color: red }</style></head><body>\n")
	for i := 0; b.Len() < length; i++ {
		fmt.Fprintf(&b, `<article class="post wide" id="post-%d" data-views="%d">
<!-- post %d -->
<h2 class="title"><a href="/posts/%d" title="Post number %d">A title with &quot;quotes&quot; &amp; more</a></h2>
<div class="meta"><img src="/img/%d.png" alt="" width=32 height=32><span>by <b>someone</b></span> <time datetime="2026-11-28">today</time></div>
<p>Some text of a paragraph that is as long as paragraphs on the web often are, with <em>emphasis</em>, a <a href="https://example.com/%d?a=1&amp;b=2">link</a>, and
<code>code</code>. It goes on for a second line, which has no tags at all, and ends here.</p>
<ul><li>one</li><li>two</li><li class="last">three</li></ul>
<script>track(%d, "<p>" && 1 < 2);</script>
</article>
`, i, i*7, i, i, i, i%50, i, i)
	}
	b.WriteString("</body></html>\n")
	return b.Bytes()
}

// BenchmarkHTML changes the URLs of all links of a page in three ways: with lol_html through rustgo, with the tokenizer of golang.org/x/net/html and
// hand-written code, and with goquery, which builds a tree. Three more benchmarks run lol_html with handlers that leave the page unchanged: a handler
// whose selector matches no element, a handler for all elements, and a handler for all texts.
func BenchmarkHTML(b *testing.B) {
	const prefix = "https://proxy.example/?to="
	links := &htmlrewrite.Handlers{Elements: []htmlrewrite.ElementHandlers{{Selector: "a[href]", Element: func(e *htmlrewrite.Element) error {
		href, _ := e.Attribute("href")
		return e.SetAttribute("href", prefix+href)
	}}}}
	none := &htmlrewrite.Handlers{Elements: []htmlrewrite.ElementHandlers{{Selector: "video[src]", Element: links.Elements[0].Element}}}
	elements := &htmlrewrite.Handlers{Elements: []htmlrewrite.ElementHandlers{{Selector: "*", Element: func(e *htmlrewrite.Element) error { return nil }}}}
	texts := &htmlrewrite.Handlers{Document: []htmlrewrite.DocumentHandlers{{Text: func(c *htmlrewrite.TextChunk) error { return nil }}}}
	rewrite := func(handlers *htmlrewrite.Handlers) func(dst io.Writer, src []byte) error {
		return func(dst io.Writer, src []byte) error {
			w, err := htmlrewrite.NewWriter(dst, handlers, nil)
			if err != nil {
				return err
			}
			if _, err := w.Write(src); err != nil {
				return err
			}
			return w.Close()
		}
	}
	tokenizer := func(dst io.Writer, src []byte) error {
		z := html.NewTokenizer(bytes.NewReader(src))
		for {
			kind := z.Next()
			switch kind {
			case html.ErrorToken:
				if z.Err() == io.EOF {
					return nil
				}
				return z.Err()
			case html.StartTagToken, html.SelfClosingTagToken:
				raw := z.Raw()
				if name, _ := z.TagName(); len(name) != 1 || name[0] != 'a' {
					dst.Write(raw)
					continue
				}
				// After TagName, the tokenizer cannot return the token. So the attributes are read here.
				t := html.Token{Type: kind, Data: "a"}
				for more := true; more; {
					var key, value []byte
					key, value, more = z.TagAttr()
					a := html.Attribute{Key: string(key), Val: string(value)}
					if a.Key == "href" {
						a.Val = prefix + a.Val
					}
					t.Attr = append(t.Attr, a)
				}
				io.WriteString(dst, t.String())
			default:
				dst.Write(z.Raw())
			}
		}
	}
	tree := func(dst io.Writer, src []byte) error {
		d, err := goquery.NewDocumentFromReader(bytes.NewReader(src))
		if err != nil {
			return err
		}
		d.Find("a[href]").Each(func(_ int, s *goquery.Selection) {
			href, _ := s.Attr("href")
			s.SetAttr("href", prefix+href)
		})
		return html.Render(dst, d.Nodes[0])
	}
	for _, size := range []struct {
		name   string
		length int
	}{{"10KB", 10_000}, {"1MB", 1_000_000}, {"10MB", 10_000_000}} {
		src := page(size.length)
		want := strings.Count(string(src), "<a ")
		for _, way := range []struct {
			name    string
			changes bool
			f       func(dst io.Writer, src []byte) error
		}{
			{"links/rustgo", true, rewrite(links)}, {"links/Go-tokenizer", true, tokenizer}, {"links/Go-goquery", true, tree},
			{"none/rustgo", false, rewrite(none)}, {"elements/rustgo", false, rewrite(elements)}, {"texts/rustgo", false, rewrite(texts)},
		} {
			b.Run(size.name+"/"+way.name, func(b *testing.B) {
				var out bytes.Buffer
				if err := way.f(&out, src); err != nil {
					b.Fatal(err)
				}
				if n := strings.Count(out.String(), prefix); way.changes && n != want {
					b.Fatalf("%d links are changed, not %d", n, want)
				} else if !way.changes && !bytes.Equal(out.Bytes(), src) {
					b.Fatal("the page has changed")
				}
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				b.ResetTimer()
				worked := processor.Time()
				for range b.N {
					out.Reset()
					if err := way.f(&out, src); err != nil {
						b.Fatal(err)
					}
				}
				processor.Report(b, processor.Time()-worked, b.N)
			})
		}
	}
}
