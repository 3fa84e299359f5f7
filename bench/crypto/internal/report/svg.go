package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// style is how a column is drawn: one hue for each library, one dash for each way to call it.
type style struct{ colour, dash, short string }

var styles = map[string]style{
	"rust":           {"var(--rust)", "6 3", "Rust, same crates"},
	"rust-other":     {"var(--other)", "2 3", "Rust, other crates"},
	"rust-ring":      {"var(--ring)", "6 3", "Rust, ring"},
	"rust-libcrux":   {"var(--ring)", "2 3", "Rust, libcrux"},
	"rust-sodium":    {"var(--sodium)", "6 3", "Rust, libsodium"},
	"gostd":          {"var(--go)", "", "Go standard library"},
	"circl":          {"var(--circl)", "", "circl"},
	"filippo":        {"var(--filippo)", "", "filippo.io"},
	"voi":            {"var(--voi)", "", "curve25519-voi"},
	"sodium-cgo":     {"var(--sodium)", "2 3", "libsodium, cgo"},
	"sodium-fastcgo": {"var(--sodium)", "9 3 2 3", "libsodium, fastcgo"},
	"sodium-rustgo":  {"var(--sodium)", "", "libsodium, rustgo"},
	"rust-cgo":       {"var(--rust)", "2 3", "same crates, cgo"},
	"rustgo":         {"var(--rust)", "", "rustgo packages"},
}

func styleOf(column string) style {
	if s, ok := styles[column]; ok {
		return s
	}
	return style{"var(--grey)", "", column}
}

// line is a column in a chart.
type line struct {
	column string
	points [][2]float64
}

// tick is a mark on an axis.
type tick struct {
	at    float64
	label string
}

// chart has lines over two axes. Values are placed by the axes' functions, from 0 to 1.
type chart struct {
	title, sub     string
	x, y           func(float64) float64
	xTicks, yTicks []tick
	xName          string
	lines          []line
	value          func(x, y float64) string // what a point is called
	steps          bool                      // a curve of many points
	band           [2]float64                // values of y that are shaded
}

// logAxis places values between two by their logarithm.
func logAxis(from, to float64) func(float64) float64 {
	return func(v float64) float64 { return (math.Log(v) - math.Log(from)) / (math.Log(to) - math.Log(from)) }
}

func linearAxis(from, to float64) func(float64) float64 {
	return func(v float64) float64 { return (v - from) / (to - from) }
}

var round = strings.NewReplacer(".00 ", " ", ".0 ", " ", "0.50 ", "0.5 ", "0.20 ", "0.2 ", "0.10 ", "0.1 ")

// decades are ticks at 1, 2 and 5 times powers of ten, or at the powers alone if there would be too many.
func decades(from, to float64, unit string) (ticks []tick) {
	for _, steps := range [][]float64{{1, 2, 5}, {1}} {
		ticks = nil
		for power := math.Pow(10, math.Floor(math.Log10(from))); power <= to; power *= 10 {
			for _, step := range steps {
				if at := power * step; at >= from*0.999 && at <= to*1.001 {
					ticks = append(ticks, tick{at, round.Replace(quantity(at, unit))})
				}
			}
		}
		if len(ticks) <= 9 {
			break
		}
	}
	return ticks
}

const (
	width, height = 860, 440
	left, right   = 74, 186
	top, bottom   = 54, 50
)

func (c *chart) place(x, y float64) (float64, float64) {
	return left + c.x(x)*(width-left-right), height - bottom - c.y(y)*(height-top-bottom)
}

