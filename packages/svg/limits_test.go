//go:build amd64 || arm64

package svg

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"strings"
	"testing"
	"time"

	"rustgo.dev/go/rt"
)

// times repeats a text, with the numbers from 1 to n in place of @ and of the number before in place of ~.
func times(n int, text string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		b.WriteString(strings.NewReplacer("@", fmt.Sprint(i), "~", fmt.Sprint(i-1)).Replace(text))
	}
	return b.String()
}

const dot = `<rect width="9" height="9"/>`

// Each document would take all memory or time if it were converted or drawn, and is refused at once.
func TestBombs(t *testing.T) {
	var zeros bytes.Buffer
	z, err := gzip.NewWriterLevel(&zeros, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	z.Write([]byte(head + "<!--"))
	for range 70 {
		z.Write(make([]byte, 1<<20))
	}
	z.Close()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	huge := picture.Bytes()
	copy(huge[16:], []byte{0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0}) // 100,000 × 100,000
	many := strings.Repeat(dot, 100)
	var limits Limits
	if testing.Short() {
		limits.MaxElements = 100_000
	}
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"gzip":                    {zeros.String(), ErrTooLarge},
		"width":                   {`<svg xmlns="http://www.w3.org/2000/svg" width="1e9" height="1e9"/>`, ErrTooLarge},
		"width × height overflow": {`<svg xmlns="http://www.w3.org/2000/svg" width="1e38" height="1e38"/>`, ErrTooLarge},
		"laughs":                  {`<!DOCTYPE svg [<!ENTITY e0 "xxxxxxxxxx">` + times(9, `<!ENTITY e@ "&e~;&e~;&e~;&e~;&e~;&e~;&e~;&e~;&e~;&e~;">`) + `]>` + head + `&e9;</svg>`, ErrTooLarge},
		"long entity":             {`<!DOCTYPE svg [<!ENTITY a "` + strings.Repeat("x", 100_000) + `">]>` + head + strings.Repeat("&a;", 100_000) + `</svg>`, ErrTooLarge},
		"entity in attributes":    {`<!DOCTYPE svg [<!ENTITY a "` + strings.Repeat("x", 10_000) + `">]>` + head + strings.Repeat(`<g id="&a;"/>`, 100_000) + `</svg>`, ErrTooLarge},
		"elements":                {head + strings.Repeat("<g/>", 1_000_001) + `</svg>`, ErrTooLarge},
		"nodes":                   {head + strings.Repeat("<!---->", 4_000_001) + `</svg>`, ErrTooLarge},
		"use":                     {head + `<g id="g0">` + dot + `</g>` + times(20, `<g id="g@">`+strings.Repeat(`<use href="#g~"/>`, 10)+`</g>`) + `</svg>`, ErrTooLarge},
		"use of a long path":      {head + `<path id="p" d="M0 0` + strings.Repeat("h1", 100_000) + `"/>` + strings.Repeat(`<use href="#p"/>`, 10_000) + `</svg>`, ErrTooLarge},
		"masks":                   {head + `<mask id="m0">` + dot + `</mask>` + times(10, `<mask id="m@">`+strings.Repeat(`<rect width="9" height="9" mask="url(#m~)"/>`, 10)+`</mask>`) + `<rect width="9" height="9" mask="url(#m10)"/></svg>`, ErrTooLarge},
		"masks by style":          {head + `<style>.m { mask: url('#m1') }</style><mask id="m1">` + many + `</mask>` + strings.Repeat(`<g class="m">`+dot+`</g>`, 10_000) + `</svg>`, ErrTooLarge},
		"clip paths":              {head + `<clipPath id="m0">` + dot + `</clipPath>` + times(10, `<clipPath id="m@" clipPathUnits="objectBoundingBox">`+strings.Repeat(`<rect width="9" height="9" style="clip-path:url(#m~)"/>`, 10)+`</clipPath>`) + `<rect width="9" height="9" clip-path="url(#m10)"/></svg>`, ErrTooLarge},
		"patterns":                {head + `<pattern id="m0" width="1" height="1">` + dot + `</pattern>` + times(10, `<pattern id="m@" width="1" height="1">`+strings.Repeat(`<rect width="9" height="9" fill="url(#m~)"/>`, 10)+`</pattern>`) + `<rect width="9" height="9" fill="url(#m10)"/></svg>`, ErrTooLarge},
		"inherited pattern":       {head + `<pattern id="p" width="1" height="1">` + many + `</pattern><g fill="url(#p)">` + strings.Repeat(dot, 20_000) + `</g></svg>`, ErrTooLarge},
		"markers":                 {head + `<marker id="m0">` + dot + `</marker>` + times(10, `<marker id="m@"><path d="M0 0`+strings.Repeat("h1", 20)+`" marker-mid="url(#m~)"/></marker>`) + `<path d="M0 0h9v9" marker-end="url(#m10)"/></svg>`, ErrTooLarge},
		"markers in a circle":     {head + times(12, `<marker id="m@"><g marker="url(#m1)"/>`+times(12, `<path d="M0 0h9" style="marker: url(#m@)"/>`)+`</marker>`) + `<path d="M0 0h9v9" marker-end="url(#m1)"/></svg>`, ErrTooLarge},
		"filters":                 {head + times(1, `<g id="g~">`+dot+`</g>`) + times(10, `<filter id="f@">`+strings.Repeat(`<feImage href="#g~"/>`, 10)+`</filter><g id="g@" filter="url(#f@)">`+dot+`</g>`) + `<use href="#g10"/></svg>`, ErrTooLarge},
		"selectors":               {head + `<style>` + strings.Repeat("g ", 15) + `x { fill: red }</style>` + strings.Repeat("<g>", 60) + strings.Repeat("</g>", 60) + `</svg>`, ErrTooLarge},
		"sibling selectors":       {head + `<style>` + strings.Repeat("g + ", 10_000) + `g { fill: red }</style></svg>`, ErrTooLarge},
		"image":                   {head + `<image width="9" height="9" href="data:image/png;base64,` + base64.StdEncoding.EncodeToString(huge) + `"/></svg>`, ErrTooLarge},
		"pattern size":            {head + `<pattern id="p" width="1e5" height="1e5" patternUnits="userSpaceOnUse">` + dot + `</pattern><rect width="9" height="9" fill="url(#p)"/></svg>`, ErrTooLarge},
		"layers":                  {head + strings.Repeat(`<g opacity=".9" transform="scale(1.1)">`, 150) + `<rect x="-1e6" y="-1e6" width="2e6" height="2e6"/>` + strings.Repeat(`</g>`, 150) + `</svg>`, nil},
		"large layers":            {`<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="4000">` + strings.Repeat(`<g opacity=".9">`, 9) + `<rect x="-1e5" y="-1e5" width="2e5" height="2e5"/>` + strings.Repeat(`</g>`, 9) + `</svg>`, ErrTooLarge},
		"fill and stroke":         {head + `<style>rect { fill: url(#p); stroke: url(#q) }</style><pattern id="p" width="1" height="1">` + dot + `</pattern><pattern id="q" width="1" height="1">` + dot + `</pattern>` + dot + `</svg>`, ErrTooDeep},
		"nested documents":        {nested(6, 100), ErrTooLarge},
		"nested deeply":           {nested(13, 1), nil},
		"turbulence":              {head + `<filter id="f"><feTurbulence baseFrequency=".1" numOctaves="1000000000"/></filter><rect width="40" height="30" filter="url(#f)"/></svg>`, ErrTooLarge},
		"morphology":              {`<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="4000"><filter id="f"><feMorphology radius="5000"/></filter><rect width="4000" height="4000" filter="url(#f)"/></svg>`, ErrTooLarge},
		"many blurs":              {head + `<filter id="f">` + strings.Repeat(`<feGaussianBlur stdDeviation="9"/>`, 20_000) + `</filter>` + strings.Repeat(`<g filter="url(#f)" transform="scale(4)">`+dot+`</g>`, 20) + `</svg>`, ErrTooLarge},
		"dashes":                  {head + strings.Repeat(`<path d="M0 0H3e5" stroke="red" stroke-dasharray=".3"/>`, 2000) + `</svg>`, ErrTooLarge},
		"a long text":             {head + `<text y="20">` + strings.Repeat("abcdefghi ", 30_000) + `</text></svg>`, ErrTooLarge},
		"many spans":              {head + `<text y="20">` + strings.Repeat("<tspan>abcdefghi</tspan>", 5_000) + `</text></svg>`, ErrTooLarge},
		"long texts":              {head + strings.Repeat(`<text y="20">`+strings.Repeat("abcdefghi ", 20)+`</text>`, 6_000) + `</svg>`, ErrTooLarge},
		"tref":                    {head + `<title id="t">` + strings.Repeat("abcdefghi ", 10_000) + `</title><text>` + strings.Repeat(`<tref href="#t"/>`, 1000) + `</text></svg>`, ErrTooLarge},
		"rules":                   {head + `<style>` + times(20_000, `.a@ { fill: red }`) + `</style>` + strings.Repeat(dot, 50_000) + `</svg>`, ErrTooLarge},
		"deep":                    {head + strings.Repeat("<g>", 100_000) + strings.Repeat("</g>", 100_000) + `</svg>`, ErrTooDeep},
		"deep text":               {head + "<text>" + strings.Repeat("<tspan>", 10_000) + strings.Repeat("</tspan>", 10_000) + `</text></svg>`, ErrTooDeep},
		"deep by references":      {head + `<g id="g0">` + dot + `</g>` + times(1200, `<mask id="g@"><g mask="url(#g~)">`+dot+`</g></mask>`) + `</svg>`, ErrTooDeep},
		"a circle by the last id": {head + times(3, `<mask id="c@"><rect width="9" height="9" mask="url(#c~)"/></mask>`) + `<mask id="c0">` + dot + `</mask><mask id="c0"><rect width="9" height="9" mask="url(#c3)"/></mask><text><mask id="c0"/></text><x id="c0"/></svg>`, ErrTooDeep},
		"use in a circle":         {head + `<g id="a"><use href="#b"/></g><g id="b"><use href="#c"/></g><g id="c"><use href="#a"/></g></svg>`, ErrTooDeep},
		"clip paths in a circle":  {head + times(4, `<clipPath id="c@"><rect width="9" height="9" clip-path="url(#c~)"/></clipPath>`) + `<clipPath id="c0"><rect width="9" height="9" clip-path="url(#c4)"/></clipPath><rect width="9" height="9" clip-path="url(#c1)"/></svg>`, ErrTooDeep},
		"masks in a circle":       {head + times(4, `<mask id="c@"><rect width="9" height="9" style="mask: url(#c~)"/></mask>`) + `<mask id="c0"><rect width="9" height="9" mask="url(#c4)"/></mask><rect width="9" height="9" mask="url(#c1)"/></svg>`, ErrTooDeep},
		"a mixed circle":          {head + `<mask id="m"><rect width="9" height="9" fill="url(#p)"/></mask><pattern id="p" width="1" height="1"><g mask="url(#m)">` + dot + `</g></pattern><rect width="9" height="9" fill="url(#p)"/></svg>`, ErrTooDeep},
		"a circle by inheritance": {head + `<mask id="a"><g mask="url(#b)"><g mask="inherit">` + dot + `</g></g></mask><mask id="b"><g style="mask:url(#c)">` + dot + `</g></mask><mask id="c"><g mask="url(#a)">` + dot + `</g></mask></svg>`, ErrTooDeep},
		"filters in a circle":     {head + `<filter id="f"><feImage href="#g"/></filter><g id="g"><rect width="9" height="9" filter="url(#f)"/></g></svg>`, ErrTooDeep},
	} {
		began := time.Now()
		settle()
		rt.FreeMemory()
		var before, after rt.MemStats
		rt.ReadMemStats(&before)
		d, err := Parse([]byte(c.text), &Options{Limits: limits})
		if err == nil {
			_, err = d.Render(0, 0)
			d.Close()
		}
		if c.want == nil && err != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, not %v", name, err, c.want)
		}
		rt.ReadMemStats(&after)
		seconds, allocated := time.Since(began).Seconds(), float64(after.TotalAlloc-before.TotalAlloc)/1e6
		t.Logf("%-24s %6.3f s, %5.1f MB: %v", name, seconds, allocated, err)
		if allocated > 512 && !testing.Short() {
			t.Errorf("%s: %.1f MB", name, allocated)
		}
	}
	if live := rt.HeapLive(); live > 64<<20 {
		t.Errorf("%d bytes are left", live)
	}
}

