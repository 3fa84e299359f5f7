// Command survey builds popular crates with rustgo and compares their results in Go with native results. scripts/survey runs it.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// sample lists a few crates of different kinds.
var sample = []string{"chrono", "flate2", "num-bigint", "png", "serde_json", "uuid"}

// libraries lists the libraries that Go programs use today by cgo, by WebAssembly or as another program.
var libraries = []string{
	"ammonia", "automerge", "biscuit-auth", "boa_engine", "calamine", "cedar-policy", "comrak", "evmole", "gimli", "grok",
	"h3o", "jaq-core", "jieba-rs", "jsonschema", "lightningcss", "lol_html", "minijinja", "object", "oxc_parser", "prqlc",
	"regorus", "resvg", "rhai", "sqlparser", "starlark_syntax", "tantivy-query-grammar", "tree-sitter", "typst-syntax", "wasmi", "whatlang",
}

// page is a file with the results of a run.
type page struct{ file, title, kind, command string }

var (
	ofCrates    = page{"bench/results/survey.md", "Which crates are accepted", "popular crates", "scripts/survey --write"}
	ofLibraries = page{"bench/results/libraries.md", "Which libraries are accepted", "libraries that Go programs bind", "scripts/survey --libraries --write"}
)

var (
	root, scratch, tool, arm64Toolchain, emulator string
	panics                                        string
	machines                                      []string
	seed                                          uint64
	timings                                       string
	keep                                          bool
)

// isPopular reports whether the page of popular crates has the crate. The page leaves out the crates that test destructors, and the
// libraries except two.
func isPopular(name string) bool {
	switch name {
	case "event-listener", "tokio":
		return false
	case "jsonschema", "minijinja":
		return true
	}
	return !slices.Contains(libraries, name)
}

func main() {
	var only, ofGo, writes bool
	var jobs int
	var machineList string
	flag.StringVar(&root, "root", ".", "the top `folder` of the checkout")
	flag.StringVar(&tool, "rustgo", "", "the `tool` [default: target/release/rustgo]")
	flag.StringVar(&arm64Toolchain, "arm64", defaultToolchain(), "the `toolchain` for arm64, rustup's name or a folder")
	flag.StringVar(&panics, "panic", "", "the `way` in which panics leave the Rust code: unwind or abandon [default: unwind for crates with std]")
	flag.StringVar(&machineList, "machines", "amd64,arm64", "the `machines`, with commas between them")
	flag.BoolVar(&only, "sample", false, "six crates, without the network if their sources are there; a refusal is a failure")
	flag.BoolVar(&ofGo, "libraries", false, "the libraries that Go programs bind")
	flag.BoolVar(&writes, "write", false, "write bench/results/survey.md, or libraries.md with -libraries; needs both machines, and no names")
	flag.BoolVar(&keep, "keep", false, "keep what an earlier run with the same tool found for the same file")
	flag.StringVar(&timings, "timings", "", "write the time and memory of the tool's stages for each crate to this `file`, as JSON")
	flag.Uint64Var(&seed, "seed", 1, "the `number` that the random inputs depend on")
	flag.IntVar(&jobs, "jobs", 0, "the `number` of crates at a time [default: 1; all processors with -sample]")
	flag.Parse()
	machines = strings.Split(machineList, ",")
	if runtime.GOARCH != "arm64" {
		emulator = "qemu-aarch64-static"
	}
	if err := survey(flag.Args(), only, ofGo, writes, jobs); err != nil {
		fmt.Fprintln(os.Stderr, "survey:", err)
		os.Exit(1)
	}
}

// defaultToolchain returns the toolchain that scripts/setup-arm64 makes, unless the environment names another toolchain.
func defaultToolchain() string {
	for _, name := range []string{"RUSTGO_ARM64_TOOLCHAIN", "RUSTGO_RUST_DEBIAN"} {
		if value := os.Getenv(name); value != "" {
			return value
		}
	}
	cache := os.Getenv("XDG_CACHE_HOME")
	if cache == "" {
		cache = filepath.Join(os.Getenv("HOME"), ".cache")
	}
	return filepath.Join(cache, "rustgo/rust-debian")
}

func survey(names []string, only, ofGo, writes bool, jobs int) error {
	began := time.Now()
	var err error
	if root, err = filepath.Abs(root); err != nil {
		return err
	}
	target := os.Getenv("CARGO_TARGET_DIR")
	if target == "" {
		target = filepath.Join(root, "target")
	}
	scratch = filepath.Join(target, "survey")
	if tool == "" {
		tool = filepath.Join(target, "release/rustgo")
	}
	if writes && (len(names) > 0 || only || len(machines) != 2) {
		return errors.New("-write needs both machines, and neither names nor -sample")
	}
	results := ofCrates
	switch {
	case ofGo:
		names, results = libraries, ofLibraries
	case only:
		names = sample
	case len(names) == 0:
		files, err := filepath.Glob(filepath.Join(root, "scripts/survey-crates/*.rs"))
		if err != nil {
			return err
		}
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".rs")
			if !writes || isPopular(name) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
	}
	var crates []*crate
	for _, name := range names {
		c, err := readCrate(name)
		if err != nil {
			return err
		}
		crates = append(crates, c)
	}
	for _, machine := range machines {
		module := fmt.Sprintf("module survey\n\ngo 1.24\n\nrequire rustgo.dev/go v0.0.0\n\nreplace rustgo.dev/go => %s/go\n", root)
		if err := write(filepath.Join(scratch, "go", machine, "go.mod"), module); err != nil {
			return err
		}
	}
	digest, err := digestOf(tool)
	if err != nil {
		return err
	}
	var offline []string
	if only {
		if err := fetch(crates); err != nil {
			return err
		}
		offline = []string{"--offline"}
	}
	if jobs == 0 {
		jobs = 1
		if only {
			jobs = runtime.NumCPU()
		}
	}
	if err := runAll(crates, jobs, digest, offline); err != nil {
		return err
	}
	if !writes {
		results = page{}
	}
	if timings != "" {
		if err := writeTimings(crates); err != nil {
			return err
		}
	}
	return report(crates, only, results, began)
}

