//go:build linux

package main

import (
	"fmt"
	"log"

	"rustgo.dev/bench/panics/worker/abandon"
	"rustgo.dev/bench/panics/worker/unwind"
	"rustgo.dev/go/rt"
)

// viaCgo returns the ways that need cgo. The variable is nil if the program is built without the tag rustnative.
var viaCgo func(row string, frames uint64) []*way

// The rows without frames.
const (
	divide       = "divide"
	caughtDivide = "caught divide"
)

// allWays returns the ways of all rows. The loops are written out for each way, because a call through a function value would take as long as some of
// the measured calls. In the loops of divisions each call needs the result of the call before.
func allWays() (ways []*way) {
	add := func(row string, frames uint64, own ...*way) {
		for _, w := range own {
			w.Row = row
		}
		if viaCgo != nil {
			own = append(own, viaCgo(row, frames)...)
		}
		ways = append(ways, own...)
	}
	for _, frames := range []uint64{1, 10, 100} {
		add(fmt.Sprintf("panic %d", frames), frames,
			&way{Way: "unwind", do: func(times int) {
				for range times {
					recovered(unwind.Through, frames)
				}
			}},
			&way{Way: "abandon", do: func(times int) {
				for range times {
					recovered(abandon.Through, frames)
				}
			}},
			&way{Way: "go", do: func(times int) {
				for range times {
					recoveredGo(frames)
				}
			}})
	}
	for _, frames := range []uint64{1, 10, 100} {
		add(fmt.Sprintf("return %d", frames), frames,
			&way{Way: "unwind", do: func(times int) {
				for range times {
					sink += unwind.Through(frames, false)
				}
			}},
			&way{Way: "abandon", do: func(times int) {
				for range times {
					sink += abandon.Through(frames, false)
				}
			}},
			&way{Way: "go", do: func(times int) {
				var freed uint64
				for range times {
					sink += descend(frames, false, &freed)
				}
			}})
	}
	add(divide, 0,
		&way{Way: "unwind", do: func(times int) {
			for range times {
				sink = unwind.Divide(sink, one)
			}
		}},
		&way{Way: "abandon", do: func(times int) {
			for range times {
				sink = abandon.Divide(sink, one)
			}
		}},
		&way{Way: "go", do: func(times int) {
			for range times {
				sink = divideGo(sink, one)
			}
		}})
	add(caughtDivide, 0,
		&way{Way: "unwind", do: func(times int) {
			for range times {
				sink = unwind.CaughtDivide(sink, one)
			}
		}},
		&way{Way: "abandon", do: func(times int) {
			for range times {
				sink = abandon.CaughtDivide(sink, one)
			}
		}},
		&way{Way: "go", do: func(times int) {
			for range times {
				sink = caughtDivideGo(sink, one)
			}
		}})
	return ways
}

var sink, one uint64 = 0, 1

// recovered makes a call that panics in Rust, and recovers the panic.
//
//go:noinline
func recovered(through func(uint64, bool) uint64, frames uint64) {
	defer func() {
		if _, ok := recover().(*rt.Panic); !ok {
			log.Fatal("the call has not panicked")
		}
	}()
	through(frames, true)
}

// recoveredGo makes a call that panics in Go, and recovers the panic.
//
//go:noinline
func recoveredGo(frames uint64) {
	var freed uint64
	defer func() {
		if _, ok := recover().(string); !ok || freed != frames {
			log.Fatal("the call has not panicked, or a deferred function has not run")
		}
	}()
	descend(frames, true, &freed)
}

// descend does in Go what the function of this name in ../rust/src/lib.rs does.
//
//go:noinline
func descend(frames uint64, panics bool, freed *uint64) uint64 {
	held := newOne()
	defer func() { *freed += *held }()
	if frames > 1 {
		return descend(frames-1, panics, freed) + *held
	}
	if panics {
		panic(fmt.Sprintf("%d frame is left", frames))
	}
	return 1
}

// newOne allocates a number with the value 1.
//
//go:noinline
func newOne() *uint64 {
	n := new(uint64)
	*n = 1
	return n
}

//go:noinline
func divideGo(a, b uint64) uint64 { return a / b }

//go:noinline
func caughtDivideGo(a, b uint64) (quotient uint64) {
	defer func() {
		if recover() != nil {
			quotient = 0
		}
	}()
	return divideGo(a, b)
}
