//go:build linux

// Command regex compares packages/regex with Go's regexp, with other packages of its kind, and, if cargo is installed, with the crate regex called
// by a Rust program. All implementations do the same work on the same text, in turns in each pass. A result is the median of all passes, as
// processor time of the thread, so that other programs on the machine disturb less. The command prints tables.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/coregx/coregex"
	grafana "github.com/grafana/regexp"
	re2 "github.com/wasilibs/go-re2"

	"rustgo.dev/packages/regex"
)

// An engine is a compiled expression. All compared packages have these methods.
type engine interface {
	MatchString(s string) bool
	FindStringIndex(s string) []int
	FindStringSubmatch(s string) []string
	FindAllStringIndex(s string, n int) [][]int
	FindAllStringSubmatchIndex(s string, n int) [][]int
}

// A way is one implementation, with the function that compiles an expression.
type way struct {
	name    string
	compile func(expr string) (engine, error)
}

func as[E engine](compile func(string) (E, error)) func(string) (engine, error) {
	return func(expr string) (engine, error) { return compile(expr) }
}

var ways = []way{
	{"rustgo", as(regex.Compile)},
	{"regexp", as(regexp.Compile)},
	{"grafana", as(grafana.Compile)},
	{"go-re2", as(re2.Compile)},
	{"coregex", as(coregex.Compile)},
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

var found []int

// operate runs the operation of a case once and returns the number of matches.
func operate(e engine, c *testcase) int {
	switch c.operation {
	case "match":
		if e.MatchString(c.text) {
			return 1
		}
		return 0
	case "find":
		return len(e.FindStringIndex(c.text)) / 2
	case "groups":
		return min(len(e.FindStringSubmatch(c.text)), 1)
	case "append":
		appended, ok := e.(interface {
			AppendAllIndex(dst []int, b []byte, n int) []int
		})
		if !ok {
			return -1
		}
		found = appended.AppendAllIndex(found[:0], unsafe.Slice(unsafe.StringData(c.text), len(c.text)), -1)
		return len(found) / 2
	case "all":
		return len(e.FindAllStringIndex(c.text, -1))
	}
	return len(e.FindAllStringSubmatchIndex(c.text, -1))
}

// native is the running Rust program.
type native struct {
	in  io.Writer
	out *bufio.Reader
}

func start(folder string) *native {
	if _, err := exec.LookPath("cargo"); err != nil {
		fmt.Fprintln(os.Stderr, "no cargo: without Rust itself")
		return nil
	}
	target := filepath.Join(folder, "target")
	if other := os.Getenv("CARGO_TARGET_DIR"); other != "" {
		target = other
	}
	build := exec.Command("cargo", "build", "--release", "--quiet", "--manifest-path", filepath.Join(folder, "Cargo.toml"))
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		log.Fatal(err)
	}
	program := exec.Command(filepath.Join(target, "release", "regex-native"))
	program.Stderr = os.Stderr
	n := &native{in: must(program.StdinPipe()), out: bufio.NewReader(must(program.StdoutPipe()))}
	if err := program.Start(); err != nil {
		log.Fatal(err)
	}
	return n
}

func (n *native) run(c *testcase, least time.Duration) (ns float64, matches int) {
	fmt.Fprintf(n.in, "%s %d %d %d\n%s%s", strings.Replace(c.operation, "append", "all", 1), max(least.Milliseconds(), 1), len(c.rust), len(c.text), c.rust, c.text)
	must(fmt.Sscan(must(n.out.ReadString('\n')), &ns, &matches))
	return ns, matches
}

func main() {
	passes := flag.Int("passes", 5, "runs of each way")
	least := flag.Duration("time", 50*time.Millisecond, "least time of a run of a long text; short ones take a fifth")
	only := flag.String("only", "", "cases whose name matches")
	kinds := flag.String("kinds", "long,append,short,compile,once", "tables")
	names := flag.String("ways", "", "packages to compare with rustgo and regexp; all if empty")
	folder := flag.String("native", "native", "folder of the Rust program")
	flag.Parse()
	runtime.LockOSThread()
	if *names != "" {
		// rustgo and regexp stay first, because the tables compare the other implementations with them.
		ways = slices.Concat(ways[:2], slices.DeleteFunc(ways[2:], func(w way) bool {
			return !slices.Contains(strings.Split(*names, ","), w.name)
		}))
	}
	rust := start(*folder)
	selected := regexp.MustCompile(*only)
	for _, kind := range strings.Split(*kinds, ",") {
		cases := map[string]func() []testcase{"long": long, "append": appended, "short": short, "compile": compile, "once": once}[kind]()
		cases = slices.DeleteFunc(cases, func(c testcase) bool { return !selected.MatchString(c.name) })
		t := *least
		if kind != "long" {
			t /= 5
		}
		table(kind, cases, rust, *passes, t)
	}
}

