//go:build amd64 || arm64

package svg

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rustgo.dev/go/rt"
)

// FuzzParse parses damaged documents and draws them. Two drawings are the same, and a document exhausts neither the stack nor the memory.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.svg")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		// Small documents are changed at more places that matter: the seeds are the elements of a file, one by one.
		f.Add(data)
		lines := strings.Split(string(data), "\n")
		for _, line := range lines[1:] {
			if strings.HasPrefix(line, "<") {
				f.Add([]byte(head + line + "</svg>"))
			}
		}
	}
	rt.SetMemoryLimit(1 << 30)
	f.Fuzz(drawTwice)
}

// FuzzElements makes a document of random elements, attributes and references, and does the same with it. Most of these documents are well-formed.
func FuzzElements(f *testing.F) {
	for seed := range uint64(200) {
		data := make([]byte, 400)
		rand.NewChaCha8([32]byte{byte(seed)}).Read(data)
		f.Add(data)
	}
	rt.SetMemoryLimit(1 << 30)
	f.Fuzz(func(t *testing.T, data []byte) {
		g := generator{data: data}
		g.WriteString(head)
		g.children(0)
		g.WriteString("</svg>")
		drawTwice(t, g.Bytes())
	})
}

// drawTwice parses a document and draws it in two ways. The crate may panic, as it does for some numbers far outside of the picture.
func drawTwice(t *testing.T, data []byte) {
	opts := &Options{
		Fonts:  fonts(),
		Limits: Limits{MaxBytes: 1 << 20, MaxElements: 10_000, MaxPixels: 1 << 20, MaxMemory: 64 << 20, MaxTime: time.Second},
	}
	began := time.Now()
	var e *Error
	d, err := Parse(data, opts)
	if err == nil {
		defer d.Close()
		p, q := image.NewRGBA(image.Rect(0, 0, 64, 64)), image.NewRGBA(image.Rect(-5, -5, 80, 80))
		err = d.Draw(p, p.Rect, draw.Src)
		if err2 := d.Draw(q, p.Rect, draw.Over); (err == nil) != (err2 == nil) {
			t.Fatalf("%v, and then %v", err, err2)
		}
		cut := image.NewRGBA(p.Rect)
		draw.Draw(cut, cut.Rect, q, image.Point{}, draw.Src)
		if err == nil && !bytes.Equal(p.Pix, cut.Pix) {
			t.Fatal("two pictures")
		}
	}
	if err != nil && (!errors.As(err, &e) || e.Err == ErrMemory || strings.Contains(e.Text, noStack)) {
		t.Fatal(err)
	}
	if seconds := time.Since(began).Seconds(); seconds > 20 && flag.Lookup("test.fuzz").Value.String() != "" {
		t.Fatalf("%.0f s", seconds)
	}
}

// A generator chooses by bytes of data.
type generator struct {
	bytes.Buffer
	data []byte
}

func (g *generator) number(n int) int {
	if len(g.data) == 0 {
		return 0
	}
	b := int(g.data[0])
	g.data = g.data[1:]
	return b % n
}

func (g *generator) word(list string) string {
	words := strings.Fields(list)
	return words[g.number(len(words))]
}

func (g *generator) children(depth int) {
	for range g.number(6) {
		g.element(depth)
	}
}

func (g *generator) element(depth int) {
	if len(g.data) == 0 || depth > 12 {
		return
	}
	name := g.word(`g g g rect path circle ellipse line polyline polygon text tspan textPath tref use use svg symbol a switch image clipPath mask marker
		pattern linearGradient radialGradient stop filter filter style title
		feGaussianBlur feDropShadow feBlend feComposite feFlood feOffset feMerge feMergeNode feTile feImage feColorMatrix feComponentTransfer feFuncR
		feConvolveMatrix feMorphology feDisplacementMap feTurbulence feDiffuseLighting feSpecularLighting fePointLight feSpotLight feDistantLight`)
	fmt.Fprintf(g, "<%s", name)
	seen := map[string]bool{}
	for range g.number(8) {
		attribute := g.word(`id id x y width height d d points transform fill fill stroke stroke-width stroke-dasharray opacity clip-path mask filter filter
			marker-start marker-mid marker-end href href style style viewBox cx cy r rx ry x1 y2 offset stop-color in in2 result operator k1 stdDeviation radius
			order kernelMatrix scale baseFrequency numOctaves surfaceScale specularExponent tableValues type values font-family font-size rotate textLength
			dx dy letter-spacing text-anchor writing-mode baseline-shift units clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits
			gradientUnits filterUnits primitiveUnits gradientTransform patternTransform spreadMethod markerWidth markerHeight refX orient preserveAspectRatio
			overflow display visibility class systemLanguage fx fr mode edgeMode divisor targetX z limitingConeAngle`)
		if !seen[attribute] {
			fmt.Fprintf(g, ` %s="%s"`, attribute, g.value(attribute))
		}
		seen[attribute] = true
	}
	g.WriteString(">")
	if name == "text" || name == "tspan" || name == "textPath" {
		g.WriteString(g.word("Text a&#x301; fi &#x5d0;&#x5d1; AVA &lt;"))
	}
	if name == "style" {
		fmt.Fprintf(g, "%s { %s }", g.word("g rect * .a #b g>g path+path :first-child"), g.style())
	}
	g.children(depth + 1)
	fmt.Fprintf(g, "</%s>", name)
}

