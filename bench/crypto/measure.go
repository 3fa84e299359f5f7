package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"rustgo.dev/bench/crypto/internal/column"
	"rustgo.dev/bench/crypto/internal/report"
)

// scope is how much is measured.
type scope struct {
	runs      int
	millis    int // of a run of one row by one thread
	sizes     []int
	each      int // requests of each client of the closed loop
	openFor   int // ms
	scaleFor  int // ms
	pausesFor int // ms
	payload   int
	cleanRust int // runs of a clean build of Rust
	cleanGo   int
	rebuilds  int
}

func full(runs int) scope {
	return scope{
		runs: runs, millis: 30, each: 8, openFor: 400, scaleFor: 40, pausesFor: 100, payload: 16 << 20, cleanRust: 1, cleanGo: 3, rebuilds: 3,
		sizes: []int{16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20},
	}
}

func short() scope {
	return scope{
		runs: 2, millis: 3, each: 4, openFor: 100, scaleFor: 10, pausesFor: 30, payload: 8 << 20,
		sizes: []int{16, 64, 1 << 10, 16 << 10, 256 << 10, 16 << 20},
	}
}

// session measures.
type session struct {
	*built
	*report.Data
	scope
	processor    string // that the rows with one thread are tied to
	pinned, free map[string]*process
	can          map[string][]string
}

// turns calls f for each column that can do the operations, beginning with another column in each run.
func (s *session) turns(run int, f func(c columnKind) error, operations ...string) error {
	for i := range s.columns {
		c := s.columns[(i+run)%len(s.columns)]
		if slices.ContainsFunc(operations, func(o string) bool { return !slices.Contains(s.can[c.name], o) }) {
			continue
		}
		if err := f(c); err != nil {
			return err
		}
	}
	return nil
}

