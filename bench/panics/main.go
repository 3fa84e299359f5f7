//go:build linux

// Command panics measures recovered panics: by rustgo with panic = "unwind" and with "abandon", in native Rust and by cgo with catch_unwind, and in
// Go. It also measures the memory after a million panics, and the sizes of packages built in both ways.
//
//	make bench-panics          writes bench/results/panics.md
//	go run ./panics -short     in bench: one short pass and one package; prints the page only
//
// It needs cargo and the built tool. Without a C compiler it leaves out native Rust and cgo.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	rustgo   string // the tool
	short    bool
	target   string // the folder for cargo's files
	passes   int
	least    time.Duration
	packages []string // whose sizes are compared
	arm64    string   // the toolchain for arm64, or ""
	unwinds  string   // the memory is measured after these numbers of recovered panics that unwind
	abandons string
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("panics: error: ")
	target := os.Getenv("CARGO_TARGET_DIR")
	if target == "" {
		target = "../target"
	}
	var o options
	flag.StringVar(&o.rustgo, "rustgo", filepath.Join(target, "release", "rustgo"), "the tool")
	flag.IntVar(&o.passes, "passes", 15, "runs of each way; all ways take turns, and the median counts")
	flag.DurationVar(&o.least, "time", 100*time.Millisecond, "least processor time of a run")
	packages := flag.String("packages", "regex,zstd,json,blake3,xxh3,aesgcm,ed25519,edwards25519,x25519,mlkem768", "packages whose sizes are compared")
	flag.StringVar(&o.arm64, "arm64", "", "compare sizes for arm64 too, with this toolchain: rustup's name or a folder")
	flag.BoolVar(&o.short, "short", false, "measure briefly, write no file, and fail if a package is refused")
	write := flag.String("write", "results/panics.md", "the file to write")
	flag.Parse()
	o.target = filepath.Join(target, "packages")
	o.unwinds, o.abandons = "250000,500000,1000000", "250000"
	if o.short {
		o.passes, o.least, *packages = 1, time.Millisecond, "xxh3"
		o.unwinds, o.abandons = "500,1000", "500"
	}
	o.packages = strings.FieldsFunc(*packages, func(r rune) bool { return r == ',' })
	page, err := run(&o)
	if err == nil && o.short {
		fmt.Print(page)
	} else if err == nil {
		err = os.WriteFile(*write, []byte(page), 0o666)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// run returns the page.
func run(o *options) (string, error) {
	dir, err := os.MkdirTemp("", "bench-panics")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	worker := filepath.Join(dir, "worker")
	if err := o.build(worker); err != nil {
		return "", err
	}
	var p page
	if p.times, err = lines[way](worker, "-passes", fmt.Sprint(o.passes), "-time", o.least.String()); err != nil {
		return "", err
	}
	if p.unwind, err = lines[state](worker, "-memory", "unwind", "-panics", o.unwinds); err != nil {
		return "", err
	}
	if p.abandon, err = lines[state](worker, "-memory", "abandon", "-panics", o.abandons); err != nil {
		return "", err
	}
	if p.sizes, err = o.sizes(dir); err != nil {
		return "", err
	}
	return p.write(o)
}

// build makes the packages unwind and abandon for this machine and, if there is a C compiler, the library for cgo. Then it builds the worker.
func (o *options) build(worker string) error {
	for _, setting := range settings {
		if _, err := o.generate(filepath.Join("panics", "rust", setting)); err != nil {
			return err
		}
	}
	build := []string{"-C", "panics/worker", "build", "-o", worker}
	if hasCompiler() {
		native := filepath.Join("panics", "rust", "native")
		if _, err := output(exec.Command("cargo", "build", "--release", "--quiet", "--locked", "--target-dir", filepath.Join(native, "target"),
			"--manifest-path", filepath.Join(native, "Cargo.toml"))); err != nil {
			return err
		}
		build = append(build, "-tags", "rustnative")
	}
	_, err := output(exec.Command("go", append(build, ".")...))
	return err
}

// generate runs the tool and returns its output. Without further arguments it makes a package for this machine.
func (o *options) generate(crate string, arguments ...string) (string, error) {
	if len(arguments) == 0 {
		arguments = []string{"--arch", goEnv("GOARCH")}
	}
	command := exec.Command(o.rustgo, append([]string{"build", "--locked-deps", "--crate", crate}, arguments...)...)
	command.Env = append(os.Environ(), "CARGO_TARGET_DIR="+absolute(o.target))
	out, err := output(command)
	if errors.Is(err, os.ErrNotExist) {
		err = fmt.Errorf("%w\nmake build builds the tool, and -rustgo names another", err)
	}
	return out, err
}

func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

// hasCompiler reports whether the go command would use cgo, which needs a C compiler.
func hasCompiler() bool { return goEnv("CGO_ENABLED") == "1" }

// goEnv returns a variable of the go command, which may be another version than the one that built this program.
func goEnv(name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		log.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// output runs a command and returns its whole output. The error of a failed command contains the output too.
func output(command *exec.Cmd) (string, error) {
	out, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(command.Args, " "), err, out)
	}
	return string(out), nil
}
