package rt_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"rustgo.dev/go/rt"
)

// texts encodes the texts of an error and its sources as Rust code does.
func texts(of ...string) (b []byte) {
	for _, text := range of {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
		b = append(b, text...)
	}
	return b
}

// chain returns the texts of an error and of the errors that it wraps.
func chain(err error) (of []string) {
	for ; err != nil; err = errors.Unwrap(err) {
		of = append(of, err.Error())
	}
	return of
}

func TestErrorsHaveTextsAndSources(t *testing.T) {
	for _, want := range [][]string{
		{"no"}, {""}, {"reading the file: no", "no"}, {"a", "", "c"}, {strings.Repeat("long ", 10000), "ä€🦀\x00", "\xff not UTF-8"},
	} {
		b := texts(want...)
		err := rt.NewError(b)
		for i := range b {
			b[i] = 'x' // Rust has freed the memory
		}
		if got := chain(err); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("got %q, want %q", got, want)
		}
		var as *rt.Error
		if !errors.As(fmt.Errorf("a call: %w", err), &as) || as.Error() != want[0] {
			t.Errorf("it is no *Error: %v", err)
		}
	}
}

// NewError accepts any bytes without a panic.
func TestDamagedErrors(t *testing.T) {
	whole := texts("reading the file", "", "no")
	for n := range len(whole) {
		damaged := bytes.Clone(whole[:n])
		chain(rt.NewError(damaged))
		for i := range damaged {
			damaged[i] ^= 0xff
			chain(rt.NewError(damaged))
			damaged[i] ^= 0xff
		}
	}
	for _, c := range []struct {
		b    []byte
		want string
	}{
		{nil, `[""]`}, {[]byte{1, 0, 0}, `[""]`}, {[]byte{9, 0, 0, 0, 'n', 'o'}, `["no"]`}, {[]byte{255, 255, 255, 255, 'n', 'o'}, `["no"]`},
		{[]byte{2, 0, 0, 0, 'n', 'o', 1, 0}, `["no"]`}, {bytes.Repeat([]byte{0}, 8), `["" ""]`},
	} {
		if got := fmt.Sprintf("%q", chain(rt.NewError(c.b))); got != c.want {
			t.Errorf("%v: got %s, want %s", c.b, got, c.want)
		}
	}
}

func TestAllocationsOfErrors(t *testing.T) {
	for _, c := range []struct {
		texts []byte
		most  float64
	}{
		{texts("no"), 1},
		{texts(strings.Repeat("x", 72)), 1},
		{texts(strings.Repeat("x", 73)), 2},
		{texts("reading the file: no", "no"), 2},
	} {
		if n := testing.AllocsPerRun(100, func() { _ = rt.NewError(c.texts) }); n > c.most {
			t.Errorf("an error of %d bytes is %v allocations", len(c.texts), n)
		}
	}
}

// The text of a short error lies in the error's own memory, not in the slice passed to NewError.
func TestErrorsKeepTheirTexts(t *testing.T) {
	for n := range 100 {
		want := strings.Repeat("é", n/2) + strings.Repeat("x", n%2)
		b := texts(want)
		err := rt.NewError(b)
		clear(b)
		text := err.Error()
		runtime.GC()
		if text != want {
			t.Errorf("got %q, want %q", text, want)
		}
	}
}
