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

// compile measures how long the minimal programs take to compile, and how large they are. What comes with a compiler counts as there: a Go build begins with a
// cache that has the standard library, as Rust's comes compiled. Crates and modules are downloaded before.
func (s *session) compile(folder string) error {
	cache := filepath.Join(folder, "cache")
	var programs []columnKind
	for _, c := range s.columns {
		if _, err := os.Stat(filepath.Join("cmd", "minimal", c.name)); rustPrograms[c.name] != "" || err == nil {
			programs = append(programs, c)
		}
	}
	if s.rebuilds == 0 {
		return s.programSizes(folder, programs)
	}
	if err := s.standard(cache, programs); err != nil {
		return err
	}
	for _, c := range programs {
		fmt.Fprintf(os.Stderr, "compile %s\n", c.name)
		dir := filepath.Join(folder, c.name)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		var err error
		if c.kind == native {
			err = s.compileRust(c, dir)
		} else {
			err = s.compileGo(c, dir, cache)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// standard fills the cache with the packages of the standard library that the programs need.
func (s *session) standard(cache string, programs []columnKind) error {
	args := []string{"list", "-tags", s.goTags, "-deps", "-f", "{{if .Standard}}{{.ImportPath}}{{end}}"}
	for _, c := range programs {
		if c.kind != native {
			args = append(args, "./cmd/minimal/"+c.name)
		}
	}
	list := exec.Command("go", args...)
	list.Env = append(os.Environ(), s.goEnv...)
	out, err := list.Output()
	if err != nil {
		return err
	}
	fill := exec.Command("go", append([]string{"build", "-trimpath"}, strings.Fields(string(out))...)...)
	fill.Env = append(os.Environ(), "GOCACHE="+cache)
	return run(fill)
}

// took runs the command and returns how long it takes, in seconds.
func took(cmd *exec.Cmd) (float64, error) {
	start := time.Now()
	err := run(cmd)
	return time.Since(start).Seconds(), err
}

func (s *session) compileGo(c columnKind, dir, cache string) error {
	program := filepath.Join(dir, "program")
	build := func(env string, more ...string) (float64, error) {
		os.Remove(program)
		args := append([]string{"build", "-trimpath", "-ldflags=-s -w", "-tags", s.goTags, "-o", program}, more...)
		cmd := exec.Command("go", append(args, "./cmd/minimal/"+c.name)...)
		cmd.Env = append(append(os.Environ(), s.goEnv...), env)
		return took(cmd)
	}
	own := filepath.Join(dir, "cache")
	for range s.cleanGo {
		os.RemoveAll(own)
		if err := run(exec.Command("cp", "-al", cache, own)); err != nil {
			return err
		}
		seconds, err := build("GOCACHE=" + own)
		if err != nil {
			return err
		}
		s.At("compile", "clean", 0, "s").Add(c.name, seconds)
	}
	if c.kind == cgoRust { // what Rust takes belongs to it
		row := s.At("compile", "clean", 0, "s")
		var rust []float64
		for range s.cleanRust {
			target := filepath.Join(dir, "target")
			os.RemoveAll(target)
			seconds, err := took(s.cargo("native", target, "crypto-capi"))
			if err != nil {
				return err
			}
			rust = append(rust, seconds)
		}
		for i := range row.Values[c.name] {
			row.Values[c.name][i] += rust[i%len(rust)]
		}
	}
	source := filepath.Join("cmd", "minimal", c.name, "main.go")
	text, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	if source, err = filepath.Abs(source); err != nil {
		return err
	}
	for i := range s.rebuilds {
		changed := filepath.Join(dir, "main.go")
		changedText := strings.Replace(string(text), "func main() {\n", fmt.Sprintf("func main() {\n\tprintln(%d)\n", i), 1)
		if err := os.WriteFile(changed, []byte(changedText), 0o666); err != nil {
			return err
		}
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{source: changed}})
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o666); err != nil {
			return err
		}
		seconds, err := build("GOCACHE="+own, "-overlay", filepath.Join(dir, "overlay.json"))
		if err != nil {
			return err
		}
		s.At("compile", "incremental", 0, "s").Add(c.name, seconds)
	}
	if _, err := build("GOCACHE=" + own); err != nil {
		return err
	}
	return s.size(c, program)
}

func (s *session) cargo(folder, target, pkg string) *exec.Cmd {
	cmd := exec.Command("cargo", "build", "--release", "--locked", "--offline", "--quiet", "--target-dir", target, "--manifest-path",
		filepath.Join(folder, "Cargo.toml"), "-p", pkg)
	cmd.Env = append(os.Environ(), rustFlags, "CARGO_PROFILE_RELEASE_STRIP=symbols")
	return cmd
}

// compileRust compiles a copy of the sources, so that they can be changed.
func (s *session) compileRust(c columnKind, dir string) error {
	sources, target := filepath.Join(dir, "native"), filepath.Join(dir, "target")
	copySources := exec.Command("sh", "-c", `mkdir -p "$1" && tar -C native --exclude=./target -cf - . | tar -C "$1" -xf -`, "sh", sources)
	if err := run(copySources); err != nil {
		return err
	}
	pkg := rustPrograms[c.name]
	for range s.cleanRust {
		os.RemoveAll(target)
		seconds, err := took(s.cargo(sources, target, pkg))
		if err != nil {
			return err
		}
		s.At("compile", "clean", 0, "s").Add(c.name, seconds)
	}
	source := filepath.Join(sources, pkg, "src", "main.rs")
	text, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	for i := range s.rebuilds {
		changed := strings.Replace(string(text), "fn main() {\n", fmt.Sprintf("fn main() {\n    eprintln!(\"{}\", %d);\n", i), 1)
		if err := os.WriteFile(source, []byte(changed), 0o666); err != nil {
			return err
		}
		seconds, err := took(s.cargo(sources, target, pkg))
		if err != nil {
			return err
		}
		s.At("compile", "incremental", 0, "s").Add(c.name, seconds)
	}
	return s.size(c, filepath.Join(target, "release", pkg))
}

// programSizes measures no times, and so takes what was compiled before.
func (s *session) programSizes(folder string, programs []columnKind) error {
	for _, c := range programs {
		program := filepath.Join(folder, c.name)
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-tags", s.goTags, "-o", program, "./cmd/minimal/"+c.name)
		cmd.Env = append(os.Environ(), s.goEnv...)
		if c.kind == native {
			target, err := filepath.Abs(filepath.Join("native", "target", "minimal"))
			if err != nil {
				return err
			}
			program, cmd = filepath.Join(target, "release", rustPrograms[c.name]), s.cargo("native", target, rustPrograms[c.name])
		}
		if err := run(cmd); err != nil {
			return err
		}
		if err := s.size(c, program); err != nil {
			return err
		}
	}
	return nil
}

var rustPrograms = map[string]string{"rust": "minimal-rust", "rust-sodium": "minimal-sodium"}

func (s *session) size(c columnKind, program string) error {
	info, err := os.Stat(program)
	if err != nil {
		return err
	}
	s.At("size", "stripped", 0, "B").Add(c.name, float64(info.Size()))
	return run(exec.Command(program))
}
