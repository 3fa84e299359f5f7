package main

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// fakeClock is a clock that advances only in sleeps and requests.
type fakeClock struct {
	mutex sync.Mutex
	time  time.Duration
}

func (c *fakeClock) now() time.Duration {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.time
}

func (c *fakeClock) sleepUntil(_ context.Context, t time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.time = max(c.time, t)
}

func (c *fakeClock) pass(d time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.time += d
}

// fakeService is a service that takes a known time for each request.
type fakeService struct {
	clock *fakeClock
	takes func(i int) time.Duration
	fails func(i int) (send, check error)
}

func (s fakeService) send(_ context.Context, _, i int) ([]byte, error) {
	s.clock.pass(s.takes(i))
	if s.fails == nil {
		return nil, nil
	}
	err, _ := s.fails(i)
	return nil, err
}

func (s fakeService) check(i int, _ []byte) error {
	if s.fails == nil {
		return nil
	}
	_, err := s.fails(i)
	return err
}

// equal reports whether a value of a histogram equals the duration, within the histogram's resolution of three digits and a microsecond.
func equal(got int64, want time.Duration) bool {
	return math.Abs(float64(got)-float64(want)) <= max(float64(want)/1000, 1000)
}

func wantQuantiles(t *testing.T, name string, h interface{ ValueAtQuantile(float64) int64 }, want map[float64]time.Duration) {
	t.Helper()
	for q, d := range want {
		if got := h.ValueAtQuantile(q); !equal(got, d) {
			t.Errorf("%s: p%v is %v, want %v", name, q, time.Duration(got), d)
		}
	}
}

func TestClosedLoopQuantiles(t *testing.T) {
	clock := new(fakeClock)
	// The requests take 1 ms, 2 ms, … 1000 ms in another order, because 7 and 1000 have no common factor. The sum is 500.5 s.
	service := fakeService{clock: clock, takes: func(i int) time.Duration { return time.Duration(i*7%1000+1) * time.Millisecond }}
	r := generate(context.Background(), clock, plan{concurrency: 1, duration: 500*time.Second + 499*time.Millisecond}, service)
	if r.requests != 1000 || r.failed != 0 || r.unsent != 0 || r.elapsed != 500*time.Second+500*time.Millisecond {
		t.Errorf("%d requests, %d failed, %d not sent, %v", r.requests, r.failed, r.unsent, r.elapsed)
	}
	wantQuantiles(t, "latency", r.latency, map[float64]time.Duration{0: time.Millisecond, 50: 500 * time.Millisecond, 99: 990 * time.Millisecond,
		99.9: 999 * time.Millisecond, 100: time.Second})
}

// TestOpenLoopCountsStall sends 1000 requests/s. Each request takes 0.5 ms, except one that takes 100 ms. Only one request may be in flight, so the
// next requests wait for the slow request. Measured from the time of sending, their latency would be 0.5 ms.
func TestOpenLoopCountsStall(t *testing.T) {
	clock := new(fakeClock)
	service := fakeService{clock: clock, takes: func(i int) time.Duration {
		if i == 100 {
			return 100 * time.Millisecond
		}
		return 500 * time.Microsecond
	}}
	r := generate(context.Background(), clock, plan{rate: 1000, concurrency: 1, duration: time.Second, patience: time.Minute}, service)
	if r.requests != 1000 || r.failed != 0 || r.unsent != 0 || r.elapsed != 999*time.Millisecond+500*time.Microsecond {
		t.Errorf("%d requests, %d failed, %d not sent, %v", r.requests, r.failed, r.unsent, r.elapsed)
	}
	// Request 100+k, k > 0, is due k ms after the start of the stall, and is answered 100 + k/2 ms after the start. So its latency is 100 - k/2 ms,
	// down to 0.5 ms. Of the 1000 requests, 801 take 0.5 ms, one each takes 1 ms, 1.5 ms, … 99.5 ms, and request 100 itself takes 100 ms.
	wantQuantiles(t, "latency", r.latency, map[float64]time.Duration{50: 500 * time.Microsecond, 80.1: 500 * time.Microsecond,
		90: 50 * time.Millisecond, 99: 95 * time.Millisecond, 99.9: 99*time.Millisecond + 500*time.Microsecond, 100: 100 * time.Millisecond})
	wantQuantiles(t, "late", r.late, map[float64]time.Duration{80: 0, 90: 49 * time.Millisecond, 100: 99 * time.Millisecond})
}

