package tests

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"rustgo.dev/packages/htmlrewrite"
)

// TestHTMLTrees rewrites random documents, and makes the same changes to the trees of golang.org/x/net/html. The rewritten document must have the changed
// tree.
func TestHTMLTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		document := randomDocument(r)
		rewritten, err := htmlrewrite.RewriteString(document, &htmlrewrite.Handlers{
			Elements: []htmlrewrite.ElementHandlers{
				{Selector: "a[href]", Element: func(e *htmlrewrite.Element) error {
					href, _ := e.Attribute("href")
					e.RemoveAttribute("title")
					return e.SetAttribute("href", html.EscapeString("/to?"+html.UnescapeString(href)))
				}},
				{Selector: ".gone", Element: func(e *htmlrewrite.Element) error { e.Remove(); return nil }},
				{Selector: "em", Element: func(e *htmlrewrite.Element) error { return e.SetTagName("strong") }},
				{Selector: "div > span", Element: func(e *htmlrewrite.Element) error {
					if e.Removed() {
						return nil // the crate writes content that is inserted after the removal
					}
					e.Prepend("<&", htmlrewrite.Text)
					e.Append("<i>x</i>", htmlrewrite.HTML)
					return nil
				}},
			},
			Document: []htmlrewrite.DocumentHandlers{{
				Comment: func(c *htmlrewrite.Comment) error { return c.SetText(strings.ToUpper(c.Text())) },
			}},
		}, nil)
		if err != nil {
			t.Fatalf("%s: %v", document, err)
		}
		want := parsed(t, document)
		change(want)
		got := parsed(t, rewritten)
		if got, want := rendered(t, got), rendered(t, want); got != want {
			t.Fatalf("%s\nbecomes %s\n%s\nwant\n%s", document, rewritten, got, want)
		}
	}
}

// randomDocument returns a document whose elements are all closed and may contain each other.
func randomDocument(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("<!doctype html><html><head><title>t &amp; <b></title></head><body>")
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	var content func(depth int)
	content = func(depth int) {
		for range r.IntN(5) {
			switch r.IntN(8) {
			case 0:
				b.WriteString(pick("text ", "a &lt; b ", "&eacute; ", "日本 ", "x & y "))
			case 1:
				fmt.Fprintf(&b, "<!--%s-->", pick("c", " é - ", ""))
			case 2:
				b.WriteString(pick("<br>", "<img src=x alt='>'>", "<hr/>", "<input disabled>"))
			case 3:
				b.WriteString(pick("<script>if (a < b) c('<p>');</script>", "<style>p > a { }</style>", "<textarea><a href=x></textarea>"))
			default:
				if depth == 0 {
					continue
				}
				name := pick("div", "DIV", "section", "span", "em", "b", "code")
				fmt.Fprintf(&b, "<%s%s>", name, pick("", "", " class=gone", " class='a gone b'", " id=i data-x", " title=\"<&quot;>\""))
				content(depth - 1)
				fmt.Fprintf(&b, "</%s>", pick(name, strings.ToLower(name), name+" "))
				if r.IntN(4) == 0 {
					fmt.Fprintf(&b, "<a %s%s>link</a>", pick("href=/x", "HREF='/a?b=1&amp;c=\"2\"'", "href", "name=n"), pick("", " title=t"))
				}
			}
		}
	}
	content(5)
	b.WriteString("</body></html>")
	return b.String()
}

func parsed(t *testing.T, document string) *html.Node {
	n, err := html.Parse(strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// rendered returns the document of a tree. It parses and renders the document once more, because two texts whose separating element was removed
// become one text only when they are parsed.
func rendered(t *testing.T, n *html.Node) string {
	var b strings.Builder
	if err := html.Render(&b, n); err != nil {
		t.Fatal(err)
	}
	again := b.String()
	b.Reset()
	if err := html.Render(&b, parsed(t, again)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// change makes the changes of the handlers to a tree.
func change(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.ElementNode && has(c, "class", "gone") {
			n.RemoveChild(c)
		} else {
			change(c)
		}
		c = next
	}
	switch {
	case n.Type == html.CommentNode:
		n.Data = strings.ToUpper(n.Data)
	case n.Type != html.ElementNode:
	case n.Data == "a":
		for i, a := range n.Attr {
			if a.Key == "href" {
				n.Attr[i].Val = "/to?" + a.Val
				kept := n.Attr[:0]
				for _, a := range n.Attr {
					if a.Key != "title" {
						kept = append(kept, a)
					}
				}
				n.Attr = kept
				break
			}
		}
	case n.Data == "em":
		n.Data, n.DataAtom = "strong", 0
	case n.Data == "span" && n.Parent.Type == html.ElementNode && n.Parent.Data == "div":
		n.InsertBefore(&html.Node{Type: html.TextNode, Data: "<&"}, n.FirstChild)
		i := &html.Node{Type: html.ElementNode, Data: "i"}
		i.AppendChild(&html.Node{Type: html.TextNode, Data: "x"})
		n.AppendChild(i)
	}
}

// has tells whether a list of words in an attribute contains a word.
func has(n *html.Node, key, word string) bool {
	for _, a := range n.Attr {
		for _, w := range strings.Fields(a.Val) {
			if a.Key == key && w == word {
				return true
			}
		}
	}
	return false
}
