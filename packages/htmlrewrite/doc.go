// Package htmlrewrite changes HTML while it streams: handlers, which are Go functions, get the elements that CSS selectors match, their texts and comments,
// and the parts of the document. The parser and the selectors are the Rust crate lol_html, which Cloudflare Workers use as HTMLRewriter.
//
//	w, err := htmlrewrite.NewWriter(dst, &htmlrewrite.Handlers{
//		Elements: []htmlrewrite.ElementHandlers{{
//			Selector: "a[href]",
//			Element: func(e *htmlrewrite.Element) error {
//				href, _ := e.Attribute("href")
//				return e.SetAttribute("href", strings.Replace(href, "http:", "https:", 1))
//			},
//		}},
//	}, nil)
//
// [NewWriter] returns an [io.WriteCloser] that writes to another writer, [NewReader] a reader, and [RewriteString] rewrites a string. The rewriter makes no
// tree: it keeps the open elements and the part of the input that it cannot interpret yet. Input that no handler changes is written as it is.
//
// # Selectors
//
// A selector is a list of compound selectors with the combinators " " and ">": *, type, #id, .class, [attribute] with all operators and the flag i,
// :not(), :first-child, :nth-child(), :first-of-type, :nth-of-type(). The combinators + and ~, :has and :last-child are not possible, because they
// need later parts of the input or a tree.
//
// A :not() takes simple selectors, and lists of them: :not(.a, .b). It does not take a compound selector such as :not(.a.b). For a :not() within
// another :not() it is the reverse: it takes a compound selector, but no list.
//
// # Handlers
//
// A handler changes what it gets by methods such as [Element.SetAttribute] and [TextChunk.Replace]. The changes are made when the handler has returned. A
// handler may use other rewriters, and may wait. It runs in the goroutine that has called Write or Close.
//
// If a handler returns an error, Write or Close returns the same error value, so that == finds it. If a handler panics, the caller of Write or Close
// gets the panic. After an error or a panic, the rewriter cannot be used.
//
// # Texts
//
// Attributes and texts are shown as they are in the document: character references such as &amp; are not decoded. Text that a handler inserts as
// [Text] is escaped, and markup that it inserts as [HTML] is not. In the value of an attribute, only quotation marks are escaped. A text comes in
// several chunks; the places of the cuts depend on Write.
//
// The encoding is UTF-8, unless [Options] name another. A text for which there is a handler is decoded and encoded again: bytes that are not valid become U+FFFD.
package htmlrewrite

//go:generate rustgo build --crate rust
