//go:build linux && amd64 && cgo

package main

import (
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"rustgo.dev/bench/internal/pictures"
)

// about is the text above the table of each library.
var about = map[string]string{
	"resvg": `## resvg

A picture in SVG is parsed and drawn: an icon of 48 × 48 pixels, a chart with texts (800 × 400), shadows and blurs (400 × 400), and 2000 polygons
(1024 × 1024). The result is the pixels, or a PNG file.

- *rustgo*: resvg 0.48.1. The pixels are a slice, which is copied from the Rust heap.
- *cgo*: [xo/resvg](https://github.com/xo/resvg), commit 10768cd2, which draws into an image.RGBA and gives no PNG files. Its own library is resvg
  0.41. The benchmark builds the library from the sources of 0.48.1, with the settings of the compiler that rustgo uses.
- *wazero*: [kanrichan/resvg-go](https://github.com/kanrichan/resvg-go), commit 6054d719, with its own WebAssembly module of resvg 0.35, and wazero
  1.12.0. Pixels stay in the memory of the module, because the package gives only PNG files.

A test shows that rustgo and cgo draw the same pixels.`,
	"automerge": `## automerge

The changed document has a text and numbers. Characters are typed one at a time, with a call for each. *save*, *load and read* and *fork, change
and merge* work on a document of 300 changes with 20 characters each.

- *rustgo*: automerge 0.5.0.
- *cgo*: [automerge-go](https://github.com/automerge/automerge-go) v0.0.0-20230903201930-b80ce8aadbb9, with its own static library of automerge
  0.5.0, which later commits have too.

Tests show that both save the same bytes after the same edits, that each loads the other's documents without loss and merges its changes, and that both
refuse the same damaged documents.`,
	"evmole": `## evmole

The bytecode of a contract is searched for its functions. *selectors* gives their selectors; *functions* also gives where they begin, their arguments
and their state mutability. The contracts are from OpenZeppelin 4.9.6 and have 2.1 to 10.6 kB.

- *rustgo*: evmole 0.9.4. The result is a slice for each property.
- *wazero*: the Go module of evmole 0.9.4, with wazero 1.12.0. Its WebAssembly module is built from the same sources, with the settings of its
  makefile, by %s. The result is a JSON text, which the module makes a Go struct.

Tests show that both find the same functions with the same properties.`,
}

const tail = `
## What is not compared

- Native Rust without Go, and calls by a cgo library written by hand.
- Raster images in pictures, fonts of the system, and drawing to a part of an image.
- The synchronization protocol of automerge, its lists and marks, and newer versions of automerge, for which there is no Go binding.
- Storage layouts and control flow graphs of evmole.
- Several goroutines. An instance of the WebAssembly modules serves one call at a time. The packages by rustgo serve calls in parallel, but a document of
  automerge has one call at a time.
- arm64.
`

// page returns the page of results.
func page(ways []*way, starts map[string][]start, passes int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# Bindings of Rust libraries\n\n`make bench-bindings` writes this page ([method](../METHOD.md#bindings-of-rust-libraries)). "+
		"It ran on %s on %s, linux/%s with %d\nprocessors, %s, %s.\n\n", time.Now().Format("2006-01-02"), processor(), runtime.GOARCH, runtime.NumCPU(),
		runtime.Version(), rustc())
	fmt.Fprintf(&out, "Three Rust libraries, each as a package made by rustgo and as the Go binding that exists. A cell has the processor time of the process for one\n"+
		"operation, the median of %d runs. The ways of a row take turns in each pass. × is the median of the ratios to rustgo in the same pass: above 1 the\nbinding is slower. "+
		"± is half of what lies between the quartiles of the times.\n\n", passes)
	for _, l := range libraries {
		text := about[l.name]
		if l == &evmoleLibrary {
			text = fmt.Sprintf(text, strings.TrimSpace(string(must(os.ReadFile("../clones/evmole/compiler")))))
		}
		out.WriteString(text + "\n\n|  |")
		for _, by := range l.ways {
			fmt.Fprintf(&out, " %s |", by)
		}
		fmt.Fprintf(&out, "\n|---|%s\n", strings.Repeat("---:|", len(l.ways)))
		for _, row := range l.rows {
			if base := find(ways, l.name, row, byRustgo); base != nil {
				fmt.Fprintf(&out, "| %s |", row)
				for _, by := range l.ways {
					out.WriteString(cell(find(ways, l.name, row, by), base, by == byRustgo))
				}
				out.WriteString("\n")
			}
		}
		if l == &resvgLibrary {
			out.WriteString("\n" + versions())
		}
		out.WriteString("\n")
	}
	out.WriteString("## The first call\n\nA new process does one operation, with what the way needs before it: instances of WebAssembly modules are compiled, fonts are read. The time is the\n" +
		"processor time from the start of main. The memory is the growth of the resident memory at its peak, by this call and by 20 more. All ways are in one program.\n\n" +
		"|  | way | time | memory | 21 calls |\n|---|---|---:|---:|---:|\n")
	for _, l := range libraries {
		for _, row := range l.first {
			for _, by := range l.ways {
				if list := starts[l.name+"/"+by+"/"+row]; list != nil {
					var times, first, later []float64
					for _, s := range list {
						times, first, later = append(times, s.Milliseconds), append(first, s.First), append(later, s.Later)
					}
					fmt.Fprintf(&out, "| %s: %s | %s | %.1f ms | %.1f MiB | %.1f MiB |\n", l.name, row, by, quantile(times, 0.5), quantile(first, 0.5), quantile(later, 0.5))
				}
			}
		}
	}
	out.WriteString(tail)
	return out.String()
}

