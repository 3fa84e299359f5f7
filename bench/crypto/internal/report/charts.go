package report

import (
	"fmt"
	"math"
	"slices"
)

// throughput is the chart of an AEAD by size, with buffers that are used again. A note may follow what is below the title.
func (d *Data) throughput(table, title, note string) string {
	c := &chart{title: title, sub: "Throughput, one thread, output buffer used again. Both axes are logarithmic: up is faster." + note, xName: "size of the text"}
	xs := d.Xs(table, "reused")
	if len(xs) == 0 {
		return ""
	}
	least, most := math.Inf(1), 0.0
	for _, column := range d.Columns {
		l := line{column: column.Name}
		for _, x := range xs {
			if v := float64(x) / d.Value(table, "reused", x, column.Name) * 1e9; !math.IsNaN(v) {
				l.points = append(l.points, [2]float64{float64(x), v})
				least, most = min(least, v), max(most, v)
			}
		}
		if l.points != nil {
			c.lines = append(c.lines, l)
		}
	}
	c.x, c.y = logAxis(float64(xs[0]), float64(xs[len(xs)-1])), logAxis(least*0.9, most*1.15)
	for _, x := range xs {
		c.xTicks = append(c.xTicks, tick{float64(x), bytesSize(x)})
	}
	c.yTicks = decades(least*0.9, most*1.15, "B/s")
	c.value = func(x, y float64) string { return fmt.Sprint(bytesSize(int(x)), ", ", quantity(y, "B/s")) }
	return c.svg()
}

// fresh is how much longer it takes with a new output buffer for each text.
func (d *Data) fresh(table, title string) string {
	c := &chart{title: title, sub: "Time with a new output buffer for each text, in relation to one that is used again. The article says 1.15 to " +
		"1.20 (shaded).", xName: "size of the text"}
	xs := d.Xs(table, "fresh")
	if len(xs) == 0 {
		return ""
	}
	most := 1.25
	for _, column := range d.Columns {
		l := line{column: column.Name}
		for _, x := range xs {
			if v := d.Value(table, "fresh", x, column.Name) / d.Value(table, "reused", x, column.Name); !math.IsNaN(v) {
				l.points = append(l.points, [2]float64{float64(x), v})
				most = max(most, v)
			}
		}
		if l.points != nil {
			c.lines = append(c.lines, l)
		}
	}
	c.x, c.y = logAxis(float64(xs[0]), float64(xs[len(xs)-1])), logAxis(0.85, most*1.08)
	for _, x := range xs {
		c.xTicks = append(c.xTicks, tick{float64(x), bytesSize(x)})
	}
	for _, t := range []float64{0.9, 1, 1.2, 1.5, 2, 3, 5, 8} {
		if t < most*1.08 {
			c.yTicks = append(c.yTicks, tick{t, digitsShort(t) + " ×"})
		}
	}
	c.value = func(x, y float64) string { return fmt.Sprintf("%s, %.2f ×", bytesSize(int(x)), y) }
	c.band = [2]float64{1.15, 1.20}
	return c.svg()
}

func digitsShort(v float64) string { return fmt.Sprint(math.Round(v*100) / 100) }

// scaling is exchanges a second by goroutines.
func (d *Data) scaling() string {
	group := fmt.Sprint(d.CPUs)
	xs := d.Xs("scale", group)
	if len(xs) == 0 {
		return ""
	}
	c := &chart{title: "X25519 exchanges a second by goroutines", xName: "goroutines, or threads of Rust"}
	c.sub = fmt.Sprintf("GOMAXPROCS = processors = %d. By the clock: what else the machine does counts.", d.CPUs)
	most := 0.0
	for _, column := range d.Columns {
		l := line{column: column.Name}
		for _, x := range xs {
			if v := d.Value("scale", group, x, column.Name); !math.IsNaN(v) {
				l.points = append(l.points, [2]float64{float64(x), v})
				most = max(most, v)
			}
		}
		if l.points != nil {
			c.lines = append(c.lines, l)
		}
	}
	c.x, c.y = logAxis(float64(xs[0]), float64(xs[len(xs)-1])), linearAxis(0, most*1.1)
	for _, x := range xs {
		c.xTicks = append(c.xTicks, tick{float64(x), fmt.Sprint(x)})
	}
	step := math.Pow(10, math.Floor(math.Log10(most)))
	if most/step < 3 {
		step /= 2
	}
	for at := 0.0; at < most*1.1; at += step {
		c.yTicks = append(c.yTicks, tick{at, grouped(int64(at))})
	}
	c.value = func(x, y float64) string { return fmt.Sprintf("%g goroutines, %s a second", x, grouped(int64(y))) }
	return c.svg()
}

// distribution is how long requests take: the share of requests that take longer, against time.
func (d *Data) distribution(table, group, title, sub string) string {
	row := d.Find(table, group, 10000)
	if row == nil {
		return ""
	}
	c := &chart{title: title, sub: sub, xName: "time, logarithmic", steps: true}
	least, most := math.Inf(1), 0.0
	for _, column := range d.In(row) {
		l := line{column: column}
		for k, ns := range row.Curve(column) {
			ns = max(ns, 100)
			l.points = append(l.points, [2]float64{ns, float64(k) / 20})
			least, most = min(least, ns), max(most, ns)
		}
		c.lines = append(c.lines, l)
	}
	c.x, c.y = logAxis(least*0.9, most*1.1), linearAxis(0, 4)
	c.xTicks = decades(least*0.9, most*1.1, "ns")
	for nines, label := range []string{"0 %", "90 %", "99 %", "99.9 %", "99.99 %"} {
		c.yTicks = append(c.yTicks, tick{float64(nines), label})
	}
	c.yTicks = append(c.yTicks, tick{-math.Log10(0.5), "50 %"})
	c.value = func(x, y float64) string {
		return fmt.Sprintf("%.4g %% take at most %s", 100*(1-math.Pow(10, -y)), quantity(x, "ns"))
	}
	return c.svg()
}

// chunked is throughput of one payload in chunks by workers.
func (d *Data) chunked(chunk int) string {
	group := fmt.Sprint(chunk)
	xs := d.Xs("chunks", group)
	if len(xs) == 0 {
		return ""
	}
	var all []bar
	x := d.CPUs
	for _, column := range d.In(d.Find("chunks", group, x)) {
		v := float64(d.Payload) / d.Value("chunks", group, x, column) * 1e9
		all = append(all, bar{column, v, quantity(v, "B/s")})
	}
	byValue(all, true)
	return bars(fmt.Sprintf("Chunks of %s, %d workers", bytesSize(chunk), x), fmt.Sprintf("AES-256-GCM of %s as a stream; longer is faster",
		bytesSize(d.Payload)), all)
}

// simple is bars of the medians of a row, the best first.
func (d *Data) simple(title, sub, table, group string, x int, most bool) string {
	row := d.Find(table, group, x)
	if row == nil {
		return ""
	}
	var all []bar
	for _, column := range d.In(row) {
		v, _ := row.Median(column)
		all = append(all, bar{column, v, quantity(v, row.Unit)})
	}
	byValue(all, most)
	return bars(title, sub, all)
}

func byValue(all []bar, most bool) {
	slices.SortStableFunc(all, func(a, b bar) int {
		if (a.value < b.value) != most {
			return -1
		}
		return 1
	})
}
