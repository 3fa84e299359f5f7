// This Go program runs the test programs that its arguments name, one after another. It prints a line at the start of each program and a line
// with its outcome. The first argument selects the stack pointer at the call: "even" and "odd" differ by 8 bytes modulo 16.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"rustgo.dev/go/rt"
)

func main() {
	call := even
	if os.Args[1] == "odd" {
		call = odd
	}
	for _, name := range os.Args[2:] {
		fmt.Println("begin", name)
		outcome := make(chan string)
		// A new goroutine has a small stack.
		go func() {
			debug.SetPanicOnFault(true)
			outcome <- run(call, programs[name])
		}()
		said := <-outcome
		// If the program has corrupted Go's memory, the collector may notice.
		runtime.GC()
		fmt.Println(name, said)
	}
}

func run(call func(func(uint64) uint64) uint64, program func(uint64) uint64) (outcome string) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *rt.Panic:
			outcome = "panicked " + p.Message
		default:
			outcome = fmt.Sprint("faulted ", p)
		}
	}()
	return fmt.Sprint("returned ", call(program))
}

//go:noinline
func even(program func(uint64) uint64) uint64 { return program(0) }

// odd has one word more in its frame than even.
//
//go:noinline
func odd(program func(uint64) uint64) uint64 {
	var word [1]uint64
	use(&word)
	return program(0) + word[0]
}

//go:noinline
func use(*[1]uint64) {}