// svg draws the chart. Lines are named at their right ends, and the names are kept from overlapping.
func (c *chart) svg() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<figure class="chart"><svg viewBox="0 0 %d %d" role="img" aria-label="%s">`, width, height, escape(c.title))
	fmt.Fprintf(&b, `<text class="title" x="8" y="20">%s</text><text class="sub" x="8" y="38">%s</text>`, escape(c.title), escape(c.sub))
	if c.band[1] > 0 {
		_, low := c.place(c.lines[0].points[0][0], c.band[0])
		_, high := c.place(c.lines[0].points[0][0], c.band[1])
		fmt.Fprintf(&b, `<rect class="band" x="%d" y="%.1f" width="%d" height="%.1f"/>`, left, high, width-left-right, low-high)
	}
	for _, t := range c.yTicks {
		y := height - bottom - c.y(t.at)*(height-top-bottom)
		fmt.Fprintf(&b, `<path class="grid" d="M%d %.1fH%d"/><text class="tick" x="%d" y="%.1f" text-anchor="end">%s</text>`, left, y, width-right,
			left-8, y+4, escape(t.label))
	}
	for _, t := range c.xTicks {
		x := left + c.x(t.at)*(width-left-right)
		fmt.Fprintf(&b, `<path class="grid faint" d="M%.1f %dV%d"/><text class="tick" x="%.1f" y="%d" text-anchor="middle">%s</text>`, x, top,
			height-bottom, x, height-bottom+18, escape(t.label))
	}
	fmt.Fprintf(&b, `<path class="axis" d="M%d %dH%d"/><text class="tick" x="%d" y="%d" text-anchor="middle">%s</text>`, left, height-bottom,
		width-right, (left+width-right)/2, height-10, escape(c.xName))
	type name struct {
		column string
		at, y  float64
	}
	var names []name
	for _, l := range c.lines {
		s := styleOf(l.column)
		var path, dots strings.Builder
		last := 0.0
		for i, p := range l.points {
			x, y := c.place(p[0], p[1])
			letter := "L"
			if i == 0 {
				letter = "M"
			}
			fmt.Fprintf(&path, "%s%.1f %.1f", letter, x, y)
			if !c.steps || i%10 == 0 {
				radius := 3.2
				if c.steps {
					radius = 7
				}
				class := "dot"
				if c.steps {
					class = "dot hidden"
				}
				fmt.Fprintf(&dots, `<circle class="%s" cx="%.1f" cy="%.1f" r="%.1f"><title>%s: %s</title></circle>`, class, x, y, radius,
					escape(s.short), escape(c.value(p[0], p[1])))
			}
			last = y
		}
		weight := ""
		if l.column == "rustgo" {
			weight = " main"
		}
		fmt.Fprintf(&b, `<g class="series%s" data-c="%s" style="--c:%s"><path d="%s" stroke-dasharray="%s"/>%s</g>`, weight, l.column, s.colour,
			path.String(), s.dash, dots.String())
		names = append(names, name{l.column, last, last})
	}
	if c.steps { // the curves end at one height: in the order of their times
		slices.SortStableFunc(names, func(a, b name) int { return cmp.Compare(c.ends(a.column), c.ends(b.column)) })
		for i := range names {
			names[i].y = top + 12 + 20*float64(i)
		}
	} else {
		slices.SortFunc(names, func(a, b name) int { return cmp.Compare(a.at, b.at) })
	}
	const apart = 15
	for range 100 { // pushes neighbours apart
		for i := 1; i < len(names); i++ {
			if gap := names[i].y - names[i-1].y; gap < apart {
				names[i-1].y -= (apart - gap) / 2
				names[i].y += (apart - gap) / 2
			}
		}
		if len(names) > 0 {
			names[0].y = max(names[0].y, top)
			names[len(names)-1].y = min(names[len(names)-1].y, height-bottom)
		}
	}
	for _, n := range names {
		s := styleOf(n.column)
		x := float64(width - right)
		if end := c.end(n.column); end > 0 {
			x = end
		}
		leader := fmt.Sprintf(`<path class="leader" d="M%.1f %.1fL%d %.1f"/>`, x+4, n.at, width-right+14, n.y)
		if c.steps {
			leader = ""
		}
		class := "name"
		if n.column == "rustgo" {
			class += " main"
		}
		fmt.Fprintf(&b,
			`<g class="%s" data-c="%s" style="--c:%s">%s<path class="key" d="M%d %.1fh18" stroke-dasharray="%s"/><text x="%d" y="%.1f">%s</text></g>`,
			class, n.column, s.colour, leader, width-right+16, n.y, s.dash, width-right+40, n.y+4, escape(s.short))
	}
	b.WriteString("</svg></figure>\n")
	return b.String()
}

// end is where the column's line ends.
func (c *chart) end(column string) float64 {
	for _, l := range c.lines {
		if l.column == column && len(l.points) > 0 {
			x, _ := c.place(l.points[len(l.points)-1][0], l.points[len(l.points)-1][1])
			return x
		}
	}
	return 0
}

// ends is the time at which a curve reaches 99 %.
func (c *chart) ends(column string) float64 {
	for _, l := range c.lines {
		if l.column == column && len(l.points) > 40 {
			return l.points[40][0]
		}
	}
	return 0
}

// bar is a column in a chart of bars.
type bar struct {
	column string
	value  float64
	text   string
}

// bars draws them one below the other, from zero.
func bars(title, sub string, all []bar) string {
	all = slices.DeleteFunc(slices.Clone(all), func(b bar) bool { return math.IsNaN(b.value) })
	if len(all) == 0 {
		return ""
	}
	longest := slices.MaxFunc(all, func(a, b bar) int {
		if a.value < b.value {
			return -1
		}
		return 1
	}).value
	const row, nameWidth, length, total = 24, 150, 190, 430
	var b strings.Builder
	fmt.Fprintf(&b, `<figure class="bars"><svg viewBox="0 0 %d %d" role="img" aria-label="%s">`, total, 52+row*len(all), escape(title))
	fmt.Fprintf(&b, `<text class="title" x="0" y="18">%s</text><text class="sub" x="0" y="35">%s</text>`, escape(title), escape(sub))
	for i, bar := range all {
		y := 48 + row*i
		s := styleOf(bar.column)
		w := 0.0
		if longest > 0 {
			w = max(1.5, length*bar.value/longest)
		}
		class := "bar"
		if bar.column == "rustgo" {
			class += " main"
		}
		fmt.Fprintf(&b,
			`<g class="%s" data-c="%s" style="--c:%s"><text x="%d" y="%d" text-anchor="end">%s</text><rect x="%d" y="%d" width="%.1f" height="%d" rx="2"/><text class="value" x="%.1f" y="%d">%s</text></g>`,
			class, bar.column, s.colour, nameWidth-8, y+15, escape(s.short), nameWidth, y+2, w, row-6, nameWidth+w+6, y+15, escape(bar.text))
	}
	b.WriteString("</svg></figure>\n")
	return b.String()
}
