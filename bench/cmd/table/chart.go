package main

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// chart shows how the speed of each implementation scales, for benchmarks that divide work among more and more goroutines or threads.
type chart struct {
	name   string // name of the groups, without the number of goroutines or threads
	what   string // "goroutines"
	counts []int
	groups []*group
}

var series = regexp.MustCompile(`^(.+)/(\d+)(goroutines|threads)$`)

func (r *results) charts() (charts []*chart) {
	for _, g := range r.groups {
		m := series.FindStringSubmatch(g.name)
		if m == nil || g.units[0] != "ns/op" {
			continue
		}
		n, err := strconv.Atoi(m[2])
		if err != nil || n == 0 {
			continue
		}
		i := slices.IndexFunc(charts, func(c *chart) bool { return c.name == m[1] })
		if i < 0 {
			i = len(charts)
			charts = append(charts, &chart{name: m[1], what: m[3]})
		}
		at, _ := slices.BinarySearch(charts[i].counts, n)
		charts[i].counts = slices.Insert(charts[i].counts, at, n)
		charts[i].groups = slices.Insert(charts[i].groups, at, g)
	}
	return charts
}

func (c *chart) title() string { return c.name + ": million operations a second" }

// The colours of the lines, which can be told apart on light and dark backgrounds.
var (
	ground  = color.Gray{0x88}
	rustgo  = color.RGBA{0xce, 0x6a, 0x2b, 0xff}
	colours = []color.Color{
		color.RGBA{0x4c, 0x8b, 0xd6, 0xff}, color.RGBA{0x3f, 0xa0, 0x6b, 0xff}, color.RGBA{0xb0, 0x5f, 0xc0, 0xff},
		color.RGBA{0xb8, 0x9a, 0x20, 0xff}, color.RGBA{0x8a, 0x94, 0xa6, 0xff},
		color.RGBA{0x2c, 0x9c, 0xa8, 0xff}, color.RGBA{0xd2, 0x5c, 0x8c, 0xff}, color.RGBA{0x7a, 0x6a, 0xd8, 0xff}, color.RGBA{0x90, 0x6c, 0x4c, 0xff},
	}
)

// legendWidth is the width of the legend, in points.
const legendWidth = 105

// write writes an SVG file. Both axes are logarithmic.
func (c *chart) write(file string) error {
	p := plot.New()
	p.BackgroundColor = color.Transparent
	p.Title.Text = c.title()
	p.X.Label.Text = c.what
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(oneTwoFive)
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, c.ticks()
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle.Color, a.Tick.LineStyle.Color = ground, ground
		a.Label.TextStyle.Color, a.Tick.Label.Color = ground, ground
		for _, f := range []*font.Font{&a.Label.TextStyle.Font, &a.Tick.Label.Font} {
			f.Variant = "Sans"
		}
	}
	p.Title.TextStyle.Color, p.Legend.TextStyle.Color = ground, ground
	p.Title.TextStyle.Font.Variant, p.Legend.TextStyle.Font.Variant = "Sans", "Sans"
	p.Legend.Top, p.Legend.Padding = true, vg.Points(3)
	p.Legend.XOffs = vg.Points(legendWidth) // beside the plot

	last := slices.Clone(c.groups[len(c.groups)-1].ways)
	slices.SortFunc(last, func(a, b *way) int { return strings.Compare(a.name, b.name) })
	shade := map[string]color.Color{} // the colour of each name; it is the same in all charts with the same names
	for _, w := range last {
		if shade[w.name] = colours[len(shade)%len(colours)]; strings.HasPrefix(w.name, "rustgo") {
			shade[w.name] = rustgo
		}
	}
	slices.SortStableFunc(last, func(a, b *way) int { return cmp.Compare(median(a.runs["ns/op"]), median(b.runs["ns/op"])) })
	for _, named := range last { // the legend has the order of the lines' right ends
		var points plotter.XYs
		for i, g := range c.groups {
			for _, w := range g.ways {
				if w.name == named.name {
					points = append(points, plotter.XY{X: float64(c.counts[i]), Y: 1e3 / median(w.runs["ns/op"])})
				}
			}
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", c.name, named.name, err)
		}
		line.Color, line.Width = shade[named.name], vg.Points(1.2)
		if line.Color == rustgo {
			line.Width = vg.Points(2.5)
			if named.name != "rustgo" {
				line.Dashes = []vg.Length{vg.Points(6), vg.Points(3)}
			}
		}
		dots.Color, dots.Shape = line.Color, draw.CircleGlyph{}
		p.Add(line, dots)
		p.Legend.Add(named.name, line, dots)
	}
	canvas := vgsvg.New(580, 300)
	p.Draw(draw.Crop(draw.New(canvas), vg.Points(4), -vg.Points(legendWidth+15), vg.Points(2), -vg.Points(4)))
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	if _, err := canvas.WriteTo(out); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// oneTwoFive returns ticks for an axis at 1, 2, 5, 10, 20, 50 and so on.
func oneTwoFive(low, high float64) (ticks []plot.Tick) {
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, digit := range []float64{1, 2, 5} {
			if x := digit * power; low <= x && x <= high {
				ticks = append(ticks, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'g', 3, 64)})
			}
		}
	}
	return ticks
}

func (c *chart) ticks() plot.ConstantTicks {
	var ticks []plot.Tick
	for _, n := range c.counts {
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: strconv.Itoa(n)})
	}
	return ticks
}
