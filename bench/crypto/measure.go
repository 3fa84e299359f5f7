package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"rustgo.dev/bench/crypto/internal/column"
	"rustgo.dev/bench/crypto/internal/report"
)

// scope states how much is measured.
type scope struct {
	runs      int
	millis    int // duration of a measurement by one thread, in ms
	sizes     []int
	each      int // number of requests of each client in the closed loop
	openFor   int // duration of an open loop, in ms
	scaleFor  int // duration of a measurement of X25519 exchanges by many goroutines or threads, in ms
	pausesFor int // duration of a measurement of garbage collections, in ms
	payload   int
	cleanGo   int // number of clean builds in Go
	rebuilds  int // number of incremental builds
}

func full(runs int) scope {
	return scope{
		runs: runs, millis: 30, each: 8, openFor: 400, scaleFor: 40, pausesFor: 100, payload: 16 << 20, cleanGo: 3, rebuilds: 3,
		sizes: []int{16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20},
	}
}

func short() scope {
	return scope{
		runs: 2, millis: 3, each: 4, openFor: 100, scaleFor: 10, pausesFor: 30, payload: 8 << 20,
		sizes: []int{16, 64, 1 << 10, 16 << 10, 256 << 10, 16 << 20},
	}
}

// session runs the measurements and records their results.
type session struct {
	*built
	*report.Data
	scope
	processor    string              // the processor to which the processes of rows with one thread are pinned
	pinned, free map[string]*process // by column
	can          map[string][]string // operations by column
}

// A measurement is one command for the worker programs. Each column that has the operations runs the command.
type measurement struct {
	command    []any
	operations []string
	pinned     bool // the process is pinned to one processor
	fresh      bool // each measurement has a new process
	goOnly     bool
	add        func(c columnKind, a answer)
}

// An answer can hold the result of any command; each command sets some of the fields.
type answer struct {
	NS, PerSecond, PerCPU, RSS, Heap, Base, Pause, Collection, Rate float64
	Response, Service                                               quantiles
}

type quantiles struct {
	P50, P99, P999, Max float64
	Curve               []int64
}

