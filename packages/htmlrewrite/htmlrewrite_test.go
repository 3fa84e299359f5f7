//go:build amd64 || arm64

package htmlrewrite

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// on returns handlers with an element handler for a selector.
func on(selector string, f func(*Element) error) *Handlers {
	return &Handlers{Elements: []ElementHandlers{{Selector: selector, Element: f}}}
}

// edit does the same as the function on, for a handler that does not fail.
func edit(selector string, f func(*Element)) *Handlers {
	return on(selector, func(e *Element) error { f(e); return nil })
}

// These cases come from the crate's own tests and documentation. They concern elements.
func TestElements(t *testing.T) {
	rename := func(name string) func(*Element) {
		return func(e *Element) {
			if err := e.SetTagName(name); err != nil {
				panic(err)
			}
		}
	}
	for _, c := range []struct {
		name, in, selector string
		f                  func(*Element)
		want               string
	}{
		{"https", `<div><a href=http://example.com></a></div>`, "a[href]", func(e *Element) {
			href, _ := e.Attribute("href")
			e.SetAttribute("href", strings.Replace(href, "http:", "https:", 1))
		}, `<div><a href="https://example.com"></a></div>`},
		{"before", "<div><span>ĥi</span></div>", "span", func(e *Element) {
			e.Before("<imgĤ>", HTML)
			e.Before("<imgĤ>", Text)
		}, "<div><imgĤ>&lt;imgĤ&gt;<span>ĥi</span></div>"},
		{"prepend", "<div><span>ĥi</span></div>", "span", func(e *Element) {
			e.Prepend("<imgĤ>", HTML)
			e.Prepend("<imgĤ>", Text)
		}, "<div><span>&lt;imgĤ&gt;<imgĤ>ĥi</span></div>"},
		{"append", "<div><span>ĥi</span></div>", "span", func(e *Element) {
			e.Append("<imgĤ>", HTML)
			e.Append("<imgĤ>", Text)
		}, "<div><span>ĥi<imgĤ>&lt;imgĤ&gt;</span></div>"},
		{"after", "<div><span>ĥi</span></div>", "span", func(e *Element) {
			e.After("<imgĤ>", HTML)
			e.After("<imgĤ>", Text)
		}, "<div><span>ĥi</span>&lt;imgĤ&gt;<imgĤ></div>"},
		{"inner", "<div><span>Hi<inner>x</inner></span></div>", "span", func(e *Element) {
			e.Prepend("<prepended>", HTML)
			e.Append("<appended>", HTML)
			e.SetInnerContent("<img>", HTML)
			e.SetInnerContent("<imgŵ>", Text)
		}, "<div><span>&lt;imgŵ&gt;</span></div>"},
		{"replace", "<div><span>Hi<inner>x</inner></span></div>", "span", func(e *Element) {
			e.Before("1", HTML)
			e.After("2", HTML)
			e.Replace("<img>", HTML)
			e.Replace("<img㘘>", Text)
		}, "<div>1&lt;img㘘&gt;2</div>"},
		{"remove", "<div><span㗵>Hi<b></b></span㗵></div>", "span㗵", func(e *Element) { e.Prepend("x", HTML); e.Append("y", HTML); e.Remove() }, "<div></div>"},
		{"remove, unfinished", "<div><span>Heello</span  ", "span", func(e *Element) { e.Remove() }, "<div>"},
		{"keep content", "<div><span>Hi</span></div>", "span", func(e *Element) {
			e.Prepend("<prepended>", HTML)
			e.Append("<appended>", HTML)
			e.RemoveAndKeepContent()
		}, "<div><prepended>Hi<appended></div>"},
		{"void", "<img><span>Hi</span></img>", "img", func(e *Element) {
			e.After("<!--after-->", HTML)
			e.Prepend("no", HTML)
			e.Append("no", HTML)
			e.SetInnerContent("no", HTML)
			rename("img-foo")(e)
		}, "<img-foo><!--after--><span>Hi</span></img>"},
		{"self-closing", "<svg><foo/>Hi</foo></svg>", "foo", func(e *Element) {
			e.After("<!--after-->", HTML)
			e.Prepend("no", HTML)
			e.SetInnerContent("no", HTML)
			rename("bar")(e)
		}, "<svg><bar/><!--after-->Hi</foo></svg>"},
		{"rename", "<div><Span>Hi</sPan></div>", "span", rename("Em"), "<div><Em>Hi</Em></div>"},
		{"set attribute", `<img a=1 B='2' c>`, "img", func(e *Element) {
			e.SetAttribute("b", `x"y'<&amp;`)
			e.SetAttribute("C", "")
			e.SetAttribute("New", "é")
		}, `<img a=1 B="x&quot;y'<&amp;" c="" new="é">`},
		{"remove attribute", `<img a=1 B='2' b=3 c>`, "img", func(e *Element) {
			for _, name := range []string{"b", "none", ""} {
				e.RemoveAttribute(name)
			}
		}, `<img a=1 c>`},
		{"self-closing flag", `<img a1=42 a2 />`, "img", func(e *Element) { e.SetAttribute("a1", "foo") }, `<img a1="foo" a2 />`},
		{"last attribute", `<img a1 />`, "img", func(e *Element) { e.RemoveAttribute("a1") }, `<img/>`},
		{"trailing slash", `<img path=//>`, "img", func(e *Element) { e.SetAttribute("slash", "/") }, `<img path=// slash="/">`},
		{"style in math", "<math><style><img></style></math>\n<textarea><!--</textarea><img>--></textarea>\n<div><style><img></style></div>", "img", rename("TROUBLE"),
			"<math><style><TROUBLE></style></math>\n<textarea><!--</textarea><TROUBLE>--></textarea>\n<div><style><img></style></div>"},
		{"noscript", `<noscript><p alt="</noscript><img>">`, "img", rename("we-have-scripts"), `<noscript><p alt="</noscript><we-have-scripts>">`},
		{"foreign content", `<svg></p><style><a id="</style><img>">`, "img,a", rename("HIT"), `<svg></p><style><a id="</style><HIT>">`},
		{"integration points", `<svg><desc>d</desc><title>t</title><foreignObject></foreignObject></svg>`, "desc,title,foreignobject", func(e *Element) { e.SetAttribute("hit", "") },
			`<svg><desc hit="">d</desc><title hit="">t</title><foreignObject hit=""></foreignObject></svg>`},
		{"end tag", "<div>foo</div>", "div", func(e *Element) {
			for _, s := range []string{"X", "Y", "Z"} {
				if err := e.OnEndTag(func(t *EndTag) error { t.Before(s, Text); return nil }); err != nil {
					panic(err)
				}
			}
		}, "<div>fooXYZ</div>"},
		{"end tag, all", "<div>a</div><p>b</p><i>c</i>", "*", func(e *Element) {
			name := e.TagName()
			e.OnEndTag(func(t *EndTag) error {
				t.Before("<", Text)
				t.After("<>", HTML)
				switch name {
				case "div":
					return t.SetName("SECTION")
				case "p":
					t.Replace("&", Text)
				case "i":
					t.Remove()
				}
				return nil
			})
		}, "<div>a&lt;</SECTION><><p>b&lt;&amp;<><i>c&lt;<>"},
		{"text that is not UTF-8", "<p></p>", "p", func(e *Element) {
			e.SetInnerContent("a\xffb", Text)
			e.SetAttribute("x", "\xc3")
		}, "<p x=\"\uFFFD\">a\uFFFDb</p>"},
	} {
		called := false
		got, err := RewriteString(c.in, edit(c.selector, func(e *Element) { called = true; c.f(e) }), nil)
		if got != c.want || err != nil || !called {
			t.Errorf("%s: %q, %v\nwant %q", c.name, got, err, c.want)
		}
	}
}

