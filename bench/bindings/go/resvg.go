//go:build linux && amd64 && cgo

package main

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	"image/png"
	"log"
	"strings"
	"sync"

	wasm "github.com/kanrichan/resvg-go"
	cgo "github.com/xo/resvg"
	"golang.org/x/image/font/gofont/goregular"
	"rustgo.dev/bench/bindings/resvg"
	"rustgo.dev/bench/internal/pictures"
)

var resvgLibrary = library{
	name: "resvg",
	ways: []string{byRustgo, byCgo, byWazero},
	rows: []string{"icon to pixels", "chart to pixels", "blur to pixels", "map to pixels",
		"icon to PNG", "chart to PNG", "blur to PNG", "map to PNG"},
	first: []string{"icon to pixels", "map to pixels", "icon to PNG", "map to PNG"},
	prepare: func(way, row string) func() int {
		name, result, _ := strings.Cut(row, " to ")
		svg, toPNG := pictures.SVG[name], result == "PNG"
		switch {
		case way == byRustgo && toPNG:
			return func() int { return len(rustgoPNG(svg)) }
		case way == byRustgo:
			return func() int { return len(rustgoPixels(svg).Pix) }
		case way == byCgo && !toPNG:
			return func() int { return len(cgoPixels(svg).Pix) }
		case way == byWazero && toPNG:
			return func() int { return len(wazeroPNG(svg)) }
		case way == byWazero:
			return func() int { return wazeroPixels(svg) }
		}
		return nil // cgo has no PNG files
	},
}

// rustgoFont sets the font of the pictures' texts, once. The functions for the other packages below also read the font only once.
var rustgoFont = sync.OnceFunc(func() { resvg.SetFont(goregular.TTF) })

// rustgoPixels draws a picture with the package made by rustgo.
func rustgoPixels(svg []byte) *image.RGBA {
	rustgoFont()
	width, height, pixels, ok := resvg.Render(svg)
	if !ok {
		log.Panic("no picture")
	}
	return &image.RGBA{Pix: pixels, Stride: 4 * int(width), Rect: image.Rect(0, 0, int(width), int(height))}
}

func rustgoPNG(svg []byte) []byte {
	rustgoFont()
	file, ok := resvg.PNG(svg)
	if !ok {
		log.Panic("no picture")
	}
	return file
}

var cgoRenderer = sync.OnceValue(func() *cgo.Resvg {
	return cgo.New(cgo.WithLoadSystemFonts(false), cgo.WithFonts(goregular.TTF))
})

// cgoPixels draws a picture with github.com/xo/resvg.
func cgoPixels(svg []byte) *image.RGBA { return must(cgoRenderer().Render(svg)) }

// A wazeroRenderer has an instance of the WebAssembly module of github.com/kanrichan/resvg-go.
type wazeroRenderer struct {
	worker *wasm.Worker
	fonts  *wasm.FontDB
}

var wazeroOnce = sync.OnceValue(func() wazeroRenderer {
	worker := must(wasm.NewDefaultWorker(context.Background()))
	fonts := must(worker.NewFontDBDefault())
	check(fonts.LoadFontData(goregular.TTF))
	return wazeroRenderer{worker, fonts}
})

// wazeroDraw draws a picture with github.com/kanrichan/resvg-go, and passes it to done. The pixels are in the memory of the module, which returns
// them only as a PNG file.
func wazeroDraw(svg []byte, done func(pixmap *wasm.Pixmap, pixels int)) {
	r := wazeroOnce()
	tree := must(r.worker.NewTreeFromData(svg, nil))
	defer func() { check(tree.Close()) }()
	check(tree.ConvertText(r.fonts))
	width, height, err := tree.GetSize()
	check(err)
	pixmap := must(r.worker.NewPixmap(uint32(width), uint32(height)))
	defer func() { check(pixmap.Close()) }()
	check(tree.Render(wasm.TransformIdentity(), pixmap))
	done(pixmap, int(width)*int(height))
}

func wazeroPixels(svg []byte) (size int) {
	wazeroDraw(svg, func(_ *wasm.Pixmap, pixels int) { size = 4 * pixels })
	return size
}

func wazeroPNG(svg []byte) (file []byte) {
	wazeroDraw(svg, func(pixmap *wasm.Pixmap, _ int) { file = must(pixmap.EncodePNG()) })
	return file
}

// difference is how much two pictures differ.
type difference struct {
	pixels, greatest int // the number of pixels that differ, and the greatest difference of a colour
}

func compare(a, b *image.RGBA) (d difference) {
	if a.Rect != b.Rect {
		return difference{len(a.Pix), 255}
	}
	for i := 0; i < len(a.Pix); i += 4 {
		if !bytes.Equal(a.Pix[i:i+4], b.Pix[i:i+4]) {
			d.pixels++
		}
		for j := range 4 {
			d.greatest = max(d.greatest, int(a.Pix[i+j])-int(b.Pix[i+j]), int(b.Pix[i+j])-int(a.Pix[i+j]))
		}
	}
	return d
}

func decode(file []byte) *image.RGBA {
	picture := must(png.Decode(bytes.NewReader(file)))
	pixels := image.NewRGBA(picture.Bounds())
	draw.Draw(pixels, pixels.Rect, picture, picture.Bounds().Min, draw.Src)
	return pixels
}
