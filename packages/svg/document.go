//go:build amd64 || arm64

package svg

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"io"
	"math"
	"sync"

	"rustgo.dev/go/rt"
)

// A Document is a parsed document. Goroutines may draw it at the same time.
type Document struct {
	native        *native
	using         sync.RWMutex
	closed        bool
	deep          bool
	width, height float64
	limits        Limits
	warnings      []string
}

// Parse reads a document: SVG in UTF-8, also compressed by gzip (svgz). opts may be nil. The error is an [*Error].
//
// The document cannot make Parse read files or use the network: images are drawn only if they are data URLs, and fonts come only from opts.
func Parse(data []byte, opts *Options) (*Document, error) {
	o, err := opts.resolve()
	if err != nil {
		return nil, err
	}
	if data, err = decompress(data, o.limits.MaxBytes); err != nil {
		return nil, err
	}
	n, err := parseNative(data, &o, parse)
	var e *Error
	if errors.As(err, &e) && e.again {
		n, err = parseNative(data, &o, parseDeep)
	}
	if err != nil {
		return nil, err
	}
	d := &Document{native: n, limits: o.limits, warnings: n.warnings()}
	width, height, deep := n.info()
	d.width, d.height, d.deep = float64(width), float64(height), deep
	return d, nil
}

type parser = func(text []byte, fonts *fontSet, options rawOptions, families, languages []string, sheet string) (*native, error)

func parseNative(data []byte, o *nativeOptions, parse parser) (n *native, err error) {
	defer caught(&err)
	n, err = parse(data, o.fonts, o.raw, o.families, o.languages, o.sheet)
	if err != nil {
		return nil, failure(err)
	}
	return n, nil
}

// decompress returns the text of a document with at most limit bytes.
func decompress(data []byte, limit int64) ([]byte, error) {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, &Error{Err: ErrFormat, Text: err.Error()}
		}
		if data, err = io.ReadAll(io.LimitReader(r, addOne(limit))); err != nil {
			return nil, &Error{Err: ErrFormat, Text: err.Error()}
		}
	}
	if int64(len(data)) > limit {
		return nil, &Error{Err: ErrTooLarge, Text: fmt.Sprintf("more than %d bytes (MaxBytes)", limit)}
	}
	return data, nil
}

func addOne(limit int64) int64 { return max(limit, limit+1) }

// Size returns the width and the height of the document in pixels. They need not be integers.
func (d *Document) Size() (width, height float64) { return d.width, d.height }

// Bounds returns the size of the document in whole pixels, rounded, and at least 1 × 1.
func (d *Document) Bounds() image.Rectangle {
	return image.Rect(0, 0, whole(d.width), whole(d.height))
}

// Fit returns the largest size with the ratio of the document's width and height that fits into maxWidth × maxHeight pixels.
func (d *Document) Fit(maxWidth, maxHeight int) (width, height int) {
	scale := min(float64(maxWidth)/d.width, float64(maxHeight)/d.height)
	return min(whole(d.width*scale), maxWidth), min(whole(d.height*scale), maxHeight)
}

// whole rounds a length to pixels.
func whole(length float64) int {
	return int(min(max(math.Round(length), 1), math.MaxInt32))
}

// Warnings returns what the crate ignored while it parsed the document: families that Fonts does not have, links without a target, invalid values.
// There are at most 100. The texts are the crate's and not stable.
func (d *Document) Warnings() []string { return append([]string(nil), d.warnings...) }

// Close frees the memory of the document. Without Close the garbage collector frees it later. Close returns an error if the document is closed
// already, or if it is being drawn.
func (d *Document) Close() error {
	if !d.using.TryLock() {
		return rt.ErrInUse
	}
	defer d.using.Unlock()
	if d.closed || d.native == nil {
		return ErrClosed
	}
	if err := d.native.Close(); err != nil {
		return err
	}
	d.closed = true
	return nil
}

// Render draws the document on a new picture of width × height pixels. If one of them is 0, it follows from the other one and the ratio of the
// document's size. If both are 0, the picture has the document's own size, as [Document.Bounds] returns it.
func (d *Document) Render(width, height int) (*image.RGBA, error) {
	switch {
	case width < 0 || height < 0:
		return nil, invalid("%d × %d pixels", width, height)
	case width == 0 && height == 0:
		return d.RenderScale(1)
	case width == 0:
		width = whole(d.width * float64(height) / d.height)
	case height == 0:
		height = whole(d.height * float64(width) / d.width)
	}
	return d.render(width, height, [6]float64{0: float64(width) / d.width, 4: float64(height) / d.height})
}

