package main

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// prelude is the source of the function put, which every crate of the survey contains.
//
//go:embed put.rs
var prelude string

// rustMain is the source of the native program. The program reads the inputs from a file and prints a line for each call: the result, or the panic.
//
//go:embed native.rs
var rustMain string

// goMain is the source of the Go program, which prints the same lines as the native program.
//
//go:embed main.go.txt
var goMain string

// crate describes a file of scripts/survey-crates.
type crate struct {
	name, ident, dir, text, version string
	std, budget                     bool
	features                        []string
	// inputs is the file with the inputs of the calls.
	inputs  string
	results map[string]*result

	mu       sync.Mutex
	natively []string
}

// result is the outcome of a crate for one machine.
type result struct {
	Seconds    float64
	Stages     map[string]float64
	Functions  string
	Code       string
	Stack      string
	Reasons    []string
	Verdict    string
	Difference string
	Calls      int
	Panics     int
	// Timings has the time and memory of each stage of the tool.
	Timings []timing
	// Assembly is the size of the generated assembly file in bytes.
	Assembly int64
	// GoBuild is the time in seconds of go build for a program that imports the package, when Go's cache does not have the package.
	GoBuild float64
}

// timing is the time and memory of one stage, as rustgo build --timings prints them.
type timing struct {
	Stage string
	// Seconds is the time that passed, Processor the processor time of the tool without cargo and go, both in seconds.
	Seconds, Processor float64
	// Peak is the largest amount of memory that the tool used, in MiB.
	Peak float64
}

var (
	directive = regexp.MustCompile(`(?m)^//@ (.*)$`)
	header    = regexp.MustCompile(`(?m)^(//@ .*|//! .*)\n`)
	quoted    = regexp.MustCompile(`"(\w+)"`)
	notWord   = regexp.MustCompile(`\W`)
)

func readCrate(name string) (*crate, error) {
	text, err := os.ReadFile(filepath.Join(root, "scripts/survey-crates", name+".rs"))
	if err != nil {
		return nil, err
	}
	c := &crate{
		name:    name,
		ident:   "survey_" + notWord.ReplaceAllString(name, "_"),
		dir:     filepath.Join(scratch, "crates", name),
		text:    string(text),
		budget:  strings.Contains(string(text), `stack = "`),
		results: map[string]*result{},
	}
	var support string
	var dependencies []string
	var documents [][]byte
	for _, m := range directive.FindAllStringSubmatch(c.text, -1) {
		key, value, _ := strings.Cut(m[1], ": ")
		switch {
		case m[1] == "std":
			c.std = true
		case key == "support":
			c.features = strings.Fields(value)
			quoted := make([]string, len(c.features))
			for i, feature := range c.features {
				quoted[i] = strconv.Quote(feature)
			}
			support = "features = [" + strings.Join(quoted, ", ") + "], "
		case key == "input":
			document, err := unescape(value)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			documents = append(documents, document)
		default:
			dependencies = append(dependencies, m[1])
		}
	}
	pinned := regexp.MustCompile(`^` + regexp.QuoteMeta(name) + ` = .*?"=([\w.+-]+)"`)
	for _, line := range dependencies {
		if m := pinned.FindStringSubmatch(line); m != nil && c.version == "" {
			c.version = m[1]
		}
	}
	if c.version == "" {
		return nil, fmt.Errorf("%s: no dependency names the version of the crate", name)
	}
	c.inputs = filepath.Join(c.dir, "inputs")
	var inputs []byte
	for _, input := range makeInputs(name, documents) {
		inputs = append(binary.LittleEndian.AppendUint32(inputs, uint32(len(input))), input...)
	}
	noStd := "#![no_std]\n"
	if c.std {
		noStd = ""
	}
	return c, errors.Join(
		write(c.dir+"/Cargo.toml", fmt.Sprintf("[package]\nname = \"survey-%s\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n"+
			"rustgo-support = { %spath = \"%s/crates/support\" }\n%s\n", name, support, root, strings.Join(dependencies, "\n"))),
		write(c.dir+"/src/lib.rs", noStd+header.ReplaceAllString(c.text, "")+prelude),
		write(fmt.Sprintf("%s/examples/%s_native.rs", c.dir, c.ident),
			fmt.Sprintf("const SURVEY: fn(&mut [u8], &[u8]) -> usize = %s::survey;\n\n%s", c.ident, rustMain)),
		write(c.inputs, string(inputs)),
	)
}

