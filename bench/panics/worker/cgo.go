//go:build linux && cgo && rustnative

package main

// #cgo LDFLAGS: ${SRCDIR}/../rust/native/target/release/libpanics_native.a -lm -ldl -lpthread
// #include <stdbool.h>
// #include <stdint.h>
// void panics_silence(void);
// uint64_t loop_caught(uint64_t calls, uint64_t frames);
// uint64_t loop_through(uint64_t calls, uint64_t frames);
// uint64_t loop_divide(uint64_t calls, uint64_t a);
// uint64_t loop_caught_divide(uint64_t calls, uint64_t a);
// bool call_through(uint64_t frames, bool panics, uint64_t *result);
// bool call_divide(uint64_t a, uint64_t b, uint64_t *result);
//
// // Pointers do not escape, and Rust does not call Go.
// #cgo noescape call_through
// #cgo noescape call_divide
// #cgo nocallback loop_caught
// #cgo nocallback loop_through
// #cgo nocallback loop_divide
// #cgo nocallback loop_caught_divide
// #cgo nocallback call_through
// #cgo nocallback call_divide
import "C"

import (
	"errors"
	"log"
	"strings"
)

func init() {
	C.panics_silence()
	viaCgo = waysOfRust
}

var errPanicked = errors.New("the call has panicked")

//go:noinline
func through(frames uint64, panics bool) (uint64, error) {
	var result C.uint64_t
	if !C.call_through(C.uint64_t(frames), C.bool(panics), &result) {
		return 0, errPanicked
	}
	return uint64(result), nil
}

//go:noinline
func divideRust(a, b uint64) (uint64, error) {
	var result C.uint64_t
	if !C.call_divide(C.uint64_t(a), C.uint64_t(b), &result) {
		return 0, errPanicked
	}
	return uint64(result), nil
}

// waysOfRust returns the ways "native", whose loop is in Rust, and "cgo", whose loop is in Go.
func waysOfRust(row string, frames uint64) []*way {
	native, cgo := &way{Row: row, Way: "native"}, &way{Row: row, Way: "cgo"}
	switch {
	case strings.HasPrefix(row, "panic"):
		native.do = func(times int) {
			if caught := C.loop_caught(C.uint64_t(times), C.uint64_t(frames)); int(caught) != times {
				log.Fatalf("%d of %d panics were caught", caught, times)
			}
		}
		cgo.do = func(times int) {
			for range times {
				if _, err := through(frames, true); err == nil {
					log.Fatal("the call has not panicked")
				}
			}
		}
	case strings.HasPrefix(row, "return"):
		native.do = func(times int) { sink += uint64(C.loop_through(C.uint64_t(times), C.uint64_t(frames))) }
		cgo.do = func(times int) {
			for range times {
				sink += must(through(frames, false))
			}
		}
	case row == divide:
		native.do = func(times int) { sink = uint64(C.loop_divide(C.uint64_t(times), C.uint64_t(sink))) }
		cgo.do = func(times int) {
			for range times {
				sink = must(divideRust(sink, one))
			}
		}
	case row == caughtDivide:
		native.do = func(times int) { sink = uint64(C.loop_caught_divide(C.uint64_t(times), C.uint64_t(sink))) }
		return []*way{native} // by cgo each call is inside catch_unwind
	}
	return []*way{native, cgo}
}
