package promises

import (
	"strings"
	"testing"

	"scratch/stack"
)

var painted = map[string]func(){
	"Frame1":           func() { stack.Frame1(1) },
	"Frame127":         func() { stack.Frame127(1) },
	"Frame128":         func() { stack.Frame128(1) },
	"Frame129":         func() { stack.Frame129(1) },
	"Frame255":         func() { stack.Frame255(1) },
	"Frame500":         func() { stack.Frame500(1) },
	"Frame520":         func() { stack.Frame520(1) },
	"Frame4080":        func() { stack.Frame4080(1) },
	"Frame4096":        func() { stack.Frame4096(1) },
	"Frame4097":        func() { stack.Frame4097(1) },
	"Frame8192":        func() { stack.Frame8192(1) },
	"Frame20k":         func() { stack.Frame20k(1) },
	"Frame32k":         func() { stack.Frame32k(1) },
	"Frame60k":         func() { stack.Frame60k(1) },
	"Frame65520":       func() { stack.Frame65520(1) },
	"Frame200k":        func() { stack.Frame200k(1) },
	"OneOf 0":          func() { stack.OneOf(0, 5) },
	"OneOf 1":          func() { stack.OneOf(1, 5) },
	"OneOf 2":          func() { stack.OneOf(2, 5) },
	"OneOf 3":          func() { stack.OneOf(3, 5) },
	"ByPointer 0":      func() { stack.ByPointer(0, 5) },
	"ByPointer 1":      func() { stack.ByPointer(1, 5) },
	"ByPointer 2":      func() { stack.ByPointer(2, 5) },
	"ByTrait 0":        func() { stack.ByTrait(0, 5) },
	"ByTrait 1":        func() { stack.ByTrait(1, 5) },
	"NotRecursiveSort": func() { stack.NotRecursiveSort(5) },
}

// No call writes below its stack bound.
func TestPaintedStacks(t *testing.T) {
	if raced {
		t.Skip("the race detector runs on this stack")
	}
	for name, f := range painted {
		function, _, _ := strings.Cut(name, " ")
		least := bound(t, "stack", function)
		var used int
		fresh(t, func() { used = deepest(f) })
		if used > least+overhead {
			t.Errorf("%s uses %d bytes, its bound is %d", name, used, least)
		}
		if used == 0 {
			t.Errorf("%s uses nothing", name)
		}
	}
}

// Calls are made at every depth of small stacks. If a stack bound were one byte too small, some call would corrupt memory outside the stack.
func TestStacksThatMustGrow(t *testing.T) {
	for name, f := range painted {
		for n := range times(150) {
			fresh(t, func() { atDepth(n%64, f) })
			if t.Failed() {
				t.Fatal(name)
			}
		}
	}
}

//go:noinline
func atDepth(n int, f func()) byte {
	var room [40]byte
	if n == 0 {
		f()
	} else {
		room[n%40] = atDepth(n-1, f)
	}
	return room[n%20]
}
