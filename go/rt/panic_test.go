package rt_test

import (
	"errors"
	"fmt"
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

func TestAnyPanic(t *testing.T) {
	err := fmt.Errorf("decoding: %w", &rt.Panic{
		Message: "no", File: "src/lib.rs", Line: 12, Column: 5,
		Frames: []rt.Frame{{"crate.inner", "src/inner.rs", 3}, {"crate.outer", "src/lib.rs", 7}},
	})
	var p interface {
		RustMessage() string
		RustPosition() (file string, line, column int)
	}
	if !errors.As(err, &p) {
		t.Fatal("*Panic does not implement the interface")
	}
	file, line, column := p.RustPosition()
	if got := fmt.Sprint(p.RustMessage(), file, line, column); got != fmt.Sprint("no", "src/lib.rs", 12, 5) {
		t.Errorf("got %s", got)
	}
	frames := p.(rt.AnyPanic).RustFrames()
	if len(frames) != 2 || frames[1].Function != "crate.outer" || frames[1].File != "src/lib.rs" || frames[1].Line != 7 {
		t.Errorf("got frames %+v", frames)
	}
}
