package tests

import (
	"bytes"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"rustgo.dev/fixtures/hammer"
)

// TestNoSampleLacksItsGoCaller takes CPU profiles of Rust code at a high rate, while the garbage collector runs. Every sample in Rust code must
// include the Go caller. A wrong stack depth at a single instruction would fail the test.
func TestNoSampleLacksItsGoCaller(t *testing.T) {
	took := 3 * time.Second
	if testing.Short() {
		took = time.Second / 2
	}
	for _, w := range hammer.Workloads {
		if w.Panics {
			continue // rt formats a panic's message on a separate stack, whose samples end at the start of that stack
		}
		t.Run(w.Name, func(t *testing.T) {
			inRust, functions := 0, map[string]bool{}
			// Some packages have little work, and a busy machine gives it little time. So the test takes profiles until it has enough samples.
			limit, limited := t.Deadline()
			for inRust == 0 && !(limited && time.Until(limit) < 10*took) {
				for _, sample := range record(t, took, w.Run).Sample {
					stack := frames(sample)
					first := slices.IndexFunc(stack, isRust)
					if first < 0 {
						continue
					}
					inRust += int(sample.Value[0])
					functions[stack[first].function] = true
					if !slices.ContainsFunc(stack[first:], called) {
						t.Errorf("the stack ends early: %v", stack)
					}
				}
			}
			t.Logf("%d samples in %d functions of Rust", inRust, len(functions))
			if inRust == 0 {
				t.Error("no sample is in Rust code")
			}
		})
	}
}

// record profiles the workload, which runs on one goroutine for each processor.
func record(t *testing.T, took time.Duration, run func(uint64) error) *profile.Profile {
	var out bytes.Buffer
	runtime.SetCPUProfileRate(4000) // StartCPUProfile prints on stderr that a rate is set already, and keeps this rate
	if err := pprof.StartCPUProfile(&out); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(took)
	var wg sync.WaitGroup
	for i := range runtime.GOMAXPROCS(0) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			collected := time.Now()
			for seed := uint64(i); time.Now().Before(deadline); seed += 1000 {
				for range uint64(50) {
					if err := run(seed); err != nil {
						t.Error(err)
						return
					}
				}
				if time.Since(collected) > 20*time.Millisecond { // leaves most of the time to the workload
					runtime.GC()
					collected = time.Now()
				}
			}
		}()
	}
	wg.Wait()
	pprof.StopCPUProfile()
	p, err := profile.Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

type frame struct{ function, file string }

func isRust(f frame) bool { return strings.HasSuffix(f.file, ".rs") }

// roots are the outermost functions of goroutines that run finalizers and cleanups. Finalizers and cleanups call Rust too: they free unclosed
// objects, and query the heap's size after a collection.
var roots = []string{"runtime.runFinalizers", "runtime.runCleanups", "runtime.runfinq"}

// called reports whether the frame belongs to the workload, or is the outermost frame of a goroutine of the runtime that calls Rust.
func called(f frame) bool {
	return strings.Contains(f.function, "tests.record") || slices.Contains(roots, f.function)
}

// frames lists the calls of a sample, the innermost call first.
func frames(s *profile.Sample) (stack []frame) {
	for _, location := range s.Location {
		for _, line := range location.Line {
			stack = append(stack, frame{line.Function.Name, line.Function.Filename})
		}
	}
	return stack
}
