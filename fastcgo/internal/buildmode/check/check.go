//go:build amd64 || arm64

// Package check makes each kind of call and checks the results. The programs of the build modes run it.
package check

import (
	"fmt"
	"math"
	"runtime"
	"syscall"
	"unsafe"

	"rustgo.dev/fastcgo"
	"rustgo.dev/fastcgo/internal/ctest"
)

var (
	weigh = fastcgo.Bind[func(*uint64, uint64, uint64, uint64, uint64, uint64) uint64](ctest.Weigh)
	small = fastcgo.Bind[func(uint8) uint8](ctest.Increment)
	needy = fastcgo.Bind[func(uint64) uint64](ctest.Increment, fastcgo.NeedStack(1024))
	waits = fastcgo.Bind[func(uint64) uint64](ctest.Increment, fastcgo.Blocking())
	tail  = fastcgo.Bind[func(string) string](ctest.Increment)
)

// Run returns a description of the first wrong result, or "".
func Run() string {
	if direct, why := fastcgo.Direct(); !direct {
		return "calls are not direct: " + why.Error()
	}
	if problem := libraries(); problem != "" {
		return problem
	}
	problems := make(chan string)
	for range 4 {
		go func() {
			for i := range uint64(500) {
				if problem := calls(i); problem != "" {
					problems <- problem
					return
				}
				if i%100 == 0 {
					runtime.GC()
				}
			}
			problems <- ""
		}()
	}
	problem := ""
	for range 4 {
		problem += <-problems
	}
	return problem
}

// libraries checks that the package finds the C library of a process on linux, whose program may be written in C.
func libraries() string {
	if runtime.GOOS != "linux" {
		return ""
	}
	library, err := fastcgo.OpenLibrary("libm.so.6")
	if err != nil {
		return err.Error()
	}
	sqrt, err := library.Symbol("sqrt")
	if err != nil {
		return err.Error()
	}
	r, errno := fastcgo.Bind[func(float64) (float64, syscall.Errno)](sqrt)(-1)
	if !math.IsNaN(r) || errno != syscall.EDOM {
		return fmt.Sprintf("the square root of -1 is %v, and errno is %d", r, errno)
	}
	return ""
}

func calls(i uint64) string {
	if got := tail("text"); got != "ext" {
		return fmt.Sprintf("call %d with a string gives %q", i, got)
	}
	x := 1000 + i
	got := []uint64{
		uint64(fastcgo.UnsafeCall1Return1(ctest.Increment, uintptr(i))),
		uint64(fastcgo.UnsafeCall6Return1(ctest.Weigh, uintptr(unsafe.Pointer(&x)), 1, 1, 1, 1, 1)),
		weigh(&x, 1, 1, 1, 1, 1),
		uint64(small(uint8(i))),
		needy(i),
		waits(i),
		uint64(fastcgo.UnsafeBlockingCall(ctest.Increment, uintptr(i))),
	}
	want := []uint64{i + 1, x + 20, x + 20, uint64(uint8(i) + 1), i + 1, i + 1, i + 1}
	for k := range want {
		if got[k] != want[k] {
			return fmt.Sprintf("%d: the calls give %d, want %d\n", i, got, want)
		}
	}
	return ""
}
