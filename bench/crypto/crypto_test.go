package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rustgo.dev/bench/crypto/internal/report"
)

// TestColumns runs every column once with small inputs. All columns must agree; then everything is measured once, and the page must have all rows.
func TestColumns(t *testing.T) {
	b, err := build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, left := range b.left {
		t.Log("left out: ", left)
		if os.Getenv("CI") == "true" {
			t.Error("CI must have what can be installed")
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
	if least := 12 * len(s.columns); compared < least {
		t.Errorf("%d results of %d columns were compared: less than %d", compared, len(s.columns), least)
	}
	t.Logf("%d results of %d columns agree", compared, len(s.columns))
	if err := s.measure(); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"aes-seal", "chacha-seal", "aes-open", "single", "scale", "closed", "memory", "pauses", "chunks"} {
		if !slices.ContainsFunc(s.Rows, func(r *report.Row) bool { return r.Table == table }) {
			t.Errorf("nothing was measured for %s", table)
		}
	}
	dir := t.TempDir()
	if err := s.Data.Write(dir); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"AES-256-GCM", "ChaCha20-Poly1305", "Ed25519 verify, of a batch of 64", "Open loop", "cannot be said"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if strings.Contains(string(page), "NaN") || strings.Contains(string(page), "Inf") {
		t.Error("the page has numbers that are none")
	}
}

// TestDisagreement sees that a column which computes something else is found.
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
		t.Errorf("the columns are said to agree: %v", err)
	}
}
