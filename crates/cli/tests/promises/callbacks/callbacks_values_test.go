package promises

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rustgo.dev/go/rt"
	values "scratch/callbacks_values"
)

func TestCallbackValues(t *testing.T) {
	grow := func() { deepen(200); runtime.GC() }
	check := func(got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	check(values.Texts("aé", func(a, b string) string { grow(); return strings.Repeat(a+b, 2) }), "aéAÉaéAÉ.")
	check(values.Texts("", func(a, b string) string { return "" }), ".")
	check(values.Lists([]uint16{1, 2}, func(a []uint16, b []string, n uint8) []uint32 {
		grow()
		return append(make([]uint32, 0, 100), uint32(a[0])+uint32(a[1]), uint32(len(b)), uint32(n))
	}), 3+2+7)
	check(values.Lists(nil, func(a []uint16, b []string, n uint8) []uint32 { return nil }), 0)
	check(values.Pairs(
		func() (uint8, string) { return 200, "two" },
		func(b []byte) (float32, []byte, bool) { return -0.5, append(b, '!'), true },
		func() (string, string, int8, rune) { return "a", strings.Repeat("b", 3), -1, 'é' },
	), `(200, "two") (-0.5, [120, 121, 122, 33], true) ("a", "bbb", -1, 'é')`)
	check(values.Optional(
		func(i uint64) (string, bool) { return "s", i == 1 },
		func(i uint64) (uint16, bool) { return 9, i == 0 },
	), `None Some("s") Some(9) None`)
	point := func(p values.Point, all []values.Point) values.Point {
		return values.Point{X: p.X + all[0].X, Color: all[0].Color}
	}
	red, runes := func() values.Color { return values.ColorRed }, func() [2]rune { return [2]rune{1, 2} }
	check(values.Points(point, red, runes), 31204)
	check(values.Closures([]string{"ccc", "a", "bb"}, func(s string) uint32 { return uint32(len(s)) }), "[a bb ccc]")

	check(values.Runes(func() []rune { return []rune("aé") }), "aé")

	// Go functions return values that Rust's types cannot hold.
	for what, f := range map[string]func(){
		"a Go function has returned a text that is not valid UTF-8 (byte 1)": func() { values.Texts("", func(a, b string) string { return "a\xff" }) },
		"a Go function has returned a number that is no Color":               func() { values.Points(point, func() values.Color { return 77 }, runes) },
		"a Go function has returned a slice that holds an invalid rune":      func() { values.Runes(func() []rune { return []rune{'a', 0xd800} }) },
		"a Go function has returned an invalid rune":                         func() { values.Points(point, red, func() [2]rune { return [2]rune{1, 0xd800} }) },
	} {
		if p := panicked(t, what, f); p.Message != what {
			t.Error(p.Message)
		}
	}
}

// goPanic returns the value of the panic of f.
func goPanic(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

// deepen makes the stack grow by n KiB.
//
//go:noinline
func deepen(n int) (sum byte) {
	var block [1024]byte
	block[n%1024] = byte(n)
	if n > 0 {
		sum = deepen(n - 1)
	}
	return sum + block[n%1024/2]
}

// A slice that the export returns as a part of its argument lies in a copy of the argument (docs/callbacks.md).
func TestCallbacksAndBorrowedResults(t *testing.T) {
	data := []uint16{1, 2, 3}
	rest := values.Rest(data, func([]uint16) { data[1] = 7 })
	if fmt.Sprint(rest) != "[2 3]" {
		t.Error(rest)
	}
	rest[1] = 9
	if fmt.Sprint(data, rest) != "[1 7 3] [2 9]" {
		t.Error(data, rest)
	}
}

// listError is an error of a type that Go cannot compare.
type listError []string

func (e listError) Error() string { return strings.Join(e, " ") }

// A Rust error whose source is a Go error that Go cannot compare can be compared, by == and by errors.Is.
func TestErrorsWithSourcesThatGoCannotCompare(t *testing.T) {
	load := func(name string) error {
		_, err := values.Load(name, func(string) ([]byte, bool, error) { return nil, false, listError{"no", name} })
		return err
	}
	first, second := load("file"), load("file")
	if !errors.Is(first, second) || errors.Is(first, load("other")) {
		t.Error("errors.Is does not compare the fields")
	}
	if same := first; first != same || first == second {
		t.Error("== does not compare the values")
	}
	var list listError
	if !errors.As(first, &list) || list.Error() != "no file" {
		t.Error(list)
	}
}

// If a callback writes to memory that the export reads, Rust does not see the writes.
func TestCallbacksThatWrite(t *testing.T) {
	text := []byte("aéaéaéaé")
	var seen []rune
	if n := values.Chars(text, func(r rune) {
		seen = append(seen, r)
		for i := range text {
			text[i] = 0xf4
		}
	}); n != 8 || string(seen) != "aéaéaéaé" {
		t.Error(n, string(seen))
	}
	parts, lists, number := []string{"one", "three"}, [][]byte{{1, 2}, {3}}, uint64(10)
	if sum := values.Lens(parts, lists, &number, func(uint64) {
		number = 99
		for i, list := range lists {
			if len(list) > 0 {
				list[0] = 200
			}
			lists[i], parts[i] = nil, ""
		}
	}); sum != 3+3+10+5+3+10 {
		t.Error(sum)
	}
	if sum := values.Lens(nil, nil, new(uint64), ignore); sum != 0 {
		t.Error(sum)
	}
}

func ignore(uint64) {}

type indexed struct{ number int }

type codedError struct{ code int }

func (e *codedError) Error() string { return fmt.Sprint("code ", e.code) }

// The errors of Go functions keep their identity.
func TestCallbackErrors(t *testing.T) {
	live := rt.HeapLive()
	for range times(20) {
		mine := &codedError{7}
		same := func(name string, err error) {
			t.Helper()
			if err != error(mine) {
				t.Errorf("%s: %v", name, err)
			}
		}
		_, err := values.Plain(func() (uint64, error) { return 1, mine })
		same("Plain", err)
		same("Boxed", values.Boxed(func() error { return mine }))
		_, err = values.Converted(func() (string, bool, error) { return "", false, mine })
		same("Converted", err)
		if n, err := values.Plain(func() (uint64, error) { return 1, nil }); n != 2 || err != nil {
			t.Error(n, err)
		}
		if text, err := values.Converted(func() (string, bool, error) { return "text", true, nil }); text != "text" || err != nil {
			t.Error(text, err)
		}

		_, err = values.Wraps(func(string) (string, error) { return "", mine })
		var coded *codedError
		if !errors.Is(err, mine) || !errors.As(err, &coded) || err.Error() != "wrapped: wrapped: code 7" {
			t.Error(err)
		}
		if inner := errors.Unwrap(err); inner.Error() != "wrapped: code 7" || errors.Unwrap(inner) != error(mine) {
			t.Error(inner)
		}
		_, err = values.Load("file", func(name string) ([]byte, bool, error) { return nil, true, fmt.Errorf("%s: %w", name, fs.ErrNotExist) })
		var load values.LoadError
		if !errors.As(err, &load) || load.Name != "file" || !errors.Is(err, fs.ErrNotExist) || errors.Unwrap(err).Error() != "file: file does not exist" {
			t.Error(err)
		}
		if data, err := values.Load("file", func(name string) ([]byte, bool, error) { return []byte(name), true, nil }); string(data) != "file" || err != nil {
			t.Error(data, err)
		}
		// A panic in the method Error of a returned error is a panic of the call.
		if got := goPanic(func() { values.Boxed(func() error { return (*codedError)(nil) }) }); got == nil {
			t.Error("no panic")
		}
		for err, kind := range map[error]string{
			nil: "", errors.New(""): "Other", fs.ErrNotExist: "NotFound", &fs.PathError{Err: os.ErrPermission}: "PermissionDenied",
			fs.ErrExist: "AlreadyExists", os.ErrDeadlineExceeded: "TimedOut", io.EOF: "UnexpectedEof", io.ErrUnexpectedEOF: "UnexpectedEof",
			io.ErrShortWrite: "WriteZero", io.ErrClosedPipe: "BrokenPipe",
		} {
			if got := values.KindOf(func() error { return err }); got != kind {
				t.Errorf("%v is %s", err, got)
			}
		}
	}
	if now := rt.HeapLive(); now > live+4096 {
		t.Errorf("%d bytes are live, before %d", now, live)
	}
}

// Rust may drop more errors than it can keep at one time.
func TestCallbackErrorsThatAreDropped(t *testing.T) {
	err := errors.New("odd")
	n := uint64(times(3000)) * 100
	if got := values.Drops(n, func(i uint64) (uint64, error) {
		if i%2 == 1 {
			return 0, err
		}
		return i, nil
	}); got != n/2 {
		t.Error(got)
	}
}

// collectedWithin tells whether the counter reaches n after some collections.
func collectedWithin(counter *atomic.Int64, n int64) bool {
	for range 2000 {
		runtime.GC()
		if counter.Load() == n {
			return true
		}
		time.Sleep(time.Millisecond) // cleanups run on goroutines of their own, which wait on a busy machine
	}
	return false
}

func TestKeptFunctions(t *testing.T) {
	var collected atomic.Int64
	made := int64(0)
	tagged := func(tag string) func(string) (string, error) {
		made++
		big := &[100]string{tag}
		runtime.AddCleanup(big, func(int) { collected.Add(1) }, 0)
		return func(s string) (string, error) { deepen(20); return s + big[0], nil }
	}
	store := values.NewStore(nil)
	for i := range 5 {
		if got := store.Add("five5", tagged(fmt.Sprint(i))); got != 5 {
			t.Error(got)
		}
	}
	runtime.GC()
	runtime.GC()
	var seen []string
	if got, err := store.Run("x", func(s string) { seen = append(seen, s) }); got != "x01234" || err != nil || len(seen) != 5 {
		t.Error(got, err, seen)
	}
	if n := collected.Load(); n != 0 {
		t.Errorf("%d functions are gone", n)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range times(100) {
				if got, err := store.RunAlone("y"); got != "y01234" || err != nil {
					t.Error(got, err)
				}
			}
		})
	}
	wg.Wait()
	if p := panicked(t, "Panics", func() { store.Panics("z") }); p.Message != "Rust's own panic" {
		t.Error(p)
	}
	// The function is not kept if the call panics before Rust has it.
	if p := panicked(t, "Add", func() { store.Add("\xff", tagged("")) }); !strings.Contains(p.Message, "UTF-8") {
		t.Error(p)
	}
	if !collectedWithin(&collected, 1) {
		t.Errorf("%d functions are collected", collected.Load())
	}
	if p := panicked(t, "Add", func() { store.Add("", nil) }); p.Message != "nil pointer passed for parameter f" {
		t.Error(p)
	}
	if values.Outside(store) {
		t.Error("a function was called outside of a task")
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	if !collectedWithin(&collected, made) {
		t.Errorf("%d of %d functions are collected", collected.Load(), made)
	}

	failure := &codedError{1}
	store = values.NewStore(func(s string) (string, error) { return "", failure })
	if _, err := store.RunAlone("x"); err != error(failure) {
		t.Error(err)
	}
	if !store.Fail() {
		t.Error("no error")
	}
	runtime.GC()
	if err := store.Last(); err != error(failure) {
		t.Error(err)
	}
	if err := store.Last(); err != nil {
		t.Error(err)
	}
	if got := goPanic(func() { values.NewStore(func(string) (string, error) { panic(failure) }).RunAlone("") }); got != failure {
		t.Error(got)
	}
	store.Fail()
	store.Forget()
	runtime.KeepAlive(store)
}

// A panic of a Go function leaves nothing on the stack once Rust has caught it. Rust can resume the panic later.
func TestCaughtPanicsOfCallbacks(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	n := uint64(times(300)) * 100
	done := make(chan bool)
	go func() {
		defer close(done)
		if got := values.Catches(n, func(i uint64) { panic(indexed{int(i)}) }, n); got != n {
			t.Error(got)
		}
	}()
	<-done
	for i := range uint64(4) {
		if got := goPanic(func() { values.Catches(i, func(i uint64) { panic(indexed{int(i)}) }, 4) }); got != (indexed{int(i)}) {
			t.Errorf("%v goes on instead of %d", got, i)
		}
	}
	// Some calls panic, and the calls after them return.
	for _, every := range []uint64{2, 3, 7} {
		f := func(i uint64) {
			if i%every == 0 {
				panic("caught")
			}
		}
		if got := values.Catches(100, f, 42); got != 42/every {
			t.Errorf("%d of 42 panics are caught, want %d", got, 42/every)
		}
	}
	if got := goPanic(func() { values.Nested(func(i uint64) { panic(indexed{int(i)}) }) }); got != (indexed{0}) {
		t.Error(got)
	}
	// After runtime.Goexit in a Go function, Rust catches the unwinding and calls more Go functions before the goroutine ends.
	var calls atomic.Int64
	end := make(chan bool)
	go func() {
		defer close(end)
		values.Catches(10, func(i uint64) {
			calls.Add(1)
			if i%2 == 0 {
				runtime.Goexit()
			}
			panic("odd")
		}, 6)
		t.Error("the goroutine has not ended")
	}()
	<-end
	if n := calls.Load(); n != 6 {
		t.Errorf("%d calls", n)
	}
}

// changingError returns a different text from each call of Error.
type changingError struct{ n int }

func (e *changingError) Error() string { e.n++; return fmt.Sprint("call ", e.n) }

// isPanics is an error whose method Is panics.
type isPanics struct{}

func (isPanics) Error() string { return "text" }
func (isPanics) Is(error) bool { panic("Is") }

// An error keeps its identity, whatever its text is and however often Rust returns it.
func TestCallbackErrorsThatAreOdd(t *testing.T) {
	for _, mine := range []error{errors.New("not \xff UTF-8"), &changingError{}, errors.New("")} {
		if _, err := values.Plain(func() (uint64, error) { return 0, mine }); err != mine {
			t.Errorf("%T %q", err, err)
		}
		if _, err := values.Converted(func() (string, bool, error) { return "", false, mine }); err != mine {
			t.Errorf("%T %q", err, err)
		}
		once := values.NewOnce()
		_, err := once.Get(func() (uint64, error) { return 0, mine })
		runtime.GC()
		for range 3 {
			if errors.Unwrap(err) != mine {
				t.Errorf("%T %q", err, err)
			}
			_, err = once.Last()
		}
		once.Close()
	}
	// Rust knows a Go error by a number. If calls that panic in Is kept the numbers of their errors, the numbers would run out.
	for range times(10000) * 30 {
		if got := goPanic(func() { values.Plain(func() (uint64, error) { return 0, isPanics{} }) }); got != "Is" {
			t.Fatal(got)
		}
	}
}

// Rust knows a Go function by a number. Takes drops its function, so the number is used again, while collections search for released numbers.
func TestKeptFunctionsAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	var stop atomic.Bool
	collected := make(chan bool)
	go func() {
		for !stop.Load() {
			runtime.GC()
		}
		close(collected)
	}()
	for g := range 8 {
		wg.Go(func() {
			for i := range times(50_000) {
				want := uint64(g)<<32 + uint64(i)
				if got := values.Takes(func() uint64 { return want }); got != want {
					t.Errorf("%x, want %x", got, want)
				}
			}
		})
	}
	wg.Wait()
	stop.Store(true)
	<-collected
}

