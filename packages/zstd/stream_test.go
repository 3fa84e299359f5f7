package zstd_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"rustgo.dev/go/rt"
	"rustgo.dev/packages/zstd"
)

var (
	_ io.WriteCloser = (*zstd.Encoder)(nil)
	_ io.ReaderFrom  = (*zstd.Encoder)(nil)
	_ io.ReadCloser  = (*zstd.Decoder)(nil)
	_ io.WriterTo    = (*zstd.Decoder)(nil)
)

// compress passes src to an encoder in pieces. The function next returns the length of the next piece.
func compress(t testing.TB, src []byte, options *zstd.EncoderOptions, next func() int) []byte {
	t.Helper()
	var out bytes.Buffer
	e := zstd.NewEncoder(&out, options)
	for len(src) > 0 {
		n := min(next(), len(src))
		if written, err := e.Write(src[:n]); err != nil || written != n {
			t.Fatalf("%d of %d bytes written: %v", written, n, err)
		}
		src = src[n:]
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func decompress(t testing.TB, packed []byte, options *zstd.DecoderOptions) []byte {
	t.Helper()
	got, err := io.ReadAll(zstd.NewDecoder(bytes.NewReader(packed), options))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestStreams(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	pieces := map[string]func() int{
		"small": func() int { return 1 + r.IntN(100) },
		"mixed": func() int { return 1 << r.IntN(19) },
		"whole": func() int { return 1 << 30 },
	}
	for _, kind := range []string{"zeros", "random", "few", "text"} {
		for _, length := range []int{0, 1, 100, 131071, 131072, 131073, 500000} {
			src := sample(kind, length, uint64(length))
			for name, next := range pieces {
				options := &zstd.EncoderOptions{Level: r.IntN(9) - 2, Checksum: r.IntN(2) == 0}
				packed := compress(t, src, options, next)
				if got, err := zstd.AppendDecompress(nil, packed, length); err != nil || !bytes.Equal(got, src) {
					t.Fatalf("%s, %d bytes, %s pieces: %d bytes that differ, %v", kind, length, name, len(got), err)
				}
				if got := decompress(t, packed, nil); !bytes.Equal(got, src) {
					t.Fatalf("%s, %d bytes, %s pieces: the content differs", kind, length, name)
				}
			}
		}
	}
}

// Decompression must give the same content for readers and slices of any size.
func TestDecoderReads(t *testing.T) {
	for _, name := range []string{"known.zst", "unknown.zst", "unchecked.zst", "frames.zst"} {
		if err := iotest.TestReader(zstd.NewDecoder(bytes.NewReader(file(t, name)), nil), file(t, "plain")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for what, slow := range map[string]func(io.Reader) io.Reader{"one byte": iotest.OneByteReader, "halves": iotest.HalfReader, "data and error": iotest.DataErrReader} {
			if err := iotest.TestReader(zstd.NewDecoder(slow(bytes.NewReader(file(t, name))), nil), file(t, "plain")); err != nil {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
	src := sample("text", 1<<20, 4)
	packed := compress(t, src, nil, func() int { return 1 << 20 })
	r := rand.New(rand.NewPCG(7, 8))
	d := zstd.NewDecoder(bytes.NewReader(packed), nil)
	var got []byte
	for {
		piece := make([]byte, r.IntN(1<<r.IntN(18)))
		n, err := d.Read(piece)
		got = append(got, piece[:n]...)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(got, src) {
		t.Error("the content differs")
	}
}

// io.Copy uses the methods ReadFrom and WriteTo.
func TestCopy(t *testing.T) {
	src := sample("text", 700000, 3)
	var packed, back bytes.Buffer
	e := zstd.NewEncoder(&packed, nil)
	if n, err := io.Copy(e, struct{ io.Reader }{bytes.NewReader(src)}); n != int64(len(src)) || err != nil {
		t.Fatal(n, err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	d := zstd.NewDecoder(&packed, nil)
	var begin [10]byte
	if _, err := io.ReadFull(d, begin[:]); err != nil {
		t.Fatal(err)
	}
	back.Write(begin[:])
	if n, err := io.Copy(struct{ io.Writer }{&back}, d); n != int64(len(src)-len(begin)) || err != nil {
		t.Fatal(n, err)
	}
	if !bytes.Equal(back.Bytes(), src) {
		t.Error("the content differs")
	}
}

// Flushed data can be read before the frame ends.
func TestFlush(t *testing.T) {
	reader, writer := io.Pipe()
	e, d := zstd.NewEncoder(writer, nil), zstd.NewDecoder(reader, nil)
	done := make(chan error)
	go func() {
		for _, line := range []string{"one\n", "two\n", strings.Repeat("long ", 50000) + "\n"} {
			io.WriteString(e, line)
			if err := e.Flush(); err != nil {
				done <- err
			}
			if line != <-lines {
				done <- errors.New("another line has been read")
			}
		}
		if err := e.Flush(); err != nil { // there is nothing more to flush
			done <- err
		}
		err := e.Close()
		writer.Close()
		done <- err
	}()
	go func() {
		var line []byte
		buffer := make([]byte, 1000)
		for {
			n, err := d.Read(buffer)
			line = append(line, buffer[:n]...)
			if bytes.HasSuffix(line, []byte("\n")) {
				lines <- string(line)
				line = nil
			}
			if err != nil {
				if err == io.EOF && len(line) == 0 {
					err = nil
				}
				done <- err
				return
			}
		}
	}()
	for range 2 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
}

var lines = make(chan string)

func TestConcatenatedFrames(t *testing.T) {
	var packed, want []byte
	e := new(zstd.Encoder)
	for i := range 20 {
		part := sample("text", i*i*500, uint64(i))
		want = append(want, part...)
		if i%3 == 0 {
			packed = append(packed, 0x50+byte(i%16), 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'x', 'y', 'z') // a skippable frame
		}
		var out bytes.Buffer
		e.Reset(&out)
		e.Write(part)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		packed = append(packed, out.Bytes()...)
	}
	if got := decompress(t, packed, nil); !bytes.Equal(got, want) {
		t.Errorf("%d bytes come back, want %d", len(got), len(want))
	}
	if got, err := io.ReadAll(zstd.NewDecoder(bytes.NewReader(append(packed, "more"...)), nil)); err != zstd.ErrUnknownFrame || !bytes.Equal(got, want) {
		t.Errorf("with more bytes at the end: %d bytes, %v", len(got), err)
	}
	if got := decompress(t, nil, nil); len(got) > 0 {
		t.Errorf("%d bytes of nothing", len(got))
	}
}

func TestTruncatedStreams(t *testing.T) {
	plain, packed := file(t, "plain"), file(t, "unknown.zst")
	for cut := 1; cut < len(packed); cut += 7 {
		got, err := io.ReadAll(zstd.NewDecoder(bytes.NewReader(packed[:cut]), nil))
		if err != zstd.ErrTruncated || !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.HasPrefix(plain, got) {
			t.Fatalf("the first %d bytes: %d bytes, %v", cut, len(got), err)
		}
	}
	broken := errors.New("broken")
	d := zstd.NewDecoder(io.MultiReader(bytes.NewReader(packed[:1000]), iotest.ErrReader(broken)), nil)
	for range 2 { // a second call returns the same error
		if _, err := io.ReadAll(d); err != broken {
			t.Errorf("%v", err)
		}
	}
	d.Reset(iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(packed))))
	if _, err := io.ReadAll(d); err != iotest.ErrTimeout {
		t.Errorf("%v", err)
	}
	d.Reset(bytes.NewReader(packed))
	if got, err := io.ReadAll(d); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("after Reset: %d bytes, %v", len(got), err)
	}
	d.Reset(nothing{})
	if _, err := d.Read(make([]byte, 10)); err != io.ErrNoProgress {
		t.Errorf("%v", err)
	}
}

// nothing is a reader that returns neither bytes nor an error.
type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, nil }

func TestCorruptStreams(t *testing.T) {
	plain, packed := file(t, "plain"), file(t, "unknown.zst")
	r := rand.New(rand.NewPCG(9, 9))
	d := new(zstd.Decoder)
	for range 1000 {
		damaged := bytes.Clone(packed)
		damaged[r.IntN(len(damaged))] ^= 1 << r.IntN(8)
		d.Reset(bytes.NewReader(damaged))
		got, err := io.ReadAll(d)
		var known zstd.Error
		if err != nil && !errors.As(err, &known) || known == zstd.ErrInternal {
			t.Fatalf("%v", err)
		}
		if err == nil && damaged[4] == packed[4] && !bytes.Equal(got, plain) { // the header states that there is a checksum, unless the change removed that flag
			t.Fatal("the content differs, and there is no error")
		}
		if _, again := d.Read(make([]byte, 1)); err != nil && again != err {
			t.Fatalf("first %v, then %v", err, again)
		}
	}
}

func TestStreamsWithDict(t *testing.T) {
	dict, err := zstd.NewDict(file(t, "dict"), 9)
	if err != nil {
		t.Fatal(err)
	}
	message := file(t, "message")
	packed := compress(t, message, &zstd.EncoderOptions{Dict: dict, Checksum: true}, func() int { return 50 })
	if plain := compress(t, message, nil, func() int { return 50 }); len(packed)*4 > len(plain)*3 {
		t.Errorf("%d bytes with the dictionary, %d without", len(packed), len(plain))
	}
	if got, err := dict.AppendDecompress(nil, packed, len(message)); err != nil || !bytes.Equal(got, message) {
		t.Error(err)
	}
	options := &zstd.DecoderOptions{Dict: dict}
	if got := decompress(t, packed, options); !bytes.Equal(got, message) {
		t.Error("the content differs")
	}
	if got := decompress(t, file(t, "known.zst"), options); !bytes.Equal(got, file(t, "plain")) {
		t.Error("the content of a frame without a dictionary differs")
	}
	for range 2 { // a context must not keep the dictionary of an earlier call
		if _, err := io.ReadAll(zstd.NewDecoder(bytes.NewReader(packed), nil)); err != zstd.ErrWrongDict {
			t.Errorf("without the dictionary: %v", err)
		}
	}
	if got := decompress(t, compress(t, message, nil, func() int { return 50 }), nil); !bytes.Equal(got, message) {
		t.Error("the content differs")
	}
}

// A frame that needs more memory than MaxWindow allows is refused before the memory is allocated.
func TestMaxWindow(t *testing.T) {
	// The function frame returns a frame without a content size. Its window is 1 KiB, 2 MiB, 128 MiB or 256 MiB.
	frame := func(window byte) []byte { return []byte{0x28, 0xB5, 0x2F, 0xFD, 0x00, window, 0x0B, 0, 0, 'a'} }
	for window, size := range map[byte]int{0x00: 1 << 10, 0x58: 2 << 20, 0x88: 128 << 20, 0x90: 256 << 20} {
		for _, limit := range []int{0, 1, 1 << 10, 3 << 20, 1 << 28} {
			allowed := max(limit, 1<<10)
			if limit == 0 {
				allowed = 128 << 20
			}
			before := rt.HeapLive()
			d := zstd.NewDecoder(bytes.NewReader(frame(window)), &zstd.DecoderOptions{MaxWindow: limit})
			got, err := io.ReadAll(d)
			if size <= allowed && (err != nil || string(got) != "a") || size > allowed && err != zstd.ErrWindow {
				t.Errorf("window of %d bytes, limit %d: %q, %v", size, limit, got, err)
			}
			if used := int64(rt.HeapLive() - before); size > allowed && used > 1<<20 {
				t.Errorf("%d bytes are allocated for a frame that is refused", used)
			}
			d.Close()
		}
	}
}

type failing struct {
	room int
	err  error
}

func (f *failing) Write(p []byte) (int, error) {
	n := min(f.room, len(p))
	f.room -= n
	if n < len(p) {
		return n, f.err
	}
	return n, nil
}

func TestErrorsOfTheWriter(t *testing.T) {
	src := sample("random", 1<<20, 8)
	full := errors.New("full")
	for given, want := range map[error]error{full: full, nil: io.ErrShortWrite} {
		for _, room := range []int{0, 1, 100000, 500000} {
			e := zstd.NewEncoder(&failing{room, given}, nil)
			var err error
			for rest := src; len(rest) > 0 && err == nil; rest = rest[1<<15:] {
				_, err = e.Write(rest[:1<<15])
			}
			if flush, end := e.Flush(), e.Close(); err != want || flush != want || end != want {
				t.Errorf("got %v, then %v and %v, want %v", err, flush, end, want)
			}
			if _, err := e.Write(src); err != zstd.ErrClosed {
				t.Errorf("Write after Close: %v", err)
			}
			var out bytes.Buffer
			e.Reset(&out)
			e.Write(src[:1000])
			if err := e.Close(); err != nil {
				t.Error(err)
			}
			if got := decompress(t, out.Bytes(), nil); !bytes.Equal(got, src[:1000]) {
				t.Error("after an error and Reset the content differs")
			}
		}
	}
}

func TestClosed(t *testing.T) {
	var e zstd.Encoder
	var d zstd.Decoder
	for range 2 {
		if _, err := e.Write([]byte("x")); err != zstd.ErrClosed {
			t.Error(err)
		}
		if _, err := e.ReadFrom(strings.NewReader("x")); err != zstd.ErrClosed {
			t.Error(err)
		}
		if err := e.Flush(); err != zstd.ErrClosed {
			t.Error(err)
		}
		if _, err := d.Read(make([]byte, 1)); err != zstd.ErrClosed {
			t.Error(err)
		}
		if _, err := d.WriteTo(io.Discard); err != zstd.ErrClosed {
			t.Error(err)
		}
		if err := errors.Join(e.Close(), d.Close()); err != nil {
			t.Error(err)
		}
		var out bytes.Buffer
		e.Reset(&out)
		e.Write([]byte("some text"))
		e.Close()
		d.Reset(&out)
		if got, err := io.ReadAll(&d); string(got) != "some text" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		d.Close()
	}
}

// A call during another call of the same encoder or decoder panics. Here the writer of the first call makes the second call.
func TestInUse(t *testing.T) {
	message := func(call func()) (message string) {
		defer func() { message, _ = recover().(string) }()
		call()
		return ""
	}
	var e *zstd.Encoder
	var d *zstd.Decoder
	inner := writerFunc(func(p []byte) (int, error) {
		if got, want := message(func() { e.Write(p) }), "zstd: Encoder.Write: in use by another call"; got != want {
			t.Errorf("got panic %q, want %q", got, want)
		}
		return len(p), nil
	})
	e = zstd.NewEncoder(inner, nil)
	e.Write([]byte("text"))
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	packed, _ := zstd.AppendCompress(nil, []byte("text"), 1)
	d = zstd.NewDecoder(bytes.NewReader(packed), nil)
	if n, err := d.WriteTo(writerFunc(func(p []byte) (int, error) {
		if got, want := message(func() { d.Reset(nil) }), "zstd: Decoder.Reset: in use by another call"; got != want {
			t.Errorf("got panic %q, want %q", got, want)
		}
		return len(p), nil
	})); n != 4 || err != nil {
		t.Error(n, err)
	}
	// A panic of the writer reaches the caller of the encoder, and the encoder can be used again.
	e.Reset(writerFunc(func([]byte) (int, error) { panic("the writer's") }))
	if got := message(func() { e.Flush(); e.Write(make([]byte, 10)); e.Flush() }); got != "the writer's" {
		t.Errorf("got panic %q", got)
	}
	var out bytes.Buffer
	e.Reset(&out)
	e.Write([]byte("text"))
	if err := e.Close(); err != nil || string(decompress(t, out.Bytes(), nil)) != "text" {
		t.Error(err)
	}
}

// A Decoder may be closed during a call. Then the running call returns the memory to the pools.
func TestDecoderClosedDuringCall(t *testing.T) {
	text := bytes.Repeat([]byte("text"), 100_000)
	packed := compress(t, text, nil, func() int { return len(text) })
	var d *zstd.Decoder
	var before uint64
	// Each call first reads some bytes of the input. Close is called while the call reads the next bytes.
	for name, call := range map[string]func() (int64, error){
		"Read":       func() (int64, error) { n, err := d.Read(make([]byte, 100)); return int64(n), err },
		"large Read": func() (int64, error) { n, err := d.Read(make([]byte, 100_000)); return int64(n), err },
		"WriteTo":    func() (int64, error) { return d.WriteTo(io.Discard) },
	} {
		for _, elsewhere := range []bool{false, true} {
			first := true
			input := readerFunc(func(p []byte) (int, error) {
				if first {
					first = false
					return copy(p, packed[:6]), nil
				}
				closing := func() {
					for range 2 {
						if err := d.Close(); err != nil {
							t.Error(err)
						}
					}
				}
				if elsewhere {
					done := make(chan bool)
					go func() { defer close(done); closing() }()
					<-done
				} else {
					closing()
				}
				return copy(p, packed[6:]), nil
			})
			d = zstd.NewDecoder(input, nil)
			if n, err := call(); n != 0 || err != zstd.ErrClosed {
				t.Errorf("%s: %d, %v", name, n, err)
			}
			if n, err := d.Read(make([]byte, 1)); n != 0 || err != zstd.ErrClosed {
				t.Errorf("%s: %d, %v", name, n, err)
			}
			// The decompressor has returned to the pool, or has been freed, so a further Decoder does not need additional memory. (With the race
			// detector, sync.Pool drops some values.)
			if now := rt.HeapLive(); before == 0 {
				before = now
			} else if now > before+1<<20 && !rt.RaceEnabled {
				t.Errorf("%s: %d bytes are live, and %d before", name, now, before)
			}
			d.Reset(bytes.NewReader(packed))
			if got, err := io.ReadAll(d); err != nil || !bytes.Equal(got, text) {
				t.Error(len(got), err)
			}
			d.Close()
		}
	}
	d.Reset(bytes.NewReader(packed))
	var out int
	if n, err := d.WriteTo(writerFunc(func(p []byte) (int, error) { d.Close(); out += len(p); return len(p), nil })); n != int64(out) || err != zstd.ErrClosed {
		t.Error(n, out, err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// The HTTP/2 client of net/http closes the body of a request while another goroutine reads it.
func TestDecoderAsBody(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Error(r.Proto)
		}
		// The handler ends while the client reads the Decoder. The handler itself must read nothing of the body. If it read a part, the server of Go
		// 1.24 might panic when it closes the body, because its message about the read bytes would follow the end of the stream.
		time.Sleep(time.Millisecond)
		w.WriteHeader(http.StatusTeapot)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	text := make([]byte, 1<<20)
	rand.NewChaCha8([32]byte{}).Read(text)
	packed := compress(t, text, nil, func() int { return len(text) })
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 50 {
				input := readerFunc(func() func(p []byte) (int, error) {
					rest := bytes.NewReader(packed)
					return func(p []byte) (int, error) { time.Sleep(time.Microsecond); return rest.Read(p[:min(len(p), 5000)]) }
				}())
				response, err := server.Client().Post(server.URL, "", zstd.NewDecoder(input, nil))
				if err != nil {
					t.Error(err)
					return
				}
				response.Body.Close()
			}
		}()
	}
	wg.Wait()
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestManyStreams(t *testing.T) {
	dict, err := zstd.NewDict(file(t, "dict"), 3)
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for g := range 8 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			r := rand.New(rand.NewPCG(uint64(g), 1))
			e, d := zstd.NewEncoder(nil, &zstd.EncoderOptions{Dict: dict, Checksum: true}), zstd.NewDecoder(nil, &zstd.DecoderOptions{Dict: dict})
			for range 30 {
				src := sample("text", r.IntN(30000), r.Uint64())
				var out bytes.Buffer
				e.Reset(&out)
				for rest := src; len(rest) > 0; {
					n := min(len(rest), 1+r.IntN(5000))
					e.Write(rest[:n])
					rest = rest[n:]
				}
				if err := e.Close(); err != nil {
					t.Error(err)
				}
				d.Reset(&out)
				if got, err := io.ReadAll(d); err != nil || !bytes.Equal(got, src) {
					t.Errorf("%d bytes come back of %d, %v", len(got), len(src), err)
				}
			}
		}()
	}
	wait.Wait()
}

func TestStreamsOfTheProgram(t *testing.T) {
	program, err := exec.LookPath("zstd")
	if err != nil {
		t.Skip("the program zstd is not installed")
	}
	src := sample("text", 3<<20, 2)
	command := exec.Command(program, "-dcq")
	command.Stdin = bytes.NewReader(compress(t, src, &zstd.EncoderOptions{Level: 5, Checksum: true}, func() int { return 9999 }))
	if got, err := command.Output(); err != nil || !bytes.Equal(got, src) {
		t.Errorf("the program gives %d bytes, %v", len(got), err)
	}
	command = exec.Command(program, "-cq")
	command.Stdin = bytes.NewReader(src)
	packed, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := decompress(t, packed, nil); !bytes.Equal(got, src) {
		t.Error("the content of the program's stream differs")
	}
}

// FuzzStreams decompresses any bytes in pieces and at once, and compares the results.
func FuzzStreams(f *testing.F) {
	for _, name := range []string{"known.zst", "unknown.zst", "frames.zst", "message.zst"} {
		f.Add(file(f, name), uint16(100), uint16(100))
	}
	const limit = 1 << 20
	f.Fuzz(func(t *testing.T, src []byte, in, out uint16) {
		d := zstd.NewDecoder(&pieces{src, int(in) + 1}, &zstd.DecoderOptions{MaxWindow: limit})
		defer d.Close()
		var got []byte
		var err error
		for piece := make([]byte, int(out)+1); err == nil && len(got) <= limit; {
			var n int
			n, err = d.Read(piece)
			got = append(got, piece[:n]...)
		}
		whole, err2 := zstd.AppendDecompress(nil, src, limit)
		if err == io.EOF && err2 == nil && !bytes.Equal(got, whole) {
			t.Fatalf("%d bytes in pieces, %d at once", len(got), len(whole))
		}
		if (err == io.EOF) != (err2 == nil) && len(src) > 0 && err != zstd.ErrWindow && err2 != zstd.ErrLimit {
			t.Fatalf("in pieces %v, at once %v", err, err2)
		}
	})
}

// FuzzEncoder compresses any bytes in pieces.
func FuzzEncoder(f *testing.F) {
	f.Add([]byte("some text, some text"), 3, uint16(5), uint16(2))
	f.Fuzz(func(t *testing.T, src []byte, level int, piece, flush uint16) {
		var out bytes.Buffer
		e := zstd.NewEncoder(&out, &zstd.EncoderOptions{Level: level % 12, Checksum: level%2 == 0})
		for i, rest := 0, src; len(rest) > 0; i++ {
			n := min(len(rest), int(piece)+1)
			e.Write(rest[:n])
			rest = rest[n:]
			if flush > 0 && i%int(flush) == 0 {
				e.Flush()
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if got := decompress(t, out.Bytes(), nil); !bytes.Equal(got, src) {
			t.Fatalf("%d bytes come back of %d", len(got), len(src))
		}
	})
}

// pieces is a reader that returns at most `most` bytes at a time.
type pieces struct {
	rest []byte
	most int
}

func (p *pieces) Read(dst []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(dst[:min(len(dst), p.most)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func BenchmarkEncoder(b *testing.B) {
	src := sample("text", 1<<20, 1)
	for _, piece := range []int{100, 4096, 1 << 20} {
		b.Run(fmt.Sprintf("pieces=%d", piece), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			e := zstd.NewEncoder(io.Discard, &zstd.EncoderOptions{Level: 1})
			for range b.N {
				e.Reset(io.Discard)
				for rest := src; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
					e.Write(rest[:min(piece, len(rest))])
				}
				e.Close()
			}
		})
	}
}

func BenchmarkDecoder(b *testing.B) {
	src := sample("text", 1<<20, 1)
	packed, _ := zstd.AppendCompress(nil, src, 1)
	for _, piece := range []int{100, 4096, 1 << 20} {
		b.Run(fmt.Sprintf("pieces=%d", piece), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			buffer := make([]byte, piece)
			r := bytes.NewReader(nil)
			d := zstd.NewDecoder(r, nil)
			for range b.N {
				r.Reset(packed)
				d.Reset(r)
				for {
					if _, err := d.Read(buffer); err == io.EOF {
						break
					}
				}
			}
		})
	}
}
