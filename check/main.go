// Check reads the object files of Go packages made by rustgo and confirms that their machine code keeps those promises of docs/safety.md that can be
// seen in machine code. It shares no code with rustgo. README.md lists what is confirmed and what is not.
//
// Usage: check [-C folder] [-arch amd64,arm64] [-json] packages
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"rustgo.dev/check/internal/analysis"
	"rustgo.dev/check/internal/object"
)

// report is the result for one package and architecture.
type report struct {
	Package    string           `json:"package"`
	Arch       string           `json:"arch"`
	Capability string           `json:"capability,omitempty"`
	Facts      *analysis.Facts  `json:"facts,omitempty"`
	Faults     []analysis.Fault `json:"faults,omitempty"`
	NotChecked []string         `json:"notChecked,omitempty"` // of a package without assembly by rustgo: other files that the linker gets
}

func main() {
	folder := flag.String("C", ".", "the folder of the packages' module")
	arches := flag.String("arch", "amd64,arm64", "the architectures to check")
	asJSON := flag.Bool("json", false, "print facts and faults as JSON")
	flag.Parse()
	confirmed, err := run(os.Stdout, *folder, strings.Split(*arches, ","), *asJSON, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "check: error:", err)
	}
	if err != nil || !confirmed {
		os.Exit(1)
	}
}

// run checks packages and prints the results. It reports whether all packages are confirmed.
func run(out io.Writer, folder string, arches []string, asJSON bool, patterns []string) (bool, error) {
	confirmed, made := true, false
	reports := []report{}
	for _, arch := range arches {
		packages, err := list(folder, arch, patterns)
		if err != nil {
			return false, err
		}
		for _, p := range packages {
			r := report{Package: p.ImportPath, Arch: arch}
			if p.made(arch) {
				made = true
				if err := r.check(p); err != nil {
					return false, fmt.Errorf("%s %s: %w", p.ImportPath, arch, err)
				}
			} else if r.NotChecked = p.others(); len(r.NotChecked) == 0 {
				continue
			}
			confirmed = confirmed && len(r.Faults) == 0
			reports = append(reports, r)
			if asJSON {
				continue
			}
			if r.Facts != nil {
				fmt.Fprintf(out, "%s %s: %s\n", r.Package, r.Arch, r.Capability)
			}
			if len(r.NotChecked) > 0 {
				fmt.Fprintf(out, "%s %s: not checked, because rustgo has not made its assembly: %s\n", r.Package, r.Arch, strings.Join(r.NotChecked, ", "))
			}
			for _, f := range r.Faults {
				fmt.Fprintf(out, "%s %s: not confirmed: %s\n", r.Package, r.Arch, f)
			}
		}
	}
	if !made {
		return false, errors.New("no package made by rustgo matches")
	}
	if asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "\t")
		e.SetEscapeHTML(false)
		return confirmed, e.Encode(reports)
	}
	return confirmed, nil
}

// listed is a package as the go command describes it.
type listed struct {
	ImportPath, Dir, Export                      string
	SFiles, HFiles, SysoFiles, IgnoredOtherFiles []string
	GoFiles, IgnoredGoFiles                      []string
}

// made reports whether the package has assembly by rustgo. A build constraint may exclude this assembly.
func (p listed) made(arch string) bool {
	own := "rustgo_" + arch + ".s"
	return slices.Contains(p.SFiles, own) || slices.Contains(p.IgnoredOtherFiles, own)
}

// list asks the go command for packages. The go command also builds them.
func list(folder, arch string, patterns []string) ([]listed, error) {
	cmd := exec.Command("go", append([]string{"list", "-export", "-json=ImportPath,Dir,Export,SFiles,HFiles,SysoFiles,IgnoredOtherFiles,GoFiles,IgnoredGoFiles", "-tags=", "--"}, patterns...)...)
	cmd.Dir = folder
	// Only code for linux is checked. Code for other systems differs only in instructions that the assembler adds.
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0")
	var problem bytes.Buffer
	cmd.Stderr = &problem
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, problem.Bytes())
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

