package blake3_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"rustgo.dev/packages/blake3"
	"rustgo.dev/packages/internal/buildinfo"
)

// onlyReader hides the method WriteTo, so that io.Copy calls ReadFrom.
type onlyReader struct{ io.Reader }

// readFunc is a reader.
type readFunc func(p []byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

func sumOf(message []byte) (sum [32]byte) {
	blake3.Sum256(&sum, message)
	return sum
}

func TestReadFrom(t *testing.T) {
	const piece = 128 << 10
	for _, length := range []int{0, 1, 63, 64, 65, 1023, 1024, 1025, 4096, piece - 1, piece, piece + 1, 2 * piece, 300_000} {
		message := input(length)
		for what, reader := range map[string]func(io.Reader) io.Reader{
			"whole":          func(r io.Reader) io.Reader { return r },
			"half":           iotest.HalfReader,
			"data with EOF":  iotest.DataErrReader,
			"byte by byte":   iotest.OneByteReader,
			"through a pipe": piped,
		} {
			for _, before := range []int{0, 100} {
				h := blake3.New()
				h.Write(message[:min(before, length)])
				rest := message[min(before, length):]
				n, err := h.ReadFrom(reader(bytes.NewReader(rest)))
				if n != int64(len(rest)) || err != nil {
					t.Errorf("%s, %d bytes after %d: %d, %v", what, length, before, n, err)
				}
				if want := sumOf(message); !bytes.Equal(h.Sum(nil), want[:]) {
					t.Errorf("%s, %d bytes after %d: the hash differs", what, length, before)
				}
			}
		}
	}
}

// piped returns a reader that gets its bytes from another goroutine.
func piped(r io.Reader) io.Reader {
	out, in := io.Pipe()
	go func() {
		_, err := io.Copy(in, onlyReader{r})
		in.CloseWithError(err)
	}()
	return out
}

// Each buffer is hashed before ReadFrom reads to it again. A keyed Hasher keeps its key.
func TestReadFromKeepsTheKey(t *testing.T) {
	message := input(500_000)
	h := blake3.NewKeyed((*[32]byte)([]byte(key)))
	if n, err := h.ReadFrom(bytes.NewReader(message)); n != 500_000 || err != nil {
		t.Fatal(n, err)
	}
	var want [32]byte
	blake3.KeyedSum256(&want, (*[32]byte)([]byte(key)), message)
	if !bytes.Equal(h.Sum(nil), want[:]) {
		t.Error("the hash differs")
	}
}

func TestCopyCallsReadFrom(t *testing.T) {
	f, err := os.Open("rustgo_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	message, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	longest := 0
	seen := readFunc(func(p []byte) (int, error) {
		longest = max(longest, len(p))
		return f.Read(p)
	})
	want := sumOf(message)
	for what, r := range map[string]io.Reader{"a reader": seen, "a file": f} {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		h := blake3.New()
		if n, err := io.Copy(h, r); n != int64(len(message)) || n < 200_000 || err != nil {
			t.Errorf("%s: %d, %v", what, n, err)
		}
		if !bytes.Equal(h.Sum(nil), want[:]) {
			t.Errorf("%s: the hash differs", what)
		}
	}
	if longest != 128<<10 {
		t.Errorf("the reader got slices of up to %d bytes", longest)
	}
}

// ReadFrom returns errors of the reader unchanged. It hashes the bytes before the error, and bytes that the reader returns with the error.
func TestReadFromErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, failure := range []error{broken, io.ErrUnexpectedEOF, fmt.Errorf("not the end: %w", io.EOF), &os.PathError{Op: "read", Path: "x", Err: broken}} {
		for _, length := range []int{0, 1, 1500, 128 << 10, 200_000} {
			message := input(length)
			for what, r := range map[string]io.Reader{
				"after the bytes": io.MultiReader(bytes.NewReader(message), iotest.ErrReader(failure)),
				"with the bytes":  iotest.DataErrReader(io.MultiReader(bytes.NewReader(message), iotest.ErrReader(failure))),
			} {
				h := blake3.New()
				if n, err := h.ReadFrom(r); n != int64(length) || err != failure {
					t.Errorf("%v %s, %d: %d, %v", failure, what, length, n, err)
				}
				if want := sumOf(message); !bytes.Equal(h.Sum(nil), want[:]) {
					t.Errorf("%v %s, %d: the hash differs", failure, what, length)
				}
			}
		}
	}
}

// A reader may return no bytes 99 times in a row.
func TestReadFromWithoutProgress(t *testing.T) {
	message := input(5)
	calls, rest := 0, message
	h := blake3.New()
	n, err := h.ReadFrom(readFunc(func(p []byte) (int, error) {
		if calls++; calls%100 != 0 {
			return 0, nil
		}
		if len(rest) == 0 {
			return 0, io.EOF
		}
		p[0], rest = rest[0], rest[1:]
		return 1, nil
	}))
	if want := sumOf(message); n != 5 || err != nil || !bytes.Equal(h.Sum(nil), want[:]) || calls != 600 {
		t.Errorf("99 empty reads before each byte: %d, %v after %d calls", n, err, calls)
	}
	calls = 0
	h.Reset()
	n, err = h.ReadFrom(readFunc(func(p []byte) (int, error) {
		if calls++; calls == 1 {
			return copy(p, message), nil
		}
		return 0, nil
	}))
	if want := sumOf(message); n != 5 || err != io.ErrNoProgress || !bytes.Equal(h.Sum(nil), want[:]) || calls != 101 {
		t.Errorf("empty reads for ever: %d, %v after %d calls", n, err, calls)
	}
}

func TestReadFromWrongCount(t *testing.T) {
	for _, count := range []int{-1, 128<<10 + 1} {
		for _, failure := range []error{nil, io.EOF} {
			func() {
				defer func() {
					want := fmt.Sprintf("blake3: Hasher.ReadFrom: the reader has returned the count %d for 131072 bytes", count)
					if got := recover(); got != want {
						t.Errorf("the panic is %v, want %s", got, want)
					}
				}()
				new(blake3.Hasher).ReadFrom(readFunc(func([]byte) (int, error) { return count, failure }))
			}()
		}
	}
	// A panic of the reader passes through, and the Hasher can be used afterwards.
	h := blake3.New()
	func() {
		defer func() {
			if got := recover(); got != "reader" {
				t.Errorf("the panic is %v", got)
			}
		}()
		h.ReadFrom(readFunc(func([]byte) (int, error) { panic("reader") }))
	}()
	h.ReadFrom(strings.NewReader("abc"))
	if want := sumOf([]byte("abc")); !bytes.Equal(h.Sum(nil), want[:]) {
		t.Error("after a panic the hash differs")
	}
}

func TestReadFromAllocatesNothing(t *testing.T) {
	if buildinfo.Translated {
		t.Skip("a call of translated code allocates")
	}
	if !buildinfo.Optimised() {
		t.Skip("more allocations")
	}
	r, message := bytes.NewReader(nil), input(200_000)
	h := blake3.New()
	if n := testing.AllocsPerRun(100, func() {
		r.Reset(message)
		h.ReadFrom(r)
	}); n >= 1 {
		t.Errorf("ReadFrom allocates %v times", n)
	}
}
