package main

import (
	"encoding/xml"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	var r results
	r.read(`goos: linux
cpu: Some CPU @ 2GHz
BenchmarkCall/Go-noinline-2         	1000	         2.000 ns/op
BenchmarkCall/rustgo-fused-2        	1000	         1.000 ns/op
BenchmarkCall/Go-noinline-2         	1000	         4.000 ns/op
BenchmarkCall/rustgo-fused-2        	1000	         1.500 ns/op
BenchmarkCall/Go-noinline-2         	1000	         3.000 ns/op
BenchmarkCall/rustgo-fused-2        	1000	         9.000 ns/op
BenchmarkCopy/4KiB/rustgo-2         	1000	         2500 ns/op	 1638.40 MB/s
BenchmarkSend/2threads/rustgo-2     	1000	         200 ns/op	        20.00 clock-ns	       1500 p99-ns
BenchmarkSend/2threads/rustgo-2     	1000	         100 ns/op	        30.00 clock-ns	       2500 p99-ns
BenchmarkMemory/rustgo-2            	   1	        15.97 B/handle
BenchmarkWork/Go-2                  	   1	        10 ns/op	 9 cpu-ns
BenchmarkWork/rustgo-2              	   1	        20 ns/op	 4 cpu-ns
PASS
`, nil)
	r.read("BenchmarkCall/native-Rust\t7\t0.7500 ns/op\nBenchmarkOther/native-Rust\t7\t1 ns/op\n", regexp.MustCompile("Call"))
	r.machine, r.notes = "a machine", []string{"cgo: skipped: no C compiler"}
	var out strings.Builder
	r.print(&out)
	if r.cpu != "Some CPU @ 2GHz" {
		t.Errorf("cpu is %q", r.cpu)
	}
	want := `a machine

Call
   native-Rust  0.75 ns    ± 0 %  0.50 ×
  rustgo-fused  1.50 ns  ± 133 %  1.00 ×
   Go-noinline  3.00 ns   ± 17 %  2.00 ×

Copy/4KiB
  rustgo  2.50 µs  ± 0 %  1.00 ×

Send/2threads
                                        clock      p99
  rustgo  150.00 ns  ± 17 %  1.00 ×  25.00 ns  2.00 µs

Memory
  rustgo  16.0 B/handle  ± 0 %  1.00 ×

Work
                                              cpu
      Go  10.00 ns  ± 0 %  0.50 ×  9.00 ns 2.25 ×
  rustgo  20.00 ns  ± 0 %  1.00 ×  4.00 ns 1.00 ×

× is relative to rustgo's (the faster, if there are two); ± is half of what lies between the quartiles.
cgo: skipped: no C compiler
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestMedian(t *testing.T) {
	if got := median([]float64{4, 1, 3, 2}); got != 2.5 {
		t.Errorf("got %v", got)
	}
	if got := median([]float64{7}); got != 7 {
		t.Errorf("got %v", got)
	}
}

// TestWrite checks that the output names all benchmarks, and that the pictures are XML whose bars have lengths proportional to the ratios.
func TestWrite(t *testing.T) {
	r := results{machine: "a <fast> machine"}
	r.read("BenchmarkCopy/4KiB/rustgo 1 10 ns/op\nBenchmarkCopy/4KiB/Go-copy 1 40 ns/op\n", nil)
	for n, ns := range map[int]string{1: "500", 2: "250", 4: "125"} {
		r.read(fmt.Sprintf("BenchmarkSend/%dthreads/rustgo 1 %s ns/op 70 p99-ns\nBenchmarkSend/%dthreads/Go 1 1000 ns/op 90 p99-ns\n", n, ns, n), nil)
	}
	dir := filepath.Join(t.TempDir(), "new")
	if err := r.write(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a <fast> machine", "## Copy/4KiB", "![Copy/4KiB](copy-4kib.svg)", "| Go-copy | 40.00 ns | 0 % | 4.00 |",
		"(send.svg)", "| | median | ± | × | p99 |", "| Go | 1.00 µs | 0 % | 8.00 | 90.00 ns |"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	chart, err := os.ReadFile(filepath.Join(dir, "send.svg"))
	if err != nil {
		t.Fatal(err)
	}
	// With each doubling of the threads the time halves, so the points lie on a straight line: 2, 4 and 8 million operations a second, evenly spaced.
	points := regexp.MustCompile(`<path d="M([\d.]+),([\d.]+)L([\d.]+),([\d.]+)L([\d.]+),([\d.]+)"`).FindSubmatch(chart)
	if points == nil {
		t.Fatalf("no line of three points in\n%s", chart)
	}
	var at [7]float64
	for i := range at[1:] {
		if at[i+1], err = strconv.ParseFloat(string(points[i+1]), 64); err != nil {
			t.Fatal(err)
		}
	}
	if dx, dy := at[3]-at[1]-(at[5]-at[3]), at[4]-at[2]-(at[6]-at[4]); at[3] <= at[1] || at[4] <= at[2] || math.Abs(dx) > 0.1 || math.Abs(dy) > 0.1 {
		t.Errorf("the points are %v", at[1:])
	}
	for _, want := range []string{">rustgo<", ">Go<", ">threads<", ">Send: million operations a second<"} {
		if !strings.Contains(string(chart), want) {
			t.Errorf("no %q in the chart", want)
		}
	}
	picture, err := os.ReadFile(filepath.Join(dir, "copy-4kib.svg"))
	if err != nil {
		t.Fatal(err)
	}
	var svg struct {
		Bars []struct {
			Width float64 `xml:"width,attr"`
		} `xml:"rect"`
	}
	if err := xml.Unmarshal(picture, &svg); err != nil {
		t.Fatal(err)
	}
	if len(svg.Bars) != 2 || svg.Bars[1].Width != 4*svg.Bars[0].Width {
		t.Errorf("got bars %v", svg.Bars)
	}
}
