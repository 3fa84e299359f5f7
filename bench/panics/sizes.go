//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// settings are the values of panic in a manifest.
var settings = []string{"unwind", "abandon"}

// A size has the sizes of a package in bytes, for one architecture and by setting.
type size struct {
	name, arch       string
	noStd            bool
	text, code, data map[string]float64
	refused          string // the message of the tool if it refuses the package, or ""
}

// sizes builds copies of the packages with each setting, in the folder.
func (o *options) sizes(dir string) ([]size, error) {
	arches := []string{"amd64"}
	if o.arm64 != "" {
		arches = append(arches, "arm64")
	}
	for _, setting := range settings {
		for _, name := range append([]string{"internal"}, o.packages...) {
			if err := copyPackage(filepath.Join(dir, setting), name); err != nil {
				return nil, err
			}
		}
	}
	var all []size
	for _, arch := range arches {
		for _, name := range o.packages {
			s := size{name: name, arch: arch, text: map[string]float64{}, code: map[string]float64{}, data: map[string]float64{}}
			for _, setting := range settings {
				err := o.measure(&s, filepath.Join(dir, setting, "packages", name), setting)
				if message := refusal.FindString(fmt.Sprint(err)); message != "" && !o.short {
					s.refused = fmt.Sprintf("with %q: %s", setting, message)
					fmt.Fprintln(os.Stderr, err)
				} else if err != nil {
					return nil, err
				}
			}
			fmt.Fprintf(os.Stderr, "%s for %s: %.0f and %.0f bytes of assembly\n", name, arch, s.text["abandon"], s.text["unwind"])
			all = append(all, s)
		}
	}
	return all, nil
}

// copyPackage copies the folder called name of packages, and makes the paths in its files absolute.
func copyPackage(dir, name string) error {
	root := absolute("..")
	manifest, err := os.ReadFile("../packages/go.mod")
	if err != nil {
		return err
	}
	manifest = bytes.ReplaceAll(manifest, []byte("=> ../go"), []byte("=> "+root+"/go"))
	from, to := filepath.Join(root, "packages", name), filepath.Join(dir, "packages", name)
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	outside := regexp.MustCompile(`"(\.\./)+crates/`)
	if err := os.WriteFile(filepath.Join(dir, "packages", "go.mod"), manifest, 0o666); err != nil {
		return err
	}
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() == "target" {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, relative), 0o777)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if entry.Name() == "Cargo.toml" {
			text = outside.ReplaceAll(text, []byte(`"`+root+`/crates/`))
			// Code for other processors is not measured.
			text = bytes.ReplaceAll(text, []byte("fallback = \"wasm\"\n"), nil)
		}
		return os.WriteFile(filepath.Join(to, relative), text, 0o666)
	})
}

var refusal = regexp.MustCompile(`rustgo: error: .*`)

// measure builds a package and stores its sizes.
func (o *options) measure(s *size, folder, setting string) error {
	arguments := []string{"--arch", s.arch, "--panic", setting}
	if s.arch == "arm64" {
		arguments = append(arguments, "--toolchain", "arm64="+o.arm64)
	}
	if _, err := o.generate(filepath.Join(folder, "rust"), arguments...); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*_"+s.arch+".s"))
	if err != nil {
		return err
	}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		s.text[setting] += float64(info.Size())
	}
	source, err := os.ReadFile(filepath.Join(folder, "rust", "src", "lib.rs"))
	if err != nil {
		return err
	}
	s.noStd = bytes.Contains(source, []byte("\n#![no_std]"))

	archive := filepath.Join(folder, "package.a")
	build := exec.Command("go", "-C", folder, "build", "-o", archive, ".")
	build.Env = append(os.Environ(), "GOARCH="+s.arch, "CGO_ENABLED=0")
	if _, err := output(build); err != nil {
		return err
	}
	symbols, err := output(exec.Command("go", "tool", "nm", "-size", archive))
	if err != nil {
		return err
	}
	for line := range strings.Lines(symbols) {
		// The fields of a line for an object from assembly: object, address, size, kind, name.
		fields := strings.Fields(line)
		if len(fields) < 5 || strings.Contains(fields[0], "(_go_.o)") {
			continue
		}
		sum := map[string]map[string]float64{"T": s.code, "R": s.data, "D": s.data}[strings.ToUpper(fields[3])]
		if sum == nil {
			continue
		}
		bytes, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			return fmt.Errorf("go tool nm: %q: %w", line, err)
		}
		sum[setting] += bytes
	}
	if s.code[setting] == 0 {
		return fmt.Errorf("%s: go tool nm found no machine code", archive)
	}
	return nil
}

// sizeTables writes a table for each architecture.
func (p *page) sizeTables(out *strings.Builder) {
	if len(p.sizes) == 0 {
		return
	}
	out.WriteString(ofSizes)
	for _, arch := range []string{"amd64", "arm64"} {
		if !slices.ContainsFunc(p.sizes, func(s size) bool { return s.arch == arch }) {
			continue
		}
		var refused []string
		fmt.Fprintf(out, "\n| %s | .s, kB | | code, KiB | | data, KiB | |\n|---|--:|--:|--:|--:|--:|--:|\n", arch)
		for _, s := range p.sizes {
			if s.arch != arch {
				continue
			}
			name := s.name
			if s.noStd {
				name += " (`no_std`)"
			}
			if s.refused != "" {
				refused = append(refused, fmt.Sprintf("%s is refused %s.", s.name, s.refused))
				continue
			}
			fmt.Fprintf(out, "| %s |", name)
			for _, part := range []struct {
				bytes map[string]float64
				unit  float64
			}{{s.text, 1000}, {s.code, 1024}, {s.data, 1024}} {
				abandon, unwind := part.bytes["abandon"], part.bytes["unwind"]
				fmt.Fprintf(out, " %s → %s | %.2f × |", amount(abandon/part.unit), amount(unwind/part.unit), unwind/abandon)
			}
			out.WriteString("\n")
		}
		for _, text := range refused {
			fmt.Fprintf(out, "\n%s\n", text)
		}
	}
}

func amount(x float64) string {
	if x < 100 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}
