package promises

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"rustgo.dev/go/rt"
	"scratch/messages"
)

// tooDeep is the error text of a panic whose original message would need more stack than the formatter has.
const tooDeep = "panicked (the message is lost: formatting it needs more than 64 KiB of stack)"

func failed(t *testing.T, kind, n uint64) *rt.Panic {
	t.Helper()
	return panicked(t, fmt.Sprintf("kind %d, %d", kind, n), func() { messages.Fail(kind, n) })
}

// A panic has its message if the formatter's stack suffices; otherwise the message is lost.
func TestMessagesThatNeedMuchStack(t *testing.T) {
	var place uintptr
	if _, err := fmt.Sscanf(failed(t, 0, 0).Message, "0x%x", &place); err != nil {
		t.Fatal(err)
	}
	if at := uintptr(unsafe.Pointer(&beside)); at > place || place-at > 150<<10 {
		t.Errorf("the stack at %#x has no neighbour of ours, but at %#x", place, at)
	}
	levels := func(n int) string { return strings.Repeat("<", n) + "|" + strings.Repeat(">", n) }
	for _, c := range []struct {
		kind, n uint64
		want    string
	}{
		{1, 0, "7"},
		{2, 0, tooDeep},
		{3, 0, tooDeep},
		{4, 0, tooDeep},
		{5, 0, levels(0)},
		{5, 20, levels(20)},
		{5, 100, tooDeep},
		{5, 1 << 40, tooDeep},
		{6, 100, "100"},
		{6, 1 << 40, tooDeep},
		{7, 0, tooDeep},
		{8, 0, "panicked while formatting a panic message"},
		{9, 0, "1 2 3"},
	} {
		what := fmt.Sprintf("kind %d, %d", c.kind, c.n)
		for range 10 {
			p := failed(t, c.kind, c.n)
			if p.Message != c.want {
				t.Fatalf("%s: got %v, want %q", what, p, c.want)
			}
			if !strings.HasSuffix(p.File, "src/lib.rs") || p.Line == 0 {
				t.Errorf("%s: the place is %s:%d", what, p.File, p.Line)
			}
		}
		untouched(t, what)
	}
	if got := messages.Fail(99, 5); got != 5 {
		t.Errorf("got %d", got)
	}
}

func TestManyLostMessagesAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	for id := range uint64(8) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range uint64(times(2000)) {
				kind, n, want := uint64(2), i%20, tooDeep
				switch (i + id) % 4 {
				case 1:
					kind, want = 5, strings.Repeat("<", int(n))+"|"+strings.Repeat(">", int(n))
				case 2:
					kind, want = 6, fmt.Sprint(n)
				case 3:
					kind = 7
				}
				p, ok := caught(func() { messages.Fail(kind, n) }).(*rt.Panic)
				if !ok || p.Message != want {
					t.Errorf("kind %d: got %v, want %q", kind, p, want)
					return
				}
			}
		}()
	}
	wg.Wait()
	untouched(t, "many at once")
}
