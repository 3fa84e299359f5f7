// Package report makes tables, pictures and the verdict on the article's claims from what was measured.
package report

import (
	"cmp"
	"math"
	"slices"
)

// Data is a run: what is written as JSON.
type Data struct {
	Began    string   `json:"began"`
	Minutes  float64  `json:"minutes"`
	Short    bool     `json:"short"`
	Runs     int      `json:"runs"`
	Command  string   `json:"command"`
	CPU      string   `json:"cpu"`
	CPUs     int      `json:"cpus"`
	System   string   `json:"system"`
	Pinned   string   `json:"pinned"` // how the rows with one thread were tied to a processor
	Load     string   `json:"load"`   // the load average at the beginning
	Others   float64  `json:"others"` // the share of the processors' time that other programs took
	Checked  int      `json:"checked"`
	Rates    []int    `json:"rates"` // of the open loops, requests a second
	Payload  int      `json:"payload"`
	Versions []Item   `json:"versions"`
	Columns  []Item   `json:"columns"`
	Left     []string `json:"left"`
	Rows     []*Row   `json:"rows"`
}

// Item is a column's name and title, or a library's name and version.
type Item struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Row is one thing that was measured, in each column several times.
type Row struct {
	Table  string               `json:"table"`
	Group  string               `json:"group"`
	X      int                  `json:"x"`    // a size in bytes, or a number of goroutines
	Unit   string               `json:"unit"` // ns, B, s, or /s
	Values map[string][]float64 `json:"values"`
	Curves map[string][][]int64 `json:"curves,omitempty"` // quantiles 1-10^(-k/20), of each run
}

// At returns the row, and makes it if it is missing.
func (d *Data) At(table, group string, x int, unit string) *Row {
	if r := d.Find(table, group, x); r != nil {
		return r
	}
	r := &Row{Table: table, Group: group, X: x, Unit: unit, Values: map[string][]float64{}}
	d.Rows = append(d.Rows, r)
	return r
}

// Find returns the row, or nil.
func (d *Data) Find(table, group string, x int) *Row {
	for _, r := range d.Rows {
		if r.Table == table && r.Group == group && r.X == x {
			return r
		}
	}
	return nil
}

// Xs are the values of X in a group, in order.
func (d *Data) Xs(table, group string) (xs []int) {
	for _, r := range d.Rows {
		if r.Table == table && r.Group == group {
			xs = append(xs, r.X)
		}
	}
	slices.Sort(xs)
	return slices.Compact(xs)
}

// Add notes what a run has measured.
func (r *Row) Add(column string, value float64) { r.Values[column] = append(r.Values[column], value) }

// Median returns the median of a column's runs, and half the distance between the quartiles in relation to it. Without runs it is not a number.
func (r *Row) Median(column string) (median, spread float64) {
	if r == nil || len(r.Values[column]) == 0 {
		return math.NaN(), math.NaN()
	}
	values := slices.Sorted(slices.Values(r.Values[column]))
	median = quantile(values, 0.5)
	if median == 0 {
		return 0, 0
	}
	return median, (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median
}

// Value is the median alone.
func (d *Data) Value(table, group string, x int, column string) float64 {
	m, _ := d.Find(table, group, x).Median(column)
	return m
}

// quantile interpolates.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Curve is the median of the runs' quantiles, by k.
func (r *Row) Curve(column string) (curve []float64) {
	if r == nil || len(r.Curves[column]) == 0 {
		return nil
	}
	runs := r.Curves[column]
	for k := range runs[0] {
		var all []float64
		for _, run := range runs {
			all = append(all, float64(run[k]))
		}
		slices.Sort(all)
		curve = append(curve, quantile(all, 0.5))
	}
	return curve
}

// In returns the names of the columns that the row has, in the order of all columns.
func (d *Data) In(rows ...*Row) (names []string) {
	for _, c := range d.Columns {
		if slices.ContainsFunc(rows, func(r *Row) bool { return r != nil && len(r.Values[c.Name]) > 0 }) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Has says whether the column was there.
func (d *Data) Has(column string) bool {
	return slices.ContainsFunc(d.Columns, func(c Item) bool { return c.Name == column })
}

// Title is what the column is called where there is room.
func (d *Data) Title(column string) string {
	for _, c := range d.Columns {
		if c.Name == column {
			return c.Text
		}
	}
	return column
}

// Best returns the named column with the least median.
func (d *Data) Best(r *Row, columns ...string) string {
	columns = slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return r == nil || len(r.Values[c]) == 0 })
	if len(columns) == 0 {
		return ""
	}
	return slices.MinFunc(columns, func(a, b string) int {
		x, _ := r.Median(a)
		y, _ := r.Median(b)
		return cmp.Compare(x, y)
	})
}