// measure makes all runs of all rows, but of what is compiled.
func (s *session) measure() error {
	for run := range s.runs {
		fmt.Fprintf(os.Stderr, "run %d of %d\n", run+1, s.runs)
		for _, part := range []func(run int) error{s.aeads, s.singles, s.scaling, s.latency, s.memory, s.pauses, s.chunks} {
			if err := part(run); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *session) timed(run int, row *report.Row, operation string, size int, buffer string, divide float64) error {
	return s.turns(run, func(c columnKind) error {
		p := s.pinned[c.name]
		if operation == "empty" {
			// What so short a call takes depends on where stacks and code have come to lie in a process, up to a factor of three: each run has
			// a process of its own.
			var err error
			if p, err = s.start(c, s.processor); err != nil {
				return err
			}
			defer p.stop()
		}
		var answer struct{ NS float64 }
		if err := p.ask(&answer, "time", operation, size, buffer, s.millis); err != nil {
			return err
		}
		row.Add(c.name, answer.NS/divide)
		return nil
	}, operation)
}

func (s *session) aeads(run int) error {
	for _, cipher := range []string{"aes", "chacha"} {
		for _, size := range s.sizes {
			for _, buffer := range []string{"reused", "fresh"} {
				if err := s.timed(run, s.At(cipher+"-seal", buffer, size, "ns"), cipher+"-seal", size, buffer, 1); err != nil {
					return err
				}
			}
			if size == 64 || size == 16<<10 || size == 16<<20 {
				if err := s.timed(run, s.At(cipher+"-open", "reused", size, "ns"), cipher+"-open", size, "reused", 1); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (s *session) singles(run int) error {
	for _, operation := range []string{"x25519", "sign", "verify", "batch", "keygen", "encaps", "decaps", "empty"} {
		divide := 1.0
		if operation == "batch" {
			divide = column.Batch
		}
		if err := s.timed(run, s.At("single", operation, 0, "ns"), operation, column.Message, "reused", divide); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) scaling(run int) error {
	for _, processors := range slices.Compact([]int{1, s.CPUs, 2 * s.CPUs}) {
		for _, goroutines := range []int{1, 2, 4, 8, 16} {
			row, cpu := s.At("scale", fmt.Sprint(processors), goroutines, "/s"), s.At("scale-cpu", fmt.Sprint(processors), goroutines, "/s")
			err := s.turns(run, func(c columnKind) error {
				if c.kind == native && processors != s.CPUs { // threads of the system run on all processors
					return nil
				}
				var answer struct{ PerSecond, PerCPU float64 }
				if err := s.free[c.name].ask(&answer, "scale", goroutines, processors, s.scaleFor); err != nil {
					return err
				}
				row.Add(c.name, answer.PerSecond)
				cpu.Add(c.name, answer.PerCPU)
				return nil
			}, "x25519")
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// clients is how many requests to sign there are at the same time.
const clients = 10000

type quantiles struct {
	P50, P99, P999, Max float64
	Curve               []int64
}

func (s *session) latency(run int) error {
	loop := func(table string, words ...any) error {
		return s.turns(run, func(c columnKind) error {
			var answer struct {
				Response, Service quantiles
				Rate              float64
			}
			if err := s.free[c.name].ask(&answer, words...); err != nil {
				return err
			}
			for group, q := range map[string]quantiles{"response": answer.Response, "service": answer.Service} {
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
			s.At(table, "rate", clients, "/s").Add(c.name, answer.Rate)
			return nil
		}, "sign")
	}
	if err := loop("closed", "closed", clients, s.each); err != nil {
		return err
	}
	for _, rate := range s.Rates {
		if err := loop(fmt.Sprint("open ", rate), "open", clients, rate, s.openFor); err != nil {
			return err
		}
	}
	return nil
}

// memory starts a process for each measurement: what was freed before is not there to be used again.
func (s *session) memory(run int) error {
	for _, n := range []int{1000, clients} {
		err := s.turns(run, func(c columnKind) error {
			p, err := s.start(c, "")
			if err != nil {
				return err
			}
			var answer struct{ RSS, Heap, Base, Peak float64 }
			if err := p.ask(&answer, "memory", n); err != nil {
				return err
			}
			s.At("memory", "rss", n, "B").Add(c.name, answer.RSS)
			s.At("memory", "base", n, "B").Add(c.name, answer.Base)
			if c.kind != native {
				s.At("memory", "heap", n, "B").Add(c.name, answer.Heap)
			}
			return p.stop()
		}, "aes-seal", "x25519", "sign")
		if err != nil {
			return err
		}
	}
	return nil
}

// pauseSizes are the sizes of texts that are sealed while garbage is collected.
var pauseSizes = []int{16 << 10, 1 << 20, 16 << 20}

func (s *session) pauses(run int) error {
	work := func(group, operation string, size int) error {
		return s.turns(run, func(c columnKind) error {
			if c.kind == native {
				return nil
			}
			var answer struct{ Pause, Collection float64 }
			if err := s.free[c.name].ask(&answer, "pauses", operation, size, s.pausesFor); err != nil {
				return err
			}
			s.At("pauses", group, size, "ns").Add(c.name, answer.Pause)
			s.At("collections", group, size, "ns").Add(c.name, answer.Collection)
			return nil
		}, operation)
	}
	if err := work("sign", "sign", column.Message); err != nil {
		return err
	}
	for _, size := range pauseSizes {
		if err := work("seal", "aes-seal", size); err != nil {
			return err
		}
	}
	return nil
}

var chunkSizes = []int{16 << 10, 64 << 10, 1 << 20}

func (s *session) chunks(run int) error {
	for _, chunk := range chunkSizes {
		for _, workers := range slices.Compact([]int{1, s.CPUs, 2 * s.CPUs}) {
			row := s.At("chunks", fmt.Sprint(chunk), workers, "ns")
			err := s.turns(run, func(c columnKind) error {
				var answer struct{ NS float64 }
				if err := s.free[c.name].ask(&answer, "chunks", s.payload, chunk, workers, s.millis); err != nil {
					return err
				}
				row.Add(c.name, answer.NS)
				return nil
			}, "aes-seal")
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// begin starts a process of each column, and one that is tied to a processor, and asks what each can do.
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