// versions compares the PNG files of rustgo and of resvg-go, whose resvg is older.
func versions() string {
	var differ, sizes []string
	for _, name := range slices.Sorted(maps.Keys(pictures.SVG)) {
		ours, theirs := rustgoPNG(pictures.SVG[name]), wazeroPNG(pictures.SVG[name])
		sizes = append(sizes, fmt.Sprintf("%s %d and %d", name, len(ours), len(theirs)))
		if d := compare(decode(ours), decode(theirs)); d.pixels > 0 {
			bounds := decode(ours).Rect
			differ = append(differ, fmt.Sprintf("%s %.2g %% of the pixels, by at most %d of 255", name, 100*float64(d.pixels)/float64(bounds.Dx()*bounds.Dy()), d.greatest))
		}
	}
	text := "The PNG files of rustgo and wazero have the same pixels, although the versions of resvg differ."
	if len(differ) > 0 {
		text = "The pixels of rustgo and wazero differ, because the versions of resvg differ: " + strings.Join(differ, "; ") + "."
	}
	return text + "\nThe encoders are not the same: the newer one makes smaller files. The rows of PNG files compare the packages, not the cost of the binding.\nSizes in bytes, of rustgo and of wazero: " +
		strings.Join(sizes, "; ") + ".\n"
}

func find(ways []*way, library, row, name string) *way {
	for _, w := range ways {
		if w.library == library && w.row == row && w.name == name {
			return w
		}
	}
	return nil
}

// cell returns the text of a cell: the time, and the ratio to the base's time.
func cell(w, base *way, isBase bool) string {
	if w == nil {
		return " |"
	}
	text := fmt.Sprintf(" %s ± %.0f %%", duration(quantile(w.ns, 0.5)), spread(w.ns))
	if isBase {
		return text + " |"
	}
	var ratios []float64
	for pass := range w.ns {
		ratios = append(ratios, w.ns[pass]/base.ns[pass])
	}
	return fmt.Sprintf("%s, %.2f × |", text, quantile(ratios, 0.5))
}

func duration(ns float64) string {
	switch {
	case ns >= 9.995e6:
		return fmt.Sprintf("%.1f ms", ns/1e6)
	case ns >= 999.5e3:
		return fmt.Sprintf("%.2f ms", ns/1e6)
	case ns >= 99.95e3:
		return fmt.Sprintf("%.0f µs", ns/1e3)
	}
	return fmt.Sprintf("%.1f µs", ns/1e3)
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
	text := must(os.ReadFile("/proc/cpuinfo"))
	if name := regexp.MustCompile(`(?m)^model name\s*:\s*(.*)$`).FindSubmatch(text); name != nil {
		return "a shared " + strings.TrimSpace(string(name[1]))
	}
	return "an unknown processor"
}

// rustc returns the version of the compiler.
func rustc() string {
	out := must(exec.Command("rustc", "--version").Output())
	return strings.Join(strings.Fields(string(out))[:2], " ")
}
