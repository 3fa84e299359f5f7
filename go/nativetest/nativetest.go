package nativetest

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Package describes the package under test. The generated test fills it in.
type Package struct {
	// Command holds the arguments of the rustgo command that makes the native program.
	Command []string

	// Crate is the folder of the crate, relative to the test. The test uses literals in the crate's sources as arguments.
	Crate string

	// Exports maps Go names (Sum, Queue.Push) to functions. A method is a function whose first parameter is the receiver.
	Exports map[string]any

	// Constants holds the exported constants and variables.
	Constants map[string]any

	// Skip names exports that the test leaves out.
	Skip []string

	// RandomKeys names exports that may get random keys for the HashMaps of Rust's std. The order of such a map differs from program to program,
	// so a difference counts only if native programs with other keys agree.
	RandomKeys []string
}

// A test program may contain several copies of this package. All copies share these flags.
var (
	seedFlag   = stringFlag("rustgo.seed", "", "the seed of the arguments [default: from the clock]")
	countFlag  = stringFlag("rustgo.n", "300", "calls of each export")
	skipFlag   = stringFlag("rustgo.skip", "", "comma-separated exports to leave out")
	nativeFlag = stringFlag("rustgo.native", "", "the native program, made by rustgo native")
)

func stringFlag(name, value, usage string) func() string {
	if flag.Lookup(name) == nil {
		flag.String(name, value, usage)
	}
	return func() string { return flag.Lookup(name).Value.String() }
}

// Run compares the package with the native program.
func Run(t *testing.T, p Package) {
	t.Helper()
	program := nativeFlag()
	if program == "" {
		program = build(t, p.Command)
	}
	seed := uint64(time.Now().UnixNano())
	if text := seedFlag(); text != "" {
		seed = number(t, "rustgo.seed", text)
	}
	count := int(number(t, "rustgo.n", countFlag()))
	if testing.Short() {
		count = min(count, 30)
	}
	native := &native{path: program}
	defer func() { _ = native.stop() }()
	described := native.describe(t)
	r := &run{native: native, p: p, seed: seed, count: count, words: literals(p.Crate), skip: append(strings.Split(skipFlag(), ","), p.Skip...)}

	t.Run("Constants", func(t *testing.T) { r.constants(t, described.Constants) })
	var single, objects []*export
	known := map[string]bool{}
	for i := range described.Exports {
		e := &described.Exports[i]
		known[e.Name] = true
		function, ok := p.Exports[e.Name]
		if !ok {
			t.Errorf("the Rust code exports %s and the package does not: run rustgo build", e.Name)
			continue
		}
		e.function = reflect.ValueOf(function)
		if slices.Contains(r.skip, e.Name) {
			t.Logf("%s is left out", e.Name)
			continue
		}
		if e.hasObjects() {
			objects = append(objects, e)
		} else {
			single = append(single, e)
		}
	}
	var closes []*export
	for _, name := range sorted(p.Exports) {
		if known[name] {
			continue
		}
		if strings.HasSuffix(name, ".Close") {
			closes = append(closes, &export{Name: name, function: reflect.ValueOf(p.Exports[name])})
		} else {
			t.Errorf("the package exports %s and the Rust code does not: run rustgo build", name)
		}
	}
	for _, e := range single {
		t.Run(e.Name, func(t *testing.T) { r.single(t, e) })
	}
	if len(objects) > 0 {
		t.Run("Objects", func(t *testing.T) { r.sequences(t, objects, closes) })
	}
}

// run is the state of one call of Run.
type run struct {
	native *native
	p      Package
	seed   uint64
	count  int
	words  []string
	skip   []string
}

// random returns a random source that depends on the seed and on the name of a test.
func (r *run) random(name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(r.seed, h.Sum64()))
}

func (r *run) constants(t *testing.T, constants []constant) {
	for _, c := range constants {
		value, ok := r.p.Constants[c.Name]
		if !ok {
			t.Errorf("the Rust code exports %s and the package does not: run rustgo build", c.Name)
			continue
		}
		var s shower
		s.value(c.Type, reflect.ValueOf(value))
		if s.String() != c.Text {
			t.Errorf("%s = %s, and natively %s", c.Name, legible(s.String()), legible(c.Text))
		}
	}
}

// single tests an export that neither takes nor returns objects.
func (r *run) single(t *testing.T, e *export) {
	g := &generator{Rand: r.random(e.Name), words: r.words}
	var left leftOut
	done, panicked, failures, varied := 0, 0, 0, 0
	for i := range r.count {
		g.mode = modeOf(i)
		c := g.call(e, nil)
		r.native.asked = nil
		answer, err := r.native.ask(c.question())
		if err != nil {
			left.add(err)
			g.smaller()
			if left.count > 8 {
				break
			}
			continue
		}
		r.check(t, answer)
		got := c.call(&counter{})
		if got.hasLimit() {
			left.add(fmt.Errorf("limit of the Go side: %s", got.text))
			continue
		}
		done++
		if got.panicked {
			panicked++
		}
		if problem := compare(got, answer); problem != "" {
			if slices.Contains(r.p.RandomKeys, e.Name) && r.native.varies([][]byte{c.question()}, got) {
				done--
				if varied++; varied == enough {
					break
				}
				continue
			}
			r.fail(t, e, c, problem, func() string { return r.unstable(c, answer) })
			if failures++; failures == 3 {
				break
			}
		}
	}
	t.Logf("%d calls were compared, %d of them panicked%s", done, panicked, left.summary("calls were left out"))
	if varied > 0 {
		t.Logf("%d results differ natively too, with the random keys of a HashMap", varied)
	}
	if done+varied == 0 && r.count > 0 {
		t.Errorf("%s was not called at all: %s", e.Name, left.why)
	}
}

