// Package report writes tables and charts of the measurements, and judges the claims of an article by the measurements.
package report

import (
	"fmt"
	"math"
	"slices"
)

// Data holds the results of all measurements. It is stored as JSON.
type Data struct {
	Began    string   `json:"began"`
	Minutes  float64  `json:"minutes"`
	Short    bool     `json:"short"`
	Runs     int      `json:"runs"`
	Command  string   `json:"command"`
	CPU      string   `json:"cpu"`
	CPUs     int      `json:"cpus"`
	System   string   `json:"system"`
	Pinned   string   `json:"pinned"` // the processor of the rows with one thread
	Load     string   `json:"load"`   // the load average at the start
	Others   float64  `json:"others"` // the share of the processors' time that other programs used
	Checked  int      `json:"checked"`
	Rates    []int    `json:"rates"` // of the open loops, in requests a second
	Payload  int      `json:"payload"`
	Notes    []string `json:"notes,omitempty"` // Markdown, written by hand after the run
	Versions []Item   `json:"versions"`
	Columns  []Item   `json:"columns"`
	Left     []string `json:"left"`
	Rows     []*Row   `json:"rows"`
}

// Item is a pair of texts: a column's name and title, or a library's name and version.
type Item struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Row is one measurement. It has a value for each column and each run.
type Row struct {
	Table  string               `json:"table"`
	Group  string               `json:"group"`
	X      int                  `json:"x"`    // a size in bytes, or a number of goroutines
	Unit   string               `json:"unit"` // ns, B, s, or /s
	Values map[string][]float64 `json:"values"`
	Curves map[string][][]int64 `json:"curves,omitempty"` // for each run, the quantiles 1-10^(-k/20)
}

// At returns the row with these keys. If there is no such row, At adds it.
func (d *Data) At(table, group string, x int, unit string) *Row {
	if r := d.find(table, group, x); r != nil {
		return r
	}
	r := &Row{Table: table, Group: group, X: x, Unit: unit, Values: map[string][]float64{}}
	d.Rows = append(d.Rows, r)
	return r
}

// find returns the row with these keys, or nil if there is no such row. The medians of a nil row are NaN.
func (d *Data) find(table string, group any, x int) *Row {
	for _, r := range d.Rows {
		if r.Table == table && r.Group == fmt.Sprint(group) && r.X == x {
			return r
		}
	}
	return nil
}

// Add appends the value of one run to the column's values.
func (r *Row) Add(column string, value float64) { r.Values[column] = append(r.Values[column], value) }

// xs returns the values of X in a group, in ascending order.
func (d *Data) xs(table string, group any) (xs []int) {
	for _, r := range d.Rows {
		if r.Table == table && r.Group == fmt.Sprint(group) {
			xs = append(xs, r.X)
		}
	}
	slices.Sort(xs)
	return slices.Compact(xs)
}

// median returns the median of a column's runs, and the spread: half the distance between the quartiles, divided by the median. Both are NaN
// without runs.
func (r *Row) median(column string) (median, spread float64) {
	if r == nil || len(r.Values[column]) == 0 {
		return math.NaN(), math.NaN()
	}
	values := slices.Sorted(slices.Values(r.Values[column]))
	if median = quantile(values, 0.5); median == 0 {
		return 0, 0
	}
	return median, (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median
}

func (r *Row) value(column string) float64 {
	median, _ := r.median(column)
	return median
}

// ratio returns the ratio of two columns' medians, and the spread of the ratio. Both are NaN if a median is 0: then the run was too short to measure
// anything.
func (r *Row) ratio(a, b string) (ratio, spread float64) {
	x, sx := r.median(a)
	y, sy := r.median(b)
	if x == 0 || y == 0 {
		return math.NaN(), math.NaN()
	}
	return x / y, x / y * math.Hypot(sx, sy)
}

// quantile interpolates linearly between the two nearest values.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// curve returns a quantile curve of a column: for each quantile the median of all runs.
func (r *Row) curve(column string) (curve []float64) {
	if r == nil || len(r.Curves[column]) == 0 {
		return nil
	}
	for k := range r.Curves[column][0] {
		var all []float64
		for _, run := range r.Curves[column] {
			all = append(all, float64(run[k]))
		}
		slices.Sort(all)
		curve = append(curve, quantile(all, 0.5))
	}
	return curve
}
