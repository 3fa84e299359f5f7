// Package svg parses pictures in SVG and draws them. The renderer is the Rust crate resvg.
//
//	d, err := svg.Parse(data, nil)    // SVG or svgz
//	defer d.Close()
//	picture, err := d.Render(480, 0)  // an *image.RGBA, 480 pixels wide
//
// [Decode] does both for a reader, at the document's own size, and [Document.Draw] draws into a picture that exists.
//
// # Static SVG
//
// The crate draws static SVG 1.1 with parts of SVG 2: shapes, gradients, patterns, clip paths, masks, filters, markers, texts, embedded pictures (PNG,
// JPEG, GIF, WebP, SVG), and style sheets with simple selectors. It draws no animations, runs no scripts and has no foreignObject. Pixels are
// premultiplied, in sRGB, as an [image.RGBA] has them.
//
// # Fonts
//
// Texts are drawn with the fonts of [Options.Fonts] alone, so that a document looks the same on all machines. Without fonts there are no texts.
// [Document.Warnings] names the families that were missing.
//
// # Documents from strangers
//
// A document reads no files and opens no connections: images and style sheets come from the document itself, as data. A short document may state
// any size, and may ask for any amount of work by references that multiply. [Limits] bound the size, the elements, the memory and the estimated time; the
// error is [ErrTooLarge]. A call cannot be cancelled. [rustgo.dev/go/rt.SetMemoryLimit] bounds the memory of all calls together; the error is [ErrMemory].
//
// # Goroutines
//
// Any number of goroutines may draw the same [Document] or parse with the same [Fonts].
package svg

//go:generate rustgo build --crate rust
