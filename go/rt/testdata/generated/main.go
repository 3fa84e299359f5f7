// This program calls functions like the functions of a generated package. Its argument names the data race that the program contains.
package main

import (
	"os"
	"sync"

	"example.com/generated/marked"
)

func main() {
	b := make([]byte, 1000)
	switch os.Args[1] {
	case "read":
		both(func() { write(b) }, func() { reader(b) })
	case "write":
		both(func() { read(b) }, func() { writer(b) })
	case "both":
		both(func() { reader(b) }, func() { writer(b) })
	case "none":
		both(func() { writer(b[:500]) }, func() { reader(b[500:]); reader(nil); writer(b[:0]); writer(nil) })
		both(func() { reader(b) }, func() { reader(b) })
		both(func() { reader(b[:600]) }, func() { write(b[600:]) })
	}
}

func both(f, g func()) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); f() }()
	go func() { defer wg.Done(); g() }()
	wg.Wait()
}

var sink byte

//go:noinline
func read(b []byte) { sink = b[7] }

//go:noinline
func write(b []byte) { b[7] = 1 }

//go:noinline
func reader(b []byte) int { return marked.Sum(b) }

//go:noinline
func writer(b []byte) { marked.Fill(b) }