// enough is the number of results that vary with random keys after which the test no longer compares an export.
const enough = 20

// leftOut counts calls that cannot be compared.
type leftOut struct {
	count int
	why   string
}

func (l *leftOut) add(err error) {
	l.count++
	l.why = err.Error()
}

// summary returns a text for the log, or an empty string if no call was left out. what is the noun for the things left out, such as "calls".
func (l *leftOut) summary(what string) string {
	if l.count == 0 {
		return ""
	}
	return fmt.Sprintf("; %d %s: %s", l.count, what, l.why)
}

// check ends the test if the native program did not understand the question. Only a fault in the test itself can cause this.
func (r *run) check(t *testing.T, a answer) {
	t.Helper()
	if a.kind == misunderstood {
		t.Fatalf("the native program does not understand: %s", a.text)
	}
}

// unstable asks the native program again. It returns a message if the answer differs from the first answer.
func (r *run) unstable(c *call, first answer) string {
	for range 3 {
		again, err := r.native.ask(c.question())
		if err == nil && again != first {
			return "the native program does not give the same answer twice"
		}
	}
	return ""
}

func (r *run) fail(t *testing.T, e *export, c *call, problem string, unstable func() string) {
	t.Helper()
	how := "If it must differ from call to call (time, random numbers, the order of a HashMap)"
	if why := unstable(); why != "" {
		how = "Note that " + why + ". If that is meant"
	}
	t.Errorf("%s\n%s\n%s, leave it out: -rustgo.skip=%s, or with-tests-skip = [%q] in the crate's Cargo.toml.\nTo repeat: -run '%s$' -rustgo.seed=%d",
		c, problem, how, e.Name, e.Name, t.Name(), r.seed)
}

// compare describes the differences between an outcome in Go and the native answer, line by line. It returns an empty string if there are no
// differences.
func compare(got outcome, want answer) string {
	switch {
	case got.panicked && want.kind == text:
		return fmt.Sprintf("\tpanics: %s\n\tnatively:\n%s", got.text, indent(want.text))
	case !got.panicked && want.kind == panics:
		_, message, _ := strings.Cut(want.text, "\n")
		return fmt.Sprintf("\treturns:\n%s\n\tnatively it panics: %s", indent(got.text), message)
	case got.panicked:
		return comparePanics(got, want.text)
	case got.text == want.text:
		return ""
	}
	var b strings.Builder
	ours, theirs := strings.Split(got.text, "\n"), strings.Split(want.text, "\n")
	for i := range max(len(ours), len(theirs)) {
		one, other := at(ours, i), at(theirs, i)
		if one != other {
			from := sharedStart(one, other)
			fmt.Fprintf(&b, "\tin Go:    %s\n\tnatively: %s\n", excerpt(one, from), excerpt(other, from))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// sharedStart returns the number of bytes at the start of both lines that a message leaves out: the length of their common start, less 100.
func sharedStart(one, other string) int {
	n := 0
	for n < min(len(one), len(other)) && one[n] == other[n] {
		n++
	}
	if n < 200 {
		return 0
	}
	return n - 100
}

// excerpt makes a line, "name = value", legible for a message. If from is not 0, it leaves out the first from bytes of the line, and writes the name
// and the number of these bytes instead.
func excerpt(line string, from int) string {
	if from == 0 {
		return legible(line)
	}
	name, _, _ := strings.Cut(line, " = ")
	return fmt.Sprintf("%s = … (%d bytes) %s", name, from, legible(line[from:]))
}

func comparePanics(got outcome, want string) string {
	place, message, _ := strings.Cut(want, "\n")
	if strings.HasPrefix(got.text, "panicked (the message is lost") {
		return ""
	}
	if cut, ok := strings.CutSuffix(got.text, "…"); got.text != message && (!ok || !strings.HasPrefix(message, cut)) {
		return fmt.Sprintf("\tpanics:   %s\n\tnatively: %s", got.text, message)
	}
	if got.place != "" && place != "" && got.place != lastOf(place) {
		return fmt.Sprintf("\tpanics at %s (%s)\n\tnatively at %s", got.place, message, lastOf(place))
	}
	return ""
}

// lastOf returns a source position without its folders, because the Go package and the native program name folders in different ways.
func lastOf(place string) string {
	return place[strings.LastIndexAny(place, `/\`)+1:]
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

func indent(text string) string {
	return "\t\t" + strings.ReplaceAll(legible(strings.TrimSuffix(text, "\n")), "\n", "\n\t\t")
}

func number(t *testing.T, name, text string) uint64 {
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		t.Fatalf("-%s=%s is not a number", name, text)
	}
	return n
}

func sorted(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