// unescape decodes a document with the escapes \n, \r, \t, \0, \\, \", \', \xHH and \uHHHH. \xHH and \uHHHH are code points, except that \udc80 to
// \udcff are the bytes 0x80 to 0xff, which need not be valid UTF-8.
func unescape(text string) ([]byte, error) {
	var out []byte
	for len(text) > 0 {
		if text[0] != '\\' {
			out = append(out, text[0])
			text = text[1:]
			continue
		}
		if len(text) == 1 {
			return nil, errors.New("an input ends with a backslash")
		}
		kind := text[1]
		text = text[2:]
		if digits := map[byte]int{'x': 2, 'u': 4}[kind]; digits > 0 && len(text) >= digits {
			point, err := strconv.ParseUint(text[:digits], 16, 32)
			if err != nil {
				return nil, err
			}
			if point >= 0xdc80 && point <= 0xdcff {
				out = append(out, byte(point-0xdc00))
			} else {
				out = append(out, string(rune(point))...)
			}
			text = text[digits:]
			continue
		}
		at := strings.IndexByte(`nrt0\"'`, kind)
		if at < 0 {
			return nil, fmt.Errorf(`an input has the unknown escape \%c`, kind)
		}
		out = append(out, "\n\r\t\x00\\\"'"[at])
	}
	return out, nil
}

// native returns the lines that the native program prints. The program is built with little optimization, which shortens the build.
func (c *crate) native(offline []string) ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.natively != nil {
		return c.natively, nil
	}
	args := append([]string{"build", "--release", "--quiet", "--example", c.ident + "_native"}, offline...)
	for _, setting := range []string{"opt-level=1", "debug=false", "debug-assertions=false", "overflow-checks=false", "codegen-units=16"} {
		args = append(args, "--config", "profile.release."+setting)
	}
	version := run(command{args: []string{"rustc", "-vV"}})
	triple := regexp.MustCompile(`(?m)^host: (.*)$`).FindStringSubmatch(version.stdout)
	if triple == nil {
		return nil, fmt.Errorf("rustc -vV names no host: %s", version.stderr)
	}
	// The tool uses this folder too, so that procedural macros and build scripts are compiled only once.
	target := filepath.Join(scratch, "target/rustgo")
	built := run(command{args: append(append([]string{"cargo"}, args...), "--target", triple[1]), dir: c.dir, env: []string{"CARGO_TARGET_DIR=" + target}})
	if built.code != 0 {
		return nil, fmt.Errorf("%s does not build natively\n%s", c.name, built.stderr)
	}
	program := filepath.Join(target, triple[1], "release/examples", c.ident+"_native")
	ran := run(command{args: []string{program, c.inputs}, limit: 5 * time.Minute})
	if ran.code != 0 {
		return nil, fmt.Errorf("%s fails natively: %d\n%s", c.name, ran.code, ran.stderr)
	}
	c.natively = lines(ran.stdout)
	return c.natively, nil
}

var (
	stageLine   = regexp.MustCompile(`(?m)^rustgo: (\w+) \(([\d.]+) (ms|s)\)$`)
	timingLine  = regexp.MustCompile(`(?m)^rustgo: (\w[\w ]*?) +([\d.]+) s  processor +([\d.]+) s  peak ([\d.]+) (KiB|MiB)$`)
	countedLine = regexp.MustCompile(`\((\d+) functions, (.*?) of code, .*deepest stack (.*?)\)`)
	liveLine    = regexp.MustCompile(`^live: (\d+) (\d+)$`)
)

// build builds the crate for a machine.
func (c *crate) build(machine string, offline []string) (*result, error) {
	out := filepath.Join(scratch, "go", machine, c.ident)
	err := os.RemoveAll(out)
	if err != nil {
		return nil, err
	}
	args := []string{tool, "build", "-v", "--timings", "--color", "never", "--crate", c.dir, "--out", out, "--package", c.ident, "--arch", machine}
	args = append(args, offline...)
	if panics != "" {
		args = append(args, "--panic", panics)
	}
	if _, err := os.Stat(arm64Toolchain); err == nil || !strings.Contains(arm64Toolchain, "/") {
		args = append(args, "--toolchain", "arm64="+arm64Toolchain)
	}
	began := time.Now()
	built := run(command{args: args})
	r := &result{Seconds: time.Since(began).Round(100 * time.Millisecond).Seconds(), Stages: map[string]float64{}}
	for _, m := range stageLine.FindAllStringSubmatch(built.stderr, -1) {
		n, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return nil, err
		}
		if m[3] == "ms" {
			n /= 1000
		}
		r.Stages[m[1]] = n
	}
	for _, m := range timingLine.FindAllStringSubmatch(built.stderr, -1) {
		t := timing{Stage: m[1]}
		for i, to := range []*float64{&t.Seconds, &t.Processor, &t.Peak} {
			if *to, err = strconv.ParseFloat(m[2+i], 64); err != nil {
				return nil, err
			}
		}
		if m[5] == "KiB" {
			t.Peak /= 1 << 10
		}
		r.Timings = append(r.Timings, t)
	}
	if file, err := os.Stat(filepath.Join(out, "rustgo_"+machine+".s")); err == nil {
		r.Assembly = file.Size()
	}
	if m := countedLine.FindStringSubmatch(built.stderr); built.code == 0 && m != nil {
		r.Functions, r.Code, r.Stack = m[1], m[2], m[3]
		return r, nil
	}
	r.Reasons, err = reasons(built.stderr)
	return r, err
}

