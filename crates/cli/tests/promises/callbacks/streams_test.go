package promises

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"scratch/streams"
)

func TestReadersAndWriters(t *testing.T) {
	text := strings.Repeat("0123456789abcdef", times(10000))
	for _, size := range []int{1, 7, 4096, 200000} {
		for i, r := range []io.Reader{
			strings.NewReader(text), iotest.HalfReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text)),
			io.MultiReader(strings.NewReader(text[:40]), io.LimitReader(new(slowReader), 3), strings.NewReader(text[40:])),
		} {
			var out bytes.Buffer
			want := text
			if i == 3 {
				want = text[:40] + "zzz" + text[40:]
			}
			if n, err := streams.Copy(&out, r, size); n != uint64(len(want)) || err != nil || out.String() != want {
				t.Errorf("reader %d, size %d: %d, %v", i, size, n, err)
			}
		}
	}
	mine := errors.New("mine")
	// If a Read returns data and an error, Rust gets the data before the error.
	var out bytes.Buffer
	r := iotest.DataErrReader(io.MultiReader(strings.NewReader("data"), iotest.ErrReader(mine)))
	if n, err := streams.Copy(&out, r, 100); err != mine || out.String() != "data" {
		t.Error(n, err, out.String())
	}
	out.Reset()
	if n, err := streams.Copy(&out, &onceReader{mine}, 100); err != mine || out.String() != "data" {
		t.Error(n, err, out.String())
	}
	if _, err := streams.Copy(&out, emptyReader(1000), 10); err != io.ErrNoProgress {
		t.Error(err)
	}
	if _, err := streams.Copy(failingWriter{mine, 3}, strings.NewReader("abcdef"), 10); err != mine {
		t.Error(err)
	}
	if _, err := streams.Copy(failingWriter{nil, 3}, strings.NewReader("abcdef"), 10); err != io.ErrShortWrite {
		t.Error(err)
	}
	out.Reset()
	flushed := bufio.NewWriter(&out)
	if _, err := streams.Copy(flushed, strings.NewReader("abc"), 10); err != nil || out.String() != "abc" {
		t.Error(err, out.String())
	}
	if _, err := streams.Copy(bufio.NewWriter(failingWriter{mine, 0}), strings.NewReader("abc"), 10); err != mine {
		t.Error(err)
	}
	if b, err := streams.Exactly(strings.NewReader("abc"), 3); string(b) != "abc" || err != nil {
		t.Error(b, err)
	}
	if _, err := streams.Exactly(strings.NewReader("abc"), 4); err == nil || err.Error() != "failed to fill whole buffer" {
		t.Error(err)
	}
	if _, err := streams.Exactly(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(io.ErrUnexpectedEOF)), 4); err != io.ErrUnexpectedEOF {
		t.Error(err)
	}
	for i, want := range []string{"2345", "2345", "cdef"} {
		r := strings.NewReader(text[:16])
		if got, err := streams.Part(r, uint8(i), []int64{2, 2, -4}[i], 4); got != want || err != nil {
			t.Error(got, err)
		}
	}
	if _, err := streams.Part(strings.NewReader("x"), 1, -1, 4); err == nil || err.Error() != "strings.Reader.Seek: negative position" {
		t.Error(err)
	}
	if _, err := streams.Part(strings.NewReader("x"), 0, -1, 4); err == nil || err.Error() != "the offset exceeds Go's int64" {
		t.Error(err)
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if at, err := streams.Patch(file, 3, "abc"); at != 6 || err != nil {
		t.Error(at, err)
	}
	if b, err := streams.At(file, 2, 5); string(b) != "\x00abcc" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := streams.At(strings.NewReader("abc"), 100, 1<<63); len(b) != 0 || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := streams.At(emptyReader(0), 0, 4); len(b) != 0 || err != io.ErrNoProgress {
		t.Errorf("%q, %v", b, err)
	}
	// A question for the position does not lose the error that came with the data.
	if _, err := streams.Told(struct {
		io.Reader
		io.Seeker
	}{&onceReader{mine}, strings.NewReader("data")}); err != mine {
		t.Error(err)
	}
	var both struct {
		io.Reader
		bytes.Buffer
	}
	both.Reader = strings.NewReader("echo")
	if n, err := streams.Echo(struct {
		io.Reader
		io.Writer
	}{both.Reader, &both.Buffer}); n != 4 || err != nil || both.String() != "echo" {
		t.Error(n, err, both.String())
	}
}

