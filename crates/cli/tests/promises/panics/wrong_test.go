package promises

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"scratch/wrong"
)

// disturbed runs f while the collector runs, freed memory is reused, and other goroutines' stacks grow.
func disturbed(f func()) {
	stop, ended := make(chan struct{}), make(chan struct{})
	for _, disturb := range []func(){
		runtime.GC,
		func() { _ = strings.Repeat("z", 24000) },
		func() {
			done := make(chan byte)
			go func() { done <- deep(100) }()
			<-done
		},
	} {
		go func() {
			defer func() { ended <- struct{}{} }()
			for {
				select {
				case <-stop:
					return
				default:
					disturb()
				}
			}
		}()
	}
	f()
	close(stop)
	for range 3 {
		<-ended
	}
}

func TestWrongListsOfTexts(t *testing.T) {
	rounds := times(60)
	disturbed(func() {
		for i := range rounds {
			var text strings.Builder
			for line := range 1000 {
				fmt.Fprintf(&text, "%d,%d-abcdefghijklmnop,%d\n", i, line, i)
			}
			for line, row := range wrong.Rows(text.String()) {
				if want := fmt.Sprintf("%d|%d-abcdefghijklmnop|%d", i, line, i); strings.Join(row, "|") != want {
					t.Fatalf("table %d: line %d is %q, want %q", i, line, row, want)
				}
			}
		}
		for range rounds {
			fresh(t, func() { deep(120); wrongWords(t) })
		}
	})
}

//go:noinline
func wrongWords(t *testing.T) {
	var words [16000]byte
	for i := range words {
		words[i] = 'a' + byte(i/4%26)
		if i%4 == 3 {
			words[i] = ' '
		}
	}
	for i, word := range wrong.Words(words[:])[:3990] {
		if want := strings.Repeat(string(rune('a'+i%26)), 3); word != want {
			t.Errorf("word %d is %q, want %q", i, word, want)
			return
		}
	}
}

// wrongTail has an array that must be on the heap: the result points to the array, and Go's compiler must know that.
//
//go:noinline
func wrongTail() byte {
	var data [64]byte
	data[63] = 'x'
	tail := wrong.Tail(data[:], 32)
	deep(200)
	data[63] = 'y'
	return tail[31]
}

func TestWrongResultsThatLieInArguments(t *testing.T) {
	for range 20 {
		got := make(chan byte)
		go func() { got <- wrongTail() }()
		if tail := <-got; tail != 'y' {
			t.Fatalf("the array and its tail differ: %q", tail)
		}
		go func() {
			var text [100]byte
			for i := range text {
				text[i] = "a "[i%2]
			}
			n := byte(0)
			for piece := range wrong.Pieces(string(text[:])) {
				if deep(20); piece != "a" && n < 50 {
					n = 100
				}
				n++
			}
			got <- n
		}()
		if n := <-got; n != 51 {
			t.Fatalf("%d pieces", n)
		}
	}
}

func TestWrongIterators(t *testing.T) {
	for range wrong.Ones() {
		deep(1000)
		runtime.GC()
		break
	}
	for range 20 {
		names, i := *wrong.NewNames(1000), 0
		for name := range names.All() {
			if want := fmt.Sprintf("name number %d of the list of names", i); name != want {
				t.Fatalf("%q, want %q", name, want)
			}
			if i++; i == 4 {
				names = wrong.Names{}
				for range 5 {
					runtime.GC()
					time.Sleep(time.Millisecond)
				}
				for range 100 {
					wrong.NewNames(100)
				}
			}
		}
	}
}

func wrongList() []string { return []string{"a", "a", "a text that is long enough", "c", "", "d"} }

// After a panic, a value that Rust was changing is neither dropped nor used again, even if a lock protects the value.
func TestWrongPanics(t *testing.T) {
	for range 20 {
		for _, f := range []func(){
			func() { wrong.NewBag(wrongList()).Dedup() },
			func() {
				for range wrong.NewBag(wrongList()).Deduped() {
				}
			},
			func() { wrong.DedupBoth(wrong.NewBag(wrongList()), nil) },
			func() { wrong.DedupBoth(wrong.NewBag([]string{"", ""}), wrong.NewBag(wrongList())) },
			func() { wrong.NewSingle(wrongList()).Dedup() },
			func() {
				c := wrong.NewChanging(wrongList())
				defer c.Close()
				c.Dedup()
			},
		} {
			if got := panicked(t, "a change", f).Message; got != "empty" {
				t.Errorf("got %q", got)
			}
		}
		runtime.GC()
	}
	c := wrong.NewChanging(wrongList())
	panicked(t, "a text that is refused", func() { c.Name("\xff") })
	if got := len(c.Take()); got != 6 {
		t.Errorf("after a text that was refused: %d", got)
	}
	panicked(t, "a text that is refused", func() {
		for range c.Drain("\xff") {
		}
	})
	c.Take()
	c = wrong.NewChanging(wrongList())
	panicked(t, "a change", c.Dedup)
	if c.Name("abc") != 3 {
		t.Error("it cannot be read")
	}
	for call, change := range map[string]func(){
		"Take": func() { c.Take() }, "IntoList": func() { c.IntoList() },
		"Drain": func() {
			for range c.Drain("") {
			}
		},
	} {
		if got, want := panicked(t, call, change).Message, "Changing."+call+": the Changing cannot be changed any more: a call of Changing.Dedup panicked"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	s := wrong.NewSingle(wrongList())
	panicked(t, "a text that is refused", func() { s.Name("\xff") })
	s.Name("abc")
	panicked(t, "a change", s.Dedup)
	if got, want := panicked(t, "after a panic", func() { s.Name("") }).Message, "Single.Name: the Single cannot be used any more: a call of Single.Dedup panicked"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A destructor that panics in the collector's goroutine does not end the process. Destructors have the stated stack budget.
func TestWrongDestructors(t *testing.T) {
	if os.Getenv("WRONG") == "destructors" {
		func() {
			wrong.NewList(20000).First()
			wrong.NewBad(1)
			wrong.NewLong(20000)
		}()
		for range 10 {
			runtime.GC()
			time.Sleep(20 * time.Millisecond)
		}
		return
	}
	if emulated {
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestWrongDestructors$")
	cmd.Env = append(os.Environ(), "WRONG=destructors")
	out, err := cmd.CombinedOutput()
	said := string(out)
	if err != nil || strings.Count(said, "memory is lost: ") != 2 || !strings.Contains(said, "memory is lost: a destructor of this test") || !strings.Contains(said, "memory is lost: rust stack budget exhausted") {
		t.Errorf("%v\n%s", err, said)
	}
}

// While a thread waits (is parked), other threads may know the address of its local variables, for example through a queue of a crate. So the wait
// must not end in a panic, which would free the stack frame. The process ends instead.
func TestWrongPark(t *testing.T) {
	ways := map[string]func(){"park": wrong.Park, "wait": wrong.WaitUnlikeStd}
	if wait, ok := ways[os.Getenv("WRONG")]; ok {
		defer func() { recover() }()
		wait()
		return
	}
	if emulated || testing.Short() {
		return
	}
	for way := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run=^TestWrongPark$")
			cmd.Env = append(os.Environ(), "WRONG="+way)
			if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "has waited 10 s for another thread to wake it") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// The text of an error is read completely, although the error's Display writes a longer text on each call.
func TestWrongGrowingText(t *testing.T) {
	if text := wrong.Grow().Error(); len(text) < 200 || strings.Trim(text, "x") != "" {
		t.Errorf("%q", text)
	}
}
