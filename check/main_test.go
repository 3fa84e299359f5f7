package main

import (
	"bytes"
	"encoding/json"
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
		// Two crates have hash maps with random seeds, and locks, which wait and read a clock.
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
	withTasks := []string{"xlsx"}
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
		if len(reports) != 2 || confirmed == slices.Contains(withTasks, name) {
			t.Errorf("%s: %d reports, confirmed: %v", name, len(reports), confirmed)
		}
		for _, r := range reports {
			for _, f := range r.Faults[:min(len(r.Faults), 5)] {
				if confirmed || !strings.Contains(f.Reason, "check does not confirm packages with tasks") {
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
