//go:build cgo && unix

package handle

/*
#cgo LDFLAGS: -lpthread
#include "pipeline.h"
*/
import "C"

import (
	"errors"
	"runtime"
	"unsafe"
)

// inUse is the table in which the exported functions look handles up. It changes only while no C thread runs.
var inUse peer

//export goCompute
func goCompute(component, payload C.uint64_t) C.uint64_t {
	c := inUse.Value(uint64(component)).(*object)
	return C.uint64_t(inUse.New(&object{c.n + uint64(payload)}))
}

//export goSink
func goSink(data C.uint64_t) C.uint64_t {
	n := inUse.Value(uint64(data)).(*object).n
	inUse.Delete(uint64(data))
	return C.uint64_t(n)
}

// runPipeline lets each of the C threads send the same number of messages through Go, and returns the sum of the results. If latencies is not
// empty, runPipeline sets it to the nanoseconds of each message, including the clock's cost.
func runPipeline(p peer, components []uint64, threads, messages int, latencies []uint64) (sum uint64, err error) {
	inUse = p
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&components[0])
	c := &C.pipeline{
		components:      (*C.uint64_t)(unsafe.Pointer(&components[0])),
		component_count: C.uint64_t(len(components)),
		messages:        C.uint64_t(messages),
	}
	if len(latencies) > 0 {
		pin.Pin(&latencies[0])
		c.latencies = (*C.uint64_t)(unsafe.Pointer(&latencies[:threads*messages][0]))
	}
	sum = uint64(C.run_pipeline(c, C.int(threads)))
	if sum == 0 {
		err = errors.New("not all threads of C could be started")
	}
	return sum, err
}

// readClockOfC measures empty intervals with C's clock, which also measures the latencies.
func readClockOfC(took []uint64) {
	C.read_clock((*C.uint64_t)(unsafe.Pointer(&took[0])), C.int(len(took)))
}
