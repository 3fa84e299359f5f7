// Table runs the benchmarks and prints how rustgo compares, as METHOD.md says.
//
//	go run ./cmd/table [-passes 5] [-benchtime 300ms] [-bench REGEXP]
//
// Run it in the folder bench. It needs Go; without a C compiler it leaves out cgo, and without cargo Rust itself.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

func main() {
	passes := flag.Int("passes", 5, "how often each benchmark is run; the median counts")
	benchtime := flag.Duration("benchtime", 300*time.Millisecond, "least time of one run of one benchmark")
	bench := flag.String("bench", ".", "run only benchmarks whose names match")
	flag.Parse()
	pattern, err := regexp.Compile(*bench)
	if err == nil && (flag.NArg() > 0 || *passes < 1 || *benchtime < time.Millisecond) {
		err = errors.New("usage: table [-passes N] [-benchtime DURATION] [-bench REGEXP]")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "table: error:", err)
		os.Exit(2)
	}
	if err := run(*passes, *benchtime, pattern); err != nil {
		fmt.Fprintln(os.Stderr, "table: error:", err)
		os.Exit(1)
	}
}

// run builds all programs before it runs any, and runs them by turns, so that what disturbs the machine for a while
// disturbs all alike.
func run(passes int, benchtime time.Duration, pattern *regexp.Regexp) error {
	dir, err := os.MkdirTemp("", "rustgo-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)

	var notes []string
	native, err := buildNative()
	if err != nil {
		notes = append(notes, "native Rust, cgo to Rust: skipped: "+err.Error())
	}
	cgo := hasCgo()
	if !cgo {
		notes = append(notes, "cgo: skipped: no C compiler")
	}
	test := filepath.Join(dir, "bench.test"+exeSuffix())
	args := []string{"test", "-c", "-o", test}
	if native != "" && cgo {
		args = append(args, "-tags", "rustnative")
	}
	if _, err := output(exec.Command("go", append(args, ".")...)); err != nil {
		return err
	}

	results := new(results)
	for pass := range passes {
		fmt.Fprintf(os.Stderr, "pass %d of %d\n", pass+1, passes)
		out, err := output(exec.Command(test, "-test.run=^$", "-test.bench="+pattern.String(), "-test.benchtime="+benchtime.String()))
		if err != nil {
			return err
		}
		results.read(out, nil)
		if native != "" {
			out, err := output(exec.Command(native, fmt.Sprint(benchtime.Milliseconds())))
			if err != nil {
				return err
			}
			results.read(out, pattern)
		}
	}
	fmt.Printf("%s, %s/%s, median of %d runs\n", results.cpu, runtime.GOOS, runtime.GOARCH, passes)
	results.print(os.Stdout)
	for _, note := range notes {
		fmt.Println(note)
	}
	return nil
}

// buildNative builds the Rust program and library and returns the path of the program.
func buildNative() (string, error) {
	if _, err := exec.LookPath("cargo"); err != nil {
		return "", errors.New("no cargo")
	}
	build := exec.Command("cargo", "build", "--release", "--quiet", "--locked", "--target-dir", filepath.Join("native", "target"), "--manifest-path", filepath.Join("native", "Cargo.toml"))
	if _, err := output(build); err != nil {
		return "", err
	}
	return filepath.Join("native", "target", "release", "native"+exeSuffix()), nil
}

// hasCgo says whether go would use cgo: it is off where there is no C compiler.
func hasCgo() bool {
	out, err := output(exec.Command("go", "list", "-f", "{{.CgoFiles}}", "./internal/viacgo"))
	return err == nil && strings.Contains(out, "cgo.go")
}

func exeSuffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// output runs a command and returns what it prints; the error of one that fails has all of it.
func output(cmd *exec.Cmd) (string, error) {
	var stdout, both strings.Builder
	cmd.Stdout, cmd.Stderr = &tee{&stdout, &both}, &both
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, both.String())
	}
	return stdout.String(), nil
}

type tee [2]*strings.Builder

func (t *tee) Write(b []byte) (int, error) {
	t[0].Write(b)
	return t[1].Write(b)
}
