//go:build amd64 || arm64

package htmlrewrite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"rustgo.dev/go/rt"
)

// everything returns handlers that change everything, in ways that do not depend on where texts are cut.
func everything() *Handlers {
	var text strings.Builder
	return &Handlers{
		Elements: []ElementHandlers{
			{Selector: "a[href]", Element: func(e *Element) error {
				href, _ := e.Attribute("href")
				e.SetAttribute("HREF", "/go?"+href)
				e.Before("[", Text)
				e.After("]", Text)
				return nil
			}},
			{Selector: "script, .hidden", Element: func(e *Element) error { e.Remove(); return nil }},
			{Selector: "b", Element: func(e *Element) error { e.RemoveAndKeepContent(); return nil }},
			{Selector: "h1", Element: func(e *Element) error {
				e.Prepend("<i>", HTML)
				e.Append("</i>", HTML)
				if err := e.SetTagName("h2"); err != nil {
					return err
				}
				return e.OnEndTag(func(t *EndTag) error { t.After("<hr>", HTML); return nil })
			}},
			{Selector: "p", Text: func(c *TextChunk) error {
				text.WriteString(c.Text())
				if !c.LastInTextNode() {
					c.Remove()
					return nil
				}
				c.Replace(strings.ToUpper(text.String()), HTML)
				text.Reset()
				return nil
			}},
			{Selector: "*", Comment: func(c *Comment) error { return c.SetText("*" + c.Text()) }},
		},
		Document: []DocumentHandlers{{
			Doctype: func(d *Doctype) error { d.Remove(); return nil },
			Comment: func(c *Comment) error { c.Before("|", Text); return nil },
			End:     func(d *DocumentEnd) error { d.Append("<!-- end -->", HTML); return nil },
		}},
	}
}

// fixtures returns the inputs in testdata, and the outputs that are expected.
func fixtures(t testing.TB) map[string][2]string {
	names, err := filepath.Glob("testdata/*.html")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	all := map[string][2]string{}
	for _, name := range names {
		in, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(name, ".html") + ".want")
		if err != nil && os.Getenv("BLESS") == "" {
			t.Fatal(err)
		}
		all[name] = [2]string{string(in), string(want)}
	}
	return all
}

// rewrite rewrites a document in pieces. cut returns the length of the next piece.
func rewrite(in string, handlers *Handlers, options *Options, cut func() int) (string, error) {
	var out bytes.Buffer
	w, err := NewWriter(&out, handlers, options)
	if err != nil {
		return "", err
	}
	for in != "" {
		n := min(cut(), len(in))
		if _, err := w.Write([]byte(in[:n])); err != nil {
			return out.String(), err
		}
		in = in[n:]
	}
	err = w.Close()
	return out.String(), err
}

