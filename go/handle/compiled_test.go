package handle

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

var (
	instruction = regexp.MustCompile(`^\t0x[0-9a-f]+ \d+ \([^)]*\)\t([A-Z]+[A-Z0-9]*)\t?(.*)$`)
	fromSlot    = regexp.MustCompile(`^(|16|24)\(\w+\)(\(\w+\*1\))?, (\w+)$`)
	toSlot      = regexp.MustCompile(`^\S+, (|16|24)\(\w+\)(\(\w+\*1\))?$`)
)

// accesses returns the order of the slot accesses in a listing of amd64 machine code, as a string with one letter for each instruction. l is a load
// of the field live (or of another field with offset 0), t of the type word, d of the data word. L, T and D are stores of the same fields. c is a
// comparison; j is a jump if equal or if not equal; X is a compare-and-swap; G is a call of giveBack.
func accesses(listing string) string {
	var b strings.Builder
	for line := range strings.Lines(listing) {
		m := instruction.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			continue
		}
		op, args := m[1], m[2]
		if strings.Contains(args, "(SP)") || strings.Contains(args, "(R11)") { // accesses to the stack and to the buffer of the write barrier
			continue
		}
		switch {
		case op == "CMPXCHGQ":
			b.WriteByte('X')
		case op == "CALL" && strings.Contains(args, "giveBack"):
			b.WriteByte('G')
		case op == "CMPQ":
			if fromSlot.MatchString(args) && !strings.HasPrefix(args, "16") && !strings.HasPrefix(args, "24") {
				b.WriteByte('l')
			}
			b.WriteByte('c')
		case op == "JNE" || op == "JEQ":
			b.WriteByte('j')
		case op == "MOVQ" || op == "MOVUPS":
			name, kinds := "", ""
			if m := fromSlot.FindStringSubmatch(args); m != nil {
				name, kinds = m[1], "ltd"
			} else if m := toSlot.FindStringSubmatch(args); m != nil {
				name, kinds = m[1], "LTD"
			} else {
				continue
			}
			b.WriteByte(kinds[map[string]int{"": 0, "16": 1, "24": 2}[name]])
		}
	}
	return b.String()
}

// words_plain.go relies on an order of loads and stores that Go's memory model does not promise. TestCompiledOrder checks that the machine code
// keeps this order.
func TestCompiledOrder(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("only amd64 has words_plain.go; run this there")
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command on the PATH; put it there")
	}
	cmd := exec.Command(goTool, "test", "-c", "-o", t.TempDir(), "-gcflags=-S", ".")
	cmd.Env = append(os.Environ(), "GOFLAGS=") // inherited flags such as -race would select another build
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	functions := map[string]string{}
	name := ""
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "\t") {
			name, _, _ = strings.Cut(line, " ")
		} else if strings.HasPrefix(line, "\t0x") {
			functions[name] += line
		}
	}
	for _, c := range []struct{ function, want, why string }{
		{"rustgo.dev/go/handle.(*table).lookup", `^[^td]*lcj(td|dt)lcj[^td]*$`, "live, the value, live"},
		{"rustgo.dev/go/handle.Handle.Value", `^[^td]*lcj(td|dt)lcj[^td]*$`, "live, the value, live"},
		{"rustgo.dev/go/handle_test.BenchmarkValue", `^[^td]*lcj(td|dt)lcj[^td]*$`, "live, the value, live, where Value is inlined"},
		{"rustgo.dev/go/handle.(*table).add", `^[^TDL]*T[^TDL]*D[^TDL]*L[^TDL]*$`, "the value, then live"},
		{"rustgo.dev/go/handle.(*table).remove", `^[^XTDG]*X[^XTDG]*(T[^XTDG]*D|D[^XTDG]*T)[^XTDG]*G[^XTDG]*$`, "live, the value, then the free list"},
	} {
		got := accesses(functions[c.function])
		if !regexp.MustCompile(c.want).MatchString(got) {
			t.Errorf("%s: accesses are %q, which is not %s", c.function, got, c.why)
			t.Log(functions[c.function])
		}
	}
}