// nested returns a document in a document and so on, each several times.
func nested(depth, width int) string {
	text := head + dot + `</svg>`
	for range depth {
		image := `<image width="40" height="30" href="data:image/svg+xml;base64,` + base64.StdEncoding.EncodeToString([]byte(text)) + `"/>`
		text = head + image + strings.Repeat(`<use href="#i"/>`, width-1) + `</svg>`
		text = strings.Replace(text, "<image", `<image id="i"`, 1)
	}
	return text
}

// Circles that the crate breaks are no error.
func TestHarmlessCircles(t *testing.T) {
	for name, text := range map[string]string{
		"use itself":       `<use id="a" href="#a"/>`,
		"use its parent":   `<g id="a"><use href="#a"/></g>`,
		"use each other":   `<use id="a" href="#b"/><use id="b" href="#a"/>`,
		"pattern":          `<style>rect { fill: url(#p) }</style><pattern id="p" width="1" height="1">` + dot + `</pattern>`,
		"two patterns":     `<style>rect { fill: url(#p) } circle { fill: url(#q) }</style><pattern id="p" width="1" height="1"><circle r="9"/></pattern><pattern id="q" width="1" height="1">` + dot + `</pattern>`,
		"clip path":        `<clipPath id="c"><rect width="9" height="9" clip-path="url(#c)"/></clipPath>`,
		"mask":             `<mask id="c"><rect width="9" height="9" mask="url(#c)"/></mask>`,
		"marker":           `<style>path { marker-end: url(#m) }</style><marker id="m"><path d="M0 0h9"/></marker><path d="M0 0h9"/>`,
		"two markers":      `<style>path { marker-start: url(#m); marker-end: url(#n) }</style><marker id="m"><path d="M0 0h9"/></marker><marker id="n"><path d="M0 0h9"/></marker><path d="M0 0h9"/>`,
		"gradient":         `<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/><rect width="9" height="9" fill="url(#a)"/>`,
		"feImage":          `<filter id="f"><feImage href="#r"/></filter><rect id="r" width="9" height="9" filter="url(#f)"/>`,
		"tref":             `<text id="t"><tref href="#t"/></text>`,
		"pattern template": `<pattern id="p" href="#p" width="1" height="1">` + dot + `</pattern><rect width="9" height="9" fill="url(#p)"/>`,
	} {
		t.Run(name, func(t *testing.T) {
			rendered(t, parseOK(t, head+dot+text+`</svg>`, &Options{Fonts: fonts()}), 0, 0)
		})
	}
}

