// Package pictures makes pictures in SVG for benchmarks.
package pictures

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// SVG has a small picture of few paths, one with texts (in the font Go), one with filters, and a large one of many polygons.
var SVG = map[string][]byte{"icon": icon(), "chart": chart(), "blur": blur(), "map": polygons()}

func icon() []byte {
	return []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 0 24 24"><defs><linearGradient id="g" x2="0" y2="1">
<stop offset="0" stop-color="#4af"/><stop offset="1" stop-color="#05a"/></linearGradient></defs>
<circle cx="12" cy="12" r="11" fill="url(#g)"/><path d="M6 13l4 4 8-9" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/>
<path d="M12 1a11 11 0 0 1 11 11h-3a8 8 0 0 0-8-8z" fill="#fff" fill-opacity=".3"/></svg>`)
}

func chart() []byte {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="800" height="400" font-family="Go" font-size="12"><rect width="800" height="400" fill="white"/>`)
	for i := range 20 {
		fmt.Fprintf(&b, `<path d="M40 %d.5H790" stroke="#ddd"/><text x="4" y="%d">%d ms</text><text x="%d" y="395">week %d</text>`,
			20+18*i, 24+18*i, 200-10*i, 45+37*i, i+1)
	}
	for series, colour := range []string{"#c33", "#3a3", "#33c"} {
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2" points="`, colour)
		for i := range 150 {
			fmt.Fprintf(&b, "%d,%.2f ", 45+5*i, 190+(120-30*float64(series))*math.Sin(float64(i*(series+1))/17))
		}
		fmt.Fprintf(&b, `"/><text x="640" y="%d" fill="%s" font-size="20">Series größe %d</text>`, 50+26*series, colour, series)
	}
	b.WriteString(`</svg>`)
	return []byte(b.String())
}

func blur() []byte {
	return []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><filter id="shadow"><feDropShadow dx="6" dy="8" stdDeviation="5"
flood-opacity=".5"/></filter><filter id="glow"><feGaussianBlur stdDeviation="9"/><feColorMatrix type="hueRotate" values="80"/></filter>
<mask id="m"><circle cx="200" cy="200" r="150" fill="white"/></mask><rect width="400" height="400" fill="#eef"/>
<g mask="url(#m)"><rect x="60" y="60" width="280" height="280" fill="orange" filter="url(#glow)"/></g>
<g filter="url(#shadow)"><rect x="110" y="120" width="180" height="120" rx="20" fill="teal"/><circle cx="260" cy="260" r="50" fill="crimson" opacity=".8"/></g></svg>`)
}

func polygons() []byte {
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="1024">`)
	for range 2000 {
		x, y, size := 1024*random.Float64(), 1024*random.Float64(), 10+50*random.Float64()
		b.WriteString(`<path d="M`)
		corners := 5 + random.IntN(12)
		for corner := range corners {
			angle, far := 2*math.Pi*float64(corner)/float64(corners), size*(0.6+0.4*random.Float64())
			fmt.Fprintf(&b, "%.2f %.2f ", x+far*math.Cos(angle), y+far*math.Sin(angle))
		}
		fmt.Fprintf(&b, `z" fill="#%06x" fill-opacity="%.2f" stroke="#333" stroke-width="%.1f"/>`, random.IntN(1<<24), 0.3+0.7*random.Float64(), 0.5+random.Float64())
	}
	b.WriteString(`</svg>`)
	return []byte(b.String())
}