// measure measures all rows in all runs, except compile times and sizes. Each run starts with a different column.
func (s *session) measure() error {
	plan := slices.Concat(s.aeads(), s.singles(), s.scaling(), s.latency(), s.memory(), s.pauses(), s.chunks())
	for run := range s.runs {
		fmt.Fprintf(os.Stderr, "run %d of %d\n", run+1, s.runs)
		for _, m := range plan {
			for i := range s.columns {
				c := s.columns[(i+run)%len(s.columns)]
				lacks := func(o string) bool { return !slices.Contains(s.can[c.name], o) }
				if slices.ContainsFunc(m.operations, lacks) || m.goOnly && c.kind == native {
					continue
				}
				if err := s.do(m, c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (s *session) do(m measurement, c columnKind) error {
	p, processor := s.free[c.name], ""
	if m.pinned {
		p, processor = s.pinned[c.name], s.processor
	}
	if m.fresh {
		var err error
		if p, err = s.start(c, processor); err != nil {
			return err
		}
		defer p.stop()
	}
	var a answer
	if err := p.ask(&a, m.command...); err != nil {
		return err
	}
	m.add(c, a)
	return nil
}

// time plans the measurement of one operation by one thread. For a batch of signatures, the result is the time for each signature.
func (s *session) time(table, group string, x int, operation string, size int, buffer string) measurement {
	row, divisor := s.At(table, group, x, "ns"), 1.0
	if operation == "batch" {
		divisor = column.Batch
	}
	return measurement{
		command: []any{"time", operation, size, buffer, s.millis}, operations: []string{operation}, pinned: true,
		// An empty call is so short that the addresses of stack and code make it up to three times slower. So each run measures the empty call in a
		// new process, with other addresses.
		fresh: operation == "empty",
		add:   func(c columnKind, a answer) { row.Add(c.name, a.NS/divisor) },
	}
}

func (s *session) aeads() (plan []measurement) {
	for _, cipher := range []string{"aes", "chacha"} {
		for _, size := range s.sizes {
			for _, buffer := range []string{"reused", "fresh"} {
				plan = append(plan, s.time(cipher+"-seal", buffer, size, cipher+"-seal", size, buffer))
			}
			if size == 64 || size == 16<<10 || size == 16<<20 {
				plan = append(plan, s.time(cipher+"-open", "reused", size, cipher+"-open", size, "reused"))
			}
		}
	}
	return plan
}

func (s *session) singles() (plan []measurement) {
	for _, operation := range []string{"x25519", "sign", "verify", "batch", "keygen", "encaps", "decaps", "empty"} {
		plan = append(plan, s.time("single", operation, 0, operation, column.Message, "reused"))
	}
	return plan
}

func (s *session) scaling() (plan []measurement) {
	for _, processors := range slices.Compact([]int{1, s.CPUs, 2 * s.CPUs}) {
		for _, goroutines := range []int{1, 2, 4, 8, 16} {
			row, cpu := s.At("scale", fmt.Sprint(processors), goroutines, "/s"), s.At("scale-cpu", fmt.Sprint(processors), goroutines, "/s")
			plan = append(plan, measurement{
				command: []any{"scale", goroutines, processors, s.scaleFor}, operations: []string{"x25519"},
				goOnly: processors != s.CPUs, // programs in Rust always use all processors
				add: func(c columnKind, a answer) {
					row.Add(c.name, a.PerSecond)
					cpu.Add(c.name, a.PerCPU)
				},
			})
		}
	}
	return plan
}

// clients is the number of simultaneous requests to sign.
const clients = 10000

func (s *session) latency() []measurement {
	loop := func(table string, command ...any) measurement {
		return measurement{command: command, operations: []string{"sign"}, add: func(c columnKind, a answer) {
			for group, q := range map[string]quantiles{"response": a.Response, "service": a.Service} {
				for name, value := range map[string]float64{"p50": q.P50, "p99": q.P99, "p99.9": q.P999, "max": q.Max} {
					s.At(table, group+" "+name, clients, "ns").Add(c.name, value)
				}
				row := s.At(table, group, clients, "ns")
				if row.Curves == nil {
					row.Curves = map[string][][]int64{}
				}
				row.Add(c.name, q.P99)
				row.Curves[c.name] = append(row.Curves[c.name], q.Curve)
			}
			s.At(table, "rate", clients, "/s").Add(c.name, a.Rate)
		}}
	}
	plan := []measurement{loop("closed", "closed", clients, s.each)}
	for _, rate := range s.Rates {
		plan = append(plan, loop(fmt.Sprint("open ", rate), "open", clients, rate, s.openFor))
	}
	return plan
}

// memory plans the measurements of memory. Each measurement starts a new process, so that no freed memory is reused.
func (s *session) memory() (plan []measurement) {
	for _, n := range []int{1000, clients} {
		rss, base, heap := s.At("memory", "rss", n, "B"), s.At("memory", "base", n, "B"), s.At("memory", "heap", n, "B")
		plan = append(plan, measurement{
			command: []any{"memory", n}, operations: []string{"aes-seal", "x25519", "sign"}, fresh: true,
			add: func(c columnKind, a answer) {
				rss.Add(c.name, a.RSS)
				base.Add(c.name, a.Base)
				if c.kind != native {
					heap.Add(c.name, a.Heap)
				}
			},
		})
	}
	return plan
}

func (s *session) pauses() []measurement {
	work := func(group, operation string, size int) measurement {
		pauses, collections := s.At("pauses", group, size, "ns"), s.At("collections", group, size, "ns")
		return measurement{
			command: []any{"pauses", operation, size, s.pausesFor}, operations: []string{operation}, goOnly: true,
			add: func(c columnKind, a answer) {
				pauses.Add(c.name, a.Pause)
				collections.Add(c.name, a.Collection)
			},
		}
	}
	return []measurement{work("sign", "sign", column.Message), work("seal", "aes-seal", 16<<10), work("seal", "aes-seal", 1<<20), work("seal", "aes-seal", 16<<20)}
}

func (s *session) chunks() (plan []measurement) {
	for _, chunk := range []int{16 << 10, 64 << 10, 1 << 20} {
		for _, workers := range slices.Compact([]int{1, s.CPUs, 2 * s.CPUs}) {
			row := s.At("chunks", fmt.Sprint(chunk), workers, "ns")
			plan = append(plan, measurement{
				command: []any{"chunks", s.payload, chunk, workers, s.millis}, operations: []string{"aes-seal"},
				add: func(c columnKind, a answer) { row.Add(c.name, a.NS) },
			})
		}
	}
	return plan
}

// begin starts two processes for each column, one of them pinned to a processor, and reads the column's operations.
func (s *session) begin() error {
	s.pinned, s.free, s.can = map[string]*process{}, map[string]*process{}, map[string][]string{}
	for _, c := range s.columns {
		var err error
		if s.free[c.name], err = s.built.start(c, ""); err != nil {
			return err
		}
		if s.pinned[c.name], err = s.built.start(c, s.processor); err != nil {
			return err
		}
		var info struct {
			Can      []string
			Versions string
		}
		if err := s.free[c.name].ask(&info, "info"); err != nil {
			return err
		}
		s.can[c.name] = info.Can
		if name, version, ok := strings.Cut(info.Versions, " "); ok && !slices.ContainsFunc(s.Versions, func(i report.Item) bool { return i.Name == name }) {
			s.Versions = append(s.Versions, report.Item{Name: name, Text: version})
		}
		s.Data.Columns = append(s.Data.Columns, report.Item{Name: c.name, Text: c.title})
	}
	return nil
}

func (s *session) end() {
	for _, processes := range []map[string]*process{s.pinned, s.free} {
		for _, p := range processes {
			if err := p.stop(); err != nil {
				fmt.Fprintln(os.Stderr, "crypto:", p.column, "ends:", err)
			}
		}
	}
}
