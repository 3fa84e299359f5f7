// Command medians prints the medians of the benchmarks in a file, for bench/peers: processor time of the thread, processor time of the process, and
// elapsed time. For the processor time of the thread it also prints the ratio of each implementation's time to rustgo's time: the median of the
// ratios within each pass.
package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
)

var line = regexp.MustCompile(`^BenchmarkBorder/(\w+)/([\w-]+?)-\d+\s+\d+\s+([\d.]+) ns/op\s+([\d.]+) process-ns/op\s+([\d.]+) thread-ns/op`)

// pass holds the times of one pass: elapsed time, processor time of the process, processor time of the thread.
type pass [3]float64

type way struct {
	name   string
	passes []pass
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: medians FILE")
		os.Exit(2)
	}
	if err := medians(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "medians:", err)
		os.Exit(1)
	}
}

func medians(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	var names []string
	rows := map[string][]*way{}
	for scanner := bufio.NewScanner(f); scanner.Scan(); {
		m := line.FindStringSubmatch(scanner.Text())
		if m == nil {
			continue
		}
		var p pass
		for i := range p {
			if p[i], err = strconv.ParseFloat(m[3+i], 64); err != nil {
				return err
			}
		}
		if rows[m[1]] == nil {
			names = append(names, m[1])
		}
		i := slices.IndexFunc(rows[m[1]], func(w *way) bool { return w.name == m[2] })
		if i < 0 {
			i = len(rows[m[1]])
			rows[m[1]] = append(rows[m[1]], &way{name: m[2]})
		}
		rows[m[1]][i].passes = append(rows[m[1]][i].passes, p)
	}
	fmt.Printf("%32s%11s%11s%11s%11s\n", "", "thread ns", "process ns", "wall ns", "by thread")
	for _, name := range names {
		ours := slices.IndexFunc(rows[name], func(w *way) bool { return w.name == "rustgo" })
		if ours < 0 {
			return fmt.Errorf("%s: no pass of rustgo", name)
		}
		for _, w := range rows[name] {
			var times [3][]float64
			var ratios []float64
			for i, p := range w.passes {
				for j := range p {
					times[j] = append(times[j], p[j])
				}
				if i < len(rows[name][ours].passes) {
					ratios = append(ratios, p[2]/rows[name][ours].passes[i][2])
				}
			}
			fmt.Printf("%-15s %-16s%11.1f%11.1f%11.1f%9.1f ×\n", name, w.name, median(times[2]), median(times[1]), median(times[0]), median(ratios))
		}
	}
	return nil
}

func median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
