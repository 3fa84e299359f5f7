package hammer_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"testing"

	"rustgo.dev/packages/internal/hammer"
)

// pressure runs the garbage collector over and over, the CPU profiler at a high rate and the execution tracer, for as long as the
// test runs.
func pressure(t *testing.T) {
	t.Helper()
	old := debug.SetGCPercent(1)
	done := make(chan bool)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for {
			select {
			case <-done:
				return
			default:
				runtime.GC()
			}
		}
	}()

	// StartCPUProfile finds the rate set, says so on stderr, and leaves it.
	runtime.SetCPUProfileRate(2000)
	profiling := pprof.StartCPUProfile(io.Discard) == nil
	tracing := trace.Start(io.Discard) == nil
	t.Cleanup(func() {
		if tracing {
			trace.Stop()
		}
		if profiling {
			pprof.StopCPUProfile()
		}
		close(done)
		wg.Wait()
		debug.SetGCPercent(old)
	})
}

// scale makes a test ten times shorter where time is short.
func scale(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// TestOne runs each workload alone, so that what fails here is not a matter of pressure.
func TestOne(t *testing.T) {
	for _, w := range hammer.Workloads {
		for seed := range uint64(100) {
			if err := w.Run(seed); err != nil {
				t.Fatalf("%s: %v", w.Name, err)
			}
		}
	}
}

// TestManyGoroutines runs the workloads on goroutines that are new and whose stacks are small.
func TestManyGoroutines(t *testing.T) {
	pressure(t)
	for _, w := range hammer.Workloads {
		t.Run(w.Name, func(t *testing.T) {
			var wg sync.WaitGroup
			for i := range scale(20_000) {
				wg.Add(1)
				go func() {
					defer wg.Done()
					for seed := range uint64(3) {
						if err := w.Run(uint64(i)*3 + seed); err != nil {
							t.Error(err)
						}
					}
				}()
			}
			wg.Wait()
		})
	}
}

// descend calls f at each of many depths, 40 to 300 bytes apart, so that f is entered with the stack nearly used up by
// every amount.
//
//go:noinline
func descend(depth int, f func(depth int)) (sum int) {
	var pad [4]int
	pad[depth%len(pad)] = depth
	f(depth)
	if depth > 0 {
		if depth%3 == 0 {
			sum += descendFar(depth-1, f)
		} else {
			sum += descend(depth-1, f)
		}
	}
	return sum + pad[depth%len(pad)]
}

//go:noinline
func descendFar(depth int, f func(depth int)) (sum int) {
	var pad [31]int
	pad[depth%len(pad)] = depth
	f(depth)
	if depth > 0 {
		sum += descend(depth-1, f)
	}
	return sum + pad[depth%len(pad)]
}

// TestStackGrowthOnEntry makes stacks grow, and the garbage collector shrink them, at every place.
func TestStackGrowthOnEntry(t *testing.T) {
	pressure(t)
	for _, w := range hammer.Workloads {
		t.Run(w.Name, func(t *testing.T) {
			var wg sync.WaitGroup
			for i := range scale(200) {
				wg.Add(1)
				go func() {
					defer wg.Done()
					const deepest = 100
					got := descend(deepest, func(depth int) {
						if err := w.Run(uint64(i*1000 + depth)); err != nil {
							t.Error(err)
						}
					})
					if want := deepest * (deepest + 1) / 2; got != want {
						t.Errorf("the frames of Go add up to %d, want %d: one was overwritten", got, want)
					}
				}()
			}
			wg.Wait()
		})
	}
}

// TestMixed runs everything at once on goroutines that live on.
func TestMixed(t *testing.T) {
	pressure(t)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for round := range scale(1000) {
				w := hammer.Workloads[(i+round)%len(hammer.Workloads)]
				if err := w.Run(uint64(i*1000 + round)); err != nil {
					t.Errorf("%s: %v", w.Name, err)
				}
			}
		}()
	}
	wg.Wait()
}

// itself is the command that runs the tests again. RUSTGO_TEST_EXEC is what runs programs of another architecture, as for
// go test -exec, where the system does not know it by itself.
func itself(args ...string) *exec.Cmd {
	command := append(append(strings.Fields(os.Getenv("RUSTGO_TEST_EXEC")), os.Args[0]), args...)
	return exec.Command(command[0], command[1:]...)
}

// child runs this test again in a process of its own, which must die with exit code 2, and returns what it prints.
func child(t *testing.T, env string) string {
	t.Helper()
	cmd := itself("-test.run=^" + t.Name() + "$")
	cmd.Env = append(os.Environ(), env, "GOTRACEBACK=all")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 2 {
		t.Fatalf("the process should die with exit code 2, got %v:\n%s", err, out.String())
	}
	return out.String()
}

// inOrder says which of the texts, if any, is not in out behind the one before.
func inOrder(out string, texts ...string) (missing string) {
	for _, text := range texts {
		i := strings.Index(out, text)
		if i < 0 {
			return text
		}
		out = out[i+len(text):]
	}
	return ""
}