// The stack suffices for documents as deep as the crate or this package accepts, of each kind of nesting.
func TestDepth(t *testing.T) {
	wrap := func(open, inner, end string) func(n int) string {
		return func(n int) string { return strings.Repeat(open, n) + inner + strings.Repeat(end, n) }
	}
	chain := func(first, each, last string) func(n int) string {
		return func(n int) string { return first + times(n, each) + strings.ReplaceAll(last, "@", fmt.Sprint(n)) }
	}
	for name, text := range map[string]func(n int) string{
		"g":          wrap("<g>", dot, "</g>"),
		"opacity":    wrap(`<g opacity=".99">`, dot, "</g>"),
		"transform":  wrap(`<g transform="rotate(1)" style="mix-blend-mode:screen">`, dot, "</g>"),
		"svg":        wrap(`<svg x="0" width="40" height="30" viewBox="0 0 40 30">`, dot, "</svg>"),
		"a, switch":  wrap(`<a><switch>`, dot, "</switch></a>"),
		"tspan":      func(n int) string { return `<text y="20">` + wrap("<tspan>", "x", "</tspan>")(n) + `</text>` },
		"filter":     wrap(`<g filter="blur(.1)">`, dot, "</g>"),
		"use":        chain(`<g id="g0">`+dot+`</g><defs>`, `<g id="g@"><use href="#g~" x="0.01"/></g>`, `</defs><use href="#g@"/>`),
		"symbol":     chain(`<symbol id="g0">`+dot+`</symbol>`, `<symbol id="g@" viewBox="0 0 9 9"><use href="#g~" width="9" height="9"/></symbol>`, `<use href="#g@"/>`),
		"clip path":  chain(`<clipPath id="c0">`+dot+`</clipPath>`, `<clipPath id="c@"><rect width="9" height="9" clip-path="url(#c~)"/></clipPath>`, `<rect width="9" height="9" clip-path="url(#c@)"/>`),
		"clip paths": chain(`<clipPath id="c0">`+dot+`</clipPath>`, `<clipPath id="c@" clip-path="url(#c~)">`+dot+`</clipPath>`, `<rect width="9" height="9" clip-path="url(#c@)"/>`),
		"mask":       chain(`<mask id="c0">`+dot+`</mask>`, `<mask id="c@"><rect width="9" height="9" fill="white" mask="url(#c~)"/></mask>`, `<rect width="9" height="9" mask="url(#c@)"/>`),
		"masks":      chain(`<mask id="c0">`+dot+`</mask>`, `<mask id="c@" mask="url(#c~)"><rect width="9" height="9" fill="white"/></mask>`, `<rect width="9" height="9" mask="url(#c@)"/>`),
		"pattern":    chain(`<pattern id="c0" width="1" height="1">`+dot+`</pattern>`, `<pattern id="c@" width="1" height="1"><rect width="9" height="9" stroke="url(#c~)"/></pattern>`, `<rect width="9" height="9" fill="url(#c@)"/>`),
		"marker":     chain(`<marker id="c0">`+dot+`</marker>`, `<marker id="c@"><path d="M0 0h9" stroke="red" marker-end="url(#c~)"/></marker>`, `<path d="M0 0h9" marker-end="url(#c@)"/>`),
		"feImage":    chain(`<g id="c0">`+dot+`</g>`, `<filter id="f@"><feImage href="#c~"/></filter><rect id="c@" width="9" height="9" filter="url(#f@)"/>`, ``),
		"g and text": func(n int) string { return wrap(`<g font-size="9">`, `<text y="20">x</text>`, `</g>`)(n) },
		"in clip":    chain(`<clipPath id="c0">`+dot+`</clipPath>`, `<clipPath id="c@"><use href="#u@"/></clipPath><g id="u@" clip-path="url(#c~)">`+dot+`</g>`, `<rect width="9" height="9" clip-path="url(#c@)"/>`),
		"documents": func(n int) string {
			return strings.TrimSuffix(strings.TrimPrefix(nested(min(n, 12), 1), head), "</svg>")
		},
	} {
		deepest, shallow := 0, 0
		depths, limits := []int{10, 20, 40, 60, 90, 190, 250, 440, 590, 880, 1010, 1790, 2000}, Limits{MaxMemory: 1 << 40}
		if testing.Short() {
			depths, limits.MaxElements = []int{60, 190, 590, 1010}, 20_000
		}
		for _, n := range depths {
			d, err := Parse([]byte(head+text(n)+`</svg>`), &Options{Fonts: fonts(), Limits: limits})
			if err == nil {
				if !d.deep {
					shallow = n
				}
				_, err = d.Render(0, 0)
				d.Close()
			}
			var e *Error
			if errors.As(err, &e) && (e.Err != ErrTooDeep && e.Err != ErrTooLarge || strings.Contains(e.Text, noStack)) {
				t.Errorf("%s, %d: %v", name, n, err)
			}
			if err == nil {
				deepest = n
			}
		}
		t.Logf("%-12s %4d levels, %4d with little stack", name, deepest, shallow)
		if deepest < 60 && name != "documents" {
			t.Errorf("%s: no more than %d levels", name, deepest)
		}
	}
}

