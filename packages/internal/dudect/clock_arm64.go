package main

import "time"

const clockUnit = "ns"

var origin = time.Now()

// now returns nanoseconds. The underlying counter has steps of up to 42 ns.
func now() uint64 { return uint64(time.Since(origin)) }
