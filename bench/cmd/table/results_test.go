package main

import (
	"regexp"
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
PASS
`, nil)
	r.read("BenchmarkCall/native-Rust\t7\t0.7500 ns/op\nBenchmarkOther/native-Rust\t7\t1 ns/op\n", regexp.MustCompile("Call"))
	var out strings.Builder
	r.print(&out)
	if r.cpu != "Some CPU @ 2GHz" {
		t.Errorf("cpu is %q", r.cpu)
	}
	want := `
Call
   native-Rust  0.75 ns    ± 0 %  0.50 ×
  rustgo-fused  1.50 ns  ± 133 %  1.00 ×
   Go-noinline  3.00 ns   ± 17 %  2.00 ×

Copy/4KiB
  rustgo  2.50 µs  ± 0 %  1.00 ×

× is the time relative to rustgo's (the faster, if there are two); ± is half of what lies between the quartiles.
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