// compare calls the package from Go, compares the output with want, the lines of the native program, and stores the verdict in r.
func (c *crate) compare(machine string, r *result, want []string) error {
	dir := filepath.Join(scratch, "go", machine)
	generated, err := os.ReadFile(filepath.Join(dir, c.ident, "rustgo.go"))
	if err != nil {
		return err
	}
	unwinds := strconv.FormatBool(bytes.Contains(generated, []byte("\n// panics unwind\n")))
	text := strings.NewReplacer("IDENT", c.ident, "UNWINDS", unwinds).Replace(goMain)
	if err := write(filepath.Join(dir, "main", c.ident, "main.go"), text); err != nil {
		return err
	}
	program := filepath.Join(dir, "main", c.ident, "main")
	env := []string{"GOARCH=" + machine, "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off"}
	began := time.Now()
	built := run(command{args: []string{"go", "build", "-o", program, "./main/" + c.ident}, dir: dir, env: env})
	r.GoBuild = time.Since(began).Seconds()
	if built.code != 0 {
		r.Verdict, r.Difference = "DIFFERS", "go build: "+built.stdout+built.stderr
		return nil
	}
	defer os.Remove(program)
	args := []string{program, c.inputs}
	if machine == "arm64" && emulator != "" {
		if _, err := exec.LookPath(emulator); err != nil {
			return fmt.Errorf("no %s: scripts/setup installs it", emulator)
		}
		args = append([]string{emulator}, args...)
	}
	ran := run(command{args: args, limit: 10 * time.Minute})
	got := lines(ran.stdout)
	var before, after int
	if len(got) > 0 {
		if m := liveLine.FindStringSubmatch(got[len(got)-1]); m != nil {
			before, _ = strconv.Atoi(m[1]) // the pattern matches only digits
			after, _ = strconv.Atoi(m[2])
		}
		got = got[:len(got)-1]
	}
	r.Calls = len(want)
	for _, line := range want {
		if strings.Contains(line, ": panic: ") {
			r.Panics++
		}
	}
	switch {
	case !slices.Equal(got, want):
		first := [2]string{"more lines", ""}
		for i := range max(len(got), len(want)) {
			pair := [2]string{at(got, i), at(want, i)}
			if pair[0] != pair[1] {
				first = pair
				break
			}
		}
		r.Verdict, r.Difference = "DIFFERS", fmt.Sprintf("Go: %s; natively: %s", readable(first[0]), readable(first[1]))
		if ran.code != 0 {
			r.Difference += fmt.Sprintf("; it ended with %d: %.2000s", ran.code, ran.stderr)
		}
	case after > before:
		r.Verdict, r.Difference = "LEAKS", fmt.Sprintf("%d bytes live after the first round, %d after the second", before, after)
	default:
		r.Verdict = "same"
	}
	return nil
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

func lines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

var bytesOfMessage = regexp.MustCompile(`\[([\d, ]*)\]$`)

// readable replaces the list of numbers at the end of a line by the text in quotes. The programs print a panic's message as the numbers of its
// bytes, so that the message takes one line.
func readable(line string) string {
	return bytesOfMessage.ReplaceAllStringFunc(line, func(list string) string {
		var message []byte
		for _, number := range strings.FieldsFunc(list, func(r rune) bool { return r < '0' || r > '9' }) {
			n, err := strconv.ParseUint(number, 10, 8)
			if err != nil {
				return list
			}
			message = append(message, byte(n))
		}
		return strconv.Quote(string(message))
	})
}

var (
	toolError  = regexp.MustCompile(`(?m)^rustgo: error: (.*)$`)
	cargoError = regexp.MustCompile(`(?m)^error(?:\[E\d+\])?: (.*)$`)
)

// reasons returns the errors of the tool, or cargo's errors if the crate does not compile. It returns each error once.
func reasons(text string) ([]string, error) {
	var own, found []string
	for _, m := range toolError.FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	for _, m := range cargoError.FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[1], "could not compile") {
			own = append(own, "cargo: "+m[1])
		}
	}
	if len(own) > 0 && (len(found) == 0 || strings.Contains(found[0], "does not compile")) {
		found = own
	}
	if len(found) == 0 {
		return nil, errors.New(text)
	}
	var once []string
	for _, reason := range found {
		if !slices.Contains(once, reason) {
			once = append(once, reason)
		}
	}
	return once, nil
}