// The limits of the options take effect, and a picture within them is drawn.
func TestLimits(t *testing.T) {
	layer := head + `<g opacity=".5">` + strings.Repeat(dot, 20) + `</g></svg>`
	for name, c := range map[string]struct{ small, enough Limits }{
		"MaxBytes":    {Limits{MaxBytes: 200}, Limits{MaxBytes: 2000}},
		"MaxElements": {Limits{MaxElements: 21}, Limits{MaxElements: 22}},
		"MaxPixels":   {Limits{MaxPixels: 40*30 - 1}, Limits{MaxPixels: 40 * 30}},
		"MaxMemory":   {Limits{MaxMemory: 100}, Limits{MaxMemory: 4 * 40 * 30}},
		"MaxTime":     {Limits{MaxTime: time.Microsecond}, Limits{MaxTime: time.Millisecond}},
		"largest":     {Limits{MaxPixels: 1}, Limits{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64}},
	} {
		draw := func(limits Limits) error {
			d, err := Parse([]byte(layer), &Options{Limits: limits})
			if err != nil {
				return err
			}
			defer d.Close()
			_, err = d.Render(0, 0)
			return err
		}
		if err := draw(c.small); !errors.Is(err, ErrTooLarge) || name != "largest" && !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if err := draw(c.enough); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// If the memory does not suffice, the error is ErrMemory, and nothing is left.
func TestMemoryLimit(t *testing.T) {
	text := head + `<g opacity=".5"><rect width="40" height="30"/></g></svg>`
	d := parseOK(t, text, nil)
	settle()
	rt.FreeMemory()
	before := rt.HeapLive()
	rt.SetMemoryLimit(before + 4<<20)
	defer rt.SetMemoryLimit(math.MaxUint64)
	if p, err := d.RenderScale(40); !errors.Is(err, ErrMemory) || p != nil {
		t.Error(p, err)
	}
	if d, err := Parse([]byte(head+strings.Repeat(dot, 20_000)+"</svg>"), nil); !errors.Is(err, ErrMemory) || d != nil {
		t.Error(d, err)
	}
	if f, err := NewFonts(make([]byte, 8<<20)); !errors.Is(err, ErrMemory) || f != nil {
		t.Error(f, err)
	}
	rt.SetMemoryLimit(math.MaxUint64)
	if _, err := d.RenderScale(40); err != nil {
		t.Error(err)
	}
	if left := int64(rt.HeapLive() - before); left > 1<<16 {
		t.Errorf("%d bytes are left", left)
	}
}
