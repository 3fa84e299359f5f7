//go:build linux

// Command worker measures panics for the command panics, which makes the packages unwind and abandon and starts this program.
//
//	worker [-passes N] [-time D] [-only REGEXP]   print a line of JSON for each way to do each row's work
//	worker -memory unwind -panics 250000,500000   print the memory after each of these numbers of recovered panics
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"syscall"
	"time"

	"rustgo.dev/bench/panics/worker/abandon"
	"rustgo.dev/bench/panics/worker/unwind"
	"rustgo.dev/go/rt"
)

// A way does a row's work the given number of times.
type way struct {
	Row, Way string
	do       func(times int)
	NS       []float64 // nanoseconds of processor time for doing the work once, by pass
}

// A state is the memory of the process after recovered panics.
type state struct {
	Panics int
	Live   uint64 // bytes that are allocated in the Rust heap
	RSS    uint64 // resident bytes of the process
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("worker: ")
	passes := flag.Int("passes", 15, "runs of each way; all ways take turns")
	least := flag.Duration("time", 100*time.Millisecond, "least processor time of a run")
	only := flag.String("only", "", "measure only rows and ways whose \"row/way\" matches the regular expression")
	profile := flag.String("cpuprofile", "", "write a CPU profile to this file")
	which := flag.String("memory", "", "measure memory in place of time: unwind or abandon")
	panics := flag.String("panics", "250000,500000,1000000", "numbers of recovered panics after which -memory measures")
	flag.Parse()
	if *which != "" {
		measureMemory(map[string]func(){"unwind": unwind.Allocate, "abandon": abandon.Allocate}[*which], numbers(*panics))
		return
	}
	if *profile != "" {
		file := must(os.Create(*profile))
		check(pprof.StartCPUProfile(file))
		defer pprof.StopCPUProfile()
	}
	measureTimes(selected(*only), *passes, *least)
}

// selected returns the ways whose name matches.
func selected(only string) (ways []*way) {
	pattern := must(regexp.Compile(only))
	for _, w := range allWays() {
		if pattern.MatchString(w.Row + "/" + w.Way) {
			ways = append(ways, w)
		}
	}
	return ways
}

// measureTimes measures all ways, in turns in each pass. The processor time of the process counts, which includes Go's collector.
func measureTimes(ways []*way, passes int, least time.Duration) {
	runtime.LockOSThread()
	checkFreed()
	for range passes {
		for _, w := range ways {
			w.do(1)
			runtime.GC()
			for times := 1; ; {
				start := used()
				w.do(times)
				took := used() - start
				if took >= least {
					w.NS = append(w.NS, float64(took)/float64(times))
					break
				}
				times = max(times+1, min(100*times, int(1.2*float64(times)*float64(least)/float64(max(took, 1)))))
			}
		}
	}
	print(ways)
}

// checkFreed checks that destructors run where panics unwind.
func checkFreed() {
	recovered(unwind.Through, 100)
	before := rt.HeapLive()
	recovered(unwind.Through, 100)
	if after := rt.HeapLive(); after != before {
		log.Fatalf("%d bytes were live before a panic that unwinds, and %d after it", before, after)
	}
}

// measureMemory makes calls that panic, and recovers the panics. It prints the memory after the first call, and after each number of calls in counts.
func measureMemory(call func(), counts []int) {
	if call == nil {
		log.Fatal("-memory takes unwind or abandon")
	}
	// All calls run on one thread, so that the Rust heap has the thread-local variables of this thread only.
	runtime.LockOSThread()
	caught(call)
	states, done := []state{memory(0)}, 0
	for _, count := range counts {
		for ; done < count; done++ {
			caught(call)
		}
		states = append(states, memory(count))
	}
	print(states)
}

// memory returns the memory after a garbage collection.
func memory(panics int) state {
	runtime.GC()
	for line := range strings.Lines(string(must(os.ReadFile("/proc/self/status")))) {
		if fields := strings.Fields(line); fields[0] == "VmRSS:" {
			return state{panics, rt.HeapLive(), must(strconv.ParseUint(fields[1], 10, 64)) << 10}
		}
	}
	log.Fatal("/proc/self/status has no VmRSS")
	return state{}
}

// caught calls a function that panics, and recovers the panic.
func caught(call func()) {
	defer func() {
		if _, ok := recover().(*rt.Panic); !ok {
			log.Fatal("the call has not panicked")
		}
	}()
	call()
}

// used returns the processor time of this process.
func used() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// print prints each value as a line of JSON.
func print[T any](values []T) {
	for _, value := range values {
		fmt.Printf("%s\n", must(json.Marshal(value)))
	}
}

func numbers(text string) (list []int) {
	for _, field := range strings.Split(text, ",") {
		list = append(list, must(strconv.Atoi(field)))
	}
	return list
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
