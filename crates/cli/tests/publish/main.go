// Two packages, each with a copy of rt: panics and faults of both, one by one and from many goroutines.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"

	b "9fans.example/~b/hash"
	"9fans.example/~b/hash/rust+go/copies/handle"
	"9fans.example/~b/hash/rust+go/copies/rt"
	a "example.com/my-user/my_hash.v0"
)

// rustPanic is the interface that a program declares for itself if it can import neither copy of rt. The panic types of both copies implement it.
type rustPanic interface {
	RustMessage() string
	RustPosition() (file string, line, column int)
	RustFrames() []runtime.Frame
}

// try returns what f panics with, wrapped as a careful caller would.
func try(f func()) (err error) {
	defer func() {
		if p, ok := recover().(error); ok {
			err = fmt.Errorf("tried: %w", p)
		}
	}()
	f()
	return nil
}

func check(ok bool, format string, args ...any) {
	if !ok {
		fmt.Printf(format+"\n", args...)
		os.Exit(1)
	}
}

// calls checks each kind of failure in one of the packages.
func calls(path string, at func([]byte, uint) byte, null func(uint) byte, unprintable func(uint)) {
	check(at([]byte("abc"), 1) == 'b', "%s: At", path)

	err := try(func() { at([]byte("abc"), 3) })
	var p rustPanic
	check(errors.As(err, &p), "%s: %v is no Rust panic", path, err)
	file, line, _ := p.RustPosition()
	check(p.RustMessage() == "index out of bounds: the len is 3 but the index is 3" && file == "rust/src/lib.rs" && line == 9,
		"%s: %q at %s:%d", path, p.RustMessage(), file, line)
	frames := p.RustFrames()
	check(frames[len(frames)-1].Function == strings.ReplaceAll(path, "my_hash.v0", "my_hash%2ev0")+".rust_At", "%s: frames %v", path, frames)

	err = try(func() { null(8) })
	var re runtime.Error
	check(errors.As(err, &re) && strings.Contains(err.Error(), "nil pointer dereference"), "%s: %v instead of a fault", path, err)

	err = try(func() { unprintable(8) })
	check(errors.As(err, &p) && strings.HasSuffix(p.RustMessage(), "formatting it faulted)"), "%s: %v instead of a lost message", path, err)
}

func both() {
	calls("example.com/my-user/my_hash.v0", a.At, a.Null, a.Unprintable)
	calls("9fans.example/~b/hash", b.At, b.Null, b.Unprintable)
}

func main() {
	both()
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 50 {
				both()
			}
		}()
	}
	wg.Wait()

	// The two copies of rt have different panic types, but both implement one interface.
	var own *rt.Panic
	var any rt.AnyPanic
	theirs := try(func() { a.At(nil, 0) })
	check(!errors.As(theirs, &own) && errors.As(theirs, &any), "%T", errors.Unwrap(theirs))
	check(errors.As(try(func() { b.At(nil, 0) }), &own), "not the own type")

	h := handle.New("value")
	check(b.Same(h).Value() == "value", "Same")
	fmt.Println("ok")
}