// writeTimings writes the measurements of the accepted crates to the file that the flag -timings names.
func writeTimings(crates []*crate) error {
	type measured struct {
		Crate, Version, Machine, Code string
		Assembly                      int64
		GoBuild                       float64
		Timings                       []timing
	}
	var all []measured
	for _, c := range crates {
		for _, machine := range machines {
			if r := c.results[machine]; r != nil && r.Reasons == nil {
				all = append(all, measured{c.name, c.version, machine, r.Code, r.Assembly, r.GoBuild, r.Timings})
			}
		}
	}
	text, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(timings, append(text, '\n'), 0o644)
}

// fetch downloads the sources of the crates. It uses the network only if sources are missing.
func fetch(crates []*crate) error {
	for _, c := range crates {
		if run(command{args: []string{"cargo", "fetch", "--offline"}, dir: c.dir}).code == 0 {
			continue
		}
		if fetched := run(command{args: []string{"cargo", "fetch"}, dir: c.dir}); fetched.code != 0 {
			return errors.New(fetched.stderr)
		}
	}
	return nil
}

// runAll surveys each crate for each machine, several at the same time.
func runAll(crates []*crate, jobs int, digest string, offline []string) error {
	type job struct {
		c       *crate
		machine string
	}
	queue := make(chan job)
	var mu sync.Mutex // guards results and first
	var first error
	var wg sync.WaitGroup
	for range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range queue {
				r, err := one(j.c, j.machine, digest, offline)
				mu.Lock()
				j.c.results[j.machine] = r
				if err != nil && first == nil {
					first = fmt.Errorf("%s %s: %w", j.c.name, j.machine, err)
				}
				mu.Unlock()
			}
		}()
	}
	for _, c := range crates {
		for _, machine := range machines {
			mu.Lock()
			failed := first != nil
			mu.Unlock()
			if !failed {
				queue <- job{c, machine}
			}
		}
	}
	close(queue)
	wg.Wait()
	return first
}

// kept is a result that a run saves for the next run with -keep.
type kept struct {
	Key    string
	Result *result
}

// one returns the result for a crate and a machine: it builds the crate and calls it, or reads the result of an earlier run.
func one(c *crate, machine, digest string, offline []string) (*result, error) {
	inputs, err := os.ReadFile(c.inputs)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join([]string{digest, c.text, prelude, goMain, rustMain, panics, string(inputs)}, "\x00"))))
	file := filepath.Join(scratch, "results", c.name+"."+machine+".json")
	if text, err := os.ReadFile(file); keep && err == nil {
		var found kept
		if err := json.Unmarshal(text, &found); err == nil && found.Key == key {
			return found.Result, nil
		}
	}
	r, err := c.build(machine, offline)
	if err != nil {
		return nil, err
	}
	if r.Reasons == nil {
		want, err := c.native(offline)
		if err != nil {
			return nil, err
		}
		if err := c.compare(machine, r, want); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(kept{key, r})
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "%s %s: %+v\n", c.name, machine, *r)
	return r, write(file, string(text))
}

func digestOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("%w: make build builds the tool", err)
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", hash.Sum(nil)), nil
}

// write writes a file, unless it has this content already. cargo compares times, so a file that did not change must not be written.
func write(path, content string) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == content {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o644)
}

// command is a program with its arguments.
type command struct {
	args, env []string
	dir       string
	limit     time.Duration
}

// outcome is the result of a command. code is 124 if the command took longer than the limit.
type outcome struct {
	code           int
	stdout, stderr string
}

// limit is the longest time for a single step.
const limit = 15 * time.Minute

func run(c command) outcome {
	if c.limit == 0 {
		c.limit = limit
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	cmd.Dir = c.dir
	cmd.Env = append(append(os.Environ(), "CARGO_TARGET_DIR="+filepath.Join(scratch, "target")), c.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	// Programs that the command started may keep the pipes open, so the wait for the pipes is limited.
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	result := outcome{0, strings.ToValidUTF8(stdout.String(), "\ufffd"), strings.ToValidUTF8(stderr.String(), "\ufffd")}
	switch {
	case ctx.Err() != nil:
		result.code, result.stderr = 124, fmt.Sprintf("error: not finished in %s\n", c.limit)
	case err != nil:
		result.code = 1
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			result.code = exit.ExitCode()
		} else {
			result.stderr += "error: " + err.Error() + "\n"
		}
	}
	return result
}
