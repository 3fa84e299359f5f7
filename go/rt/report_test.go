package rt_test

import (
	"errors"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The race detector reports a race between Go and Rust code, or between two Rust calls. The report begins with the generated function, without
// functions of rt or of the runtime, and includes inlined functions. A program without a race has no report.
func TestRaceReports(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program")
	}
	program := filepath.Join(t.TempDir(), "race")
	compile := exec.Command("go", "build", "-race", "-o", program, ".")
	compile.Dir = filepath.Join("testdata", "generated")
	compile.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if said, err := compile.CombinedOutput(); err != nil {
		text := strings.TrimSpace(string(said))
		for _, missing := range []string{"requires cgo", "C compiler", "not supported on", "executable file not found"} {
			if strings.Contains(text, missing) || strings.Contains(err.Error(), missing) {
				t.Skipf("there is no race detector here: %v %s", err, text)
			}
		}
		t.Fatalf("%v\n%s", err, text)
	}
	later := slices.Contains(build.Default.ReleaseTags, "go1.27")
	const sum, fill = "example.com/generated/marked.Sum", "example.com/generated/marked.Fill"
	for _, c := range []struct {
		races string
		read  []string // calls of the first access, the innermost first
		write []string // calls of the second access
	}{
		{"read", []string{sum, "main.reader"}, []string{"main.write", "main.main.func1"}},
		{"write", []string{"main.read", "main.main.func3"}, []string{fill, "main.writer"}},
		{"both", []string{sum, "main.reader"}, []string{fill, "main.writer"}},
		{"none", nil, nil},
	} {
		run := exec.Command(program, c.races)
		run.Env = append(os.Environ(), "GORACE=", "GODEBUG=")
		said, err := run.CombinedOutput()
		if c.races == "none" {
			if err != nil || len(said) != 0 {
				t.Errorf("a right program says %s (%v)", said, err)
			}
			continue
		}
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || strings.Count(string(said), "WARNING: DATA RACE") != 1 {
			t.Errorf("%s: the program ends with %v and says\n%s", c.races, err, said)
			continue
		}
		for access, want := range map[string][]string{"read": c.read, "write": c.write} {
			got := callsOf(access, string(said))
			if later && len(got) > 0 && strings.HasPrefix(got[0], "runtime.race") {
				got = got[1:] // see race_unknown.go
			}
			if len(got) < 2 || got[0] != want[0] || got[1] != want[1] {
				t.Errorf("%s: the %s is by %v, want %v:\n%s", c.races, access, got, want, said)
			}
		}
	}
}

// callsOf returns the functions of the stack trace for one access in a race report, innermost first. access is "read" or "write".
func callsOf(access, report string) (functions []string) {
	_, rest, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(report), "previous ", ""), "\n"+access+" at ")
	_, rest, _ = strings.Cut(rest, "\n")
	stack, _, _ := strings.Cut(rest, "\n\n")
	start := strings.Index(strings.ToLower(report), stack)
	for _, call := range regexp.MustCompile(`(?m)^  (\S+)\(\)$`).FindAllStringSubmatch(report[start:start+len(stack)], -1) {
		functions = append(functions, call[1])
	}
	return functions
}
