//go:build amd64 || arm64

package htmlrewrite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"strings"
)

// An Element is an element of the document, with its start tag. An element handler reads and changes it.
//
// The changes take effect when the handler has returned nil: later handlers of the same element see them. The methods that change an Element panic after
// the handler has returned. The other methods then return the last values.
type Element struct {
	unit
	name    string
	encoded snapshot // the encoded attributes, until they are decoded
	decoded bool
	attrs   []attribute
}

type attribute struct{ name, value string }

// TagName returns the name of the tag, in lower case.
func (e *Element) TagName() string { return e.name }

// SetTagName changes the name of the start tag and of the end tag. The parser continues as if the element had the old name. So the content model of
// the new name (how a parser reads the element's content) should be that of the old name. The error is a [*NameError].
func (e *Element) SetTagName(name string) error {
	if err := checkTagName(name); err != nil {
		return err
	}
	e.edit("Element.SetTagName", methodSet)
	e.name = lower(e.string(name))
	return nil
}

// Namespace returns the URI of the namespace of the element's content: of HTML, SVG or MathML. For <foreignObject> in SVG and <mi> in MathML it is HTML.
func (e *Element) Namespace() string {
	return [...]string{"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"}[e.flags>>aboveFlags]
}

// CanHaveContent reports whether the element can have content and an end tag. A void element such as <br> cannot.
func (e *Element) CanHaveContent() bool { return e.flags&flagCanHaveContent != 0 }

// SelfClosing reports whether the tag ends with "/>". In HTML this has no meaning; <div/> is an ordinary start tag.
func (e *Element) SelfClosing() bool { return e.flags&flagSelfClosing != 0 }

// attributes returns the attributes. The first call decodes them.
func (e *Element) attributes() []attribute {
	if !e.decoded {
		e.decoded = true
		if n := e.encoded.number(); n > 0 {
			e.attrs = make([]attribute, n, n+1)
			for i := range e.attrs {
				e.attrs[i] = attribute{e.encoded.text(), e.encoded.text()}
			}
		}
	}
	return e.attrs
}

// Attribute returns the value of an attribute. The case of ASCII letters in the name does not matter. The value is as in the document: character
// references such as &amp; are not decoded. [html.UnescapeString] decodes them.
//
// [html.UnescapeString]: https://pkg.go.dev/html#UnescapeString
func (e *Element) Attribute(name string) (value string, ok bool) {
	name = lower(strings.ToValidUTF8(name, "\uFFFD"))
	for _, a := range e.attributes() {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}

// HasAttribute reports whether the element has an attribute with this name.
func (e *Element) HasAttribute(name string) bool {
	_, ok := e.Attribute(name)
	return ok
}

// Attributes yields the names, in lower case, and the values of the attributes, as [Element.Attribute] returns them.
func (e *Element) Attributes() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for _, a := range e.attributes() {
			if !yield(a.name, a.value) {
				return
			}
		}
	}
}

// SetAttribute changes the value of an attribute, or adds the attribute. In the value, only quotation marks are escaped. If the value contains a
// literal &, the caller must escape the value by [html.EscapeString]. The error is a [*NameError].
//
// [html.EscapeString]: https://pkg.go.dev/html#EscapeString
func (e *Element) SetAttribute(name, value string) error {
	if err := checkName("attribute", name, " \n\r\t\f/>="); err != nil {
		return err
	}
	attrs := e.attributes()
	e.edit("Element.SetAttribute", methodSetAttribute)
	name = lower(e.string(name))
	value = e.string(value)
	for i := range attrs {
		if attrs[i].name == name {
			attrs[i].value = value
			return nil
		}
	}
	e.attrs = append(attrs, attribute{name, value})
	return nil
}

// RemoveAttribute removes an attribute if there is one with this name.
func (e *Element) RemoveAttribute(name string) {
	attrs := e.attributes()
	e.edit("Element.RemoveAttribute", methodRemoveAttribute)
	name = lower(e.string(name))
	// Make a new slice, because Attributes may be iterating over the old slice.
	e.attrs = make([]attribute, 0, len(attrs))
	for _, a := range attrs {
		if a.name != name {
			e.attrs = append(e.attrs, a)
		}
	}
}