// compile returns cases that measure the compilation of each expression.
func compile() (all []testcase) {
	for _, c := range append(long(), short()...) {
		c.operation, c.text = "compile", ""
		if !slices.ContainsFunc(all, func(other testcase) bool { return other.expr == c.expr }) {
			all = append(all, c)
		}
	}
	return all
}

// once returns cases that compile each expression and search once, in a text of at most 60 bytes.
func once() []testcase {
	texts := map[string]string{}
	for _, c := range append(long(), short()...) {
		texts[c.expr] = c.text[:min(len(c.text), 60)]
	}
	all := compile()
	for i := range all {
		all[i].operation, all[i].text = "once", texts[all[i].expr]
	}
	return all
}

// used returns the processor time of this thread.
func used() time.Duration {
	var now syscall.Timespec
	const threadTime = 3 // CLOCK_THREAD_CPUTIME_ID
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadTime, uintptr(unsafe.Pointer(&now)), 0); errno != 0 {
		log.Fatal(errno)
	}
	return time.Duration(now.Nano())
}

// table measures all implementations of each case, in turns in each pass. It prints ratios: the time of an implementation divided by rustgo's time.
func table(kind string, cases []testcase, rust *native, passes int, least time.Duration) {
	fmt.Printf("\n| %s | operation | matches | rustgo, ns |", kind)
	for _, w := range ways[1:] {
		fmt.Printf(" %s |", w.name)
	}
	fmt.Printf(" Rust |\n%s\n", strings.Repeat("|---", 4+len(ways))+"|")
	ratios := make([][]float64, len(ways)+1)
	best := []float64{}
	for i := range cases {
		c := &cases[i]
		times := make([][]float64, len(ways)+1)
		engines, counts := make([]engine, len(ways)), make([]int, len(ways))
		for i, w := range ways {
			if e, err := w.compile(c.expr); err == nil {
				engines[i] = e
				if !c.compiles() {
					counts[i] = operate(e, c)
				}
			}
		}
		want := counts[1]
		if c.operation == "append" {
			want = counts[0]
		}
		rustCount := want
		for range passes {
			for i, e := range engines {
				// An implementation is not measured if its number of matches differs from regexp's number, or from rustgo's number for append.
				if e == nil || counts[i] != want {
					continue
				}
				call := func() { operate(e, c) }
				switch c.operation {
				case "compile":
					call = func() { must(ways[i].compile(c.expr)) }
				case "once":
					call = func() { must(ways[i].compile(c.expr)).FindStringIndex(c.text) }
				}
				times[i] = append(times[i], measure(call, least))
			}
			if rust != nil {
				ns, count := rust.run(c, least)
				if !c.compiles() {
					rustCount = count
				}
				times[len(ways)] = append(times[len(ways)], ns)
			}
		}
		if counts[0] != want || rustCount != want {
			fmt.Fprintf(os.Stderr, "%s: %d matches, instead of %d, of Rust %d\n", c.name, counts[0], want, rustCount)
		}
		if times[0] == nil {
			fmt.Printf("| %s | %s | %d | wrong count |\n", c.name, c.operation, counts[0])
			continue
		}
		fmt.Printf("| %s | %s | %d | %.0f |", c.name, c.operation, counts[0], median(times[0]))
		other := math.Inf(1)
		for i := 1; i < len(times); i++ {
			if times[i] == nil {
				fmt.Printf(" – |")
				continue
			}
			ratio := median(times[i]) / median(times[0])
			fmt.Printf(" %.2f |", ratio)
			ratios[i] = append(ratios[i], ratio)
			if 1 < i && i < len(ways) {
				other = min(other, ratio)
			}
		}
		fmt.Println()
		if !math.IsInf(other, 1) {
			best = append(best, other)
		}
	}
	fmt.Printf("| geometric mean | | | |")
	for _, r := range ratios[1:] {
		if r == nil {
			fmt.Printf(" – |")
			continue
		}
		fmt.Printf(" %.2f |", mean(r))
	}
	fmt.Println()
	if len(best) > 0 {
		fmt.Printf("\nThe best other package of each case, without regexp: %.2f\n", mean(best))
	}
}

func measure(call func(), least time.Duration) float64 {
	runtime.GC()
	start, n, each := used(), 0, 1
	for n == 0 || used()-start < least {
		for range each {
			call()
		}
		n += each
		each = min(2*each, 1<<12)
	}
	return float64((used() - start).Nanoseconds()) / float64(n)
}

func median(times []float64) float64 {
	slices.Sort(times)
	return times[len(times)/2]
}

func mean(ratios []float64) float64 {
	sum := 0.0
	for _, r := range ratios {
		sum += math.Log(r)
	}
	return math.Exp(sum / float64(len(ratios)))
}
