//go:build amd64 || arm64

package htmlrewrite

// Handlers are the functions that a rewriter calls. Several rewriters may use the same Handlers, also at the same time if the functions allow it.
//
// For each part of the document, the handlers of elements are called in their order in Elements, and then the handlers of the document in their
// order. No handler is called for the content of an element that has been removed, or for content that handlers insert.
//
// A handler that returns an error ends the rewriting: [Writer.Write] or [Writer.Close] returns the same error.
type Handlers struct {
	Elements []ElementHandlers
	Document []DocumentHandlers
}

// ElementHandlers are handlers for the elements that a CSS selector matches, and for their content. Each handler may be nil.
type ElementHandlers struct {
	Selector string
	Element  func(*Element) error   // called for each start tag
	Comment  func(*Comment) error   // called for each comment in an element
	Text     func(*TextChunk) error // called for each part of a text in an element
}

// DocumentHandlers are handlers for the whole document. Each handler may be nil.
type DocumentHandlers struct {
	Doctype func(*Doctype) error
	Comment func(*Comment) error
	Text    func(*TextChunk) error
	End     func(*DocumentEnd) error // called once, by [Writer.Close]
}

// The kinds of handlers. Each kind is a separate bit, so that several kinds fit in one number. rust/src/lib.rs has the same numbers.
const (
	kindElement    = 1
	kindComment    = 2
	kindText       = 4
	kindDoctype    = 8
	kindEnd        = 16
	kindEndTag     = 32
	kindOfDocument = 128
)

// kinds returns the selectors, and the bits of the handlers that are not nil.
func (h *Handlers) kinds() (selectors []string, elements, document []byte) {
	bit := func(is bool, bit byte) byte {
		if is {
			return bit
		}
		return 0
	}
	for _, e := range h.Elements {
		selectors = append(selectors, e.Selector)
		elements = append(elements, bit(e.Element != nil, kindElement)|bit(e.Comment != nil, kindComment)|bit(e.Text != nil, kindText))
	}
	for _, d := range h.Document {
		document = append(document, bit(d.Doctype != nil, kindDoctype)|bit(d.Comment != nil, kindComment)|bit(d.Text != nil, kindText)|bit(d.End != nil, kindEnd))
	}
	return selectors, elements, document
}

// A link refers to the writer, but only during a call. Rust keeps a Go function that refers to the link. If the link always referred to the writer, a
// handler that refers to its own writer would keep the writer and the Rust object reachable forever.
type link struct{ w *Writer }

// dispatch calls a handler, and returns its edits. ok is false if the handler has returned an error.
func (l *link) dispatch(kind uint8, number uint32, shown string) (edits []byte, ok bool) {
	w, s := l.w, snapshot(shown)
	w.edits = w.edits[:0]
	var err error
	switch kind {
	case kindElement:
		err = w.onElement(w.handlers.Elements[number].Element, s)
	case kindComment:
		err = w.onComment(w.handlers.Elements[number].Comment, s)
	case kindText:
		err = w.onText(w.handlers.Elements[number].Text, s)
	case kindEndTag:
		f := w.endTags[number]
		delete(w.endTags, number)
		err = w.onEndTag(f, s)
	case kindComment | kindOfDocument:
		err = w.onComment(w.handlers.Document[number].Comment, s)
	case kindText | kindOfDocument:
		err = w.onText(w.handlers.Document[number].Text, s)
	case kindDoctype | kindOfDocument:
		err = w.onDoctype(w.handlers.Document[number].Doctype, s)
	case kindEnd | kindOfDocument:
		err = w.onEnd(w.handlers.Document[number].End)
	}
	if err != nil {
		w.stopped = err
		return nil, false
	}
	return w.edits, true
}

func (w *Writer) onElement(f func(*Element) error, s snapshot) error {
	e := &Element{}
	e.read(w, &s)
	e.name, e.encoded = s.text(), s
	defer e.leave()
	return f(e)
}

func (w *Writer) onEndTag(f func(*EndTag) error, s snapshot) error {
	t := &EndTag{}
	t.read(w, &s)
	t.name = string(s)
	defer t.leave()
	return f(t)
}

func (w *Writer) onComment(f func(*Comment) error, s snapshot) error {
	c := &Comment{}
	c.read(w, &s)
	c.text = string(s)
	defer c.leave()
	return f(c)
}

func (w *Writer) onText(f func(*TextChunk) error, s snapshot) error {
	t := &TextChunk{}
	t.read(w, &s)
	t.text = string(s)
	defer t.leave()
	return f(t)
}

func (w *Writer) onDoctype(f func(*Doctype) error, s snapshot) error {
	d := &Doctype{}
	d.read(w, &s)
	d.name, d.hasName = s.optional()
	d.publicID, d.hasPublicID = s.optional()
	d.systemID, d.hasSystemID = s.optional()
	defer d.leave()
	return f(d)
}

func (w *Writer) onEnd(f func(*DocumentEnd) error) error {
	d := &DocumentEnd{unit{w: w}}
	defer d.unit.leave()
	return f(d)
}

// leave ends the time in which the unit can be changed.
func (u *unit) leave() { u.w = nil }
