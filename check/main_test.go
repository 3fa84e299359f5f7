package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPackages confirms all packages of the repository for both machines.
func TestPackages(t *testing.T) {
	var out bytes.Buffer
	confirmed, err := run(&out, "../packages", []string{"amd64", "arm64"}, true, []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	var reports []report
	if err := json.Unmarshal(out.Bytes(), &reports); err != nil {
		t.Fatal(err)
	}
	others := 0
	for _, r := range reports {
		if strings.HasSuffix(r.Package, "/htmlrewrite") {
			if len(r.Faults) == 0 || !strings.Contains(r.Faults[0].Reason, "check does not confirm packages with tasks") {
				t.Errorf("%s %s has tasks, and is confirmed", r.Package, r.Arch)
			}
			others++
			continue
		}
		t.Logf("%s %s: %s", r.Package, r.Arch, r.Capability)
		for _, f := range r.Faults[:min(len(r.Faults), 5)] {
			t.Errorf("%s %s: %s", r.Package, r.Arch, f)
		}
		// The crates of json and regex contain hash maps, which need random seeds, and locks, which wait and read a clock.
		name := r.Package[strings.LastIndexByte(r.Package, '/')+1:]
		computes := strings.HasPrefix(r.Capability, "computes only: no system calls, no clock, no random numbers, no I/O; ")
		if want := name != "json" && name != "regex"; r.Facts != nil && computes != want && !strings.Contains(r.Package, "/internal/") {
			t.Errorf("%s %s: computes only: %v", r.Package, r.Arch, computes)
		}
	}
	if confirmed || others != 2 || len(reports) < 22 {
		t.Errorf("%d packages, %d with tasks, all confirmed: %v", len(reports), others, confirmed)
	}
}

// TestOwnModules checks the packages of the repository that are modules of their own.
func TestOwnModules(t *testing.T) {
	// check does not see the bounds of some jump tables of svg. In evm (on amd64) and tokenizers a word of the stack holds the address of a function on some paths and of writable memory on others. Where the paths meet, check
	// takes the word for an address that may be code, and refuses a store to it.
	reasons := map[string][]string{
		"evm":        {"a store to code"},
		"svg":        {"a jump or call to an address that is not code", "a store to code", "a store to read-only data"},
		"tokenizers": {"a store to code"},
		"xlsx":       {"check does not confirm packages with tasks"},
	}
	files, err := filepath.Glob("../packages/*/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		folder := filepath.Dir(file)
		name := filepath.Base(folder)
		if name == "tests" {
			continue // the module has no package
		}
		var out bytes.Buffer
		confirmed, err := run(&out, folder, []string{"amd64", "arm64"}, true, []string{"."})
		if err != nil {
			t.Fatal(err)
		}
		var reports []report
		if err := json.Unmarshal(out.Bytes(), &reports); err != nil {
			t.Fatal(err)
		}
		known, refused := reasons[name]
		if len(reports) != 2 || confirmed == refused {
			t.Errorf("%s: %d reports, confirmed: %v", name, len(reports), confirmed)
		}
		for _, r := range reports {
			for _, f := range r.Faults[:min(len(r.Faults), 5)] {
				isKnown := slices.ContainsFunc(known, func(reason string) bool { return strings.Contains(f.Reason, reason) })
				if confirmed || !isKnown {
					t.Errorf("%s %s: %s", r.Package, r.Arch, f)
				}
			}
			t.Logf("%s %s: %s", r.Package, r.Arch, r.Capability)
		}
		seen++
	}
	if seen == 0 {
		t.Error("there is no such package")
	}
}

// TestRefused checks the messages for a package that cannot be confirmed: rt calls Go's runtime and the system.
func TestRefused(t *testing.T) {
	var out bytes.Buffer
	confirmed, err := run(&out, "../go", []string{"amd64"}, false, []string{"./rt"})
	if err != nil {
		t.Fatal(err)
	}
	if confirmed || !strings.Contains(out.String(), "rustgo.dev/go/rt amd64: not confirmed: ") {
		t.Errorf("confirmed: %v\n%s", confirmed, out.String())
	}
	if _, err := run(&out, "..", nil, false, nil); err == nil {
		t.Error("no packages, and no error")
	}
}

// module writes the files of a Go module example.com/demo to a folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	files["go.mod"] = "module example.com/demo\n\ngo 1.24\n"
	for name, text := range files {
		file := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestBuilds requires that a package is refused if some builds may use other code than the one that is checked.
func TestBuilds(t *testing.T) {
	const generated = "//go:build amd64\n\n#include \"textflag.h\"\n"
	const body = "TEXT ·F(SB), NOSPLIT|NOFRAME, $0-16\n\tRET\n"
	for name, c := range map[string]struct{ text, file, reason string }{
		"plain":        {generated + body, "rustgo_arm64.s", ""},
		"purego":       {strings.Replace(generated, "amd64", "amd64 && !purego", 1) + body, "", ""},
		"windows":      {generated + "#ifdef GOOS_windows\n#define RUSTGO_STACK_SYSTEM 4096\n#else\n#define RUSTGO_STACK_SYSTEM 0\n#endif\n#line 2 \"a.rs\"\n" + body, "", ""},
		"noconstraint": {"#include \"textflag.h\"\n" + body, "", "a build constraint that rustgo does not write"},
		"cgo":          {strings.Replace(generated, "amd64", "amd64 && !cgo", 1) + body, "", "a build constraint that rustgo does not write"},
		"ignored":      {generated + body, "x_arm64.s", "rustgo has not made x_arm64.s"},
		"object":       {generated + body, "x_windows.syso", "rustgo has not made x_windows.syso"},
		"header":       {generated + body, "go_asm.h", "rustgo has not made go_asm.h"},
		"level":        {generated + body + "#ifdef GOAMD64_v3\n\tSYSCALL\n#endif\n", "", "line 6, for the preprocessor, is none that rustgo writes: #ifdef GOAMD64_v3"},
		"comment":      {generated + body + "/* // */ # /* */ ifdef GOAMD64_v3\n\tSYSCALL\n#endif\n", "", "#ifdef GOAMD64_v3"},
		"system":       {generated + body + "#ifdef GOOS_windows\n\tSYSCALL\n#endif\n", "", "line 7 is code for Windows only"},
		"c":            {generated + body, "c.go", "c.go: a file with cgo, which some builds use"},
		"otherc":       {generated + body, "c_windows.go", "c_windows.go: a file with cgo, which some builds use"},
		"macro":        {generated + body + "\tMOVQ $GOAMD64_v1, AX\n", "", "the name of a macro: GOAMD64_v1"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"f.go": "package p\n\nfunc F(a uint64) uint64\n", "rustgo_amd64.s": c.text}
			if c.file != "" {
				files[c.file] = ""
			}
			if strings.HasSuffix(c.file, ".go") {
				files[c.file] = "//go:build cgo\n\npackage p\n\nimport \"C\"\n"
			}
			folder := module(t, files)
			var out bytes.Buffer
			confirmed, err := run(&out, folder, []string{"amd64"}, false, []string{"."})
			if err != nil {
				t.Fatal(err)
			}
			if confirmed != (c.reason == "") || !strings.Contains(out.String(), c.reason) {
				t.Errorf("confirmed: %v; want %q\n%s", confirmed, c.reason, out.String())
			}
		})
	}
}

