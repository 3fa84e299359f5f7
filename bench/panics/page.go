//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// A way is a line of the worker's times.
type way struct {
	Row, Way string
	NS       []float64 // by pass
}

// A state is a line of the worker's memory, in bytes.
type state struct {
	Panics    int
	Live, RSS uint64
}

// lines runs the worker and returns the values that it prints.
func lines[T any](worker string, arguments ...string) (values []T, err error) {
	command := exec.Command(worker, arguments...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("worker %s: %w", strings.Join(arguments, " "), err)
	}
	for line := range bytes.Lines(out) {
		var value T
		if err := json.Unmarshal(line, &value); err != nil {
			return nil, fmt.Errorf("worker: %q: %w", line, err)
		}
		values = append(values, value)
	}
	return values, nil
}

// page has all results.
type page struct {
	times           []way
	unwind, abandon []state
	sizes           []size
}

// The columns of the tables of times.
var columns = []struct{ way, title string }{
	{"native", "native Rust"}, {"unwind", `rustgo, "unwind"`}, {"abandon", `rustgo, "abandon"`}, {"cgo", "cgo"}, {"go", "Go"},
}

const (
	head = `# Panics that unwind

` + "`make bench-panics`" + ` writes this page ([method](../METHOD.md#panics)). It ran on %s, linux/%s with %d processors, %s, %s.

## Recovered panics

A call goes through 1, 10 or 100 Rust frames. Each has a value whose destructor frees a box. The last frame panics with a formatted message.

- *native Rust*: ` + "`catch_unwind`" + ` in a loop in Rust, with a panic hook that does nothing.
- *rustgo*: a call from Go and ` + "`recover`" + `. With panic = "abandon" no destructor runs, and the boxes are lost.
- *cgo*: ` + "`catch_unwind`" + ` in an ` + "`extern \"C\"`" + ` function, which returns false; Go makes an error of it, without the message.
- *Go*: a Go panic through as many Go frames, each with a deferred function, and ` + "`recover`" + `.

%s
`
	middle = `
## Calls that do not panic

The same functions return. *divide* is one division, which could panic; *caught divide* is the same inside ` + "`catch_unwind`" + `,
which catches nothing (in Go: below a deferred function that calls ` + "`recover`" + `).

`
	ofMemory = `
## A million panics

Each call allocates 100 B, 1 KiB and 4 KiB, and panics while it owns them. Go recovers the panic. *Live* is ` + "`rt.HeapLive`" + `,
*RSS* the resident memory of the process, each after a garbage collection. One call has panicked before the start. %s

`
	ofSizes = `
## Sizes

Packages built with panic = "abandon" and with "unwind". *.s* is the assembly text; *code* and *data* are what Go's assembler makes of it.
A crate that is ` + "`no_std`" + ` contains parts of std if its panics unwind.
`
)

func (p *page) write(o *options) (string, error) {
	var out strings.Builder
	rustc, err := output(exec.Command("rustc", "--version"))
	if err != nil {
		return "", err
	}
	base := p.base()
	legend := fmt.Sprintf("Processor time of the process, the median of the runs; runs of each way: %d, by turns. A ratio is the median of the ratios to\n"+
		"*%s* in the same pass; ± is half of what lies between the quartiles.\n", o.passes, base)
	version := strings.Join(strings.Fields(rustc)[:2], " ")
	fmt.Fprintf(&out, head, processor(), runtime.GOARCH, runtime.NumCPU(), goEnv("GOVERSION"), version, legend)
	p.table(&out, "frames", base, []row{{"panic 1", "1"}, {"panic 10", "10"}, {"panic 100", "100"}})
	out.WriteString(middle)
	p.table(&out, "", base, []row{{"return 1", "1 frame"}, {"return 10", "10 frames"}, {"return 100", "100 frames"},
		{"divide", "divide"}, {"caught divide", "caught divide"}})
	p.memory(&out)
	p.sizeTables(&out)
	return out.String(), nil
}

// base returns the title of the column that the other columns are compared with.
func (p *page) base() string {
	if slices.ContainsFunc(p.times, func(w way) bool { return w.Way == "native" }) {
		return "native Rust"
	}
	return `rustgo, "unwind"`
}

