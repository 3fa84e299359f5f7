//go:build amd64 || arm64

package main

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"time"
)

// A testCase is a function whose time must not depend on the class of its input. The time of a control must depend on the class.
type testCase struct {
	name    string
	control bool
	// size is the number of bytes of an input.
	size int
	// fill makes an input of a class. Its time is not measured.
	fill func(input []byte, class uint8, random *rand.Rand)
	// load prepares calls with an input, and unload undoes the preparation; neither is timed. All inputs are at the same address. load makes new
	// objects each time, in memory that does not depend on the class.
	load   func(input []byte)
	call   func()
	unload func()
}

const (
	// chunk is the number of inputs made in advance.
	chunk = 1024
	// A batch takes at least this number of clock steps, so that one step is at most one percent of the batch's time.
	stepsPerBatch = 100
	mostPerBatch  = 1000
)

// clockStep returns the smallest nonzero difference between two readings of the clock.
func clockStep() uint64 {
	least := ^uint64(0)
	for range 10_000 {
		began := now()
		ended := now()
		for ended == began {
			ended = now()
		}
		least = min(least, ended-began)
	}
	return least
}

// measure times calls of c until the budget is used up. It returns the time of each batch in the clock's unit, in the order of measurement and
// without the warm-up, and the number of calls in a batch.
func measure(c testCase, random *rand.Rand, budget time.Duration, step uint64) (samples []sample, batch int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// A collection during calls would disturb the times. Collections run between chunks instead.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))

	// One array has the inputs of both classes in random order. Before a call its input is copied to the same place, so no address depends on the
	// class.
	inputs, classes, input := make([]byte, chunk*c.size), make([]uint8, chunk), make([]byte, c.size)
	batch = batchOf(c, random, input, step)
	began := time.Now()
	for warm := false; time.Since(began) < budget; warm = true {
		for i := range classes {
			classes[i] = uint8(random.Uint32() & 1)
			c.fill(inputs[i*c.size:][:c.size], classes[i], random)
		}
		runtime.GC()
		for i, class := range classes {
			copy(input, inputs[i*c.size:])
			took := once(c, input, batch)
			if warm {
				samples = append(samples, sample{took, class})
			}
		}
	}
	return samples, batch
}

// once times one batch of calls.
func once(c testCase, input []byte, batch int) uint64 {
	c.load(input)
	began := now()
	for range batch {
		c.call()
	}
	took := now() - began
	c.unload()
	return took
}

// batchOf returns the number of calls in a batch.
func batchOf(c testCase, random *rand.Rand, input []byte, step uint64) int {
	const tries = 100
	least := ^uint64(0)
	for range tries {
		c.fill(input, 0, random)
		least = min(least, once(c, input, 1))
	}
	return int(min(max(stepsPerBatch*step/max(least, 1), 1), mostPerBatch))
}
