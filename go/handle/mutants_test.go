package handle

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// goTest runs the tests of the package in dir.
func goTest(t *testing.T, dir string, args ...string) (output string, passed bool) {
	t.Helper()
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command on the PATH; put it there")
	}
	cmd := exec.Command(goTool, append([]string{"test", "-count=1", "-vet=off"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("go test: %v\n%s", err, out)
	}
	return string(out), err == nil
}

// TestInterleavings runs TestSteps, which needs a build with the tag handlesteps. The test gives the same result in all builds. So a script that
// tests several builds can set RUSTGO_STEPS=0, which skips the test, for all builds but one.
func TestInterleavings(t *testing.T) {
	if os.Getenv("RUSTGO_STEPS") == "0" {
		t.Skip("RUSTGO_STEPS is 0: another run goes through the interleavings")
	}
	short := fmt.Sprintf("-short=%t", testing.Short())
	if out, passed := goTest(t, ".", "-tags=handlesteps", "-run=^TestSteps$", "-v", short); !passed || !strings.Contains(out, "--- PASS: TestSteps") {
		t.Errorf("go test -tags=handlesteps -run='^TestSteps$':\n%s", out)
	}
}

// TestWithoutLists runs some tests in the build for Go versions without procPin (pin_none.go).
func TestWithoutLists(t *testing.T) {
	run := "-run=^(TestHammer.*|TestHistories|TestModel|TestNewValueDelete|TestNothingIsAllocated)$"
	if out, passed := goTest(t, ".", "-tags=handleshared", run, ".", "-handle.operations=500000"); !passed {
		t.Errorf("go test -tags=handleshared %s:\n%s", run, out)
	}
}

var mutants = flag.Bool("handle.mutants", false, "break the package in some ways and expect the tests to fail")

// TestMutants breaks the package in one place at a time and expects a test to fail.
func TestMutants(t *testing.T) {
	if !*mutants {
		t.Skip("takes minutes; go test ./handle -run TestMutants -handle.mutants")
	}
	type mutant struct{ name, file, old, new string }
	freshGoesBack := mutant{"a fresh number goes back to the shard", "local.go", "\t\tl.freed, l.count = 0, 0\n",
		"\t\tif l.fresh != 0 {\n\t\t\tt.shards[uint32(p)&(t.config.shards-1)].push(l.fresh, t.slot(l.fresh))\n\t\t\tl.fresh = 0\n\t\t}\n" +
			"\t\tl.freed, l.count = 0, 0\n"}
	bySteps := []mutant{
		{"no second look at live", "table.go", "\t\t\tif s.live.Load() == h {\n\t\t\t\treturn v, true\n\t\t\t}\n", "\t\t\treturn v, true\n"},
		{"no first look at live", "table.go", "if s.live.Load() == h {\n\t\t\tv := s.load()", "if true {\n\t\t\tv := s.load()\n\t\t\t_ = h"},
		{"read before the first look at live", "table.go", "if s.live.Load() == h {\n\t\t\tv := s.load()", "if v := s.load(); s.live.Load() == h {"},
		{"published before it is stored", "table.go", "\ts.store(v)\n\tstep()\n\ts.publish(h)\n", "\ts.publish(h)\n\tstep()\n\ts.store(v)\n"},
		{"cleared after it is free", "table.go", "\ts.store(nil)\n\tnext := ", "\tdefer s.store(nil)\n\tnext := "},
		{"removed without compare-and-swap", "table.go", "if !s.live.CompareAndSwap(h, 0) {\n\t\treturn false\n\t}",
			"if s.live.Load() != h {\n\t\treturn false\n\t}\n\tstep()\n\ts.live.Store(0)"},
		{"the same number again", "table.go", "(h+1)&t.generations", "h&t.generations"},
		{"no slot retires", "table.go", "if next&t.generations != t.start {", "if true {"},
		{"linked after it is on the list", "table.go", "\t\tlast.link(below)\n\t\tstep()\n\t\tif s.free.CompareAndSwap(below, top) {\n",
			"\t\tif s.free.CompareAndSwap(below, top) {\n\t\t\tstep()\n\t\t\tlast.link(below)\n"},
		{"put without compare-and-swap", "table.go", "if s.free.CompareAndSwap(below, top) {", "if s.free.Store(top); true {"},
		{"taken without compare-and-swap", "table.go", "if s.free.CompareAndSwap(h, below) {", "if s.free.Store(below); true {"},
		{"a list of indexes, not of numbers", "table.go", "if s.free.CompareAndSwap(h, below) {",
			"if now := s.free.Load(); now>>generationBits == h>>generationBits && s.free.CompareAndSwap(now, below) {\n\t\t\th = now"},
	}
	bySteps = append(bySteps,
		mutant{"a batch taken without compare-and-swap", "local.go", "if s.free.CompareAndSwap(top, below) {", "if s.free.Store(below); true {"},
		mutant{"a batch by index, not by number", "local.go", "if s.free.CompareAndSwap(top, below) {",
			"if now := s.free.Load(); now>>generationBits == top>>generationBits && s.free.CompareAndSwap(now, below) {\n\t\t\ttop = now"},
		mutant{"the end of a batch is not cut off", "local.go", "\t\t\tlast.link(0)\n", ""},
		mutant{"a batch is given away and kept", "local.go", "l.freed, l.count = 0, 0", "l.count = 0"},
		mutant{"a batch is given away without its last number", "local.go", "push(h, t.slot(l.last))", "push(h, s)"},
		freshGoesBack,
	)
	byTests := []mutant{
		freshGoesBack,
		{"published before it is stored, seen by TestCompiledOrder", "table.go", "\ts.store(v)\n\tstep()\n\ts.publish(h)\n", "\ts.publish(h)\n\tstep()\n\ts.store(v)\n"},
		{"a list that is not counted", "local.go", "\t\tl.count--\n", ""},
		{"slot 0 not reserved", "table.go", "slots[0].live.Store(reserved)", "_ = reserved"},
		{"no slot retires", "table.go", "if next&t.generations != t.start {", "if true {"},
		{"shards do not borrow", "table.go", "if t.shards[i].chunks.Load() != 0 {", "if false {"},
		{"the value stays", "table.go", "\ts.store(nil)\n", ""},
		{"no bounds check of the directory", "table.go", "if h>>chunkShift < uint64(len(d)) {", "if true {"},
		{"a directory written where it is published", "table.go", "longer := append(d, entry{slots, i})", "longer := append(d[:0], append([]entry{{slots, i}}, d...)...)"},
		{"growth without a second look", "table.go", "if home.free.Load() != 0 {", "if false {"},
	}
	// These mutants run in the build that programs use. The list leaves out faults that need an interleaving within a nanosecond on one cache line.
	byHammer := []mutant{
		{"no second look at live", "table.go", "\t\t\tif s.live.Load() == h {\n\t\t\t\treturn v, true\n\t\t\t}\n", "\t\t\treturn v, true\n"},
		{"published before it is stored", "table.go", "\ts.store(v)\n\tstep()\n\ts.publish(h)\n", "\ts.publish(h)\n\tstep()\n\ts.store(v)\n"},
		{"read after the second look at live", "table.go", "\t\t\tif s.live.Load() == h {\n\t\t\t\treturn v, true\n\t\t\t}\n",
			"\t\t\t_ = v\n\t\t\tif s.live.Load() == h {\n\t\t\t\treturn s.load(), true\n\t\t\t}\n"},
		{"cleared after it is free", "table.go", "\ts.store(nil)\n\tnext := ", "\tdefer s.store(nil)\n\tnext := "},
		{"removed without compare-and-swap", "table.go", "if !s.live.CompareAndSwap(h, 0) {\n\t\treturn false\n\t}",
			"if s.live.Load() != h {\n\t\treturn false\n\t}\n\ts.live.Store(0)"},
		{"taken without compare-and-swap", "table.go", "if s.free.CompareAndSwap(h, below) {", "if s.free.Store(below); true {"},
		{"not pinned", "pin_runtime.go", "//go:linkname pin runtime.procPin\nfunc pin() int\n\n//go:linkname unpin runtime.procUnpin\nfunc unpin()\n",
			"//go:linkname procPin runtime.procPin\nfunc procPin() int\n\n//go:linkname procUnpin runtime.procUnpin\nfunc procUnpin()\n\n" +
				"func pin() int {\n\tp := procPin()\n\tprocUnpin()\n\treturn p\n}\n\nfunc unpin() {}\n"},
	}
	for _, group := range []struct {
		mutants []mutant
		args    []string
	}{
		{bySteps, []string{"-tags=handlesteps", "-run=^TestSteps$"}},
		{byTests, []string{"-run=Test", "-skip=TestMutants|TestInterleavings|TestWithoutLists|TestValueIsInlined"}},
		{byHammer, []string{"-run=Hammer|Histories|GrowingTogether", "-args", "-handle.operations=100000000"}},
	} {
		for _, m := range group.mutants {
			t.Run(m.name, func(t *testing.T) {
				if strings.HasPrefix(group.args[0], "-run=Hammer") && runtime.GOMAXPROCS(0) < 2 {
					t.Skip("needs two processors")
				}
				dir := filepath.Join(t.TempDir(), "handle")
				if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, "..", "go.mod"), []byte("module rustgo.dev/go\n\ngo 1.24\n"), 0o666); err != nil {
					t.Fatal(err)
				}
				source, err := os.ReadFile(filepath.Join(dir, m.file))
				if err != nil {
					t.Fatal(err)
				}
				if n := strings.Count(string(source), m.old); n != 1 {
					t.Fatalf("%q occurs in %s %d times, want once: update the mutant", m.old, m.file, n)
				}
				broken := strings.Replace(string(source), m.old, m.new, 1)
				if err := os.WriteFile(filepath.Join(dir, m.file), []byte(broken), 0o666); err != nil {
					t.Fatal(err)
				}
				// Without a time limit, some mutants would wait for ever.
				out, passed := goTest(t, dir, append([]string{"-timeout=2m"}, group.args...)...)
				if passed {
					t.Errorf("no test fails")
				} else if strings.Contains(out, "[build failed]") {
					t.Errorf("the mutant does not compile:\n%s", out)
				} else {
					t.Logf("%.600s", out)
				}
			})
		}
	}
}