// Before inserts content before the start tag, after content that has been inserted there already.
func (e *Element) Before(content string, as ContentType) {
	e.content("Element.Before", methodBefore, content, as)
}

// After inserts content after the end tag, before content that has been inserted there already.
func (e *Element) After(content string, as ContentType) {
	e.content("Element.After", methodAfter, content, as)
}

// inner appends a change of the content. If the element can have content, its start tag no longer ends with "/>".
func (e *Element) inner(what string, method byte, content string, as ContentType) {
	e.content(what, method, content, as)
	if e.CanHaveContent() {
		e.flags &^= flagSelfClosing
	}
}

// Prepend inserts content after the start tag, before content that has been inserted there already. A void element stays as it is.
func (e *Element) Prepend(content string, as ContentType) {
	e.inner("Element.Prepend", methodPrepend, content, as)
}

// Append inserts content before the end tag, after content that has been inserted there already. A void element stays as it is.
func (e *Element) Append(content string, as ContentType) {
	e.inner("Element.Append", methodAppend, content, as)
}

// SetInnerContent replaces the content of the element. A void element stays as it is.
func (e *Element) SetInnerContent(content string, as ContentType) {
	e.inner("Element.SetInnerContent", methodSetInnerContent, content, as)
}

// Replace replaces the element and its content. Content that [Element.Before] and [Element.After] have inserted remains.
func (e *Element) Replace(content string, as ContentType) {
	e.content("Element.Replace", methodReplace, content, as)
	e.flags |= flagRemoved
}

// Remove removes the element and its content. Content that [Element.Before] and [Element.After] have inserted remains, and content that is inserted
// after the call of Remove is written.
func (e *Element) Remove() { e.remove("Element.Remove", methodRemove) }

// RemoveAndKeepContent removes the start tag and the end tag.
func (e *Element) RemoveAndKeepContent() {
	e.remove("Element.RemoveAndKeepContent", methodRemoveAndKeepContent)
}

// OnEndTag makes the rewriter call f for the end tag that closes the element: the element's own end tag, or without one the end tag of an ancestor.
// If the document ends before that tag, f is never called. An error of f has the same effect as an error of the handler. OnEndTag returns
// [ErrNoEndTag] if the element cannot have content.
func (e *Element) OnEndTag(f func(*EndTag) error) error {
	if f == nil {
		panic("htmlrewrite: Element.OnEndTag: nil function")
	}
	if !e.CanHaveContent() {
		return ErrNoEndTag
	}
	e.edit("Element.OnEndTag", methodOnEndTag)
	w := e.w
	if w.endTags == nil {
		w.endTags = map[uint32]func(*EndTag) error{}
	}
	for w.endTags[w.lastEndTag] != nil {
		w.lastEndTag++ // the number may be in use after 2³² handlers
	}
	w.endTags[w.lastEndTag] = f
	w.edits = binary.AppendUvarint(w.edits, uint64(w.lastEndTag))
	return nil
}

// ErrNoEndTag is the error of [Element.OnEndTag] for an element that cannot have content.
var ErrNoEndTag = errors.New("htmlrewrite: the element has no end tag")

// A NameError is the error for a name that a tag or an attribute cannot have.
type NameError struct {
	Of     string // "tag" or "attribute"
	Name   string
	Reason string
}

func (e *NameError) Error() string {
	return fmt.Sprintf("htmlrewrite: invalid %s name %q: %s", e.Of, e.Name, e.Reason)
}

// checkTagName returns an error if the name cannot be the name of a tag.
func checkTagName(name string) error {
	if err := checkName("tag", name, " \n\r\t\f/>"); err != nil {
		return err
	}
	if first := name[0] | 0x20; first < 'a' || first > 'z' {
		return &NameError{"tag", name, "it does not begin with a letter"}
	}
	return nil
}

// checkName returns an error if the name is empty or contains a forbidden character.
func checkName(of, name, forbidden string) error {
	if name == "" {
		return &NameError{of, name, "it is empty"}
	}
	if i := strings.IndexAny(name, forbidden); i >= 0 {
		return &NameError{of, name, fmt.Sprintf("it contains %q", name[i])}
	}
	return nil
}

// lower returns the string with its ASCII letters in lower case.
func lower(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