// check checks the assembled files of one package.
func (r *report) check(p listed) error {
	own := "rustgo_" + r.Arch
	text, err := os.ReadFile(filepath.Join(p.Dir, own+".s"))
	if err != nil {
		return err
	}
	if reason := p.configurations(r.Arch, text); reason != "" {
		r.Faults = append(r.Faults, analysis.Fault{Function: own + ".s", Reason: reason})
		return nil
	}
	if name, err := p.cgo(); err != nil {
		return err
	} else if name != "" {
		// With cgo, the C compiler and not Go's assembler translates the package's assembly files.
		r.Faults = append(r.Faults, analysis.Fault{Function: name, Reason: "a file with cgo, which some builds use"})
		return nil
	}
	archive, err := os.ReadFile(p.Export)
	if err != nil {
		return err
	}
	files, err := object.Assembled(archive)
	if err != nil {
		return err
	}
	own += ".o"
	if files[own] == nil {
		return fmt.Errorf("the archive %s has no file %s", filepath.Base(p.Export), own)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name != own {
			r.Faults = append(r.Faults, analysis.Fault{Function: name, Reason: "assembly that rustgo has not made"})
			continue
		}
		f, err := object.Read(files[name])
		if err != nil {
			return err
		}
		if f.Arch != r.Arch {
			return fmt.Errorf("%s is code for %s", name, f.Arch)
		}
		facts, faults := analysis.Check(f, p.ImportPath)
		r.Faults = append(r.Faults, faults...)
		if len(faults) == 0 {
			r.Facts, r.Capability = &facts, capability(facts)
		}
	}
	if len(r.Faults) > 0 {
		r.Facts, r.Capability = nil, ""
	}
	return nil
}

// capability describes in one line what the code of a package can do.
func capability(x analysis.Facts) string {
	has := func(name string) bool { return slices.Contains(x.Services, name) || slices.Contains(x.Features, name) }
	var can, cannot []string
	for _, c := range []string{"clock", "random", "output", "waiting", "memory of the system", "calls of Go functions"} {
		name := c
		switch c {
		case "random":
			name = "random numbers"
		case "output":
			name = "I/O"
		}
		if has(c) {
			can = append(can, name)
		} else if c == "clock" || name != c {
			cannot = append(cannot, "no "+name)
		}
	}
	line := "computes only: no system calls"
	if len(can) > 0 {
		line = "computes, and uses " + strings.Join(can, ", ") + ": no system calls of its own"
	}
	if len(cannot) > 0 {
		line += ", " + strings.Join(cannot, ", ")
	}
	parts := []string{line}
	stack := fmt.Sprintf("stack <= %.1f KiB", float64((x.Stack*10+1023)/1024)/10)
	if x.Checked {
		stack += ", checked at run time"
	}
	parts = append(parts, stack)
	parts = append(parts, "heap: "+yes(has("heap")))
	for _, name := range []string{"thread-local variables", "blocking calls"} {
		if has(name) {
			parts = append(parts, name)
		}
	}
	var reads []string
	if has("CPUID") || has("processor features") {
		reads = append(reads, "features of the processor")
	}
	if has("scheduler") {
		reads = append(reads, "the scheduler's numbers")
	}
	if reads = append(reads, x.GFields...); len(reads) > 0 {
		parts = append(parts, "reads "+strings.Join(reads, ", "))
	}
	if x.Unknown > 0 {
		parts = append(parts, fmt.Sprintf("%d calls through unchecked pointers", x.Unknown))
	}
	if x.LimitWord {
		parts = append(parts, "writes the word at g.stack.lo")
	}
	for _, path := range x.Copies {
		parts = append(parts, "trusts "+path+" (copy, not checked)")
	}
	return strings.Join(parts, "; ")
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
