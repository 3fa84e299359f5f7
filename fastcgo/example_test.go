//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo_test

import (
	"fmt"
	"syscall"
	"time"
	"unsafe"

	"rustgo.dev/fastcgo"
	"rustgo.dev/fastcgo/internal/ctest"
)

// uint64_t Increment(uint64_t x)
var increment = fastcgo.Bind[func(uint64) uint64](ctest.Increment)

func ExampleBind() {
	fmt.Println(increment(41))
	// Output: 42
}

func ExampleUnsafeCall6Return1() {
	x := uint64(1000)
	// uint64_t Weigh(uint64_t *a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
	fmt.Println(fastcgo.UnsafeCall6Return1(ctest.Weigh, uintptr(unsafe.Pointer(&x)), 1, 0, 0, 0, 0))
	// Output: 1002
}

func ExampleBlocking() {
	spin := fastcgo.Bind[func(steps uint64) uint64](ctest.Spin, fastcgo.Blocking())
	fmt.Println(spin(1_000_000)) // meanwhile another thread runs the other goroutines
	// Output: 1000000
}

func ExampleNeedStack() {
	f := fastcgo.Bind[func(uint64) uint64](ctest.Increment, fastcgo.NeedStack(4<<10))
	fmt.Println(f(1))
	// Output: 2
}

func ExampleWatch() {
	var longest time.Duration
	stop := fastcgo.Watch(time.Millisecond, func(o fastcgo.Overstay) {
		if !o.Running { // the call has returned, and this is its goroutine
			longest = o.Elapsed
		}
	})
	fastcgo.UnsafeCall1(ctest.Spin, 100_000_000)
	stop()
	fmt.Println(longest > time.Millisecond)
	// Output: true
}

func ExampleBind_strings() {
	// char *Increment(char *s), which returns the text after the first byte
	rest := fastcgo.Bind[func(s string) string](ctest.Increment)
	fmt.Println(rest("chat"))
	// Output: hat
}

func ExampleErrnoFunc() {
	// int Fail(int n), which sets errno to n and returns the previous errno
	fail := fastcgo.Bind[func(n int32) (int32, syscall.Errno)](ctest.Fail, fastcgo.ErrnoFunc(ctest.ErrnoFunc))
	before, errno := fail(2)
	fmt.Println(before, int(errno))
	// Output: 0 2
}

func ExampleOpenLibrary() {
	math, err := fastcgo.OpenLibrary("libm.so.6")
	if err != nil {
		return // a program without cgo, or not on linux
	}
	address, err := math.Symbol("cos")
	if err != nil {
		return
	}
	cos := fastcgo.Bind[func(float64) float64](address, fastcgo.NeedStack(8<<10))
	fmt.Println(cos(0)) // 1
}