// Rust resumes a Go panic that it has caught in another call. This makes a Rust panic, and not the Go panic of this call.
func TestPanicsKeptAcrossCalls(t *testing.T) {
	values.KeepPanic(func() { panic("first") })
	if p, _ := goPanic(func() { values.ResumePanic(func() { panic("second") }) }).(*rt.Panic); p == nil {
		t.Error("another panic")
	}
}

func TestNamesOfParameters(t *testing.T) {
	if n := values.Named(func() (uint8, string) { return 1, "" }, func() (string, uint8) { return "", 2 }); n != 3 {
		t.Error(n)
	}
}

// A destructor runs because of a panic, and calls a Go function that calls runtime.Goexit. This aborts the panic, as in Go, although Rust catches the
// unwinding.
func TestGoroutinesThatEndInDestructors(t *testing.T) {
	for _, first := range []func(){func() { panic("first") }, runtime.Goexit} {
		for at := range uint64(3) {
			done := make(chan any)
			go func() {
				defer func() { done <- recover() }()
				values.Nested(func(i uint64) {
					switch i {
					case 0:
						first()
					case at + 1:
						runtime.Goexit()
					default:
						panic("in a destructor")
					}
				})
				t.Error("goes on")
			}()
			if value := <-done; value != nil {
				t.Errorf("%T %v", value, value)
			}
		}
	}
}

// A list in the Rust heap refers to the copies of the arguments. They live until Go has copied the list.
func TestListsThatBorrowFromCopies(t *testing.T) {
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	defer func() { close(stop); <-ended }()
	for range times(20) {
		count := 20_000
		data := bytes.Repeat([]byte("word "), count)
		words := values.Words(data, func(word string) bool { return word != "" })
		if len(words) != count {
			t.Fatalf("%d words, want %d", len(words), count)
		}
		for i, word := range words {
			if word != "word" {
				t.Fatalf("the word %d is %q", i, word)
			}
		}
		texts := make([]string, count)
		for i := range texts {
			texts[i] = string(append([]byte("a long text "), byte('a'+i%26)))
		}
		long, err := values.Longest(texts, func() uint32 { return 4 })
		if err != nil || len(long) != 2*count {
			t.Fatalf("%d words, %v, want %d", len(long), err, 2*count)
		}
		for i, word := range long {
			if want := [2]string{"long", "text"}[i%2]; word != want {
				t.Fatalf("the word %d is %q, want %q", i, word, want)
			}
		}
	}
}
