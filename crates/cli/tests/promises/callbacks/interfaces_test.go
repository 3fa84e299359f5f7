package promises

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rustgo.dev/go/handle"
	"rustgo.dev/go/rt"
	"scratch/interfaces"
)

// mapLoader loads from a map.
type mapLoader map[string]string

func (m mapLoader) Load(name string) ([]byte, error) {
	useStack(50)
	if text, ok := m[name]; ok {
		return []byte(text), nil
	}
	return nil, &fs.PathError{Op: "load", Path: name, Err: fs.ErrNotExist}
}

func (m mapLoader) Exists(name string) bool {
	runtime.GC()
	return strings.HasPrefix(name, "ghost") || m[name] != ""
}

// Get makes a mapLoader an interfaces.Shared too.
func (m mapLoader) Get(key string) (string, bool) {
	text, ok := m[key]
	return " shared " + text, ok
}

// fileLoader loads from files. It implements interfaces.Loader only as a pointer, and it has a method that is not in the interface: Close.
type fileLoader struct {
	files fs.FS
	io.Closer
	loads atomic.Int64
}

func (l *fileLoader) Load(name string) ([]byte, error) {
	l.loads.Add(1)
	return fs.ReadFile(l.files, name)
}

func (l *fileLoader) Exists(name string) bool {
	_, err := l.files.Open(name)
	return err == nil
}

