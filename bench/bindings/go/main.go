//go:build linux && amd64 && cgo

// Command bindings compares Go packages that rustgo makes of three Rust libraries with the existing Go bindings of these libraries. The script ../run
// makes the packages and gets the bindings.
//
//	bindings                                    print the page bench/results/bindings.md
//	bindings -once "resvg/cgo/map to pixels"    make the first calls of a process; print time and memory as JSON
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A way is one package's code for a row of the tables. A call of do does the row's work once, and returns the size of the result, so that the
// compiler does not remove the work.
type way struct {
	library, row, name string
	do                 func() int
	ns                 []float64 // processor time of a call, by pass
}

// The names of ways.
const (
	byRustgo = "rustgo"
	byWazero = "wazero"
	byCgo    = "cgo"
)

// A library is one of the compared libraries. Its function prepare sets up the way for a row and returns the function for way.do, or nil if the
// binding cannot do the row's work.
type library struct {
	name    string
	ways    []string
	rows    []string
	first   []string // the rows whose first calls in a process are measured
	prepare func(way, row string) func() int
}

var libraries = []*library{&resvgLibrary, &automergeLibrary, &evmoleLibrary}

// A start is the cost of the first calls in a new process.
type start struct {
	Milliseconds float64 // processor time from the start of main to the end of the first call
	First, Later float64 // growth of the resident memory at its peak, in MiB: by the first call, and by 21 calls
}

func main() {
	began := used()
	before := status("VmHWM:")
	log.SetFlags(0)
	log.SetPrefix("bindings: ")
	passes := flag.Int("passes", 9, "runs of each way; the ways of a row take turns")
	least := flag.Duration("time", 200*time.Millisecond, "least processor time of a run")
	only := flag.String("only", "", `measure only rows whose "library/row" matches the regular expression`)
	once := flag.String("once", "", "library/way/row: measure the first calls in this process")
	flag.Parse()
	runtime.LockOSThread()
	if *once != "" {
		check(json.NewEncoder(os.Stdout).Encode(firstInThisProcess(*once, began, before)))
		return
	}
	ways := measureAll(must(regexp.Compile(*only)), *passes, *least)
	fmt.Print(page(ways, firstCalls(max(1, *passes/2)), *passes))
}

// measureAll measures the ways of the rows whose "library/row" matches.
func measureAll(pattern *regexp.Regexp, passes int, least time.Duration) (ways []*way) {
	for _, l := range libraries {
		for _, row := range l.rows {
			if !pattern.MatchString(l.name + "/" + row) {
				continue
			}
			var group []*way
			for _, by := range l.ways {
				if do := l.prepare(by, row); do != nil {
					group = append(group, &way{l.name, row, by, do, nil})
				}
			}
			measure(group, passes, least)
			fmt.Fprintf(os.Stderr, "%s/%s", l.name, row)
			for _, w := range group {
				fmt.Fprintf(os.Stderr, "  %s %s ± %.0f %%", w.name, duration(quantile(w.ns, 0.5)), spread(w.ns))
			}
			fmt.Fprintln(os.Stderr)
			ways = append(ways, group...)
		}
	}
	return ways
}

// firstCalls measures the first calls of the ways, by library/way/row.
func firstCalls(passes int) map[string][]start {
	file := filepath.Join(must(os.MkdirTemp("", "bindings")), "history")
	defer os.RemoveAll(filepath.Dir(file))
	check(os.WriteFile(file, history(), 0o666))
	check(os.Setenv(historyFile, file))
	starts := map[string][]start{}
	for range passes {
		for _, l := range libraries {
			for _, row := range l.first {
				for _, by := range l.ways {
					if l.prepare(by, row) != nil {
						key := l.name + "/" + by + "/" + row
						starts[key] = append(starts[key], inProcess(key))
					}
				}
			}
		}
	}
	return starts
}

// measure runs the ways of a row, in turns in each pass. The processor time of the process counts, which includes Go's collector.
func measure(ways []*way, passes int, least time.Duration) {
	for range passes {
		for _, w := range ways {
			w.do()
			runtime.GC()
			for times := 1; ; {
				began := used()
				for range times {
					sink += w.do()
				}
				took := used() - began
				if took >= least {
					w.ns = append(w.ns, float64(took)/float64(times))
					break
				}
				times = max(times+1, min(100*times, int(1.2*float64(times)*float64(least)/float64(max(took, 1)))))
			}
		}
	}
}

var sink int

// firstInThisProcess makes the first calls of a way, library/way/row. The arguments began and before are the processor time and the memory that the
// process had used before.
func firstInThisProcess(key string, began time.Duration, before uint64) start {
	name := strings.SplitN(key, "/", 3)
	for _, l := range libraries {
		if l.name != name[0] || len(name) != 3 {
			continue
		}
		grown := func() float64 { return float64(status("VmHWM:")-before) / (1 << 20) }
		do := l.prepare(name[1], name[2])
		do()
		result := start{float64(used()-began) / 1e6, grown(), 0}
		for range 20 {
			do()
		}
		result.Later = grown()
		return result
	}
	log.Fatalf("no way %s", key)
	return start{}
}

// inProcess measures the first calls in a process of its own.
func inProcess(key string) (result start) {
	command := exec.Command(must(os.Executable()), "-once", key)
	command.Stderr = os.Stderr
	check(json.Unmarshal(must(command.Output()), &result))
	return result
}

// used returns the processor time of this process.
func used() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// status returns a number of bytes from /proc/self/status.
func status(name string) uint64 {
	for line := range strings.Lines(string(must(os.ReadFile("/proc/self/status")))) {
		if fields := strings.Fields(line); fields[0] == name {
			return must(strconv.ParseUint(fields[1], 10, 64)) << 10
		}
	}
	log.Fatalf("/proc/self/status has no %s", name)
	return 0
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Panic(err)
	}
}
