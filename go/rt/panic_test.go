package rt_test

import (
	"testing"

	"rustgo.dev/go/rt"
)

func TestError(t *testing.T) {
	p := &rt.Panic{Message: "attempt to divide by zero", File: "src/lib.rs", Line: 12, Column: 5}
	if got, want := p.Error(), "attempt to divide by zero (src/lib.rs:12:5)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.File = ""
	if got, want := p.Error(), "attempt to divide by zero"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
