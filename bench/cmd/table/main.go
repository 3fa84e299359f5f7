// Command table runs the benchmarks and prints tables that compare rustgo with other implementations; METHOD.md describes the measurements.
//
//	go run ./cmd/table [-package DIR] [-passes 15] [-benchtime 100ms] [-bench REGEXP] [-write DIR]
//
// Run this command in the folder bench. It needs Go. Without a C compiler it leaves out cgo, and without cargo it leaves out Rust. With -package it
// runs the benchmarks of a package below the folder bench, in place of the benchmarks of bench. With -write it also writes its tables to DIR, as
// Markdown with pictures.
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
	pkg := flag.String("package", ".", "the package whose benchmarks are run")
	passes := flag.Int("passes", 15, "how often each benchmark is run; the median counts")
	benchtime := flag.Duration("benchtime", 100*time.Millisecond, "least time of one run of one benchmark")
	bench := flag.String("bench", ".", "run only benchmarks whose names match")
	write := flag.String("write", "", "a folder to write the results to as well")
	flag.Parse()
	pattern, err := regexp.Compile(*bench)
	if err == nil && (flag.NArg() > 0 || *passes < 1 || *benchtime < time.Millisecond) {
		err = errors.New("usage: table [-package DIR] [-passes N] [-benchtime DURATION] [-bench REGEXP] [-write DIR]")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "table: error:", err)
		os.Exit(2)
	}
	if err := run(*pkg, *passes, *benchtime, pattern, *write); err != nil {
		fmt.Fprintln(os.Stderr, "table: error:", err)
		os.Exit(1)
	}
}

// run first builds all programs, and then runs them in turns, so that a disturbance of the machine affects all programs alike.
func run(pkg string, passes int, benchtime time.Duration, pattern *regexp.Regexp, write string) error {
	dir, err := os.MkdirTemp("", "rustgo-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)

	var notes []string
	native := ""
	if pkg == "." {
		if native, err = buildNative(); err != nil {
			notes = append(notes, "native Rust, cgo to Rust: skipped: "+err.Error())
		}
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
	if _, err := output(exec.Command("go", append(args, pkg)...)); err != nil {
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
	results.machine = fmt.Sprintf("%s, %d processors, %s/%s, %s, median of %d runs", results.cpu, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, goVersion(), passes)
	results.command = strings.Join(append([]string{"go run ./cmd/table"}, os.Args[1:]...), " ")
	results.notes = notes
	results.print(os.Stdout)
	if write == "" {
		return nil
	}
	return results.write(write)
}

// goVersion returns the version of the go command, which may differ from the version that built this program.
func goVersion() string {
	out, err := output(exec.Command("go", "env", "GOVERSION"))
	if err != nil {
		return runtime.Version()
	}
	return strings.TrimSpace(out)
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

// hasCgo reports whether the go command would use cgo: cgo is off if there is no C compiler.
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

// output runs a command and returns its output. The error of a failed command contains the whole output.
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