func (g *generator) style() string {
	property := g.word("fill stroke clip-path mask filter marker marker-end mix-blend-mode isolation opacity font stroke-dasharray transform")
	return property + ":" + g.value(property)
}

func (g *generator) value(attribute string) string {
	const ids = "a b c d e f"
	number := func() string {
		return g.word("0 1 2 3 5 8 10 20 30 40 100 -1 -7 .5 .01 1e3 1e6 1e9 -1e9 1e-9 1e38 3e-39 NaN 50% 100% -10% 2em 1mm")
	}
	numbers := func() string {
		var list []string
		for range 1 + g.number(7) {
			list = append(list, number())
		}
		return strings.Join(list, " ")
	}
	switch attribute {
	case "id":
		return g.word(ids)
	case "class":
		return "a"
	case "href":
		return g.word("#a #b #c #d #e #f data:image/svg+xml,%3Csvg%20viewBox='0%200%209%209'%20xmlns='http://www.w3.org/2000/svg'%3E%3Crect%20width='9'%20height='9'/%3E%3C/svg%3E x.png")
	case "fill", "stroke", "stop-color":
		return g.word("red none url(#a) url(#b) url(#c) url(#d) context-fill currentColor inherit #12345678 rgb(1,2,3)")
	case "clip-path", "mask", "marker", "marker-start", "marker-mid", "marker-end":
		return g.word("none inherit url(#a) url(#b) url(#c) url(#d) url(#e) url(#f)")
	case "filter":
		return g.word("none url(#a) url(#b) url(#c) url(#d) blur(3) drop-shadow(1,2,3) hue-rotate(30deg) opacity(.5)")
	case "style":
		return g.style()
	case "d":
		var path strings.Builder
		path.WriteString("M" + numbers())
		for range g.number(9) {
			fmt.Fprintf(&path, "%s%s ", g.word("L l H v C s Q t a Z M"), numbers())
		}
		return path.String()
	case "transform", "gradientTransform", "patternTransform":
		return g.word("translate rotate scale skewX matrix") + "(" + numbers() + ")"
	case "clipPathUnits", "maskUnits", "maskContentUnits", "patternUnits", "patternContentUnits", "gradientUnits", "filterUnits", "primitiveUnits", "units":
		return g.word("userSpaceOnUse objectBoundingBox")
	case "in", "in2", "result":
		return g.word("SourceGraphic SourceAlpha a b BackgroundImage")
	case "operator", "mode", "type", "edgeMode", "spreadMethod", "orient", "preserveAspectRatio", "overflow", "display", "visibility", "mix-blend-mode", "isolation":
		return g.word(`over in arithmetic xor dilate erode multiply screen luminosity matrix saturate hueRotate table gamma discrete fractalNoise wrap none
			reflect repeat auto auto-start-reverse xMaxYMin xMidYMid visible hidden isolate`)
	case "font-family":
		return g.word("Go monospace Nothing")
	case "font", "text-anchor", "writing-mode", "baseline-shift", "systemLanguage":
		return g.word("italic middle end tb super sub en de")
	case "viewBox", "points", "values", "tableValues", "kernelMatrix", "order", "stroke-dasharray", "baseFrequency", "stdDeviation", "radius", "rotate", "dx", "dy":
		return numbers()
	}
	return number()
}
