package main

import (
	"bytes"
	stded25519 "crypto/ed25519"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestSeedFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "seed.hex")
	seed := newSeed()
	if err := writeSeed(name, seed); err != nil {
		t.Fatal(err)
	}
	if got, err := readSeed(name); err != nil || !bytes.Equal(got, seed) {
		t.Errorf("read %x, %v; want %x", got, err, seed)
	}
	if err := writeSeed(name, newSeed()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("written over: %v", err)
	}
	if got, err := readSeed(name); err != nil || !bytes.Equal(got, seed) {
		t.Errorf("the second writer changed the file: %x, %v", got, err)
	}
}

func TestSeedFileRefused(t *testing.T) {
	good := strings.Repeat("0f", stded25519.SeedSize)
	for _, c := range []struct {
		name, text string
		mode       fs.FileMode
		want       string // text of the error; NAME is replaced by the file's name
	}{
		{"short", good[2:], 0o600, "key file NAME is not 64 hexadecimal digits"},
		{"long", good + "0f", 0o600, "key file NAME is not 64 hexadecimal digits"},
		{"far too long", strings.Repeat(good, 1000), 0o600, "key file NAME is not 64 hexadecimal digits"},
		{"no digits", "x" + good[1:], 0o600, "key file NAME is not 64 hexadecimal digits"},
		{"empty", "", 0o600, "key file NAME is not 64 hexadecimal digits"},
		{"group", good, 0o640, "key file NAME has permissions 0640, others than its owner could use it; chmod 600 NAME"},
		{"all", good, 0o604, "key file NAME has permissions 0604, others than its owner could use it; chmod 600 NAME"},
	} {
		if c.mode != 0o600 && runtime.GOOS == "windows" {
			t.Logf("%s left out: files have no such permissions on Windows", c.name)
			continue
		}
		name := filepath.Join(t.TempDir(), "seed.hex")
		if err := os.WriteFile(name, []byte(c.text), c.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, c.mode); err != nil { // sets the mode independently of the umask
			t.Fatal(err)
		}
		_, err := readSeed(name)
		if want := strings.ReplaceAll(c.want, "NAME", name); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", c.name, err, want)
		}
	}
}

func TestSeedFor(t *testing.T) {
	name := filepath.Join(t.TempDir(), "seed.hex")
	if _, err := seedFor(name, false, quiet); err == nil {
		t.Error("no file, no -generate: no error")
	}
	made, err := seedFor(name, true, quiet)
	if err != nil {
		t.Fatal(err)
	}
	for _, generate := range []bool{false, true} {
		if got, err := seedFor(name, generate, quiet); err != nil || !bytes.Equal(got, made) {
			t.Errorf("generate %v: the file's key is not the one that was made: %v", generate, err)
		}
	}
	first, err1 := seedFor("", false, quiet)
	second, err2 := seedFor("", false, quiet)
	if err1 != nil || err2 != nil || len(first) != stded25519.SeedSize || bytes.Equal(first, second) {
		t.Errorf("random keys: %x, %v; %x, %v", first, err1, second, err2)
	}
}
