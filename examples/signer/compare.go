package main

import (
	"context"
	"crypto"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// round holds the measurements of one implementation in one round of the comparison.
type round struct {
	measurement
	alone float64 // time per signature in a loop on one core, without HTTP, µs
}

// runCompare runs the service with each implementation in turn, under the same load, and writes a table to stdout.
func runCompare(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	rounds := flags.Int("rounds", 5, "rounds; in each the service runs once with each implementation")
	options, complete := loadFlags(flags, 5*time.Second)
	if err := parse(flags, args, stdout); err != nil {
		return err
	}
	if err := complete(); err != nil {
		return err
	}
	if *rounds <= 0 {
		return errors.New("-rounds must be above 0")
	}
	folder, err := os.MkdirTemp("", "signer")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	keyFile := filepath.Join(folder, "seed.hex")
	if err := writeSeed(keyFile, newSeed()); err != nil {
		return err
	}
	measured := map[string][]round{}
	order := slices.Clone(implementations)
	for i := range *rounds {
		for _, impl := range order {
			r, err := compareOnce(ctx, impl, keyFile, options)
			if err != nil {
				return fmt.Errorf("%s: %w", impl, err)
			}
			measured[impl] = append(measured[impl], r)
			fmt.Fprintf(stderr, "round %d of %d, %s: %s\n", i+1, *rounds, impl, quantiles(r.latency))
		}
		// The order is reversed in each round, so that a gradual change (such as a rising temperature of the processor) favours neither
		// implementation.
		slices.Reverse(order)
	}
	fmt.Fprintf(stdout, "%v; rounds: %d, median (smallest to largest)\n", options.plan, *rounds)
	fmt.Fprintf(stdout, "%s, %s/%s, %d CPUs\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	table(stdout, options.rate > 0, measured["go"], measured["rustgo"])
	return nil
}

func compareOnce(ctx context.Context, impl, keyFile string, o *loadOptions) (round, error) {
	alone, err := signAlone(ctx, impl, 500*time.Millisecond)
	if err != nil {
		return round{}, err
	}
	service, err := startChild(ctx, "-impl", impl, "-key", keyFile)
	if err != nil {
		return round{}, err
	}
	m, err := measure(ctx, service.url, o)
	if err = errors.Join(err, service.stop()); ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	return round{m, alone}, err
}

// signAlone signs in a loop for the duration, and returns the time per signature in µs: the median over batches of ten signatures. The median hides
// the effect of other processes and of the garbage collector.
func signAlone(ctx context.Context, impl string, duration time.Duration) (float64, error) {
	makeKey, err := keyMaker(impl)
	if err != nil {
		return 0, err
	}
	key, message, batch := makeKey(newSeed()), loadTransaction(1).canonical(), newHistogram()
	for end := time.Now().Add(duration); time.Now().Before(end) && ctx.Err() == nil; {
		start := time.Now()
		for range 10 {
			if _, err := key.Sign(nil, message, crypto.Hash(0)); err != nil {
				return 0, err
			}
		}
		record(batch, time.Since(start))
	}
	return microseconds(batch.ValueAtQuantile(50)) / 10, nil
}

// table writes a Markdown table with a row for each quantity. Lower values are better, except for rates per second.
func table(w io.Writer, isOpen bool, standard, rust []round) {
	quantile := func(q float64) func(round) float64 {
		return func(r round) float64 { return microseconds(r.latency.ValueAtQuantile(q)) }
	}
	type row struct {
		name string
		of   func(round) float64
		form string
	}
	rows := []row{
		{"latency p50, µs", quantile(50), "%.0f"},
		{"latency p99, µs", quantile(99), "%.0f"},
		{"latency p99.9, µs", quantile(99.9), "%.0f"},
		{"latency max, µs", quantile(100), "%.0f"},
		{"CPU of the service, µs a request", func(r round) float64 { return r.cpu }, "%.1f"},
		{"signature within the service, µs", func(r round) float64 { return r.signing }, "%.1f"},
		{"signature in a loop, µs", func(r round) float64 { return r.alone }, "%.1f"},
		{"throughput, requests/s", func(r round) float64 { return r.throughput() }, "%.0f"},
		{"signatures/s on one core, without HTTP", func(r round) float64 { return 1e6 / r.alone }, "%.0f"},
	}
	if isOpen {
		late := func(r round) float64 { return microseconds(r.late.ValueAtQuantile(99)) }
		rows = slices.Insert(rows, 4, row{"sent late p99, µs", late, "%.0f"})
	}
	fmt.Fprintln(w, "| | go | rustgo | rustgo / go |")
	fmt.Fprintln(w, "|---|--:|--:|--:|")
	for _, row := range rows {
		s, r := spreadOf(standard, row.of), spreadOf(rust, row.of)
		fmt.Fprintf(w, "| %s | %s | %s | %.2f |\n", row.name, s.format(row.form), r.format(row.form), r.median/s.median)
	}
	signing, cpu := func(r round) float64 { return r.alone }, func(r round) float64 { return r.cpu }
	share := func(rounds []round) float64 {
		return 100 * spreadOf(rounds, signing).median / spreadOf(rounds, cpu).median
	}
	fmt.Fprintf(w, "\nA signature in a loop takes %.0f %% of the service's CPU time a request by go, and %.0f %% by rustgo.\n",
		share(standard), share(rust))
}

// spread holds the median, the lowest and the highest value of a quantity over all rounds.
type spread struct{ median, low, high float64 }

func spreadOf(rounds []round, of func(round) float64) spread {
	values := make([]float64, len(rounds))
	for i, r := range rounds {
		values[i] = of(r)
	}
	slices.Sort(values)
	n := len(values)
	return spread{(values[(n-1)/2] + values[n/2]) / 2, values[0], values[n-1]}
}

func (s spread) format(form string) string {
	return fmt.Sprintf(strings.ReplaceAll("F (F to F)", "F", form), s.median, s.low, s.high)
}