// RenderScale draws the document on a new picture whose size is scale times the document's size.
func (d *Document) RenderScale(scale float64) (*image.RGBA, error) {
	if !(scale > 0 && scale <= math.MaxFloat32) {
		return nil, invalid("a scale of %v", scale)
	}
	return d.render(whole(d.width*scale), whole(d.height*scale), [6]float64{0: scale, 4: scale})
}

func (d *Document) render(width, height int, m [6]float64) (*image.RGBA, error) {
	if err := d.check(width, height); err != nil {
		return nil, err
	}
	p := image.NewRGBA(image.Rect(0, 0, width, height))
	if err := d.draw(p, p.Rect, m, draw.Src, true); err != nil {
		return nil, err
	}
	return p, nil
}

// Draw draws the document on the rectangle r of dst, and stretches it to fill r. Pixels of r outside of dst are not drawn. If op is [draw.Src], the
// document replaces the pixels; if it is [draw.Over], it is drawn over them, as one picture, so that its blend modes do not see them.
//
// If dst is an [*image.RGBA], op is draw.Src, and r has whole rows of it, then the document is drawn in dst's memory. Otherwise it is drawn on a picture of
// the size of r, in memory outside of Go's heap, or in Go's heap if dst is not an *image.RGBA.
func (d *Document) Draw(dst draw.Image, r image.Rectangle, op draw.Op) error {
	if r.Empty() {
		return nil
	}
	return d.DrawTransformed(dst, r, [6]float64{0: float64(r.Dx()) / d.width, 4: float64(r.Dy()) / d.height}, op)
}

// DrawTransformed draws a part of the document, or a turned one, as [Document.Draw] does. The point (x, y) of the document is drawn at
//
//	r.Min.X + m[0]*x + m[1]*y + m[2], r.Min.Y + m[3]*x + m[4]*y + m[5]
//
// which is the order of f64.Aff3 in golang.org/x/image. What lies outside of r is not drawn.
func (d *Document) DrawTransformed(dst draw.Image, r image.Rectangle, m [6]float64, op draw.Op) error {
	if op != draw.Src && op != draw.Over {
		return invalid("the operator %d", op)
	}
	for _, number := range m {
		if !(math.Abs(number) <= math.MaxFloat32) {
			return invalid("the matrix %v", m)
		}
	}
	visible := r.Intersect(dst.Bounds())
	if visible.Empty() {
		return nil
	}
	if err := d.check(visible.Dx(), visible.Dy()); err != nil {
		return err
	}
	m[2] += float64(r.Min.X - visible.Min.X)
	m[5] += float64(r.Min.Y - visible.Min.Y)
	if p, ok := dst.(*image.RGBA); ok {
		return d.draw(p, visible, m, op, false)
	}
	p := image.NewRGBA(image.Rectangle{Max: visible.Size()})
	if err := d.draw(p, p.Rect, m, draw.Src, true); err != nil {
		return err
	}
	draw.Draw(dst, visible, p, image.Point{}, op)
	return nil
}

// check returns an error if a picture has too many pixels.
func (d *Document) check(width, height int) error {
	if pixelCount(width, height) > d.limits.MaxPixels {
		return &Error{Err: ErrTooLarge, Text: fmt.Sprintf("a picture of %d × %d pixels, with a limit of %d (MaxPixels)", width, height, d.limits.MaxPixels)}
	}
	return nil
}

// draw draws on a rectangle of p, which has pixels.
func (d *Document) draw(p *image.RGBA, r image.Rectangle, m [6]float64, op draw.Op, clear bool) (err error) {
	d.using.RLock()
	defer d.using.RUnlock()
	if d.closed || d.native == nil {
		return ErrClosed
	}
	defer caught(&err)
	width, height := r.Dx(), r.Dy()
	target := rawTarget{
		Width: uint32(width), Height: uint32(height), Stride: uint(p.Stride), Over: op == draw.Over, Clear: clear,
		MaxMemory: uint64(d.limits.MaxMemory), MaxNanoseconds: uint64(d.limits.MaxTime),
	}
	for i, number := range m {
		target.Matrix[i] = float32(number)
	}
	pixels := p.Pix[p.PixOffset(r.Min.X, r.Min.Y):][:(height-1)*p.Stride+4*width]
	if d.deep {
		return failure(d.native.drawDeep(pixels, target))
	}
	return failure(d.native.draw(pixels, target))
}
