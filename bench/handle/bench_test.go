package handle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"rustgo.dev/bench/internal/processor"
)

const (
	staying = 1024 // number of handles that stay live all the time, as in a real program
	lookups = 4    // lookups per message of handles that exist during the whole benchmark
)

var goroutineCounts = []int{1, 2, 4, 8, 16}

// stay makes handles for objects with n = 1, and returns the handles in random order.
func stay(p peer, n int) []uint64 {
	hs := make([]uint64, n)
	for i := range hs {
		hs[i] = p.New(&object{1})
	}
	rand.Shuffle(n, func(i, j int) { hs[i], hs[j] = hs[j], hs[i] })
	return hs
}

func leave(p peer, hs []uint64) {
	for _, h := range hs {
		p.Delete(h)
	}
}

// each runs a benchmark for each peer, with handles that exist during the whole benchmark. The function f does n operations in goroutine g and
// returns a sum. The sums of all goroutines must add up to perOperation times the number of operations.
func each(b *testing.B, goroutines int, perOperation uint64, f func(p peer, hs []uint64, g, n int) (sum uint64), after func(b *testing.B, p peer, hs []uint64)) {
	for _, c := range peers {
		b.Run(c.name, func(b *testing.B) {
			p := c.make()
			hs := stay(p, staying)
			defer leave(p, hs)
			runtime.GC() // frees the garbage of earlier benchmarks
			b.ResetTimer()
			worked := processor.Time()
			if sum := together(goroutines, b.N, func(g, n int) uint64 { return f(p, hs, g, n) }); sum != perOperation*uint64(b.N) {
				b.Fatalf("the sum is %d, want %d", sum, perOperation*uint64(b.N))
			}
			b.StopTimer()
			processor.Report(b, processor.Time()-worked, b.N)
			if after != nil {
				after(b, p, hs)
			}
		})
	}
}

// together divides n operations among goroutines and returns the sum of their results.
func together(goroutines, n int, f func(g, n int) uint64) (sum uint64) {
	if goroutines == 1 {
		return f(0, n)
	}
	sums := make([]uint64, goroutines)
	var wg sync.WaitGroup
	for g := range goroutines {
		share := n / goroutines
		if g < n%goroutines {
			share++
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			sums[g] = f(g, share)
		}()
	}
	wg.Wait()
	for _, s := range sums {
		sum += s
	}
	return sum
}

// cut calls f with consecutive parts of hs, with n handles in total. The first part starts at a different place for each goroutine.
func cut(hs []uint64, g, n int, f func([]uint64) uint64) (sum uint64) {
	for at := g * len(hs) / 16 % len(hs); n > 0; at = 0 {
		part := hs[at:min(len(hs), at+n)]
		sum += f(part)
		n -= len(part)
	}
	return sum
}

// BenchmarkValue measures one lookup per operation.
func BenchmarkValue(b *testing.B) {
	for _, goroutines := range goroutineCounts {
		b.Run(fmt.Sprintf("%dgoroutines", goroutines), func(b *testing.B) {
			each(b, goroutines, 1, func(p peer, hs []uint64, g, n int) uint64 { return cut(hs, g, n, p.values) }, nil)
		})
	}
}

// BenchmarkDependent measures one lookup per operation. Each lookup begins when the previous lookup has ended. So the time is the latency of a
// lookup, whereas in BenchmarkValue the processor executes lookups at the same time.
func BenchmarkDependent(b *testing.B) {
	for _, goroutines := range []int{1, 2} {
		b.Run(fmt.Sprintf("%dgoroutines", goroutines), func(b *testing.B) {
			each(b, goroutines, 1, func(p peer, hs []uint64, g, n int) uint64 { return p.dependent(hs, g*len(hs)/16%len(hs), n) }, nil)
		})
	}
}

// BenchmarkNewValueDelete makes, looks up and deletes one handle per operation.
func BenchmarkNewValueDelete(b *testing.B) {
	for _, goroutines := range goroutineCounts {
		b.Run(fmt.Sprintf("%dgoroutines", goroutines), func(b *testing.B) {
			each(b, goroutines, 1, func(p peer, _ []uint64, _, n int) uint64 { return p.cycles(&object{1}, n) }, nil)
		})
	}
}

