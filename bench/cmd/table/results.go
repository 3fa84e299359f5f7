package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// results holds measurements, in the order in which their benchmarks first appeared in the output.
type results struct {
	cpu     string
	machine string   // the first line: machine and number of runs
	command string   // the command that produces these results
	notes   []string // what was left out, and why
	groups  []*group
}

// group is a set of benchmarks that do the same work. Their names differ only in the last part.
type group struct {
	name  string
	units []string // units of the measured values, as package testing writes them; the ratios compare ways by the first unit
	ways  []*way
}

// way is one implementation of the work that a group measures.
type way struct {
	name   string
	runs   map[string][]float64 // the values of all runs, by unit
	median float64              // for the first unit
}

var line = regexp.MustCompile(`^Benchmark(\S+)/([^/\s]+?)(?:-\d+)?\s+\d+\s+([0-9.].*)$`)

// read reads the output of go test -bench. Benchmarks that do not match the pattern are left out.
func (r *results) read(out string, pattern *regexp.Regexp) {
	for text := range strings.Lines(out) {
		if cpu, ok := strings.CutPrefix(text, "cpu: "); ok {
			r.cpu = strings.TrimSpace(cpu)
		}
		m := line.FindStringSubmatch(strings.TrimSpace(text))
		if m == nil || pattern != nil && !pattern.MatchString("Benchmark"+m[1]) {
			continue
		}
		g := r.group(m[1])
		w := g.way(m[2])
		for measured := strings.Fields(m[3]); len(measured) >= 2; measured = measured[2:] {
			x, err := strconv.ParseFloat(measured[0], 64)
			unit := measured[1]
			if err != nil || unit == "MB/s" || unit == "B/op" || unit == "allocs/op" {
				continue
			}
			if !slices.Contains(g.units, unit) {
				g.units = append(g.units, unit)
			}
			w.runs[unit] = append(w.runs[unit], x)
		}
	}
}

func (r *results) group(name string) *group {
	for _, g := range r.groups {
		if g.name == name {
			return g
		}
	}
	r.groups = append(r.groups, &group{name: name})
	return r.groups[len(r.groups)-1]
}

func (g *group) way(name string) *way {
	for _, w := range g.ways {
		if w.name == name {
			return w
		}
	}
	g.ways = append(g.ways, &way{name: name, runs: map[string][]float64{}})
	return g.ways[len(g.ways)-1]
}

// rank computes the medians and sorts the implementations of each group by speed, fastest first. It returns the divisor of the ratios: the median of
// rustgo's fastest implementation, or 0 if rustgo has no implementation.
func (g *group) rank() (base float64) {
	for _, w := range g.ways {
		w.median = median(w.runs[g.units[0]])
		if strings.HasPrefix(w.name, "rustgo") && (base == 0 || w.median < base) {
			base = w.median
		}
	}
	slices.SortStableFunc(g.ways, func(a, b *way) int { return cmp.Compare(a.median, b.median) })
	return base
}

const legend = "× is relative to rustgo's (the faster, if there are two); ± is half of what lies between the quartiles."

// print writes one table for each group.
func (r *results) print(out io.Writer) {
	fmt.Fprintln(out, r.machine)
	for _, g := range r.groups {
		base := g.rank()
		fmt.Fprintf(out, "\n%s\n", g.name)
		t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		if len(g.units) > 1 {
			fmt.Fprint(t, "\t\t\t")
			if base > 0 {
				fmt.Fprint(t, "\t")
			}
			fmt.Fprintln(t, strings.Join(g.more(), "\t")+"\t")
		}
		for _, w := range g.ways {
			fmt.Fprintf(t, "%s\t%s\t± %.0f %%\t", w.name, quantity(w.median, g.units[0]), spread(w.runs[g.units[0]], w.median))
			if base > 0 {
				fmt.Fprintf(t, "%.2f ×\t", w.median/base)
			}
			for _, cell := range g.moreOf(w) {
				fmt.Fprintf(t, "%s\t", cell)
			}
			fmt.Fprintln(t)
		}
		t.Flush()
	}
	if len(r.groups) > 0 {
		fmt.Fprintf(out, "\n%s\n", legend)
	}
	for _, note := range r.notes {
		fmt.Fprintln(out, note)
	}
}

// more returns the headings for all units but the first. The first unit has columns of its own: the ratio column compares implementations by it.
func (g *group) more() (headings []string) {
	for _, unit := range g.units[1:] {
		headings = append(headings, strings.TrimSuffix(unit, "-ns"))
	}
	return headings
}

// moreOf returns the medians of an implementation for all units but the first. If the group has an implementation of rustgo, the cell for processor
// time also has the ratio to rustgo's processor time.
func (g *group) moreOf(w *way) (cells []string) {
	for _, unit := range g.units[1:] {
		x := median(w.runs[unit])
		cell := quantity(x, unit)
		if i := slices.IndexFunc(g.ways, func(w *way) bool { return strings.HasPrefix(w.name, "rustgo") }); i >= 0 && unit == "cpu-ns" {
			cell += fmt.Sprintf(" %.2f ×", x/median(g.ways[i].runs[unit]))
		}
		cells = append(cells, cell)
	}
	return cells
}

// quantity formats a number with its unit. A unit such as "p99-ns" is a time in nanoseconds.
func quantity(x float64, unit string) string {
	if unit != "ns/op" && !strings.HasSuffix(unit, "-ns") {
		return fmt.Sprintf("%.1f %s", x, unit)
	}
	return duration(x)
}

func duration(ns float64) string {
	switch {
	case ns >= 1e6:
		return fmt.Sprintf("%.2f ms", ns/1e6)
	case ns >= 1e3:
		return fmt.Sprintf("%.2f µs", ns/1e3)
	}
	return fmt.Sprintf("%.2f ns", ns)
}

// median returns the median, or NaN if nothing was measured.
func median(xs []float64) float64 { return quantile(xs, 0.5) }

// spread returns half the interquartile range of the values, in percent of the median.
func spread(xs []float64, median float64) float64 {
	return 100 * (quantile(xs, 0.75) - quantile(xs, 0.25)) / 2 / median
}

// quantile returns the quantile q, interpolated between the two nearest values.
func quantile(xs []float64, q float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	xs = slices.Sorted(slices.Values(xs))
	at := q * float64(len(xs)-1)
	i := int(at)
	if i+1 == len(xs) {
		return xs[i]
	}
	return xs[i] + (at-float64(i))*(xs[i+1]-xs[i])
}