// A handler sees the attributes, and its own changes of them.
func TestWhatElementsShow(t *testing.T) {
	document := `<!-- é --><Foo Fooα1=Barβ1 X="a &amp; b" y='' z X=2></foo><br/><svg viewBox=1><Path/></svg><math><mi></mi></math>`
	var seen []string
	handlers := edit("*", func(e *Element) {
		start, end := e.Location()
		seen = append(seen, fmt.Sprint(e.TagName(), " ", document[start:end], " ", e.Namespace(), e.CanHaveContent(), e.SelfClosing(), e.Removed()))
	})
	handlers.Elements = append(handlers.Elements, ElementHandlers{Selector: "foo", Element: func(e *Element) error {
		check := func(want ...string) {
			t.Helper()
			var got []string
			for name, value := range e.Attributes() {
				got = append(got, name+"="+value)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		}
		check("fooα1=Barβ1", "x=a &amp; b", "y=", "z=", "x=2")
		if value, ok := e.Attribute("FOOα1"); value != "Barβ1" || !ok {
			t.Error(value, ok)
		}
		if value, ok := e.Attribute("no"); value != "" || ok || e.HasAttribute("no") || !e.HasAttribute("Z") {
			t.Error(value, ok)
		}
		for range e.Attributes() {
			e.RemoveAttribute("X")
			e.SetAttribute("NEW", "1")
		}
		check("fooα1=Barβ1", "y=", "z=", "new=1")
		e.SetAttribute("Y", "yes")
		check("fooα1=Barβ1", "y=yes", "z=", "new=1")
		if err := e.SetTagName("BAR"); err != nil || e.TagName() != "bar" {
			t.Error(err, e.TagName())
		}
		for range e.Attributes() {
			break
		}
		if e.Removed() {
			t.Error("removed")
		}
		e.RemoveAndKeepContent()
		if !e.Removed() {
			t.Error("not removed")
		}
		return nil
	}}, ElementHandlers{Selector: "foo", Element: func(e *Element) error {
		if e.TagName() != "bar" || !e.Removed() || e.HasAttribute("x") || !e.HasAttribute("new") {
			t.Error(e.TagName(), e.Removed())
		}
		return nil
	}})
	if _, err := RewriteString(document, handlers, nil); err != nil {
		t.Error(err)
	}
	html, svg, math := "http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"
	want := []string{
		`foo <Foo Fooα1=Barβ1 X="a &amp; b" y='' z X=2> ` + html + "true false false",
		"br <br/> " + html + "false true false",
		"svg <svg viewBox=1> " + svg + "true false false", "path <Path/> " + svg + "false true false",
		"math <math> " + math + "true false false", "mi <mi> " + html + "true false false",
	}
	if !reflect.DeepEqual(seen, want) {
		t.Errorf("%q\nwant %q", seen, want)
	}
}

func TestNames(t *testing.T) {
	called := false
	_, err := RewriteString("<div><br>", on("*", func(e *Element) error {
		called = true
		for _, name := range []string{"", "1a", "é", "-", "a b", "a\n", "a\r", "a\t", "a\f", "a/", "a>"} {
			var bad *NameError
			if err := e.SetTagName(name); !errors.As(err, &bad) || bad.Name != name || bad.Of != "tag" {
				t.Errorf("%q: %v", name, err)
			}
		}
		for _, name := range []string{"", "a b", "a\n", "a\r", "a\t", "a\f", "a/", "a>", "="} {
			var bad *NameError
			if err := e.SetAttribute(name, "x"); !errors.As(err, &bad) || bad.Name != name || bad.Of != "attribute" {
				t.Errorf("%q: %v", name, err)
			}
		}
		if err := e.OnEndTag(func(*EndTag) error { return nil }); (e.TagName() == "br") != (err == ErrNoEndTag) {
			t.Error(e.TagName(), err)
		}
		return nil
	}), nil)
	if err != nil || !called {
		t.Error(err, called)
	}

	setEnd := func(name string) *Handlers {
		return on("p", func(e *Element) error { return e.OnEndTag(func(end *EndTag) error { return end.SetName(name) }) })
	}
	for _, name := range []string{"", "1a", "é", "!--", "?", "a b", "a/", "a>"} {
		var bad *NameError
		if got, err := RewriteString("<p></p>", setEnd(name), nil); !errors.As(err, &bad) || bad.Name != name || bad.Of != "tag" {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	// The encoding cannot express these names.
	for _, name := range []string{"a☃", "aé"} {
		var bad *EditError
		if got, err := RewriteString("<p></p>", setEnd(name), &Options{Encoding: "windows-1251"}); !errors.As(err, &bad) {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	if got, err := RewriteString("<p></p>", setEnd("Aя"), &Options{Encoding: "windows-1251"}); got != "<p></A\xff>" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestTexts(t *testing.T) {
	for _, c := range []struct {
		in, want string
		f        func(*TextChunk)
	}{
		{"<p>a &amp; b</p>", "<p>&lt;<i>a &amp; b&lt;/<u></p>", func(c *TextChunk) {
			if !c.LastInTextNode() {
				c.Before("<", Text)
				c.Before("<i>", HTML)
				c.After("<u>", HTML)
				c.After("</", Text)
			}
		}},
		{"<p>a</p>", "<p><b></p>", func(c *TextChunk) {
			if !c.LastInTextNode() {
				c.Replace("x", Text)
				c.Replace("<b>", HTML)
			}
		}},
		{"<p>a</p>b", "<p></p>", func(c *TextChunk) { c.Remove() }},
		{"<p>a</p>b", "<p>A</p>B", func(c *TextChunk) { c.SetText(strings.ToUpper(c.Text())) }},
	} {
		got, err := RewriteString(c.in, &Handlers{Document: []DocumentHandlers{{Text: func(chunk *TextChunk) error {
			c.f(chunk)
			if removed := strings.Contains(c.want, "a") || strings.Contains(c.want, "A") || chunk.LastInTextNode(); !removed && !chunk.Removed() {
				t.Error("not removed")
			}
			return nil
		}}}}, nil)
		if got != c.want || err != nil {
			t.Errorf("%q, %v, want %q", got, err, c.want)
		}
	}
	var seen []string
	in := "a<title>b</title><style>c</style><script>d</script><svg><![CDATA[e]]></svg><plaintext>f"
	got, err := RewriteString(in, &Handlers{Document: []DocumentHandlers{{Text: func(c *TextChunk) error {
		if c.Text() != "" {
			start, end := c.Location()
			seen = append(seen, fmt.Sprint(c.Text(), c.Type(), in[start:end] == c.Text()))
		}
		return nil
	}}}}, nil)
	want := "[a0 true b4 true c2 true d3 true e5 true f1 true]"
	if fmt.Sprint(seen) != want || got != in || err != nil {
		t.Errorf("%q, %v, %v", got, seen, err)
	}
}

func TestComments(t *testing.T) {
	comment := func(f func(*Comment) error) *Handlers {
		return &Handlers{Document: []DocumentHandlers{{Comment: f}}}
	}
	set := func(text string) func(*Comment) error {
		return func(c *Comment) error {
			if err := c.SetText(text); err != nil || c.Text() != text {
				return fmt.Errorf("%w %q", err, c.Text())
			}
			return nil
		}
	}
	for _, c := range []struct {
		in, want string
		f        func(*Comment) error
	}{
		{"<!--><img> surprise-->", "<!--early--><img> surprise-->", set("early")},
		{"<!-- --!><p><!---></p>", "<!--x--><p><!--x--></p>", set("x")},
		{"<?xml >s<img> ?>", "<!--pie-->s<img> ?>", set("pie")},
		{"<!-- a -->", "<!--42é <!--->", set("42é <!-")},
		{"<!-- é -- bar -->", "&lt;<div><!-- é -- bar -->&lt;&amp;<i>", func(c *Comment) error {
			c.Before("<", Text)
			c.Before("<div>", HTML)
			c.After("<i>", HTML)
			c.After("<&", Text)
			return nil
		}},
		{"<!--x-->", "<a><b>", func(c *Comment) error {
			c.Remove()
			c.Before("<a>", HTML)
			c.After("<b>", HTML)
			if !c.Removed() {
				return errors.New("not removed")
			}
			return nil
		}},
		{"<!--x-->", "&lt;", func(c *Comment) error { c.Replace("y", HTML); c.Replace("<", Text); return nil }},
		{"<!-- x -->", "<!-- x -->", func(c *Comment) error {
			for _, text := range []string{"foo -- bar --> baz", "foo --!> bar", ">foo", "->foo"} {
				if err := c.SetText(text); err != ErrCommentText {
					return fmt.Errorf("%q: %w", text, err)
				}
			}
			if c.Text() != " x " {
				return errors.New(c.Text())
			}
			return nil
		}},
	} {
		if got, err := RewriteString(c.in, comment(c.f), nil); got != c.want || err != nil {
			t.Errorf("%q, %v, want %q", got, err, c.want)
		}
	}
	// A comment handler for a selector gets only the comments in matching elements.
	got, err := RewriteString("<!--a--><p><!--b--><i><!--c--></i></p>", &Handlers{Elements: []ElementHandlers{{
		Selector: "p",
		Comment:  func(c *Comment) error { c.Remove(); return nil },
	}}}, nil)
	if got != "<!--a--><p><i></i></p>" || err != nil {
		t.Error(got, err)
	}
}

func TestDocuments(t *testing.T) {
	var seen string
	doctype := func(remove bool) *Handlers {
		return &Handlers{Document: []DocumentHandlers{{Doctype: func(d *Doctype) error {
			name, hasName := d.Name()
			public, hasPublic := d.PublicID()
			system, hasSystem := d.SystemID()
			start, _ := d.Location()
			seen = fmt.Sprint(name, hasName, public, hasPublic, system, hasSystem, start)
			if remove {
				d.Remove()
			}
			if d.Removed() != remove {
				t.Error(d.Removed())
			}
			return nil
		}}}}
	}
	in := `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "DTD/xhtml1-transitional.dtd">x`
	got, err := RewriteString(in, doctype(false), nil)
	if got != in || err != nil || seen != "htmltrue-//W3C//DTD XHTML 1.0 Transitional//ENtrueDTD/xhtml1-transitional.dtdtrue 0" {
		t.Error(got, err, seen)
	}
	got, err = RewriteString(" <!DOCTYPE><p>", doctype(true), nil)
	if got != " <p>" || err != nil || seen != "falsefalsefalse 1" {
		t.Error(got, err, seen)
	}
	end := &Handlers{Document: []DocumentHandlers{{End: func(d *DocumentEnd) error {
		d.Append("<span>", HTML)
		d.Append("<>", Text)
		return nil
	}}}}
	for _, in := range []string{"", "<p>é", "<p"} {
		// The crate keeps an incomplete tag at the end of the document.
		got, err := RewriteString(in, end, nil)
		if got != in+"<span>&lt;&gt;" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// Handlers run in their order, and a removed element has no handlers for its content.
func TestOrder(t *testing.T) {
	var seen strings.Builder
	note := func(s string) func(*Element) error {
		return func(e *Element) error { seen.WriteString(s + e.TagName() + " "); return nil }
	}
	text := func(s string) func(*TextChunk) error {
		return func(c *TextChunk) error { seen.WriteString(s + c.Text() + " "); return nil }
	}
	_, err := RewriteString("<div><p>a</p></div>", &Handlers{
		Elements: []ElementHandlers{
			{Selector: "p", Element: note("1"), Text: text("1")}, {Selector: "div", Element: note("2"), Text: text("2")},
			{Selector: "*", Element: note("3")}, {Selector: "p"},
		},
		Document: []DocumentHandlers{{Text: text("4")}, {Text: text("5")}, {}},
	}, nil)
	if got, want := seen.String(), "2div 3div 1p 3p 1a 2a 4a 5a 1 2 4 5 "; got != want || err != nil {
		t.Errorf("%q, want %q, %v", got, want, err)
	}
	got, err := RewriteString("<a><b>x</b><i>y</i></a>", &Handlers{Elements: []ElementHandlers{
		{Selector: "b", Element: func(e *Element) error { e.SetInnerContent("!", Text); return nil }},
		{Selector: "b", Text: func(c *TextChunk) error { c.Before("no", Text); return nil }},
	}}, nil)
	if got != "<a><b>!</b><i>y</i></a>" || err != nil {
		t.Error(got, err)
	}
}

// These are the crate's tests for the end tags of unclosed elements.
func TestEndTags(t *testing.T) {
	in := "<div><div class=c>…<unclosed class=c></div> <unclosed class=c></div>"
	mark := func(sign string) func(*Element) error {
		return func(e *Element) error {
			name := e.TagName()
			e.Before(sign+name, Text)
			return e.OnEndTag(func(t *EndTag) error {
				t.Before(sign+name+"+", Text)
				t.After("/"+sign+name, Text)
				return nil
			})
		}
	}
	got, err := RewriteString(in, &Handlers{Elements: []ElementHandlers{
		{Selector: "*", Element: mark("*")}, {Selector: "#no", Element: mark("#")}, {Selector: ".c", Element: mark(".")},
	}}, nil)
	want := "*div<div>*div.div<div class=c>…*unclosed.unclosed<unclosed class=c>*unclosed+.unclosed+*div+.div+</div>/.div/*div/.unclosed/*unclosed" +
		" *unclosed.unclosed<unclosed class=c>*unclosed+.unclosed+*div+</div>/*div/.unclosed/*unclosed"
	if got != want || err != nil {
		t.Errorf("%q\nwant %q, %v", got, want, err)
	}
	const n = 1000
	next := 0
	got, err = RewriteString(strings.Repeat("<div><b></b>", n)+strings.Repeat("</div>", n), on("div, b", func(e *Element) error {
		id := next
		next++
		return e.OnEndTag(func(t *EndTag) error { t.Before(fmt.Sprint("/", id), Text); return nil })
	}), nil)
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<div><b>/%d</b>", 2*i+1)
	}
	for i := range n {
		fmt.Fprintf(&b, "/%d</div>", 2*(n-1-i))
	}
	if got != b.String() || err != nil {
		t.Error(err)
	}
}

func TestSelectors(t *testing.T) {
	in := `<body><div id=i class="a b" lang=en-US><p>1</p><p title="x y">2</p><span data-k=vwx>3</span></div><p>4</p></body>`
	for selector, want := range map[string]string{
		"*": "body div p p span p", "p": "p p p", "#i": "div", ".a.b": "div", "div > p": "p p", "div p": "p p", "[title]": "p", "[title~=y]": "p",
		"[lang|=en]": "div", "[data-k^=v]": "span", "[data-k$=x]": "span", "[data-k*=w]": "span", "[data-k=VWX i]": "span", "p:not([title])": "p p", "p:nth-child(2)": "p p",
		"p:first-child": "p", "p:nth-of-type(2n+1)": "p p", "span, div": "div span",
		"p:first-of-type": "p p", "p:nth-child(odd)": "p", "span:not(.a, [title])": "span",
		strings.Repeat(":not(", 64) + "p" + strings.Repeat(")", 64): "p p p", "body > *": "div p",
		"*:not(:not(.a.b))": "div", "p:not( [title] , :nth-child( 2n + 1 ) )": "p", "p:NOT(:not([title]))": "p", "p:not(:not(p:not(:not([title]))))": "p",
		`p:not(/*.a*/[title=").x#y"], .a)`: "p p p", strings.Repeat("*>", mostCompounds-1) + "p, p" + strings.Repeat(" ", 2000): "p p p",
	} {
		var seen []string
		if _, err := RewriteString(in, edit(selector, func(e *Element) { seen = append(seen, e.TagName()) }), nil); err != nil || strings.Join(seen, " ") != want {
			t.Errorf("%s: %q, %v", selector, seen, err)
		}
	}
	for selector, reason := range map[string]string{
		"": "The selector is empty.", "div >": "Dangling combinator", "a + b": "Unsupported combinator `+`", "a ~ b": "Unsupported combinator `~`", "[": "Unexpected",
		"p::before": "pseudo", ":hover": "pseudo", ":last-child": "pseudo", ":has(a)": "pseudo", ":is(a)": "pseudo",
		"svg|a": "namespaces", "a.": "end of selector", "[=a]": "attribute", "\xff": "UTF-8", ":not()": "empty",
		strings.Repeat(":not(", 100) + "a" + strings.Repeat(")", 100): "nested", strings.Repeat("[", 1000): "nested", strings.Repeat("(", 64): "empty",
		strings.Repeat(":not([b=')'],", 100): "nested", strings.Repeat(`:not([b="\")"],`, 100): "nested",
		strings.Repeat(":not(/*)*/b,", 100): "nested", strings.Repeat(`:not(\),`, 100): "nested",
		strings.Repeat("div ", 5000) + "p": "combinators", "p, " + strings.Repeat("p>", mostCompounds) + "p": "combinators",
		// For these selectors, the crate would match the wrong elements.
		"div:not(.a.b)": "compound", ":not(p[title])": "compound", ":not(.a, p#i)": "compound", ":NOT(p.a)": "compound", `:\6eot(p.a)`: "compound",
		":not(p:not(.a))": "compound", ":not(.\\.b.c)": "compound", ":not(:not(.a, .b))": "list", ":not(:not(:not(.a.b)))": "compound",
	} {
		h := edit("p", func(*Element) {})
		h.Elements = append(h.Elements, ElementHandlers{Selector: selector})
		_, err := NewWriter(nil, h, nil)
		var bad *SelectorError
		if !errors.As(err, &bad) || bad.Selector != selector || bad.Index != 1 || !strings.Contains(bad.Reason, reason) || !strings.Contains(err.Error(), bad.Reason) {
			t.Errorf("%q: %v", selector, err)
		}
	}
}
