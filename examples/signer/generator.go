package main

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// plan describes when requests are sent. In the open loop, request i is due at i / rate, even if earlier requests have not been answered. In the
// closed loop (rate 0), each client sends a request when it has the answer to its last request; concurrency is the number of clients.
type plan struct {
	rate        float64 // number of requests per second
	concurrency int     // the largest number of requests in flight
	duration    time.Duration
	patience    time.Duration // time after duration during which the open loop still sends late requests
}

// exchange sends requests. Several goroutines may call its methods at the same time.
type exchange interface {
	// send sends request i for a client. The client's number is below plan.concurrency, and the client has no other request in flight.
	send(ctx context.Context, client, i int) (answer []byte, err error)
	// check checks an answer. The time of check is not part of the latency.
	check(i int, answer []byte) error
}

// clock is the time since the start of a run. It is an interface so that tests can replace it.
type clock interface {
	now() time.Duration
	sleepUntil(ctx context.Context, t time.Duration)
}

// result is the result of a run. Latencies are in ns and include failed requests.
type result struct {
	latency  *hdrhistogram.Histogram // open loop: time from a request's due time to its answer; closed loop: time from sending the request to its answer
	late     *hdrhistogram.Histogram // open loop: time from a request's due time until it was sent
	requests int                     // number of requests sent
	failed   int                     // sent, without a correct answer
	unsent   int                     // not sent before plan.patience ended
	first    error                   // the first failure
	elapsed  time.Duration           // time from the start of the run to the last answer
}

const longest = 10 * time.Minute // a longer time is recorded as this time

func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(int64(time.Microsecond), int64(longest), 3)
}

func record(h *hdrhistogram.Histogram, d time.Duration) {
	// RecordValue cannot fail, because the value is in the histogram's range.
	h.RecordValue(int64(max(0, min(d, longest))))
}

// collector collects the reports of many goroutines in one result.
type collector struct {
	mutex sync.Mutex
	result
}

func (c *collector) add(latency, late time.Duration, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	record(c.latency, latency)
	record(c.late, late)
	c.requests++
	if err != nil {
		c.failed++
		if c.first == nil {
			c.first = err
		}
	}
}

// generate sends requests until the plan's duration has passed, and then waits for all answers. If ctx ends earlier, generate returns the result so
// far.
func generate(ctx context.Context, clock clock, p plan, e exchange) result {
	c := &collector{result: result{latency: newHistogram(), late: newHistogram()}}
	if p.rate > 0 {
		limit, cancel := context.WithTimeout(ctx, p.duration+p.patience)
		defer cancel()
		openLoop(ctx, limit, clock, p, e, c)
	} else {
		closedLoop(ctx, clock, p, e, c)
	}
	c.elapsed = clock.now()
	return c.result
}

// openLoop measures the latency of each request from its due time. If it measured from the time of sending, a stall of the service would increase
// only the latencies of the requests in flight. The delay of the requests that had to wait would not be counted (coordinated omission). When limit
// is done, openLoop sends no more requests.
func openLoop(ctx, limit context.Context, clock clock, p plan, e exchange, c *collector) {
	var group sync.WaitGroup
	defer group.Wait()
	idle := newStack(p.concurrency)
	total := int(math.Round(p.rate * p.duration.Seconds()))
	for i := range total {
		client := idle.pop(limit)
		due := time.Duration(float64(i) / p.rate * float64(time.Second))
		clock.sleepUntil(limit, due)
		if limit.Err() != nil {
			c.mutex.Lock()
			c.unsent = total - i
			c.mutex.Unlock()
			return
		}
		group.Add(1)
		go func() {
			defer group.Done()
			defer idle.push(client)
			sent := clock.now()
			answer, err := e.send(ctx, client, i)
			latency := clock.now() - due
			if err == nil {
				err = e.check(i, answer)
			}
			c.add(latency, sent-due, err)
		}()
	}
}

func closedLoop(ctx context.Context, clock clock, p plan, e exchange, c *collector) {
	var group sync.WaitGroup
	defer group.Wait()
	var next atomic.Int64
	for client := range p.concurrency {
		group.Add(1)
		go func() {
			defer group.Done()
			for ctx.Err() == nil {
				i := int(next.Add(1) - 1)
				sent := clock.now()
				if sent >= p.duration {
					return
				}
				answer, err := e.send(ctx, client, i)
				latency := clock.now() - sent
				if err == nil {
					err = e.check(i, answer)
				}
				c.add(latency, 0, err)
			}
		}()
	}
}

// stack holds the numbers of the idle clients, which have no request in flight. A request uses the client that became idle last, so that no more
// connections are opened than the load needs.
type stack struct {
	mutex  sync.Mutex
	filled chan struct{} // has as many elements as idle
	idle   []int
}

func newStack(n int) *stack {
	s := &stack{filled: make(chan struct{}, n)}
	for i := range n {
		s.push(n - 1 - i)
	}
	return s
}

func (s *stack) push(client int) {
	s.mutex.Lock()
	s.idle = append(s.idle, client)
	s.mutex.Unlock()
	s.filled <- struct{}{}
}

// pop waits for an idle client and returns its number, or -1 if ctx ends the wait.
func (s *stack) pop(ctx context.Context) int {
	select {
	case <-s.filled:
	case <-ctx.Done():
		return -1
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	last := s.idle[len(s.idle)-1]
	s.idle = s.idle[:len(s.idle)-1]
	return last
}

// wallClock is the clock of real runs.
type wallClock struct{ start time.Time }

func (w wallClock) now() time.Duration { return time.Since(w.start) }

func (w wallClock) sleepUntil(ctx context.Context, t time.Duration) {
	if d := t - w.now(); d > 0 && ctx.Err() == nil {
		sleep(ctx, d)
	}
}
