package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// rustPrograms are the minimal programs in Rust, by column. The minimal program in Go is cmd/minimal, with one of goPackages.
var (
	rustPrograms = map[string]string{"rust": "minimal-rust", "rust-sodium": "minimal-sodium"}
	goPackages   = map[string]string{"gostd": "gostd", "sodium-cgo": "sodiumcgo", "sodium-fastcgo": "sodiumfast", "sodium-rustgo": "sodiumrustgo", "rust-cgo": "rustcgo",
		"rustgo": "rustgo"}
)

// compile measures the compile time and the size of the minimal programs. Rust's compiler comes with a compiled standard library. To treat Go alike,
// compile puts Go's standard library into the build cache before the measurement. It also downloads the crates and modules before.
func (s *session) compile(folder string) error {
	if s.rebuilds == 0 {
		return nil
	}
	cache := filepath.Join(folder, "cache")
	list := exec.Command("go", "list", "-tags", s.goTags, "-deps", "-f", "{{if .Standard}}{{.ImportPath}}{{end}}", "./cmd/minimal", "./internal/columns/...")
	list.Env = append(os.Environ(), s.goEnv...)
	out, err := list.Output()
	if err != nil {
		return err
	}
	fill := exec.Command("go", append([]string{"build", "-trimpath"}, strings.Fields(string(out))...)...)
	fill.Env = append(os.Environ(), "GOCACHE="+cache)
	if err := run(fill); err != nil {
		return err
	}
	for _, c := range s.columns {
		dir := filepath.Join(folder, c.name)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		var program string
		if rustPrograms[c.name] != "" {
			program, err = s.compileRust(c, dir)
		} else if goPackages[c.name] != "" {
			program, err = s.compileGo(c, dir, cache)
		} else {
			continue
		}
		if err != nil {
			return err
		}
		info, err := os.Stat(program)
		if err != nil {
			return err
		}
		s.At("size", "stripped", 0, "B").Add(c.name, float64(info.Size()))
		if err := run(exec.Command(program)); err != nil {
			return err
		}
	}
	return nil
}

// builds measures n builds of a program. It calls prepare before each build.
func (s *session) builds(c columnKind, group string, n int, prepare func(i int) error, build func() *exec.Cmd) error {
	fmt.Fprintf(os.Stderr, "compile %s: %s\n", c.name, group)
	for i := range n {
		if err := prepare(i); err != nil {
			return err
		}
		seconds, err := took(build())
		if err != nil {
			return err
		}
		s.At("compile", group, 0, "s").Add(c.name, seconds)
	}
	return nil
}

// took runs the command and returns its duration in seconds.
func took(cmd *exec.Cmd) (float64, error) {
	start := time.Now()
	err := run(cmd)
	return time.Since(start).Seconds(), err
}

// change copies a source file and replaces texts in the copy.
func change(from, to string, replace ...string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, []byte(strings.NewReplacer(replace...).Replace(string(text))), 0o666)
}

// mainFunction is the line after which a line is inserted for an incremental build.
const mainFunction = "func main() {\n"

func (s *session) compileGo(c columnKind, dir, cache string) (program string, err error) {
	program, own, overlay, changed := filepath.Join(dir, "program"), filepath.Join(dir, "cache"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "main.go")
	source, err := filepath.Abs("cmd/minimal/main.go")
	if err != nil {
		return "", err
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{source: changed}})
	if err == nil {
		err = os.WriteFile(overlay, replace, 0o666)
	}
	if err == nil {
		err = change(source, changed, "gostd", goPackages[c.name])
	}
	if err != nil {
		return "", err
	}
	build := func() *exec.Cmd {
		os.Remove(program)
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-tags", s.goTags, "-overlay", overlay, "-o", program, "./cmd/minimal")
		cmd.Env = append(append(os.Environ(), s.goEnv...), "GOCACHE="+own)
		return cmd
	}
	err = s.builds(c, "clean", s.cleanGo, func(int) error {
		os.RemoveAll(own)
		return run(exec.Command("cp", "-al", cache, own))
	}, build)
	if err != nil {
		return "", err
	}
	if c.kind == cgoRust { // a clean build compiles the crates too
		seconds, err := took(s.cargo("native", filepath.Join(dir, "target"), "crypto-capi"))
		if err != nil {
			return "", err
		}
		for i := range s.cleanGo {
			s.At("compile", "clean", 0, "s").Values[c.name][i] += seconds
		}
	}
	err = s.builds(c, "incremental", s.rebuilds, func(i int) error {
		return change(source, changed, "gostd", goPackages[c.name], mainFunction, fmt.Sprintf("%s\tprintln(%d)\n", mainFunction, i))
	}, build)
	if err == nil {
		err = change(source, changed, "gostd", goPackages[c.name])
	}
	if err != nil {
		return "", err
	}
	return program, run(build()) // builds the program again, without the inserted line
}

func (s *session) cargo(folder, target, pkg string) *exec.Cmd {
	cmd := exec.Command("cargo", "build", "--release", "--locked", "--offline", "--quiet", "--target-dir", target, "--manifest-path", filepath.Join(folder, "Cargo.toml"), "-p", pkg)
	cmd.Env = append(os.Environ(), rustFlags, "CARGO_PROFILE_RELEASE_STRIP=symbols")
	return cmd
}

// compileRust measures a program in Rust. It compiles a copy of the sources, because it changes one of the files.
func (s *session) compileRust(c columnKind, dir string) (program string, err error) {
	sources, target, pkg := filepath.Join(dir, "native"), filepath.Join(dir, "target"), rustPrograms[c.name]
	if err := run(exec.Command("sh", "-c", `mkdir -p "$1" && tar -C native --exclude=./target -cf - . | tar -C "$1" -xf -`, "sh", sources)); err != nil {
		return "", err
	}
	build := func() *exec.Cmd { return s.cargo(sources, target, pkg) }
	if err := s.builds(c, "clean", 1, func(int) error { return nil }, build); err != nil {
		return "", err
	}
	source := filepath.Join(pkg, "src", "main.rs")
	return filepath.Join(target, "release", pkg), s.builds(c, "incremental", s.rebuilds, func(i int) error {
		return change(filepath.Join("native", source), filepath.Join(sources, source), "fn main() {\n", fmt.Sprintf("fn main() {\n    eprintln!(\"{}\", %d);\n", i))
	}, build)
}