// streamPanic returns the value of the panic of f.
func streamPanic(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

type emptyReader int

func (r emptyReader) Read([]byte) (int, error)          { return 0, nil }
func (r emptyReader) ReadAt([]byte, int64) (int, error) { return 0, nil }

// slowReader returns a byte with every sixth call, and nothing with the others.
type slowReader int

func (r *slowReader) Read(p []byte) (int, error) {
	if *r++; *r%6 != 0 {
		return 0, nil
	}
	p[0] = 'z'
	return 1, nil
}

// onceReader returns data with an error, and then io.EOF.
type onceReader struct{ err error }

func (r *onceReader) Read(p []byte) (int, error) {
	if r.err == nil {
		return 0, io.EOF
	}
	err := r.err
	r.err = nil
	return copy(p, "data"), err
}

type failingWriter struct {
	err error
	n   int
}

func (w failingWriter) Write(p []byte) (int, error) { return min(w.n, len(p)), w.err }

type countingReader int

func (r countingReader) Read(p []byte) (int, error) { return int(r), nil }

type keepingReader struct {
	kept []byte
	n    int
}

func (r *keepingReader) Read(p []byte) (int, error) {
	for i := range r.kept {
		r.kept[i] = 'X'
	}
	if r.n++; r.n > 3 {
		return 0, io.EOF
	}
	r.kept = p
	return copy(p, "abc"), nil
}

// Values that break the contract of their interface do not corrupt Rust's memory.
func TestStreamsThatBreakTheirContract(t *testing.T) {
	var out bytes.Buffer
	for _, n := range []countingReader{-1, 11} {
		if got, _ := streamPanic(func() { streams.Copy(&out, n, 10) }).(string); !strings.Contains(got, "has returned the count") {
			t.Error(got)
		}
	}
	out.Reset()
	if n, err := streams.Copy(&out, &keepingReader{}, 10); n != 9 || err != nil || out.String() != "abcabcabc" {
		t.Error(n, err, out.String())
	}
	if b, err := streams.Exactly(&keepingReader{}, 9); string(b) != "abcabcabc" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if got := streamPanic(func() { streams.Copy(nil, strings.NewReader("x"), 1) }); got == nil {
		t.Error("nil is a writer")
	}
	if !streams.None(nil, nil) || streams.None(strings.NewReader(""), nil) {
		t.Error("None")
	}
	if got := streamPanic(func() { streams.Copy(&out, (*strings.Reader)(nil), 1) }); got == nil {
		t.Error("a nil pointer is a reader")
	}
}

func TestStreamsOfObjects(t *testing.T) {
	var out bytes.Buffer
	lines := streams.NewLines(iotest.OneByteReader(strings.NewReader("one\ntwo\nthree")), &out)
	n := 0
	for {
		runtime.GC()
		more, err := lines.Step()
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
		n++
	}
	if n != 3 || out.String() != "ONE\nTWO\nTHREE" {
		t.Error(n, out.String())
	}
	if err := lines.Close(); err != nil {
		t.Error(err)
	}
	mine := errors.New("mine")
	lines = streams.NewLines(iotest.ErrReader(mine), &out)
	if _, err := lines.Step(); err != mine {
		t.Error(err)
	}
}

func TestContexts(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	if streams.Done(ctx) || streams.Done(context.Background()) {
		t.Error("done")
	}
	for _, polls := range []bool{false, true} {
		if !polls && runtime.GOMAXPROCS(0) == 1 {
			continue // no processor is free to notice the deadline
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
		if err := streams.Spin(ctx, polls); err != context.DeadlineExceeded {
			t.Error(err)
		}
		cancel()
	}
	// With one processor, the goroutine that cancels runs while Rust polls.
	if runtime.GOMAXPROCS(0) == 1 {
		go cancel(nil)
		if err := streams.Spin(ctx, true); err != context.Canceled {
			t.Error(err)
		}
	}
	cancel(nil)
	if !streams.Done(ctx) || !streams.None(nil, nil) || streams.None(nil, ctx) {
		t.Error("not done")
	}
	if err := streams.Spin(ctx, false); err != context.Canceled {
		t.Error(err)
	}
	if p := panicked(t, "Done", func() { streams.Done(nil) }); p.Message != "nil pointer passed for parameter context" {
		t.Error(p)
	}
	// Contexts that are cancelled after the call, or while it ends, do no harm.
	for range times(200) {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan bool)
		go func() { cancel(); close(done) }()
		streams.Done(ctx)
		streams.Done(ctx)
		<-done
	}
}

// onceWriter fails once, after it has written half of the data. Later calls write all data.
type onceWriter struct {
	bytes.Buffer
	err error
}

func (w *onceWriter) Write(p []byte) (int, error) {
	if err := w.err; err != nil {
		w.err = nil
		n, _ := w.Buffer.Write(p[:len(p)/2])
		return n, err
	}
	return w.Buffer.Write(p)
}

// If a Write fails after it has written a part, Rust does not write this part again.
func TestWritesOfAPart(t *testing.T) {
	w := onceWriter{err: errors.New("once")}
	if err := streams.Buffered(&w, "0123456789"); err == nil || err.Error() != "once" || w.String() != "0123456789" {
		t.Error(err, w.String())
	}
}

type panickingContext struct{ context.Context }

func (panickingContext) Err() error { panic("Err") }

// Rust does not keep a context whose method panics. Otherwise the numbers by which Rust knows Go values would run out.
func TestContextsThatPanic(t *testing.T) {
	for range times(10000) * 30 {
		if got := streamPanic(func() { streams.Done(panickingContext{context.Background()}) }); got != "Err" {
			t.Fatal(got)
		}
	}
}
