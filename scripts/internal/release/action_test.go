package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAction runs scripts/action with programs named rustgo, cargo and rustup that only record their arguments.
func TestAction(t *testing.T) {
	const check = "rustgo check --locked --message-format github --crate my crate"
	for _, test := range []struct {
		name, installed, arguments string
		hasBinstall                bool
		status                     string
		want                       []string
	}{
		{"the version is there", "rustgo 1.2.3", "", false, "0", []string{"rustup component add rust-src", check}},
		{"another version is there", "rustgo 1.2.2", "--arch amd64", false, "0",
			[]string{"cargo install cargo-rustgo --version =1.2.3 --locked", "rustup component add rust-src", check + " --arch amd64"}},
		{"binstall is there", "", "", true, "0", []string{"cargo binstall --no-confirm cargo-rustgo@1.2.3", "rustup component add rust-src", check}},
		{"the files are stale", "rustgo 1.2.3", "", false, "1", []string{"rustup component add rust-src", check}},
	} {
		dir := t.TempDir()
		log := filepath.Join(dir, "log")
		program := func(name, text string) error {
			return writeMode(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o755)
		}
		record := `echo "$(basename "$0") $*" >>"` + log + "\"\n"
		if err := errors.Join(
			program("rustgo", `if [ "$1" = --version ]; then echo "`+test.installed+`"; exit; fi`+"\n"+record+"exit "+test.status+"\n"),
			program("cargo", record), program("rustup", record), os.Mkdir(filepath.Join(dir, "my crate"), 0o755),
		); err != nil {
			t.Fatal(err)
		}
		if test.hasBinstall {
			if err := program("cargo-binstall", record); err != nil {
				t.Fatal(err)
			}
		}
		action, err := filepath.Abs("../../action")
		if err != nil {
			t.Fatal(err)
		}
		cmd := command(dir, []string{
			"PATH=" + dir + ":/usr/bin:/bin", "RUSTGO_ACTION_VERSION=1.2.3", "RUSTGO_ACTION_CRATE=my crate", "RUSTGO_ACTION_ARGUMENTS=" + test.arguments,
		}, "bash", action)
		if _, err := outputOf(cmd); (err == nil) != (test.status == "0") {
			t.Errorf("%s: %v", test.name, err)
		}
		if got := strings.Split(strings.TrimSpace(read(t, log)), "\n"); strings.Join(got, "\n") != strings.Join(test.want, "\n") {
			t.Errorf("%s: it runs\n%s\nwant\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

// TestContainer checks that the container for contributors has the Rust version that the workspace requires.
func TestContainer(t *testing.T) {
	r := exported(t)
	var container struct {
		Build struct{ Dockerfile string }
	}
	if err := json.Unmarshal([]byte(read(t, filepath.Join(r.tree, ".devcontainer/devcontainer.json"))), &container); err != nil {
		t.Fatal(err)
	}
	file := read(t, filepath.Join(r.tree, ".devcontainer", container.Build.Dockerfile))
	_, rest, _ := strings.Cut(read(t, filepath.Join(r.tree, "Cargo.toml")), "\nrust-version = \"")
	version, _, _ := strings.Cut(rest, "\"")
	if want := "\nFROM rust:" + version + "-"; version == "" || !strings.Contains(file, want) {
		t.Errorf("the container has not Rust %s:\n%s", version, file)
	}
}
