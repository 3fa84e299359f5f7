package promises

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"rustgo.dev/go/rt"
)

// line calls f and returns the line that the native program prints for the same call: the result or the panic.
func line(f func(uint64) uint64, x uint64) (text string) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *rt.Panic:
			text = fmt.Sprintf("panic %d:%d %s", v.Line, v.Column, strings.ReplaceAll(v.Message, "\n", `\n`))
		default:
			text = fmt.Sprint("panic in Go: ", v)
		}
	}()
	return fmt.Sprint(f(x))
}

// TestNative compares the results of the functions in PACKAGES with the native results: first in this goroutine, then on stacks that must grow
// while the collector runs.
func TestNative(t *testing.T) {
	file, err := os.Open(os.Getenv("WANT"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	stop := make(chan bool)
	defer close(stop)
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
				runtime.Gosched()
			}
		}
	}()
	packages := strings.Split(os.Getenv("PACKAGES"), ",")
	count, wrong := 0, map[string]int{}
	lines := bufio.NewScanner(file)
	for n := 0; lines.Scan(); n++ {
		name, rest, _ := strings.Cut(lines.Text(), " ")
		if in, _, _ := strings.Cut(name, "."); !slices.Contains(packages, in) {
			continue
		}
		count++
		input, want, _ := strings.Cut(rest, " ")
		x, err := strconv.ParseUint(input, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		got := line(functions[name], x)
		if n%17 == 0 && got == want {
			fresh(t, func() { got = line(functions[name], x) })
		}
		if got != want && wrong[name] < 3 {
			wrong[name]++
			t.Errorf("%s(%d) = %s, natively %s", name, x, got, want)
		}
	}
	if count == 0 {
		t.Error("no results of ", packages)
	}
}

// functionsOf returns the functions of a package that are compared with native results, in the order of their names.
func functionsOf(pkg string) (names []string) {
	for name := range functions {
		if strings.HasPrefix(name, pkg+".") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// leavesNothing calls each function of a package with many inputs, and recovers its panics. Then it does so again. The first round may allocate
// statics and thread-local variables. The second round must leave as many bytes in the Rust heap as there were before it.
func leavesNothing(t *testing.T, pkg string) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, name := range functionsOf(pkg) {
		all := func() {
			for x := range uint64(100) {
				line(functions[name], x)
			}
		}
		all()
		before := rt.HeapLive()
		all()
		if left := int64(rt.HeapLive() - before); left != 0 {
			t.Errorf("%s leaves %d bytes", name, left)
		}
	}
}

// onManyGoroutines calls the functions of a package on many goroutines at once, on stacks that must grow. The results must be the same as in one
// goroutine. It does not call the functions in alone, because they use a static.
func onManyGoroutines(t *testing.T, pkg string, alone ...string) {
	t.Helper()
	const inputs = 60
	names := slices.DeleteFunc(functionsOf(pkg), func(name string) bool { return slices.Contains(alone, strings.TrimPrefix(name, pkg+".")) })
	want := map[string][]string{}
	for _, name := range names {
		for x := range uint64(inputs) {
			want[name] = append(want[name], line(functions[name], x))
		}
	}
	slots := make(chan bool, 48) // rt can keep more than 48 messages at one time
	var wg sync.WaitGroup
	for id := range times(200) {
		wg.Go(func() {
			for i := range 3 {
				name := names[(id+7*i)%len(names)]
				for n := range inputs {
					x := (n + id) % inputs
					slots <- true
					got := line(functions[name], uint64(x))
					<-slots
					if got != want[name][x] {
						t.Errorf("%s(%d) = %s, alone %s", name, x, got, want[name][x])
					}
				}
			}
		})
	}
	wg.Wait()
}
