package bench

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rustgo.dev/fixtures/callcost"
)

// callTime is the duration of the calls that run during collections.
const callTime = 40 * time.Millisecond

// rounds returns the number of rounds that callcost.Spin completes within the duration callTime.
var rounds = sync.OnceValue(func() uint64 {
	const some = 10_000_000
	least := time.Hour
	for range 5 {
		start := time.Now()
		callcost.Spin(some)
		least = min(least, time.Since(start))
	}
	return uint64(some * float64(callTime) / float64(least))
})

// loop does the work of callcost.Spin in Go code, which can be preempted.
//
//go:noinline
func loop(rounds uint64) (x uint64) {
	x = 1
	for range rounds {
		x *= 3
	}
	return x
}

// BenchmarkCollection runs garbage collections while one goroutine for each processor makes calls of 40 ms. An operation is one collection;
// longest-ns is the duration of the longest collection.
func BenchmarkCollection(b *testing.B) {
	for _, way := range []struct {
		name string
		call func(uint64) uint64
	}{{"Go", loop}, {"rustgo-blocking", callcost.BlockingSpin}, {"rustgo-ordinary", callcost.Spin}} {
		b.Run(way.name, func(b *testing.B) {
			var stop atomic.Bool
			var calls sync.WaitGroup
			for range runtime.GOMAXPROCS(0) {
				calls.Add(1)
				go func() {
					defer calls.Done()
					for !stop.Load() {
						way.call(rounds())
					}
				}()
			}
			time.Sleep(2 * callTime)
			longest := time.Duration(0)
			b.ResetTimer()
			for range b.N {
				start := time.Now()
				runtime.GC()
				longest = max(longest, time.Since(start))
			}
			b.StopTimer()
			b.ReportMetric(float64(longest), "longest-ns")
			stop.Store(true)
			calls.Wait()
		})
	}
}
