package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// results holds measurements in the order in which the benchmarks came first.
type results struct {
	cpu     string
	machine string   // the headline: what ran, and how often
	notes   []string // what was left out, and why
	groups  []*group
}

// group is the benchmarks that do the same thing: those whose names differ in the last part.
type group struct {
	name string
	ways []*way
}

// way is one way to do it.
type way struct {
	name   string
	ns     []float64 // per operation, one for each run
	median float64
}

var line = regexp.MustCompile(`^Benchmark(\S+)/([^/\s]+?)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op`)

// read takes what go test -bench prints. Benchmarks that do not match the pattern are left out.
func (r *results) read(out string, pattern *regexp.Regexp) {
	for text := range strings.Lines(out) {
		if cpu, ok := strings.CutPrefix(text, "cpu: "); ok {
			r.cpu = strings.TrimSpace(cpu)
		}
		m := line.FindStringSubmatch(text)
		if m == nil || pattern != nil && !pattern.MatchString("Benchmark"+m[1]) {
			continue
		}
		ns, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			continue
		}
		w := r.group(m[1]).way(m[2])
		w.ns = append(w.ns, ns)
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
	g.ways = append(g.ways, &way{name: name})
	return g.ways[len(g.ways)-1]
}

// rank finds the medians, puts the fastest way of each group first, and returns the base of the ratios: the fastest of
// rustgo's, or 0.
func (g *group) rank() (base float64) {
	for _, w := range g.ways {
		w.median = median(w.ns)
		if strings.HasPrefix(w.name, "rustgo") && (base == 0 || w.median < base) {
			base = w.median
		}
	}
	slices.SortStableFunc(g.ways, func(a, b *way) int { return cmp.Compare(a.median, b.median) })
	return base
}

const legend = "× is the time relative to rustgo's (the faster, if there are two); ± is half of what lies between the quartiles."

// print writes one table for each group.
func (r *results) print(out io.Writer) {
	fmt.Fprintln(out, r.machine)
	for _, g := range r.groups {
		base := g.rank()
		fmt.Fprintf(out, "\n%s\n", g.name)
		t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		for _, w := range g.ways {
			fmt.Fprintf(t, "%s\t%s\t± %.0f %%\t", w.name, duration(w.median), spread(w.ns, w.median))
			if base > 0 {
				fmt.Fprintf(t, "%.2f ×\t", w.median/base)
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

func duration(ns float64) string {
	switch {
	case ns >= 1e6:
		return fmt.Sprintf("%.2f ms", ns/1e6)
	case ns >= 1e3:
		return fmt.Sprintf("%.2f µs", ns/1e3)
	}
	return fmt.Sprintf("%.2f ns", ns)
}

// median returns the middle one, or the mean of the middle two.
func median(xs []float64) float64 { return quantile(xs, 0.5) }

// spread returns half the distance between the quartiles, in percent of the median.
func spread(xs []float64, median float64) float64 {
	return 100 * (quantile(xs, 0.75) - quantile(xs, 0.25)) / 2 / median
}

// quantile interpolates between the two values nearest to the place.
func quantile(xs []float64, q float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	at := q * float64(len(xs)-1)
	i := int(at)
	if i+1 == len(xs) {
		return xs[i]
	}
	return xs[i] + (at-float64(i))*(xs[i+1]-xs[i])
}