// The output does not depend on how the input is cut.
func TestFixtures(t *testing.T) {
	for name, f := range fixtures(t) {
		got, err := RewriteString(f[0], everything(), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if os.Getenv("BLESS") != "" {
			if err := os.WriteFile(strings.TrimSuffix(name, ".html")+".want", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			f[1] = got
		}
		if got != f[1] {
			t.Errorf("%s: the output differs from the .want file; BLESS=1 writes it:\n%s", name, got)
		}
		for _, size := range []int{1, 2, 3, 7, 64} {
			if cut, err := rewrite(f[0], everything(), nil, func() int { return size }); cut != got || err != nil {
				t.Errorf("%s: in pieces of %d: %v\n%s", name, size, err, cut)
			}
		}
		r := rand.New(rand.NewPCG(1, 2))
		for range 50 {
			if cut, err := rewrite(f[0], everything(), nil, func() int { return r.IntN(40) }); cut != got || err != nil {
				t.Errorf("%s: in random pieces: %v\n%s", name, err, cut)
			}
		}
		// If handlers change nothing, the output is the input, byte for byte. Text that has a handler is an exception: its invalid bytes become
		// U+FFFD.
		idle := &Handlers{Elements: []ElementHandlers{{Selector: "*", Element: func(*Element) error { return nil }, Comment: func(*Comment) error { return nil }}}}
		if utf8.ValidString(f[0]) {
			idle.Document = []DocumentHandlers{{Text: func(*TextChunk) error { return nil }}}
		}
		same, err := rewrite(f[0], idle, nil, func() int { return 5 })
		if same != f[0] || err != nil {
			t.Errorf("%s: %v\n%s", name, err, same)
		}
		if same, err := RewriteString(f[0], nil, nil); same != f[0] || err != nil {
			t.Errorf("%s: %v\n%s", name, err, same)
		}
	}
}

type coded struct{ code int }

func (c *coded) Error() string { return fmt.Sprint("code ", c.code) }

// All calls return the error of a handler unchanged. The output before the error has been written.
func TestErrorsOfHandlers(t *testing.T) {
	mine := &coded{7}
	for name, handlers := range map[string]*Handlers{
		"element": on("b", func(*Element) error { return mine }),
		"end tag": on("b", func(e *Element) error { return e.OnEndTag(func(*EndTag) error { return mine }) }),
		"comment": {Elements: []ElementHandlers{{Selector: "b", Comment: func(*Comment) error { return mine }}}},
		"text":    {Elements: []ElementHandlers{{Selector: "b", Text: func(*TextChunk) error { return mine }}}},
		"any":     {Document: []DocumentHandlers{{Comment: func(*Comment) error { return mine }}}},
	} {
		var out bytes.Buffer
		w, err := NewWriter(&out, handlers, nil)
		if err != nil {
			t.Fatal(err)
		}
		n, err := w.WriteString(strings.Repeat("<p>before</p>", 5000) + "<b>x<!--c--></b>after")
		if err != error(mine) || n != 65000/piece*piece || !strings.HasPrefix(out.String(), strings.Repeat("<p>before</p>", 5000)) || strings.Contains(out.String(), "after") {
			t.Errorf("%s: %d, %v, %d bytes", name, n, err, out.Len())
		}
		if _, err := w.Write(nil); err != error(mine) {
			t.Error(err)
		}
		if err := w.Close(); err != error(mine) {
			t.Error(err)
		}
		if _, err := w.Write(nil); !errors.Is(err, fs.ErrClosed) || err != ErrClosed {
			t.Error(err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if got, err := RewriteString("<b>x<!--c--></b>", handlers, nil); err != error(mine) || got != "" {
			t.Error(got, err)
		}
	}
	// Close returns the error of a handler for the end of the document.
	for _, d := range []DocumentHandlers{{End: func(*DocumentEnd) error { return mine }}} {
		w, err := NewWriter(io.Discard, &Handlers{Document: []DocumentHandlers{d}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.WriteString("<p>"); err != nil {
			t.Error(err)
		}
		if err := w.Close(); err != error(mine) {
			t.Error(err)
		}
	}
}

func TestZeroWriter(t *testing.T) {
	var w Writer
	if _, err := w.Write([]byte("x")); err != ErrClosed {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// With KeepRest the output is the whole document. It is rewritten up to the failure, and unchanged after the failure.
func TestKeepRest(t *testing.T) {
	mine := &coded{5}
	in := strings.Repeat("<p>text <a href=x>link</a></p>\n", 2000)
	for _, fail := range []int{1, 2, 1000, 2000} {
		handlers := func() *Handlers {
			n := 0
			return on("a", func(e *Element) error {
				if n++; n == fail {
					return mine
				}
				return e.SetAttribute("href", "y")
			})
		}
		want := strings.Replace(in, "href=x", `href="y"`, fail-1)
		for _, size := range []int{1, 7, 100, 5000, len(in)} {
			got, err := rewrite(in, handlers(), &Options{KeepRest: true}, func() int { return size })
			if got != want || err != error(mine) {
				t.Errorf("%d in pieces of %d: %d bytes, not %d, %v", fail, size, len(got), len(want), err)
			}
		}
		if got, err := RewriteString(in, handlers(), &Options{KeepRest: true}); got != want || err != error(mine) {
			t.Errorf("%d: %d bytes, not %d, %v", fail, len(got), len(want), err)
		}
	}
	end := &Handlers{Document: []DocumentHandlers{{End: func(*DocumentEnd) error { return mine }}}}
	if got, err := rewrite("<p>x", end, &Options{KeepRest: true}, func() int { return 9 }); got != "<p>x" || err != error(mine) {
		t.Errorf("%q, %v", got, err)
	}
	long := "<p><a title='" + strings.Repeat("x", 50000) + "'>y"
	if got, err := rewrite(long, on("a", func(*Element) error { return nil }), &Options{KeepRest: true, MaxMemory: 20000}, func() int { return 700 }); got != long || err != ErrMemoryLimit {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	w, err := NewWriter(&failing{1, mine}, on("a", func(*Element) error { return io.EOF }), &Options{KeepRest: true})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := w.WriteString("<p><a>x"); n != 7 || err != nil {
		t.Error(n, err)
	}
	if _, err := w.WriteString("y"); err != error(mine) {
		t.Error(err)
	}
	if err := w.Close(); err != error(mine) {
		t.Error(err)
	}
	// After a panic, the writer cannot be used.
	w, err = NewWriter(io.Discard, on("a", func(*Element) error { panic(1) }), &Options{KeepRest: true})
	if err != nil {
		t.Fatal(err)
	}
	panicValue(func() { w.WriteString("<a>") })
	if err := w.Close(); err != ErrPanicked {
		t.Error(err)
	}
}

type failing struct {
	after int
	err   error
}

func (f *failing) Write(p []byte) (int, error) {
	if f.after--; f.after < 0 {
		return len(p) / 2, f.err
	}
	return len(p), nil
}

func TestErrorsOfWriters(t *testing.T) {
	mine := &coded{1}
	for _, c := range []struct{ err, want error }{{mine, mine}, {nil, io.ErrShortWrite}} {
		w, err := NewWriter(&failing{2, c.err}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		n, err := w.Write([]byte(strings.Repeat("x", 10*piece)))
		if n != 2*piece || err != c.want {
			t.Error(n, err)
		}
		if err := w.Close(); err != c.want {
			t.Error(err)
		}
	}
}

func TestOptions(t *testing.T) {
	nested := strings.Repeat("<a><b>", 10000)
	if _, err := RewriteString(nested, edit("a b", func(*Element) {}), &Options{MaxMemory: 10000, BufferSize: 100}); err != ErrMemoryLimit {
		t.Error(err)
	}
	if _, err := RewriteString(nested, edit("a b", func(*Element) {}), &Options{MaxMemory: 10 << 20}); err != nil {
		t.Error(err)
	}
	long := "<a title='" + strings.Repeat("x", 100000)
	if _, err := RewriteString(long, edit("a", func(*Element) {}), &Options{MaxMemory: 65536}); err != ErrMemoryLimit {
		t.Error(err)
	}
	ambiguous := `<select><xmp><script>"use strict";</script></select>`
	var bad *AmbiguityError
	if _, err := RewriteString(ambiguous, edit("p", func(*Element) {}), nil); !errors.As(err, &bad) || !strings.Contains(err.Error(), "<xmp>") {
		t.Error(err)
	}
	if got, err := RewriteString(ambiguous, edit("p", func(*Element) {}), &Options{Lax: true}); got != ambiguous || err != nil {
		t.Error(got, err)
	}
	include := edit("esi\\:include", func(e *Element) { e.Replace("!", Text) })
	if got, err := RewriteString("<esi:include src=a>b", include, &Options{ESITags: true}); got != "!b" || err != nil {
		t.Error(got, err)
	}
	if got, err := RewriteString("<esi:include src=a>b", include, nil); got != "!" || err != nil {
		t.Error(got, err)
	}

	for _, encoding := range []string{"utf-16le", "iso-2022-jp", "no", "\xff", "replacement"} {
		var bad *EncodingError
		if _, err := NewWriter(nil, nil, &Options{Encoding: encoding}); !errors.As(err, &bad) || bad.Encoding != encoding || err.Error() == "" {
			t.Error(encoding, err)
		}
	}
	show := edit("p", func(e *Element) {
		title, _ := e.Attribute("title")
		e.SetAttribute("title", title+"ю")
		e.SetInnerContent("я☃", Text)
	})
	if got, err := RewriteString("<p title=\xe6>\xff", show, &Options{Encoding: "Windows-1251"}); got != "<p title=\"\xe6\xfe\">\xff&#9731;" && got != "<p title=\"\xe6\xfe\">\xff&#9731;\xff" || err != nil {
		t.Errorf("%q %v", got, err)
	}
	if got, err := RewriteString("<meta charset=windows-1251><p title=\xe6></p>", show, &Options{DetectCharset: true}); got != "<meta charset=windows-1251><p title=\"\xe6\xfe\">\xff&#9731;</p>" || err != nil {
		t.Errorf("%q %v", got, err)
	}
	var unwritable *EditError
	for _, f := range []func(e *Element){func(e *Element) { e.SetAttribute("☃", "") }, func(e *Element) { e.SetTagName("a☃") }} {
		if _, err := RewriteString("<p>", edit("p", f), &Options{Encoding: "windows-1251"}); !errors.As(err, &unwritable) {
			t.Error(err)
		}
	}
}

// panicValue returns the value of the panic of f.
func panicValue(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

func TestPanics(t *testing.T) {
	mine := &coded{3}
	w, err := NewWriter(io.Discard, on("p", func(*Element) error { panic(mine) }), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := panicValue(func() { w.WriteString("<p>") }); got != any(mine) {
		t.Error(got)
	}
	if _, err := w.WriteString("x"); err != ErrPanicked {
		t.Error(err)
	}
	if err := w.Close(); err != ErrPanicked {
		t.Error(err)
	}
	if got := panicValue(func() { RewriteString("<p>", on("p", func(*Element) error { panic(mine) }), nil) }); got != any(mine) {
		t.Error(got)
	}

	done := make(chan struct{})
	w, err = NewWriter(io.Discard, on("p", func(*Element) error { runtime.Goexit(); return nil }), nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(done)
		w.WriteString("<p>")
		t.Error("the goroutine has not ended")
	}()
	<-done
	if err := w.Close(); err != ErrPanicked {
		t.Error(err)
	}

	// A handler that uses its own writer panics.
	for name, use := range map[string]func(w *Writer){
		"Write": func(w *Writer) { w.Write([]byte("x")) }, "WriteString": func(w *Writer) { w.WriteString("x") }, "Close": func(w *Writer) { w.Close() },
	} {
		var w *Writer
		w, err := NewWriter(io.Discard, on("p", func(*Element) error { use(w); return nil }), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := panicValue(func() { w.WriteString("<p>") }); got != "htmlrewrite: Writer."+name+": in use by another call" {
			t.Error(got)
		}
	}
	if got := panicValue(func() {
		RewriteString("<p>", on("p", func(e *Element) error { return e.OnEndTag(nil) }), nil)
	}); got != "htmlrewrite: Element.OnEndTag: nil function" {
		t.Error(got)
	}
}

// A handler's argument can be read later, but not changed.
func TestUseAfterHandler(t *testing.T) {
	var element *Element
	var tag *EndTag
	var comment *Comment
	var chunk *TextChunk
	var doctype *Doctype
	var end *DocumentEnd
	uses := func() map[string]func() {
		return map[string]func(){
			"Element.SetTagName": func() { element.SetTagName("a") }, "Element.SetAttribute": func() { element.SetAttribute("a", "b") },
			"Element.RemoveAttribute": func() { element.RemoveAttribute("a") }, "Element.Before": func() { element.Before("", Text) },
			"Element.After": func() { element.After("", Text) }, "Element.Prepend": func() { element.Prepend("", Text) },
			"Element.Append":          func() { element.Append("", Text) },
			"Element.SetInnerContent": func() { element.SetInnerContent("", Text) }, "Element.Replace": func() { element.Replace("", Text) },
			"Element.Remove": func() { element.Remove() }, "Element.RemoveAndKeepContent": func() { element.RemoveAndKeepContent() },
			"Element.OnEndTag": func() { element.OnEndTag(func(*EndTag) error { return nil }) },
			"EndTag.SetName":   func() { tag.SetName("a") }, "EndTag.Before": func() { tag.Before("", HTML) }, "EndTag.After": func() { tag.After("", HTML) },
			"EndTag.Replace": func() { tag.Replace("", HTML) }, "EndTag.Remove": func() { tag.Remove() },
			"Comment.SetText": func() { comment.SetText("") }, "Comment.Before": func() { comment.Before("", HTML) },
			"Comment.After":   func() { comment.After("", HTML) },
			"Comment.Replace": func() { comment.Replace("", HTML) }, "Comment.Remove": func() { comment.Remove() },
			"TextChunk.SetText": func() { chunk.SetText("") }, "TextChunk.Before": func() { chunk.Before("", HTML) },
			"TextChunk.After":   func() { chunk.After("", HTML) },
			"TextChunk.Replace": func() { chunk.Replace("", HTML) }, "TextChunk.Remove": func() { chunk.Remove() },
			"Doctype.Remove": func() { doctype.Remove() }, "DocumentEnd.Append": func() { end.Append("", HTML) },
		}
	}
	check := func() {
		t.Helper()
		for name, use := range uses() {
			if got := panicValue(use); got != "htmlrewrite: "+name+": called after the handler has returned" {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
	checked := false
	_, err := RewriteString("<!doctype html><p id=x><!--c-->t</p><i>", &Handlers{
		Elements: []ElementHandlers{{
			Selector: "p",
			Element: func(e *Element) error {
				element = e
				return e.OnEndTag(func(t *EndTag) error { tag = t; return nil })
			},
			Comment: func(c *Comment) error { comment = c; return nil },
			Text:    func(c *TextChunk) error { chunk = c; return nil },
		}, {Selector: "i", Element: func(e *Element) error {
			// Check again in a later handler of the same writer.
			end = &DocumentEnd{}
			check()
			checked = true
			return nil
		}}},
		Document: []DocumentHandlers{{Doctype: func(d *Doctype) error { doctype = d; return nil }, End: func(d *DocumentEnd) error { end = d; return nil }}},
	}, nil)
	if err != nil || !checked {
		t.Fatal(err, checked)
	}
	check()
	if id, ok := element.Attribute("id"); id != "x" || !ok || element.TagName() != "p" || comment.Text() != "c" || tag.Name() != "p" {
		t.Error(id, ok)
	}
	for range element.Attributes() {
		return
	}
	t.Error("no attributes")
}

// A handler may use another rewriter.
func TestNested(t *testing.T) {
	var nest func(depth int) *Handlers
	nest = func(depth int) *Handlers {
		return on("p", func(e *Element) error {
			inner, _ := e.Attribute("t")
			if depth > 0 {
				var err error
				if inner, err = RewriteString("<p t=x>y</p>", nest(depth-1), nil); err != nil {
					return err
				}
			}
			e.SetInnerContent(inner, HTML)
			runtime.GC()
			return nil
		})
	}
	got, err := RewriteString("<p t=z></p>", nest(10), nil)
	want := "<p t=z>" + strings.Repeat("<p t=x>", 10) + "x" + strings.Repeat("</p>", 11)
	if got != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestConcurrent(t *testing.T) {
	all := fixtures(t)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(uint64(i), 0))
			for range 20 {
				for name, f := range all {
					if got, err := rewrite(f[0], everything(), nil, func() int { return 1 + r.IntN(200) }); got != f[1] || err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
			}
		}()
	}
	// All rewriters share these handlers.
	shared := edit("a", func(e *Element) { e.SetAttribute("x", "1") })
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 100 {
				if got, err := RewriteString("<a>b", shared, nil); got != `<a x="1">b` || err != nil {
					t.Error(got, err)
				}
			}
		}()
	}
	wg.Wait()
}

// deepen makes the stack grow by n KiB.
//
//go:noinline
func deepen(n int) (sum byte) {
	var block [1024]byte
	block[n%1024] = byte(n)
	if n > 0 {
		sum = deepen(n - 1)
	}
	return sum + block[n%1024/2]
}

// Handlers may wait, collect garbage and grow the stack, while other rewriters run.
func TestHandlersThatWait(t *testing.T) {
	var wg sync.WaitGroup
	turn := make(chan bool, 1)
	for i := range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			n := 0
			got, err := RewriteString(strings.Repeat("<p>a<i>b</i></p>", 20), edit("p", func(e *Element) {
				switch n++; (n + i) % 4 {
				case 0:
					time.Sleep(time.Millisecond)
				case 1:
					deepen(300)
				case 2:
					turn <- true
					runtime.Gosched()
					<-turn
				case 3:
					if n < 4 {
						runtime.GC()
					}
				}
				e.SetAttribute("n", fmt.Sprint(n))
			}), nil)
			var want strings.Builder
			for n := range 20 {
				fmt.Fprintf(&want, `<p n="%d">a<i>b</i></p>`, n+1)
			}
			if got != want.String() || err != nil {
				t.Error(got, err)
			}
		}()
	}
	wg.Wait()
}

// goHeap returns the number of bytes in Go's heap that are in use.
func goHeap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// The memory in both heaps does not depend on the length of the page.
func TestMemory(t *testing.T) {
	part := []byte(strings.Repeat("<div class=hidden><b>x</b></div><p>some text <a href=/x>link</a> and more</p><h1>t</h1><br><!-- c -->\n", 100))
	w, err := NewWriter(io.Discard, everything(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		w.Write(part)
	}
	live, most, goLive := rt.HeapLive(), uint64(0), goHeap()
	for range 200 {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		most = max(most, uint64(rt.HeapLive()))
	}
	if most > uint64(live)+200<<10 {
		t.Errorf("%d bytes are live, and %d before", most, live)
	}
	if now := goHeap(); now > goLive+200<<10 {
		t.Errorf("%d bytes of Go's heap are in use, and %d before", now, goLive)
	}
	// A long Write needs no more memory than many short ones.
	if _, err := w.Write(bytes.Repeat(part, 300)); err != nil {
		t.Fatal(err)
	}
	if now := uint64(rt.HeapLive()); now > uint64(live)+200<<10 {
		t.Errorf("%d bytes are live, and %d before", now, live)
	}
	// The functions for end tags that never come are dropped with their elements.
	w2, err := NewWriter(io.Discard, on("p", func(e *Element) error { return e.OnEndTag(func(*EndTag) error { return nil }) }), nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2000 {
		w2.WriteString("<div><p></div><p></p>")
	}
	if n := len(w2.endTags); n > 10 {
		t.Errorf("%d functions for end tags", n)
	}
	w2.Close()
	w.Close()
}

// A Writer is freed even if it is not closed, and even if a handler refers to it.
func TestFreed(t *testing.T) {
	runtime.GC()
	before := rt.HeapLive()
	for range 300 {
		var w *Writer
		w, err := NewWriter(io.Discard, on("p", func(e *Element) error {
			if w.err == nil {
				return errors.New("not in a call")
			}
			return e.OnEndTag(func(*EndTag) error { _ = w; return nil })
		}), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.WriteString("<p><p><div"); err != nil {
			t.Fatal(err)
		}
	}
	// Cleanups run on a separate goroutine, which may be late on a busy machine.
	for range 5000 {
		runtime.GC()
		if rt.HeapLive() < before+64<<10 {
			break
		}
		time.Sleep(2 * time.Millisecond)
	}
	if now := rt.HeapLive(); now > before+64<<10 {
		t.Errorf("%d bytes are live, and %d before", now, before)
	}
	for range 300 {
		RewriteString("<p>x</p>", everything(), nil)
		RewriteString("<p>x</p>", on("p", func(*Element) error { return io.EOF }), nil)
		panicValue(func() { RewriteString("<p>", on("p", func(*Element) error { panic(1) }), nil) })
	}
	if now := rt.HeapLive(); now > before+128<<10 {
		t.Errorf("%d bytes are live, and %d before", now, before)
	}
}

func TestReader(t *testing.T) {
	for name, f := range fixtures(t) {
		for _, from := range []io.Reader{strings.NewReader(f[0]), iotest.OneByteReader(strings.NewReader(f[0])), iotest.DataErrReader(strings.NewReader(f[0]))} {
			r, err := NewReader(from, everything(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := iotest.TestReader(r, []byte(f[1])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if n, err := r.Read(make([]byte, 1)); n != 0 || err != ErrClosed {
				t.Error(n, err)
			}
		}
	}
	mine := &coded{9}
	r, err := NewReader(io.MultiReader(strings.NewReader("<p>x"), iotest.ErrReader(mine)), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); string(got) != "<p>x" || err != error(mine) {
		t.Errorf("%q, %v", got, err)
	}
	r, err = NewReader(strings.NewReader("<p>x<b>y"), on("b", func(*Element) error { return mine }), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); string(got) != "<p>x" || err != error(mine) {
		t.Errorf("%q, %v", got, err)
	}
	r.Close()
	if _, err := NewReader(nil, on("", nil), nil); err == nil {
		t.Error("no error")
	}
	// Read gives up if its reader returns neither bytes nor an error.
	r, err = NewReader(iotest.TimeoutReader(nothing{}), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); err != iotest.ErrTimeout && err != io.ErrNoProgress {
		t.Error(err)
	}
	r, err = NewReader(nothing{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); err != io.ErrNoProgress {
		t.Error(err)
	}
}

// The HTTP/2 client of net/http closes the body of a request while another goroutine reads it.
func TestReaderClosedDuringRead(t *testing.T) {
	var r io.ReadCloser
	entered, closed := make(chan bool), make(chan bool)
	for name, handler := range map[string]func(*Element) error{
		"elsewhere": func(*Element) error { entered <- true; <-closed; return nil },
		"handler":   func(*Element) error { return r.Close() },
		"panic":     func(*Element) error { r.Close(); panic(fromHandler) },
	} {
		var err error
		if r, err = NewReader(strings.NewReader("<p>x"), on("p", handler), nil); err != nil {
			t.Fatal(err)
		}
		done := make(chan bool)
		go func() {
			defer close(done)
			if name == "elsewhere" {
				<-entered
				if err := r.Close(); err != nil {
					t.Error(err)
				}
				closed <- true
			}
		}()
		var n int
		value := panicValue(func() { n, err = r.Read(make([]byte, 100)) })
		if name == "panic" && value != any(fromHandler) || name != "panic" && (value != nil || n != 0 || err != ErrClosed) {
			t.Errorf("%s: %v, %d, %v", name, value, n, err)
		}
		<-done
		if r.(*reader).w.native != nil {
			t.Errorf("%s: the rewriter has not been freed", name)
		}
		if n, err := r.Read(make([]byte, 1)); n != 0 || err != ErrClosed {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
	var err error
	if r, err = NewReader(strings.NewReader("<p>x"), on("p", func(*Element) error { r.Read(nil); return nil }), nil); err != nil {
		t.Fatal(err)
	}
	if got := panicValue(func() { r.Read(make([]byte, 1)) }); got != "htmlrewrite: Read: in use by another call" {
		t.Error(got)
	}
}

const fromHandler = "a handler's panic"

type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, nil }
