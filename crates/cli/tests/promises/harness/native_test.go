package promises

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
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
