package handle

import (
	"sync"
	"time"

	"rustgo.dev/fixtures/bordercost"
)

// A pipeline is a way to send messages through Go, with a table of handles.
type pipeline struct {
	way
	run   func(p peer, components []uint64, threads, messages int, latencies []uint64) (sum uint64, err error)
	clock func(took []uint64) // measures empty intervals with the clock of run
}

// pipelines has a pipeline in C for each table, one in Rust, and one in Go. The pipeline in Go shows how long the work of the Go functions takes
// without foreign code.
var pipelines = func() (all []pipeline) {
	for _, w := range peers {
		all = append(all, pipeline{w, runPipeline, readClockOfC})
	}
	table := peers[0].make
	return append(all,
		pipeline{way{"rustgo-callbacks", table}, inGoroutines(bordercost.Pipeline), readClock},
		pipeline{way{"Go-alone", table}, inGoroutines(goPipeline), readClock})
}()

var epoch = time.Now()

func clock() uint64 { return uint64(time.Since(epoch)) }

// readClock measures empty intervals, to find the cost of reading the clock.
func readClock(took []uint64) {
	before := clock()
	for i := range took {
		after := clock()
		took[i] = after - before
		before = after
	}
}

// goPipeline is bordercost.Pipeline in Go.
func goPipeline(components []uint64, start, n uint64, compute func(component, message uint64) uint64, sink func(data uint64) uint64) (sum uint64) {
	for message := range n {
		sum += sink(compute(components[(message*7+start)%uint64(len(components))], message))
	}
	return sum
}

// inGoroutines returns a function that does the work of runPipeline, in goroutines instead of C threads. Each goroutine calls send once, and send
// sends all messages of the goroutine. A message ends with a call of sink. Its measured time begins when the goroutine's previous message ends.
func inGoroutines(send func(components []uint64, start, n uint64, compute func(component, message uint64) uint64, sink func(data uint64) uint64) uint64) func(peer, []uint64, int, int, []uint64) (uint64, error) {
	return func(p peer, components []uint64, goroutines, messages int, latencies []uint64) (sum uint64, err error) {
		compute := func(component, message uint64) uint64 {
			c := p.Value(component).(*object)
			return p.New(&object{c.n + message})
		}
		sink := func(data uint64) uint64 {
			n := p.Value(data).(*object).n
			p.Delete(data)
			return n
		}
		sums := make([]uint64, goroutines)
		var wg sync.WaitGroup
		for g := range goroutines {
			wg.Add(1)
			go func() {
				defer wg.Done()
				measured := sink
				if len(latencies) > 0 {
					took, before := latencies[g*messages:], clock()
					measured = func(data uint64) uint64 {
						n := sink(data)
						after := clock()
						took[0], took, before = after-before, took[1:], after
						return n
					}
				}
				sums[g] = send(components, uint64(g), uint64(messages), compute, measured)
			}()
		}
		wg.Wait()
		for _, s := range sums {
			sum += s
		}
		return sum, nil
	}
}