// TestNotChecked requires that the output names a package whose assembly rustgo has not made, with the files.
func TestNotChecked(t *testing.T) {
	var out bytes.Buffer
	if _, err := run(&out, "../packages", []string{"amd64"}, false, []string{"./xxh3", "./internal/dudect"}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "internal/dudect amd64: not checked, because rustgo has not made its assembly: clock_amd64.s\n") {
		t.Error(out.String())
	}
}

// TestCopies requires that the line that check prints for a package names the copy of rt that the package calls.
func TestCopies(t *testing.T) {
	const head = "//go:build amd64\n\n#include \"textflag.h\"\n"
	folder := module(t, map[string]string{
		"f.go":                          "package demo\n\nimport _ \"example.com/demo/internal/rustgo/rt\"\n\nfunc F()\n",
		"rustgo_amd64.s":                head + "TEXT ·F(SB), NOSPLIT|NOFRAME, $0-0\n\tCALL example·com∕demo∕internal∕rustgo∕rt·rustState(SB)\n\tRET\n",
		"internal/rustgo/rt/rt.go":      "package rt\n\nfunc rustState()\n",
		"internal/rustgo/rt/rt_amd64.s": head + "TEXT ·rustState(SB), NOSPLIT|NOFRAME, $0-0\n\tSYSCALL\n\tRET\n",
	})
	var out bytes.Buffer
	if confirmed, err := run(&out, folder, []string{"amd64"}, false, []string{"."}); err != nil || !confirmed {
		t.Fatalf("confirmed: %v, %v\n%s", confirmed, err, out.String())
	}
	if !strings.HasSuffix(out.String(), "; trusts example.com/demo/internal/rustgo/rt (copy, not checked)\n") {
		t.Error(out.String())
	}
}
