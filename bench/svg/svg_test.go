// Package svg compares packages/svg with the Go package oksvg. The module is not tested with the others, because a dependency of oksvg's faster scanner is
// no longer maintained.
package svg

import (
	"bytes"
	"image"
	"testing"

	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
	"github.com/srwiley/scanx"
	"golang.org/x/image/font/gofont/goregular"
	"rustgo.dev/bench/internal/pictures"
	"rustgo.dev/bench/internal/processor"
	"rustgo.dev/packages/svg"
)

type drawer struct {
	name string
	draw func(file []byte) (*image.RGBA, error)
}

// drawers returns the packages that draw a picture of bench/internal/pictures. The picture "chart" has texts and "blur" has a mask and filters. oksvg
// has none of them.
func drawers(tb testing.TB, picture string) []drawer {
	fonts, err := svg.NewFonts(goregular.TTF)
	if err != nil {
		tb.Fatal(err)
	}
	all := []drawer{
		{"rustgo", func(file []byte) (*image.RGBA, error) {
			d, err := svg.Parse(file, &svg.Options{Fonts: fonts})
			if err != nil {
				return nil, err
			}
			defer d.Close()
			return d.Render(0, 0)
		}},
		{"oksvg", func(file []byte) (*image.RGBA, error) {
			icon, err := oksvg.ReadIconStream(bytes.NewReader(file))
			if err != nil {
				return nil, err
			}
			width, height := int(icon.ViewBox.W), int(icon.ViewBox.H)
			if picture == "icon" {
				width, height = 48, 48 // the package ignores the attributes width and height
				icon.SetTarget(0, 0, 48, 48)
			}
			p := image.NewRGBA(image.Rect(0, 0, width, height))
			// The scanner of rasterx takes 200 times as long as scanx for "map".
			icon.Draw(rasterx.NewDasher(width, height, scanx.NewScanner(scanx.NewImgSpanner(p), width, height)), 1)
			return p, nil
		}},
	}
	if picture == "icon" || picture == "map" {
		return all
	}
	return all[:1]
}

// BenchmarkSVG parses pictures and draws them.
func BenchmarkSVG(b *testing.B) {
	for _, name := range []string{"icon", "map", "chart", "blur"} {
		for _, d := range drawers(b, name) {
			b.Run(name+"/"+d.name, func(b *testing.B) {
				b.ReportAllocs()
				worked := processor.Time()
				for range b.N {
					if _, err := d.draw(pictures.SVG[name]); err != nil {
						b.Fatal(err)
					}
				}
				processor.Report(b, processor.Time()-worked, b.N)
			})
		}
	}
}

// TestSVG checks that both packages draw about the same.
func TestSVG(t *testing.T) {
	for _, name := range []string{"icon", "map"} {
		ways := drawers(t, name)
		ours, err := ways[0].draw(pictures.SVG[name])
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := ways[1].draw(pictures.SVG[name])
		if err != nil || theirs.Rect != ours.Rect {
			t.Fatal(err, theirs.Rect, ours.Rect)
		}
		sum := 0
		for i, v := range ours.Pix {
			sum += int(max(v, theirs.Pix[i]) - min(v, theirs.Pix[i]))
		}
		average := float64(sum) / float64(len(ours.Pix))
		t.Logf("%s: components differ by %.2f of 255 on average", name, average)
		if average > 8 {
			t.Errorf("%s: components differ by %.1f on average", name, average)
		}
	}
}
