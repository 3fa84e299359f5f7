//go:build amd64 || arm64

package main

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"time"
)

// A testCase is a function whose time must not depend on the class of its input, or must if it is a control.
type testCase struct {
	name    string
	control bool
	// size of an input in bytes.
	size int
	// fill makes an input of a class, not timed.
	fill func(input []byte, class uint8, random *rand.Rand)
	// load prepares calls with an input, and unload undoes that; neither is timed. Each input is at the same address. What load makes is made
	// anew each time, from memory that does not depend on the class.
	load   func(input []byte)
	call   func()
	unload func()
}

const (
	// chunk is the number of inputs that are made in advance.
	chunk = 1024
	// A batch takes at least this number of steps of the clock, so that a step is one percent.
	stepsPerBatch = 100
	mostPerBatch  = 1000
)

// clockStep returns the least time between two readings that differ.
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

// measure times calls of c until the budget is used up. It returns what each batch took in the clock's unit, in the order of measurement and without
// the warm-up, and how many calls there are to a batch.
func measure(c testCase, random *rand.Rand, budget time.Duration, step uint64) (samples []sample, batch int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// The collector would run in the middle of calls. It runs between chunks.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))

	// Inputs of both classes lie side by side, each in memory of its own: where an input comes from says nothing about its class.
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

// batchOf returns how many calls there are to a batch.
func batchOf(c testCase, random *rand.Rand, input []byte, step uint64) int {
	const tries = 100
	least := ^uint64(0)
	for range tries {
		c.fill(input, 0, random)
		least = min(least, once(c, input, 1))
	}
	return int(min(max(stepsPerBatch*step/max(least, 1), 1), mostPerBatch))
}
