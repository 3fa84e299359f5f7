package main

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"rustgo.dev/bench/crypto/internal/column"
)

// A sample is the duration of a request, measured from the intended start (response) and from the start of the call (service).
type sample struct{ response, service time.Duration }

// closed starts n goroutines that run at the same time. Each makes `each` requests to sign, a new one as soon as the last is answered. For each
// request a goroutine calls runtime.Gosched and so waits in the scheduler's queue, and then signs. The response time includes this wait; the service
// time does not.
func closed(c *column.Column, n, each int) reply {
	signer, message := c.Signer(column.Seed()), column.Text(column.Message)
	signer.Sign(message)
	samples := make([]sample, n*each)
	var ready, done sync.WaitGroup
	begin := make(chan bool)
	var start time.Time
	for i := range n {
		ready.Add(1)
		done.Go(func() {
			mine := samples[i*each:][:each]
			ready.Done()
			<-begin
			asked := start
			for j := range mine {
				runtime.Gosched()
				called := time.Now()
				signer.Sign(message)
				answered := time.Now()
				mine[j] = sample{answered.Sub(asked), answered.Sub(called)}
				asked = answered
			}
		})
	}
	ready.Wait()
	runtime.GC()
	start = time.Now()
	close(begin)
	done.Wait()
	return latencies(samples, float64(n*each)/time.Since(start).Seconds())
}

// open gives requests to n goroutines in turn, at random times with a mean rate per second, for a number of milliseconds. The times are determined
// beforehand. The duration of a request starts at its intended time, so a late start makes the duration longer.
func open(c *column.Column, n, rate, milliseconds int) reply {
	signer, message := c.Signer(column.Seed()), column.Text(column.Message)
	signer.Sign(message)
	due := schedule(rate, milliseconds)
	samples := make([]sample, len(due))
	var start time.Time
	var done sync.WaitGroup
	inbox := make([]chan int, n)
	for i := range inbox {
		inbox[i] = make(chan int, 16)
		done.Go(func() {
			for request := range inbox[i] {
				called := time.Now()
				signer.Sign(message)
				samples[request] = sample{time.Since(start) - due[request], time.Since(called)}
			}
		})
	}
	runtime.GC()
	start = time.Now().Add(20 * time.Millisecond)
	for request, at := range due {
		for time.Since(start) < at {
			runtime.Gosched()
		}
		inbox[request%n] <- request
	}
	for _, requests := range inbox {
		close(requests)
	}
	done.Wait()
	return latencies(samples, float64(rate))
}

// schedule returns times with exponentially distributed gaps. All columns get the same times, from xorshift64*, which is easy to write in both Go
// and Rust.
func schedule(rate, milliseconds int) (due []time.Duration) {
	state, at := uint64(0x9e3779b97f4a7c15), 0.0
	for {
		state ^= state >> 12
		state ^= state << 25
		state ^= state >> 27
		uniform := float64((state*0x2545f4914f6cdd1d)>>11) / (1 << 53)
		at -= math.Log(1-uniform) / float64(rate)
		if at*1000 >= float64(milliseconds) {
			return due
		}
		due = append(due, time.Duration(at*1e9))
	}
}

func latencies(samples []sample, rate float64) reply {
	response, service := make([]int64, len(samples)), make([]int64, len(samples))
	for i, s := range samples {
		response[i], service[i] = s.response.Nanoseconds(), s.service.Nanoseconds()
	}
	return reply{"response": quantiles(response), "service": quantiles(service), "rate": rate}
}

// quantiles returns p50, p99, p99.9, the maximum, and the quantiles 1 - 10^(-k/20) for k from 0 to 80.
func quantiles(ns []int64) reply {
	slices.Sort(ns)
	at := func(q float64) int64 { return ns[min(int(float64(len(ns))*q), len(ns)-1)] }
	var curve []int64
	for k := range 81 {
		curve = append(curve, at(1-math.Pow(10, -float64(k)/20)))
	}
	return reply{"p50": at(0.5), "p99": at(0.99), "p999": at(0.999), "max": at(1), "curve": curve}
}
