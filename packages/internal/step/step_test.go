package step_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"rustgo.dev/packages/internal/step"
)

// stepsPerExport is how many instructions of each export an ordinary run follows, and shortSteps how many one with -short. The
// variable RUSTGO_STEPS states another number, and 0 leaves these tests out: what they build and follow does not depend on how they
// were built themselves.
const stepsPerExport, shortSteps = 3000, 1000

func budget(t *testing.T) int {
	text := os.Getenv("RUSTGO_STEPS")
	switch {
	case text == "" && testing.Short():
		return shortSteps
	case text == "":
		return stepsPerExport
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < shortSteps {
		t.Fatalf("RUSTGO_STEPS=%q: a number of at least %d is needed", text, shortSteps)
	}
	return n
}

// needsEmulator skips the test where programs for arm64 cannot be run, or need not be.
func needsEmulator(t *testing.T) {
	t.Helper()
	if os.Getenv("RUSTGO_STEPS") == "0" {
		t.Skip("RUSTGO_STEPS is 0: without it the instructions are followed")
	}
	if _, err := exec.LookPath(step.Qemu); err != nil {
		t.Skipf("%s is not installed: apt-get install qemu-user-static", step.Qemu)
	}
}

// follow builds the package's own tests for arm64 and steps through what they call. A replacement takes the place of the generated
// assembly, without a change in the package's folder.
func follow(t *testing.T, name, replacement string) (*step.Binary, *step.Report) {
	t.Helper()
	folder := t.TempDir()
	assembly, err := filepath.Abs(filepath.Join("../..", name, "rustgo_arm64.s"))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"test", "-c", "-o", filepath.Join(folder, "test")}
	if replacement != "" {
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{assembly: replacement}})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "overlay"), overlay, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "-overlay", filepath.Join(folder, "overlay"))
	}
	importPath := "rustgo.dev/packages/" + name
	build := exec.Command("go", append(args, importPath)...)
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b, err := step.Open(filepath.Join(folder, "test"), importPath, assembly)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if limit, limited := t.Deadline(); limited { // that of go test, which would not show what the emulator says
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, limit.Add(-10*time.Second))
		defer cancel()
	}
	var output bytes.Buffer
	// TestAtEachLevel starts processes of its own, which nobody follows.
	// Tests that look through the memory need much of it, and no garbage is collected here.
	report, err := step.Run(ctx, b, budget(t), &output, filepath.Dir(assembly), "-test.short", "-test.run=^(Test|Example)",
		"-test.skip=^TestAtEachLevel$|Wiped$|Overwritten$|OverwriteTheirStack$")
	if err != nil {
		t.Fatalf("%v\n%s", err, output.String())
	}
	return b, report
}

// TestEveryInstructionUnwinds follows every export of every package that has assembly for arm64.
func TestEveryInstructionUnwinds(t *testing.T) {
	needsEmulator(t)
	files, err := filepath.Glob("../../*/rustgo_arm64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("no generated assembly: %v", err)
	}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			switch name {
			case "ed25519", "json", "mlkem768", "regex", "xxh3", "zstd":
				t.Skip("too much code to follow a twentieth of it step by step within the time of a test")
			case "bordercost":
				t.Skip("a benchmark's package: its objects are dropped by the collector, which does not run here")
			}
			b, report := follow(t, name, "")
			exports, instructions := 0, 0
			for _, f := range b.Functions {
				instructions += int(f.End-f.Entry) / 4
				if f.Export {
					exports++
					if report.Entered[f.Name] == 0 {
						t.Errorf("%s was never called", f.Name)
					}
				}
			}
			t.Logf("%d steps, %d of %d instructions, %d exports, %d frames deep, %d wrong",
				report.Steps, len(report.PCs), instructions, exports, report.Depth, len(report.Wrong))
			for _, wrong := range report.Wrong {
				t.Error(wrong)
			}
			if exports == 0 || report.Steps < 500 || len(report.PCs) < instructions/20 || report.Depth < 2 {
				t.Error("too little was seen to prove anything")
			}
		})
	}
}

// TestWrongFramesAreSeen breaks the generated assembly in ways that leave the program's results alone, since only Go's unwinder
// needs what is broken.
func TestWrongFramesAreSeen(t *testing.T) {
	needsEmulator(t)
	const function = "callcost·framed_increment"
	source, err := os.ReadFile("../../callcost/rustgo_arm64.s")
	if err != nil {
		t.Fatal(err)
	}
	text := string(source)
	start := strings.Index(text, "TEXT "+function+"<>")
	if start < 0 {
		t.Fatalf("no %s", function)
	}
	for _, c := range []struct {
		name, pattern string
		with          func(match []string) string
		message       string
	}{
		// The same code, but not in a form that the assembler puts into its table.
		{"table", `SUB \$(\d+), RSP, RSP`, func(match []string) string {
			n, err := strconv.ParseUint(match[1], 10, 12)
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf("WORD $%#x", 0xd10003ff|n<<10)
		}, "but SP was"},
		// A nop instead of stur x30, [sp, …], which only the unwinder reads.
		{"return address", `WORD \$0xf81[0-9a-f]{2}3fe`, func([]string) string { return "WORD $0xd503201f" }, "the call returns to"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pattern := regexp.MustCompile(c.pattern)
			match, at := pattern.FindStringSubmatch(text[start:]), pattern.FindStringIndex(text[start:])
			if at == nil {
				t.Fatalf("%s has no %s", function, c.pattern)
			}
			with := c.with(match)
			broken := filepath.Join(t.TempDir(), "rustgo_arm64.s")
			if err := os.WriteFile(broken, []byte(text[:start+at[0]]+with+text[start+at[1]:]), 0o600); err != nil {
				t.Fatal(err)
			}
			_, report := follow(t, "callcost", broken)
			inner, caller := false, false
			for _, wrong := range report.Wrong {
				if strings.HasPrefix(wrong, "callcost.framed_increment+") && strings.Contains(wrong, c.message) {
					if strings.Contains(wrong, "a caller's frame") {
						caller = true
					} else {
						inner = true
					}
				}
			}
			if !inner || !caller {
				t.Errorf("seen as the innermost frame: %v, as a caller's: %v\n%s", inner, caller, strings.Join(report.Wrong, "\n"))
			}
		})
	}
}