type row struct{ name, title string }

// table writes a table of times.
func (p *page) table(out *strings.Builder, corner, base string, rows []row) {
	fmt.Fprintf(out, "| %s |", corner)
	for _, c := range columns {
		fmt.Fprintf(out, " %s |", c.title)
	}
	fmt.Fprintf(out, "\n|---|%s\n", strings.Repeat("---:|", len(columns)))
	for _, r := range rows {
		fmt.Fprintf(out, "| %s |", r.title)
		var of []float64
		for _, c := range columns {
			if c.title == base {
				of = p.find(r.name, c.way)
			}
		}
		for _, c := range columns {
			out.WriteString(cell(p.find(r.name, c.way), of, c.title == base))
		}
		out.WriteString("\n")
	}
}

func (p *page) find(row, name string) []float64 {
	for _, w := range p.times {
		if w.Row == row && w.Way == name {
			return w.NS
		}
	}
	return nil
}

// cell returns the text of a cell: the time, and the ratio to the times of the base.
func cell(ns, base []float64, isBase bool) string {
	if ns == nil {
		return " |"
	}
	text := " " + duration(quantile(ns, 0.5))
	if isBase {
		return fmt.Sprintf("%s ± %.0f %% |", text, spread(ns))
	}
	var ratios []float64
	for pass := range ns {
		ratios = append(ratios, ns[pass]/base[pass])
	}
	return fmt.Sprintf("%s, %.2f × ± %.0f %% |", text, quantile(ratios, 0.5), spread(ratios))
}

// memory writes the table of memory.
func (p *page) memory(out *strings.Builder) {
	note := ""
	if last := p.abandon[len(p.abandon)-1].Panics; last < p.unwind[len(p.unwind)-1].Panics {
		note = fmt.Sprintf("Calls with \"abandon\" end after %d panics, because their memory grows.", last)
	}
	fmt.Fprintf(out, ofMemory, note)
	out.WriteString("| |")
	for _, s := range p.unwind {
		fmt.Fprintf(out, " %s |", map[bool]string{true: "start", false: fmt.Sprint(s.Panics)}[s.Panics == 0])
	}
	fmt.Fprintf(out, "\n|---|%s\n", strings.Repeat("---:|", len(p.unwind)))
	for _, kind := range []struct {
		name   string
		states []state
	}{{"unwind", p.unwind}, {"abandon", p.abandon}} {
		for _, of := range []string{"live", "RSS"} {
			fmt.Fprintf(out, "| %q, %s |", kind.name, of)
			for i := range p.unwind {
				if i >= len(kind.states) {
					out.WriteString(" |")
				} else if of == "live" {
					fmt.Fprintf(out, " %s |", quantity(kind.states[i].Live))
				} else {
					fmt.Fprintf(out, " %s |", quantity(kind.states[i].RSS))
				}
			}
			out.WriteString("\n")
		}
	}
}

func quantity(size uint64) string {
	switch {
	case size >= 10<<20:
		return fmt.Sprintf("%.0f MiB", float64(size)/(1<<20))
	case size >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(size)/(1<<20))
	case size >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(size)/(1<<10))
	}
	return fmt.Sprintf("%d B", size)
}

func duration(ns float64) string {
	switch {
	case ns >= 99_950:
		return fmt.Sprintf("%.0f µs", ns/1e3)
	case ns >= 9995:
		return fmt.Sprintf("%.1f µs", ns/1e3)
	case ns >= 999.5:
		return fmt.Sprintf("%.2f µs", ns/1e3)
	case ns >= 99.95:
		return fmt.Sprintf("%.0f ns", ns)
	}
	return fmt.Sprintf("%.1f ns", ns)
}

// spread returns half the interquartile range in percent of the median.
func spread(xs []float64) float64 {
	return 100 * (quantile(xs, 0.75) - quantile(xs, 0.25)) / 2 / quantile(xs, 0.5)
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

// processor returns the name of the processor.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "an unknown processor"
	}
	if name := regexp.MustCompile(`(?m)^model name\s*:\s*(.*)$`).FindSubmatch(text); name != nil {
		return "a shared " + strings.TrimSpace(string(name[1]))
	}
	return "an unknown processor"
}