// BenchmarkMessage measures a mixed stream. An operation is a message: lookups of some handles that stay, and a handle that is made, looked up and
// deleted. A second run measures the time of each message.
func BenchmarkMessage(b *testing.B) {
	for _, goroutines := range goroutineCounts {
		b.Run(fmt.Sprintf("%dgoroutines", goroutines), func(b *testing.B) {
			messages := func(p peer, hs []uint64, g, n int, took []uint64) (sum uint64) {
				o := &object{1}
				at := g * staying / 16
				before := uint64(0)
				if took != nil {
					before = clock()
				}
				for i := range n {
					at = (at + lookups) % staying
					sum += p.values(hs[at:at+lookups]) + p.cycles(o, 1)
					if took != nil {
						after := clock()
						took[i] = after - before
						before = after
					}
				}
				return sum
			}
			each(b, goroutines, lookups+1,
				func(p peer, hs []uint64, g, n int) uint64 { return messages(p, hs, g, n, nil) },
				func(b *testing.B, p peer, hs []uint64) {
					took := make([]uint64, samples(b, goroutines)*goroutines)
					size := len(took) / goroutines
					together(goroutines, len(took), func(g, n int) uint64 { return messages(p, hs, g, n, took[g*size:][:n]) })
					reportLatencies(b, took, costOfClock(readClock))
				})
		})
	}
}

// BenchmarkPipeline measures messages that foreign code sends through Go. An operation is a message: C or Rust calls Go twice, with a handle.
func BenchmarkPipeline(b *testing.B) {
	for _, threads := range []int{1, 2, 8} {
		b.Run(fmt.Sprintf("%dthreads", threads), func(b *testing.B) {
			for _, c := range pipelines {
				b.Run(c.name, func(b *testing.B) {
					p := c.make()
					hs := stay(p, staying)
					defer leave(p, hs)
					runtime.GC()
					run := func(messages int, took []uint64) {
						if _, err := c.run(p, hs, threads, messages, took); err != nil {
							b.Skipf("%v", err)
						}
					}
					share := (b.N + threads - 1) / threads
					b.ResetTimer()
					began, worked := time.Now(), processor.Time()
					run(share, nil)
					b.StopTimer()
					processor.Report(b, processor.Time()-worked, share*threads)
					// The number of messages is b.N, rounded up to a multiple of the number of threads.
					b.ReportMetric(float64(time.Since(began))/float64(share*threads), "ns/op")
					took := make([]uint64, samples(b, threads)*threads)
					run(len(took)/threads, took)
					reportLatencies(b, took, costOfClock(c.clock))
				})
			}
		})
	}
}

var memory = map[string]float64{}

// BenchmarkMemory makes a million handles and reports the heap memory per handle, without the 16 bytes of each value's interface.
func BenchmarkMemory(b *testing.B) {
	const n = 1_000_000
	for _, c := range peers {
		b.Run("1Mhandles/"+c.name, func(b *testing.B) {
			if _, known := memory[c.name]; !known { // measured once per process, for any b.N
				hs := make([]uint64, n)
				o := &object{1}
				before := heap()
				p := c.make()
				for i := range hs {
					hs[i] = p.New(o)
				}
				memory[c.name] = float64(heap()-before)/n - 16
				if p.values(hs) != n {
					b.Error("not all handles are live")
				}
				leave(p, hs)
			}
			b.ReportMetric(0, "ns/op") // this benchmark has no time
			b.ReportMetric(memory[c.name], "B/handle")
		})
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// samples returns the number of messages that each goroutine measures. Unless b.N is small, all goroutines measure 262,144 messages, so that some
// hundred messages are slower than p99.9.
func samples(b *testing.B, goroutines int) int {
	return max(1, min(b.N, 1<<18)/goroutines)
}

// costOfClock returns the time to subtract from each measurement: the median duration of empty intervals.
func costOfClock(read func(took []uint64)) uint64 {
	took := make([]uint64, 10_000)
	read(took)
	return uint64(percentile(took, 50, 0))
}

// percentile returns the smallest of the times that is at least as large as the given percentage of all times, minus the clock's cost. It sorts ns.
func percentile(ns []uint64, percent float64, clock uint64) float64 {
	slices.Sort(ns)
	at := int(math.Ceil(float64(len(ns))*percent/100)) - 1
	return max(0, float64(ns[at])-float64(clock))
}

func reportLatencies(b *testing.B, ns []uint64, clock uint64) {
	b.ReportMetric(percentile(ns, 50, clock), "p50-ns")
	b.ReportMetric(percentile(ns, 99, clock), "p99-ns")
	b.ReportMetric(percentile(ns, 99.9, clock), "p99.9-ns")
	b.ReportMetric(float64(clock), "clock-ns")
}