func TestInterfaces(t *testing.T) {
	loader := mapLoader{"a": "text of a", "é": "ü"}
	for name, want := range map[string]string{"a": "9 text of a", "é": "2 ü", "b": "nothing", "": "nothing"} {
		if got, err := interfaces.Render(name, loader); got != want || err != nil {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	// The error is the value that the method has returned.
	_, err := interfaces.Render("ghost", loader)
	var path *fs.PathError
	if !errors.As(err, &path) || path.Path != "ghost" || !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if got := fmt.Sprint(interfaces.Sizes("a", loader, func(uint64) {}, loader)); got != "[9 9]" {
		t.Error(got)
	}
	var between uint64
	if got := fmt.Sprint(interfaces.Sizes("b", nil, func(n uint64) { between = n }, loader)); got != "[-2 -1]" || between != 1<<64-2 {
		t.Error(got, between)
	}
	if got := fmt.Sprint(interfaces.Sizes("é", loader, func(uint64) {}, nil)); got != "[2 -2]" {
		t.Error(got)
	}
}

type stepError struct{ code int }

func (e *stepError) Error() string { return fmt.Sprint("step ", e.code) }

// useStack makes the stack grow by n KiB.
//
//go:noinline
func useStack(n int) (sum byte) {
	var block [1024]byte
	block[n%1024] = byte(n)
	if n > 0 {
		sum = useStack(n - 1)
	}
	return sum + block[n%1024/2]
}

// valuesCollected tells whether the counter reaches n after some collections.
func valuesCollected(counter *atomic.Int64, n int64) bool {
	for range 200 {
		runtime.GC()
		if counter.Load() == n {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

// everything has all methods of interfaces.All.
type everything struct {
	t       *testing.T
	called  int
	check   error
	builder *strings.Builder
}

func (e *everything) Nothing() { e.called++; useStack(200) }

func (e *everything) Numbers(a uint8, b int64, c float32, d rune) float64 {
	return float64(a) + float64(b)*10 + float64(c)*100 + float64(d)*1000
}

func (e *everything) OneByte(x uint8) uint8 { runtime.GC(); return x * 2 }

func (e *everything) Texts(text, owned string) string { return strings.Repeat(text+owned, 2) }

func (e *everything) Lists(list []uint16, texts []string, lists [][]byte) []uint32 {
	runtime.GC()
	if texts[0] != "x" || texts[1] != "" || len(lists[0]) != 0 || lists[1][0] != 9 {
		e.t.Error(texts, lists)
	}
	return append(make([]uint32, 0, 100), uint32(list[0]), uint32(list[1]), uint32(len(texts)), uint32(len(lists)))
}

func (e *everything) Pair() (uint8, string) { return 200, "two" }

func (e *everything) Four(x uint8) (string, []byte, int8, rune) {
	return strings.Repeat("a", int(x)), []byte{x, 2}, -1, 'é'
}

func (e *everything) Maybe(n uint64) (string, bool) { return "some", n == 1 }

func (e *everything) Perhaps(n uint64) (uint16, bool, error) { return 9, n == 0, nil }

func (e *everything) Point(point interfaces.Point, points []interfaces.Point, color interfaces.Color) interfaces.Point {
	return interfaces.Point{X: point.X + points[0].X*10 + points[1].X*100, Color: color}
}

func (e *everything) Array(array [3]uint16) [2]rune {
	return [2]rune{'a' + rune(array[0]), 'a' + rune(array[2])}
}

func (e *everything) Object(counter *interfaces.Counter, builder handle.Of[*strings.Builder]) uint64 {
	defer counter.Close()
	if builder.Value() != e.builder {
		e.t.Error("another builder")
	}
	return counter.Count()
}

func (e *everything) Check() error { return e.check }

func (e *everything) Both() (string, bool, error) { return "both", true, nil }

func (e *everything) WithOtherName(a bool, b uint8, c, d uint64) bool {
	return a && b == 1 && c == 2 && d == 3
}

// Each method gets its arguments and returns its results unchanged. The methods have parameters and results of all types.
func TestInterfacesOfEverything(t *testing.T) {
	live := rt.HeapLive()
	for range times(20) {
		all := &everything{t: t, builder: new(strings.Builder)}
		builder := handle.NewOf(all.builder)
		got, err := interfaces.Everything(all, builder)
		builder.Delete()
		parts := strings.Split(got, "|")
		for i, want := range []string{
			"233031.0", "14", "aébbbaébbb", "[1, 2, 2, 2]", `(200, "two")`, `("aaa", [3, 2], -1, 'é')`, `None Some("some")`, "Some(9) None",
			"Point { x: 266.5, color: Blue }", "['b', 'd']", "77", `("both", true)`, "true",
		} {
			if i >= len(parts) || parts[i] != want {
				t.Fatalf("%d: %q, want %q", i, got, want)
			}
		}
		if err != nil || all.called != 1 {
			t.Error(err, all.called)
		}
		all.check = &stepError{7}
		all.builder = new(strings.Builder)
		builder = handle.NewOf(all.builder)
		if _, err := interfaces.Everything(all, builder); err != all.check {
			t.Error(err)
		}
		builder.Delete()
		if err := interfaces.Fails(all, false); err != all.check {
			t.Error(err)
		}
		var coded *stepError
		if err := interfaces.Fails(all, true); !errors.As(err, &coded) || coded.code != 7 {
			t.Error(err)
		}
		all.check = nil
		if err := interfaces.Fails(all, true); err != nil {
			t.Error(err)
		}
	}
	runtime.GC()
	if now := rt.HeapLive(); now > live+4096 {
		t.Errorf("%d bytes are live, before %d", now, live)
	}
}

// stepper is a function with a method.
type stepper func(uint64) uint64

func (s stepper) Step(n uint64) uint64 { return s(n) }

// Methods can call Rust again, and panic, and end their goroutine.
func TestInterfacesThatNest(t *testing.T) {
	var depth atomic.Int64
	var again stepper
	again = func(n uint64) uint64 {
		depth.Add(1)
		return n + interfaces.Steps(n-1, again)
	}
	if got := interfaces.Steps(6, again); got != 120 || depth.Load() != 63 {
		t.Error(got, depth.Load())
	}
	var wg sync.WaitGroup
	for g := range uint64(8) {
		wg.Go(func() {
			for range times(100) {
				if got := interfaces.Steps(3, stepper(func(n uint64) uint64 { return n * g })); got != 6*g {
					t.Error(got)
				}
			}
		})
	}
	wg.Wait()
	mine := &stepError{3}
	if got := caught(func() { interfaces.Steps(2, stepper(func(uint64) uint64 { panic(mine) })) }); got != any(mine) {
		t.Error(got)
	}
	var steps []uint64
	if got := caught(func() {
		interfaces.Destructs(stepper(func(n uint64) uint64 {
			steps = append(steps, n)
			if n == 1 {
				panic(mine)
			}
			return n
		}))
	}); got != any(mine) || fmt.Sprint(steps) != "[1 0]" {
		t.Error(got, steps)
	}
	if got := interfaces.Catches(7, stepper(func(n uint64) uint64 {
		if n%2 == 0 {
			panic(n)
		}
		return n
	})); got != 4 {
		t.Error(got)
	}
	ended := make(chan bool)
	go func() {
		defer close(ended)
		interfaces.Steps(1, stepper(func(uint64) uint64 { runtime.Goexit(); return 0 }))
		t.Error("the goroutine has not ended")
	}()
	<-ended
	if got := interfaces.Foreign(stepper(func(uint64) uint64 { depth.Add(-21); return uint64(max(depth.Load(), 0)) })); got != 42+21 {
		t.Error(got)
	}
	plus := func(plus uint64) stepper { return func(n uint64) uint64 { return n + plus } }
	if got := interfaces.Borrowed(plus(0), plus(1), plus(2), 1); got != 321 {
		t.Error(got)
	}
	if got := interfaces.Shown(plus(0), plus(1)); got != "Stepper Stepper" {
		t.Error(got)
	}
}

// A nil value is refused unless the parameter is an Option. A nil pointer in an interface is a value.
func TestInterfacesThatAreNil(t *testing.T) {
	if p := panicked(t, "Render", func() { interfaces.Render("a", nil) }); p.Message != "nil pointer passed for parameter loader" {
		t.Error(p)
	}
	if p := panicked(t, "Takes", func() { interfaces.Takes(1, nil) }); p.Message != "nil pointer passed for parameter step" {
		t.Error(p)
	}
	if err, ok := caught(func() { interfaces.Render("a", (*fileLoader)(nil)) }).(runtime.Error); !ok || !strings.Contains(err.Error(), "nil pointer") {
		t.Error(err)
	}
	if got, err := interfaces.Render("a", mapLoader(nil)); got != "nothing" || err != nil {
		t.Error(got, err)
	}
}

// Rust keeps Go values until it drops them.
func TestInterfacesThatAreKept(t *testing.T) {
	var collected atomic.Int64
	made := int64(0)
	tagged := func(tag string) *fileLoader {
		made++
		loader := &fileLoader{files: mapFS{"a": tag, "b": ""}}
		runtime.AddCleanup(loader, func(int) { collected.Add(1) }, 0)
		return loader
	}
	store := interfaces.NewStore(nil)
	for i := range 3 {
		if got := store.Add("five5", tagged(fmt.Sprint("tag", i))); got != 5 {
			t.Error(got)
		}
	}
	store.Share(mapLoader{"a": "A"})
	runtime.GC()
	runtime.GC()
	var asked string
	if got, err := store.Run("a", func(name string) { asked = name }); got != "4 tag0,4 tag1,4 tag2 shared A" || err != nil || asked != "a" {
		t.Error(got, err, asked)
	}
	if got, err := store.Alone("c"); got != "nothing,nothing,nothing" || err != nil {
		t.Error(got, err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range times(50) {
				if got, err := store.Alone("a"); got != "4 tag0,4 tag1,4 tag2" || err != nil {
					t.Error(got, err)
				}
			}
		})
	}
	wg.Wait()
	// The value is not kept if the call panics before Rust has it.
	if p := panicked(t, "Add", func() { store.Add("\xff", tagged("")) }); !strings.Contains(p.Message, "UTF-8") {
		t.Error(p)
	}
	if !valuesCollected(&collected, 1) {
		t.Errorf("%d values are collected", collected.Load())
	}
	if p := panicked(t, "Add", func() { store.Add("", nil) }); p.Message != "nil pointer passed for parameter loader" {
		t.Error(p)
	}
	if p := panicked(t, "Outside", func() { interfaces.Outside(store) }); p.Message != "a Go function was called outside of a call that runs as a task: the export lacks the option `task`" {
		t.Error(p)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	if !valuesCollected(&collected, made) {
		t.Errorf("%d of %d values are collected", collected.Load(), made)
	}

	// Rust drops the values of one store in a method. The values of another store are dropped when the collector finds the store.
	store = interfaces.NewStore(tagged("x"))
	store.Forget()
	if !valuesCollected(&collected, made) {
		t.Errorf("%d of %d values are collected", collected.Load(), made)
	}
	runtime.KeepAlive(store)
	func() { interfaces.NewStore(tagged("y")).Alone("a") }()
	if !valuesCollected(&collected, made) {
		t.Errorf("%d of %d values are collected", collected.Load(), made)
	}
}

// mapFS is a file system of a map.
type mapFS map[string]string

func (m mapFS) Open(name string) (fs.File, error) {
	if text, ok := m[name]; ok {
		return &mapFile{strings.NewReader(text)}, nil
	}
	return nil, fs.ErrNotExist
}

type mapFile struct{ *strings.Reader }

func (mapFile) Close() error               { return nil }
func (mapFile) Stat() (fs.FileInfo, error) { return nil, fs.ErrInvalid }

// Rust knows a Go value by a number. Takes drops its value, so the number is used again, while collections search for released numbers.
func TestInterfacesKeptAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	var stop atomic.Bool
	collected := make(chan bool)
	go func() {
		for !stop.Load() {
			runtime.GC()
		}
		close(collected)
	}()
	for g := range uint64(8) {
		wg.Go(func() {
			for i := range uint64(times(20_000)) {
				if got := interfaces.Takes(i, stepper(func(n uint64) uint64 { return n<<8 | g })); got != i<<8|g {
					t.Errorf("%x, want %x", got, i<<8|g)
				}
			}
		})
	}
	wg.Wait()
	stop.Store(true)
	<-collected
}
