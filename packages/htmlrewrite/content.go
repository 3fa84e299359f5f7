//go:build amd64 || arm64

package htmlrewrite

import (
	"errors"
	"strings"
)

// ContentType tells how content is inserted.
type ContentType uint8

const (
	// Text is text: <, > and & are escaped.
	Text ContentType = iota
	// HTML is markup, which is inserted as it is. No handler is called for it.
	HTML
)

// An EndTag is the end tag of an element. The function passed to [Element.OnEndTag] can read and change the tag. After this function has returned,
// the methods that change the tag panic.
type EndTag struct {
	unit
	name string
}

// Name returns the name of the tag, in lower case.
func (t *EndTag) Name() string { return t.name }

// SetName changes the name of the end tag only; [Element.SetTagName] changes both tags. The error is a [*NameError].
func (t *EndTag) SetName(name string) error {
	if err := checkTagName(name); err != nil {
		return err
	}
	t.edit("EndTag.SetName", methodSet)
	t.name = lower(t.string(name))
	return nil
}

// Before inserts content before the end tag, after content that has been inserted there already.
func (t *EndTag) Before(content string, as ContentType) {
	t.content("EndTag.Before", methodBefore, content, as)
}

// After inserts content after the end tag, before content that has been inserted there already.
func (t *EndTag) After(content string, as ContentType) {
	t.content("EndTag.After", methodAfter, content, as)
}

// Replace replaces the end tag.
func (t *EndTag) Replace(content string, as ContentType) {
	t.content("EndTag.Replace", methodReplace, content, as)
	t.flags |= flagRemoved
}

// Remove removes the end tag.
func (t *EndTag) Remove() { t.remove("EndTag.Remove", methodRemove) }

// A Comment is a comment. A comment handler can read and change the comment. After the handler has returned, the methods that change the comment
// panic.
type Comment struct {
	unit
	text string
}

// ErrCommentText is the error of [Comment.SetText] for a text that would end the comment.
var ErrCommentText = errors.New("htmlrewrite: the text would end the comment")

// Text returns the text of the comment.
func (c *Comment) Text() string { return c.text }

// SetText changes the text of the comment. It returns [ErrCommentText] if the text would end the comment.
func (c *Comment) SetText(text string) error {
	if strings.Contains(text, "-->") || strings.Contains(text, "--!>") || strings.HasPrefix(text, ">") || strings.HasPrefix(text, "->") {
		return ErrCommentText
	}
	c.edit("Comment.SetText", methodSet)
	c.text = c.string(text)
	return nil
}

// Before inserts content before the comment, after content that has been inserted there already.
func (c *Comment) Before(content string, as ContentType) {
	c.content("Comment.Before", methodBefore, content, as)
}

// After inserts content after the comment, before content that has been inserted there already.
func (c *Comment) After(content string, as ContentType) {
	c.content("Comment.After", methodAfter, content, as)
}

// Replace replaces the comment.
func (c *Comment) Replace(content string, as ContentType) {
	c.content("Comment.Replace", methodReplace, content, as)
	c.flags |= flagRemoved
}

// Remove removes the comment.
func (c *Comment) Remove() { c.remove("Comment.Remove", methodRemove) }

// TextType tells how a browser reads a text. The type depends on the element that contains the text.
type TextType uint8

const (
	// TextData is ordinary text, with character references.
	TextData TextType = iota
	// TextPlain is the text after <plaintext>.
	TextPlain
	// TextRaw is the text in <style>, <xmp>, <iframe>, <noembed>, <noframes> and <noscript>. It has no character references.
	TextRaw
	// TextScript is the text in <script>. It has no character references.
	TextScript
	// TextRCData is the text in <title> and <textarea>. It has character references, but no tags.
	TextRCData
	// TextCData is the text of a CDATA section in SVG or MathML.
	TextCData
)

// A TextChunk is a part of a text, or a whole text. A text handler can read and change the chunk. After the handler has returned, the methods that
// change the chunk panic.
//
// A text is cut into chunks at the end of each Write, and at other places. A handler that needs the whole text joins the chunks. The last chunk of a
// text is the one for which [TextChunk.LastInTextNode] returns true; it may be empty.
type TextChunk struct {
	unit
	text string
}

// Text returns the text of the chunk. It is as in the document: character references such as &amp; are not decoded.
func (t *TextChunk) Text() string { return t.text }

// SetText changes the text of the chunk. The text is not escaped.
func (t *TextChunk) SetText(text string) {
	t.edit("TextChunk.SetText", methodSet)
	t.text = t.string(text)
}

// Type returns the type of the text.
func (t *TextChunk) Type() TextType { return TextType(t.flags >> aboveFlags) }

// LastInTextNode reports whether the text ends with this chunk.
func (t *TextChunk) LastInTextNode() bool { return t.flags&flagLast != 0 }

// Before inserts content before the chunk, after content that has been inserted there already.
func (t *TextChunk) Before(content string, as ContentType) {
	t.content("TextChunk.Before", methodBefore, content, as)
}

// After inserts content after the chunk, before content that has been inserted there already.
func (t *TextChunk) After(content string, as ContentType) {
	t.content("TextChunk.After", methodAfter, content, as)
}

// Replace replaces the chunk.
func (t *TextChunk) Replace(content string, as ContentType) {
	t.content("TextChunk.Replace", methodReplace, content, as)
	t.flags |= flagRemoved
}

// Remove removes the chunk.
func (t *TextChunk) Remove() { t.remove("TextChunk.Remove", methodRemove) }

// A Doctype is the document type declaration. Its method Remove panics after the handler has returned.
type Doctype struct {
	unit
	name, publicID, systemID          string
	hasName, hasPublicID, hasSystemID bool
}

// Name returns the name, such as html.
func (d *Doctype) Name() (name string, ok bool) { return d.name, d.hasName }

// PublicID returns the public identifier.
func (d *Doctype) PublicID() (id string, ok bool) { return d.publicID, d.hasPublicID }

// SystemID returns the system identifier.
func (d *Doctype) SystemID() (id string, ok bool) { return d.systemID, d.hasSystemID }

// Remove removes the declaration.
func (d *Doctype) Remove() { d.remove("Doctype.Remove", methodRemove) }

// A DocumentEnd is the end of the document. Its method Append panics after the handler has returned.
type DocumentEnd struct{ unit unit }

// Append inserts content at the end of the document, after content that has been inserted there already.
func (d *DocumentEnd) Append(content string, as ContentType) {
	d.unit.content("DocumentEnd.Append", methodAppend, content, as)
}
