package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestColumns runs every column once with small inputs. All columns must agree, and the page must have all tables. With -short it runs only the
// columns in Go, because the libraries in Rust and C take minutes to compile.
func TestColumns(t *testing.T) {
	b, err := build(t.TempDir(), !testing.Short())
	if err != nil {
		t.Fatal(err)
	}
	for _, left := range b.left {
		t.Log("left out: ", left)
		if os.Getenv("CI") == "true" {
			t.Error("CI must have all tools")
		}
	}
	s := newSession(b, scope{runs: 1, millis: 1, sizes: []int{16, 16 << 10}, each: 1, openFor: 10, scaleFor: 1, pausesFor: 1, payload: 1 << 20})
	if err := s.begin(); err != nil {
		t.Fatal(err)
	}
	defer s.end()
	compared, err := agree(s.free)
	if err != nil {
		t.Fatal(err)
	}
	perColumn := 12
	if testing.Short() {
		perColumn = 11 // on average the columns in Go have fewer operations than the others
	}
	if least := perColumn * len(s.columns); compared < least {
		t.Errorf("%d results of %d columns were compared: less than %d", compared, len(s.columns), least)
	}
	t.Logf("%d results of %d columns agree", compared, len(s.columns))
	if err := s.measure(); err != nil {
		t.Fatal(err)
	}
	for _, row := range s.Rows {
		if len(row.Values) == 0 {
			t.Errorf("nothing was measured for %s, %s, %d", row.Table, row.Group, row.X)
		}
	}
	dir := t.TempDir()
	if err := s.Data.Write(dir); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "RESULTS.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| seal 16 B | ", "## ChaCha20-Poly1305", "| Ed25519 verify, in a batch of 64 |", "## X25519 exchanges a second\n", "## Closed loop", "## Open loop",
		"## The cost of a call", "MiB of AES-256-GCM in chunks", "## Memory of", "| stop, sign | ", "FFI overhead"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page has no %q", want)
		}
	}
	for line := range strings.Lines(string(page)) {
		if strings.Contains(line, "NaN") || strings.Contains(line, "Inf") {
			t.Errorf("the page has NaN or Inf: %s", line)
		}
	}
}

// TestDisagreement checks that agree reports a column whose result differs from the results of other columns.
func TestDisagreement(t *testing.T) {
	processes := map[string]*process{}
	for column, answer := range map[string]string{"gostd": "00 true", "rustgo": "01 true"} {
		program := filepath.Join(t.TempDir(), column)
		if err := os.WriteFile(program, []byte("#!/bin/sh\nread -r command && echo '{\"x25519\":\""+answer+"\"}'\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		p, err := start(program, column, "")
		if err != nil {
			t.Fatal(err)
		}
		defer p.stop()
		processes[column] = p
	}
	if _, err := agree(processes); err == nil || !strings.Contains(err.Error(), "in column gostd 00 true") {
		t.Errorf("got error %v for columns that disagree", err)
	}
}
