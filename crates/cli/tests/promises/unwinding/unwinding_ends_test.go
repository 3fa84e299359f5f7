package promises

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	ends "scratch/unwinding_ends"
)

// A call that would abandon its frames ends the process instead. Go code cannot recover.
func TestUnwindingEndsTheProcess(t *testing.T) {
	for _, c := range []struct {
		name, says string
		f          func() uint64
	}{
		{"recurses", "rust stack budget of 16 KiB exhausted in", func() uint64 { return ends.Recurses(1 << 40) }},
		{"twice", "first", func() uint64 { return ends.Twice(1) }},
		{"foreign", "met 7", func() uint64 { return ends.Foreign(7) }},
		{"drops", "panicked while formatting a panic message", func() uint64 { return ends.Drops(7) }},
		{"unprinted", "panicked while formatting a panic message", func() uint64 { return ends.Unprinted(7) }},
	} {
		if os.Getenv("ENDS") == c.name {
			value := caught(func() { c.f() })
			t.Fatalf("went on after %v", value)
		}
		if os.Getenv("ENDS") != "" {
			continue
		}
		args := []string{os.Args[0], "-test.run=^TestUnwindingEndsTheProcess$"}
		if emulator, err := exec.LookPath("qemu-aarch64-static"); emulated && err == nil {
			args = append([]string{emulator}, args...)
		}
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = append(os.Environ(), "ENDS="+c.name)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), c.says) || strings.Contains(string(out), "went on") {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
	}
}

// Go recovers panics that unwind, as in any other crate. Afterwards the destructor of the scoped variable has run.
func TestUnwindingEndsNothingElse(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range times(100) {
		if p := panicked(t, "panics", func() { ends.Panics(7) }); p.Message != "met 7" {
			t.Errorf("the panic is %v", p)
		}
		if ends.Set() {
			t.Fatal("the scoped variable is still set")
		}
		if got := ends.Panics(1) + ends.Foreign(1) + ends.Recurses(3) + ends.Unprinted(1); got != 2+2+4+1 {
			t.Fatalf("got %d", got)
		}
	}
}
