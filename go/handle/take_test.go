package handle_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"rustgo.dev/go/handle"
)

func TestTake(t *testing.T) {
	for _, v := range []any{nil, 7, "text", &struct{ n int }{1}} {
		h := handle.New(v)
		if got, ok := h.Take(); got != v || !ok {
			t.Errorf("Take: got %v, %v, want %v", got, ok, v)
		}
		wantInvalid(t, h)
		if got, ok := h.Take(); got != nil || ok {
			t.Errorf("the second Take: got %v, %v", got, ok)
		}
	}
	if got, ok := handle.Handle(0).Take(); got != nil || ok {
		t.Errorf("Take of zero: got %v, %v", got, ok)
	}
}

func TestTryDelete(t *testing.T) {
	h := handle.New(1)
	if !h.TryDelete() || h.TryDelete() || handle.Handle(0).TryDelete() {
		t.Error("TryDelete does not report whether the handle was live")
	}
	wantInvalid(t, h)
	of := handle.NewOf("text")
	if !of.TryDelete() || of.TryDelete() {
		t.Error("TryDelete of an Of does not report whether the handle was live")
	}
}

func TestOfTake(t *testing.T) {
	h := handle.NewOf("text")
	wrong := handle.Of[int](h)
	if v, ok := wrong.Take(); v != 0 || ok {
		t.Errorf("Take as another type: got %v, %v", v, ok)
	}
	if v, ok := h.Take(); v != "text" || !ok {
		t.Errorf("Take: got %q, %v", v, ok)
	}
	if v, ok := h.Take(); v != "" || ok {
		t.Errorf("the second Take: got %q, %v", v, ok)
	}
	none := handle.NewOf[error](nil)
	if v, ok := none.Take(); v != nil || !ok {
		t.Errorf("Take of a nil interface: got %v, %v", v, ok)
	}
}

// Several goroutines take, delete and try to delete a handle while its slot is used again and again. Exactly one goroutine succeeds, and a
// successful Take returns the handle's value.
func TestTakeIsAtomic(t *testing.T) {
	rounds := 20_000
	if testing.Short() {
		rounds = 2_000
	}
	for i := range rounds {
		h := handle.New(i)
		var won atomic.Int32
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				switch g {
				case 0:
					if h.TryDelete() {
						won.Add(1)
					}
				case 1:
					if panicOf(h.Delete) == nil {
						won.Add(1)
					}
				default:
					if v, ok := h.Take(); ok {
						won.Add(1)
						if v != i {
							t.Errorf("Take gives %v, want %d", v, i)
						}
					}
				}
				handle.New(-1).Delete() // reuses the slot
			}()
		}
		wg.Wait()
		if n := won.Load(); n != 1 {
			t.Fatalf("%d goroutines deleted one handle", n)
		}
	}
}

// recorder records the messages of a failing test.
type recorder struct{ text string }

func (r *recorder) Helper()                           {}
func (r *recorder) Errorf(format string, args ...any) { r.text += fmt.Sprintf(format, args...) }

// TestAssertNone runs in a new process, because other tests leave handles live.
func TestAssertNone(t *testing.T) {
	if os.Getenv("HANDLE_TEST_CHILD") != "" {
		var r recorder
		handle.AssertNone(&r)
		fmt.Printf("none: %q\n", r.text)
		h := makesOne()
		handle.AssertNone(&r)
		fmt.Println(r.text)
		h.Take()
		handle.AssertNone(t)
		return
	}
	for debug, want := range map[string]string{
		"":          "handle: there are live handles\nhandles: 1 live\nstart the program with RUSTGODEBUG=handles=1 to see where they were made\n",
		"handles=1": "handle: there are live handles\nhandles: 1 live\n\n1 made at\n\trustgo.dev/go/handle_test.makesOne\n",
	} {
		cmd := again("-test.run=^TestAssertNone$")
		cmd.Env = append(os.Environ(), "HANDLE_TEST_CHILD=1", "RUSTGODEBUG="+debug)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "none: \"\"\n"+want) {
			t.Errorf("with %q: %v, no %q in:\n%s", debug, err, want, out)
		}
	}
}
