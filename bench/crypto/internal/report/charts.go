package report

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"os"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A chart has one line for each column. The x axis is logarithmic.
type chart struct {
	file, title, x, y string
	xTicks, yTicks    plot.Ticker
	yScale            plot.Normalizer
	points            func(column string) plotter.XYs
}

// A style is the look of a line: a colour for each library, and a dash pattern for each way to call the library.
type style struct {
	colour color.RGBA
	dashes []vg.Length
}

// The colours of lines. They can be read on light and dark backgrounds.
var (
	ground                = color.Gray{0x88}
	orange, yellow, green = color.RGBA{0xce, 0x6a, 0x2b, 0xff}, color.RGBA{0xb8, 0x9a, 0x20, 0xff}, color.RGBA{0x2c, 0x9c, 0x88, 0xff}
	brown                 = color.RGBA{0x90, 0x6c, 0x4c, 0xff}
	inRust, byCgo, fast   = []vg.Length{6, 3}, []vg.Length{2, 3}, []vg.Length{9, 3, 2, 3}

	styles = map[string]style{
		"rust": {orange, inRust}, "rust-cgo": {orange, byCgo}, "rustgo": {orange, nil}, "rust-other": {yellow, inRust}, "rust-ring": {brown, inRust},
		"rust-libcrux": {brown, byCgo}, "rust-sodium": {green, inRust}, "sodium-cgo": {green, byCgo}, "sodium-fastcgo": {green, fast}, "sodium-rustgo": {green, nil},
		"gostd": {color.RGBA{0x4c, 0x8b, 0xd6, 0xff}, nil}, "circl": {color.RGBA{0x8a, 0x5b, 0xd1, 0xff}, nil}, "filippo": {color.RGBA{0xd2, 0x5c, 0x8c, 0xff}, nil},
		"voi": {color.RGBA{0x8a, 0x94, 0xa6, 0xff}, nil},
	}
)

// draw writes the chart as an SVG file. The legend is to the right of the lines and lists them in the order of their right ends.
func (d *Data) draw(c chart, file string) error {
	const legend = 165 // points
	p := plot.New()
	p.BackgroundColor = nil
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.title, c.x, c.y
	p.X.Scale, p.X.Tick.Marker, p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, c.xTicks, c.yScale, c.yTicks
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle.Color, a.Tick.LineStyle.Color, a.Label.TextStyle.Color, a.Tick.Label.Color = ground, ground, ground, ground
	}
	for _, f := range []*font.Font{&p.X.Label.TextStyle.Font, &p.X.Tick.Label.Font, &p.Y.Label.TextStyle.Font, &p.Y.Tick.Label.Font, &p.Title.TextStyle.Font,
		&p.Legend.TextStyle.Font} {
		f.Variant = "Sans"
	}
	p.Title.TextStyle.Color, p.Legend.TextStyle.Color = ground, ground
	p.Legend.Top, p.Legend.Padding, p.Legend.XOffs = true, vg.Points(3), vg.Points(legend)
	columns := slices.DeleteFunc(slices.Clone(d.Columns), func(i Item) bool { return len(c.points(i.Name)) == 0 })
	last := func(i Item) plotter.XY { points := c.points(i.Name); return points[len(points)-1] }
	slices.SortStableFunc(columns, func(a, b Item) int {
		return cmp.Or(cmp.Compare(last(b).Y, last(a).Y), cmp.Compare(last(a).X, last(b).X))
	})
	for _, column := range columns {
		line, err := plotter.NewLine(c.points(column.Name))
		if err != nil {
			return fmt.Errorf("%s, %s: %w", c.file, column.Name, err)
		}
		style := styles[column.Name]
		line.Color, line.Dashes, line.Width = style.colour, style.dashes, vg.Points(1.2)
		if column.Name == "rustgo" {
			line.Width = vg.Points(2.5)
		}
		p.Add(line)
		p.Legend.Add(column.Text, line)
	}
	if p.Y.Scale == (plot.LinearScale{}) {
		p.Y.Min = 0
	}
	canvas := vgsvg.New(720, 330)
	p.Draw(draw.Crop(draw.New(canvas), vg.Points(4), -vg.Points(legend+15), vg.Points(2), -vg.Points(4)))
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

// series returns a function that returns the points of a column, for a group of rows. The points omit values that were not measured.
func (d *Data) series(table string, group any, y func(x int, median float64) float64) func(column string) plotter.XYs {
	return func(column string) (points plotter.XYs) {
		for _, x := range d.xs(table, group) {
			if v := y(x, d.find(table, group, x).value(column)); !math.IsNaN(v) {
				points = append(points, plotter.XY{X: float64(x), Y: v})
			}
		}
		return points
	}
}

func ticks(xs []int, label func(x int) string) (ticks plot.ConstantTicks) {
	for _, x := range xs {
		ticks = append(ticks, plot.Tick{Value: float64(x), Label: label(x)})
	}
	return ticks
}

// marks returns a ticker that places ticks on an axis at the digits times each power of ten.
func marks(unit string, digits ...float64) plot.TickerFunc {
	return func(low, high float64) (ticks []plot.Tick) {
		for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
			for _, digit := range digits {
				ticks = append(ticks, plot.Tick{Value: digit * power, Label: quantity(digit*power, unit)})
			}
		}
		return ticks
	}
}

func (d *Data) throughput(cipher, title string) chart {
	table := cipher + "-seal"
	return chart{cipher + ".svg", title + ": throughput of one thread, output buffer reused", "size of the text", "", ticks(d.xs(table, "reused"), size), marks("B/s", 1, 2, 5),
		plot.LogScale{}, d.series(table, "reused", func(x int, ns float64) float64 { return float64(x) / ns * 1e9 })}
}

func (d *Data) scaling() chart {
	return chart{"scaling.svg", fmt.Sprintf("X25519 exchanges a second, GOMAXPROCS %d", d.CPUs), "goroutines, or threads in Rust", "",
		ticks(d.xs("scale", d.CPUs), func(x int) string { return fmt.Sprint(x) }), plot.DefaultTicks{}, plot.LinearScale{},
		d.series("scale", d.CPUs, func(_ int, rate float64) float64 { return rate })}
}

// distribution returns a chart of the share of requests that are done after a given time. The range from 90 to 99 % is as wide as the range from 0
// to 90 %.
func (d *Data) distribution(table, title string) chart {
	nines := plot.ConstantTicks{{Value: 0, Label: "0 %"}, {Value: 1, Label: "90 %"}, {Value: 2, Label: "99 %"}, {Value: 3, Label: "99.9 %"}, {Value: 4, Label: "99.99 %"}}
	return chart{strings.ReplaceAll(table, " ", "-") + ".svg", title, "from question to answer", "", marks("ns", 1), nines, plot.LinearScale{}, func(column string) (points plotter.XYs) {
		for k, ns := range d.find(table, "response", 10000).curve(column) {
			points = append(points, plotter.XY{X: max(ns, 100), Y: float64(k) / 20})
		}
		return points
	}}
}
