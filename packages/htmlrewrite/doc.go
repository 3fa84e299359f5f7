// Package htmlrewrite changes HTML while it streams. It passes parts of the document to handlers, which are Go functions. These parts are the
// elements that CSS selectors match, texts, comments, the document type and the end of the document. The parser and the selectors are the Rust
// crate lol_html, which Cloudflare Workers use as HTMLRewriter.
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
// [NewWriter] returns an [io.WriteCloser] that writes the rewritten document to another writer. [NewReader] returns a reader of the rewritten
// document. [RewriteString] rewrites a string. The rewriter builds no tree: it keeps the open elements and the part of the input that it cannot
// interpret yet. Input that no handler changes is written as it is.
//
// # Selectors
//
// A selector is a list of compound selectors with the combinators " " and ">": *, type, #id, .class, [attribute] with all operators and the flag i,
// :not(), :first-child, :nth-child(), :first-of-type, :nth-of-type(). The combinators + and ~, :has and :last-child are not possible, because they
// need later parts of the input or a tree.
//
// A :not() may contain a simple selector, or a list of simple selectors as in :not(.a, .b). It must not contain a compound selector, as in
// :not(.a.b). A :not() within another :not() may contain a compound selector, but no list.
//
// # Handlers
//
// A handler changes what it gets by methods such as [Element.SetAttribute] and [TextChunk.Replace]. The changes are made when the handler has returned. A
// handler may use other rewriters, and may wait. It runs in the goroutine that has called Write or Close.
//
// If a handler returns an error, Write or Close returns the same error value, so that == finds it. If a handler panics, the panic continues in the
// caller of Write or Close. After an error or a panic, the rewriter cannot be used.
//
// # Texts
//
// Attributes and texts are shown as they are in the document: character references such as &amp; are not decoded. Text that a handler inserts as
// [Text] is escaped, and markup that it inserts as [HTML] is not. In the value of an attribute, only quotation marks are escaped. A text may come
// in several chunks. Where the text is cut depends on the calls of Write.
//
// The encoding is UTF-8, unless [Options] name another. A text for which there is a handler is decoded and encoded again: bytes that are not valid become U+FFFD.
package htmlrewrite

//go:generate rustgo build --crate rust
