package handle_test

import (
	"fmt"
	"os"
	"strings"

	"rustgo.dev/go/handle"
)

// foreign stands in for a C or Rust function that keeps a number and later passes the number to a callback.
func foreign(context uint64, callback func(context uint64)) { callback(context) }

func Example() {
	h := handle.New(strings.NewReader("kept for foreign code"))
	defer h.Delete()

	foreign(uint64(h), func(context uint64) {
		r := handle.Handle(context).Value().(*strings.Reader)
		fmt.Println(r.Len(), "bytes to read")
	})
	// Output: 21 bytes to read
}

func ExampleOf() {
	type session struct{ user string }
	h := handle.NewOf(&session{"gopher"})
	defer h.Delete()

	foreign(uint64(h), func(context uint64) {
		s := handle.Of[*session](context).Value() // a *session, without a type assertion
		fmt.Println(s.user)
	})
	// Output: gopher
}

func ExampleHandle_Lookup() {
	h := handle.New("value")
	h.Delete()
	other := handle.New("another value, most likely in the same place")
	defer other.Delete()

	v, ok := h.Lookup()
	fmt.Println(v, ok)
	// Output: <nil> false
}

func ExampleInvalidError() {
	defer func() {
		if err, ok := recover().(handle.InvalidError); ok {
			fmt.Println(err)
		}
	}()
	handle.Handle(0).Value()
	// Output: handle: the zero handle stands for nothing
}

func ExampleAll() {
	type connection struct{ peer string }
	h := handle.New(&connection{"::1"})

	for h, v := range handle.All() { // handles that were not deleted
		if c, ok := v.(*connection); ok {
			fmt.Println("still open:", c.peer)
			h.Delete()
		}
	}
	_, ok := h.Lookup()
	fmt.Println(ok)
	// Output:
	// still open: ::1
	// false
}

func ExampleWriteLive() {
	for h := range handle.All() {
		h.Delete()
	}
	h := handle.New(nil)
	defer h.Delete()

	// If the program was started with RUSTGODEBUG=handles=1, WriteLive also writes where the handles were made.
	_ = handle.WriteLive(os.Stdout)
	// Output:
	// handles: 1 live
	// start the program with RUSTGODEBUG=handles=1 to see where they were made
}