func TestFailuresAreCounted(t *testing.T) {
	down, wrong := errors.New("service is down"), errors.New("signature does not verify")
	for _, rate := range []float64{0, 100} {
		clock := new(fakeClock)
		service := fakeService{clock: clock, takes: func(int) time.Duration { return 10 * time.Millisecond }, fails: func(i int) (error, error) {
			switch {
			case i%10 == 3:
				return down, nil
			case i%10 == 5:
				return nil, wrong
			}
			return nil, nil
		}}
		r := generate(context.Background(), clock, plan{rate: rate, concurrency: 1, duration: time.Second, patience: time.Minute}, service)
		if r.requests != 100 || r.failed != 20 || r.first != down || r.latency.TotalCount() != 100 {
			t.Errorf("rate %v: %d requests, %d failed, the first: %v; %d latencies", rate, r.requests, r.failed, r.first, r.latency.TotalCount())
		}
		if err, want := r.err(context.Background()), "20 of 100 requests failed, the first: service is down"; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		if got := r.throughput(); got != 80 {
			t.Errorf("rate %v: throughput %v", rate, got)
		}
	}
}

// blocked is a service that never answers. It counts the requests in flight.
type blocked struct{ sent, inFlight atomic.Int64 }

func (b *blocked) send(ctx context.Context, _, _ int) ([]byte, error) {
	b.sent.Add(1)
	b.inFlight.Add(1)
	defer b.inFlight.Add(-1)
	<-ctx.Done()
	return nil, ctx.Err()
}

func (b *blocked) check(int, []byte) error { return nil }

func TestStopsWithContext(t *testing.T) {
	for _, rate := range []float64{0, 1e6} {
		ctx, cancel := context.WithCancel(context.Background())
		service, done := new(blocked), make(chan result)
		go func() {
			done <- generate(ctx, new(fakeClock), plan{rate: rate, concurrency: 5, duration: time.Hour, patience: time.Hour}, service)
		}()
		for service.inFlight.Load() < 5 {
			time.Sleep(time.Millisecond)
		}
		cancel()
		r := <-done
		if service.inFlight.Load() != 0 || r.failed != r.requests || r.requests < 5 {
			t.Errorf("rate %v: %d requests, %d failed, %d in flight", rate, r.requests, r.failed, service.inFlight.Load())
		}
		if err := r.err(ctx); err == nil || err.Error() != "interrupted" {
			t.Errorf("rate %v: %v, want interrupted", rate, err)
		}
	}
}

func TestUnsentAreCounted(t *testing.T) {
	service := new(blocked)
	ctx, cancel := context.WithCancel(context.Background())
	limit, expire := context.WithCancel(ctx)
	c := &collector{result: result{latency: newHistogram(), late: newHistogram()}}
	go func() {
		// Let the limit expire while the only client waits for an answer.
		for service.inFlight.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		expire()
		for unsent := 0; unsent == 0; time.Sleep(time.Millisecond) {
			c.mutex.Lock()
			unsent = c.unsent
			c.mutex.Unlock()
		}
		cancel()
	}()
	openLoop(ctx, limit, new(fakeClock), plan{rate: 50, concurrency: 1, duration: 200 * time.Millisecond}, service, c)
	r := c.result
	if r.requests != 1 || r.unsent != 9 {
		t.Errorf("%d requests, %d not sent, want 1 and 9", r.requests, r.unsent)
	}
	r.failed = 0
	want := "9 requests were not sent in time: the service or the load generator is too slow for the rate"
	if err := r.err(context.Background()); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestNewestClientFirst checks that requests that do not overlap share one connection.
func TestNewestClientFirst(t *testing.T) {
	s := newStack(3)
	a, b := s.pop(context.Background()), s.pop(context.Background())
	s.push(a)
	c := s.pop(context.Background())
	if a != 0 || b != 1 || c != a {
		t.Errorf("clients %d, %d, and %d after %d was idle again", a, b, c, a)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	s.pop(context.Background())
	if none := s.pop(done); none != -1 {
		t.Errorf("client %d of none", none)
	}
}

func TestRecordClamps(t *testing.T) {
	h := newHistogram()
	for _, d := range []time.Duration{-time.Second, 0, time.Hour} {
		record(h, d)
	}
	if h.TotalCount() != 3 || h.Min() != 0 || !equal(h.Max(), longest) {
		t.Errorf("%d values from %v to %v", h.TotalCount(), time.Duration(h.Min()), time.Duration(h.Max()))
	}
}
