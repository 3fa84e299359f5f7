package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// loadOptions are the options that the commands load and compare have in common.
type loadOptions struct {
	plan
	verify  int
	warmUp  time.Duration
	timeout time.Duration
}

// loadFlags declares the flags. After the flags are parsed, the returned function must be called: it completes and checks the options.
func loadFlags(flags *flag.FlagSet, duration time.Duration) (*loadOptions, func() error) {
	o := new(loadOptions)
	flags.Float64Var(&o.rate, "rate", 2000, "open loop: requests a second")
	flags.IntVar(&o.concurrency, "concurrency", 10000, "open loop: requests in flight at most; closed loop: requests in flight")
	flags.DurationVar(&o.duration, "duration", duration, "how long to send")
	flags.DurationVar(&o.warmUp, "warmup", time.Second, "how long to send before that, without measuring")
	flags.DurationVar(&o.timeout, "timeout", 10*time.Second, "longest time that a request may take")
	flags.IntVar(&o.verify, "verify", 100, "verify the signature of one request in so many")
	open := flags.Bool("open", false, "open loop: requests are sent at -rate, and latency counts from when they were due (the default)")
	closed := flags.Bool("closed", false, "closed loop: the next request is sent when an answer has come")
	return o, func() error {
		switch {
		case *open && *closed:
			return errors.New("-open and -closed exclude each other")
		case o.concurrency <= 0 || o.verify <= 0:
			return errors.New("-concurrency and -verify must be above 0")
		case o.duration <= 0 || o.timeout <= 0 || o.warmUp < 0:
			return errors.New("-duration and -timeout must be above 0, and -warmup not below")
		case *closed:
			o.rate = 0
		case !(o.rate > 0 && o.rate <= 1e6):
			return errors.New("-rate must be above 0 and at most 1000000")
		case o.rate*o.duration.Seconds() < 1:
			return errors.New("-rate and -duration make less than one request")
		}
		o.patience = o.timeout
		return nil
	}
}

func (p plan) String() string {
	if p.rate > 0 {
		return fmt.Sprintf("open loop: %v requests/s for %v, at most %d in flight", p.rate, p.duration, p.concurrency)
	}
	return fmt.Sprintf("closed loop: %d requests in flight for %v", p.concurrency, p.duration)
}

// measurement is the result of one run of the load against one service.
type measurement struct {
	result
	cpu     float64 // processor time of the service without the client, µs per request
	signing float64 // mean time of the signing function in the service, µs
}

// measure warms up the service and then loads it. If requests fail, it returns both the measurement and an error.
func measure(ctx context.Context, address string, o *loadOptions) (measurement, error) {
	t, err := newTarget(ctx, address, o.concurrency, o.verify, o.timeout)
	if err != nil {
		return measurement{}, err
	}
	defer t.close()
	if o.warmUp > 0 {
		p := o.plan
		p.duration = o.warmUp
		if err := generate(ctx, wallClock{time.Now()}, p, t).err(ctx); err != nil {
			return measurement{}, fmt.Errorf("while warming up: %w", err)
		}
	}
	before, err := t.counters(ctx)
	if err != nil {
		return measurement{}, err
	}
	m := measurement{result: generate(ctx, wallClock{time.Now()}, o.plan, t), cpu: math.NaN(), signing: math.NaN()}
	after, err := t.counters(ctx)
	if err == nil {
		m.cpu = (after.cpu - before.cpu) * 1e6 / float64(max(m.requests, 1))
		m.signing = (after.signing - before.signing) * 1e6 / max(after.signatures-before.signatures, 1)
	}
	return m, cmp.Or(m.err(ctx), err)
}

// err returns an error if the run was interrupted, or if requests failed or were not sent.
func (r result) err(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted")
	case r.failed > 0:
		return fmt.Errorf("%d of %d requests failed, the first: %w", r.failed, r.requests, r.first)
	case r.unsent > 0:
		return fmt.Errorf("%d requests were not sent in time: the service or the load generator is too slow for the rate", r.unsent)
	}
	return nil
}

func (r result) throughput() float64 { return float64(r.requests-r.failed) / r.elapsed.Seconds() }

func (m measurement) print(w io.Writer, o *loadOptions) {
	fmt.Fprintln(w, o.plan)
	fmt.Fprintf(w, "requests    %d, %d failed, %d not sent; one signature in %d verified\n", m.requests, m.failed, m.unsent, o.verify)
	fmt.Fprintf(w, "throughput  %.1f requests/s\n", m.throughput())
	fmt.Fprintf(w, "latency     %s\n", quantiles(m.latency))
	if o.rate > 0 {
		fmt.Fprintf(w, "sent late   %s (in the latency)\n", quantiles(m.late))
	}
	fmt.Fprintf(w, "service     %.1f µs of processor time a request; a signature takes %.1f µs on average\n", m.cpu, m.signing)
}

// quantiles formats quantiles of a histogram in µs. The histogram's values are in ns.
func quantiles(h *hdrhistogram.Histogram) string {
	var b strings.Builder
	for _, q := range []float64{50, 99, 99.9} {
		fmt.Fprintf(&b, "p%v %.0f, ", q, microseconds(h.ValueAtQuantile(q)))
	}
	fmt.Fprintf(&b, "max %.0f µs", microseconds(h.Max()))
	return b.String()
}

func microseconds(ns int64) float64 { return float64(ns) / 1e3 }

// runLoad sends load to a running service, and writes the measurement to stdout. It returns an error if a request fails.
func runLoad(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	address := flags.String("url", "http://127.0.0.1:8080", "`URL` of the service")
	options, complete := loadFlags(flags, 10*time.Second)
	if err := parse(flags, args, stdout); err != nil {
		return err
	}
	if err := complete(); err != nil {
		return err
	}
	m, err := measure(ctx, *address, options)
	if m.requests > 0 {
		m.print(stdout, options)
	}
	return err
}
