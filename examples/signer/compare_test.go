package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
)

func TestTable(t *testing.T) {
	of := func(ms int, cpu, signing, alone float64) round {
		r := round{measurement{result{latency: newHistogram(), late: newHistogram(), requests: 1000, elapsed: time.Second}, cpu, signing}, alone}
		for i := range 1000 {
			record(r.latency, time.Duration((i+1)*ms)*time.Microsecond)
			record(r.late, time.Duration(i+1)*time.Microsecond/10)
		}
		return r
	}
	var out, closed bytes.Buffer
	standard, rust := []round{of(3, 100, 30, 25), of(1, 90, 20, 20), of(2, 120, 25, 30)}, []round{of(1, 80, 10, 10), of(1, 70, 11, 10)}
	table(&out, true, standard, rust)
	table(&closed, false, standard, rust)
	// The histogram keeps three digits, so 2001 becomes 2000.
	want := `| | go | rustgo | rustgo / go |
|---|--:|--:|--:|
| latency p50, µs | 1000 (500 to 1500) | 500 (500 to 500) | 0.50 |
| latency p99, µs | 1980 (990 to 2972) | 990 (990 to 990) | 0.50 |
| latency p99.9, µs | 1999 (999 to 2998) | 999 (999 to 999) | 0.50 |
| latency max, µs | 2001 (1000 to 3000) | 1000 (1000 to 1000) | 0.50 |
| sent late p99, µs | 99 (99 to 99) | 99 (99 to 99) | 1.00 |
| CPU of the service, µs a request | 100.0 (90.0 to 120.0) | 75.0 (70.0 to 80.0) | 0.75 |
| signature within the service, µs | 25.0 (20.0 to 30.0) | 10.5 (10.0 to 11.0) | 0.42 |
| signature in a loop, µs | 25.0 (20.0 to 30.0) | 10.0 (10.0 to 10.0) | 0.40 |
| throughput, requests/s | 1000 (1000 to 1000) | 1000 (1000 to 1000) | 1.00 |
| signatures/s on one core, without HTTP | 40000 (33333 to 50000) | 100000 (100000 to 100000) | 2.50 |

A signature in a loop takes 25 % of the service's CPU time a request by go, and 13 % by rustgo.
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", &out, want)
	}
	// In the closed loop requests have no due time, so the table has no row for late sending.
	if want := strings.Replace(want, "| sent late p99, µs | 99 (99 to 99) | 99 (99 to 99) | 1.00 |\n", "", 1); closed.String() != want {
		t.Errorf("closed loop: got:\n%s\nwant:\n%s", &closed, want)
	}
}

// TestCompare runs a whole comparison with few requests.
func TestCompare(t *testing.T) {
	t.Setenv(asMain, "1")
	var stdout, stderr bytes.Buffer
	if err := run(context.Background(), append([]string{"compare", "-rounds", "2"}, loadArgs...), &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	head := "open loop: 1000 requests/s for 100ms, at most 8 in flight; rounds: 2, median (smallest to largest)\n"
	if !strings.HasPrefix(stdout.String(), head) {
		t.Errorf("stdout:\n%s", &stdout)
	}
	var order []string
	for line := range strings.Lines(stderr.String()) {
		order = append(order, strings.Fields(line)[4])
	}
	if got := strings.Join(order, " "); got != "go: rustgo: rustgo: go:" {
		t.Errorf("order of runs: %s\n%s", got, &stderr)
	}
	if strings.Contains(stdout.String(), "NaN") || strings.Contains(stdout.String(), "Inf") {
		t.Errorf("stdout:\n%s", &stdout)
	}
}
