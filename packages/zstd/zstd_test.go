package zstd_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"rustgo.dev/go/rt"
	"rustgo.dev/packages/internal/panictest"
	"rustgo.dev/packages/zstd"
)

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sample returns data of a kind: "zeros", "random", "few" (few different bytes), or "text" (with repetitions).
func sample(kind string, length int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]byte, length)
	for i := range data {
		switch kind {
		case "random":
			data[i] = byte(r.Uint32())
		case "few":
			data[i] = "aaaaaaabbbcd"[r.IntN(12)]
		case "text":
			if i > 64 && r.IntN(16) == 0 {
				copy(data[i:], data[r.IntN(i):][:min(r.IntN(30), length-i)])
			}
			if data[i] == 0 {
				data[i] = byte('a' + r.IntN(1+r.IntN(26)))
			}
		}
	}
	return data
}

func check(t *testing.T, src []byte, level int) {
	t.Helper()
	dst := []byte("before")
	packed, err := zstd.AppendCompress(dst, src, level)
	if err != nil || !bytes.HasPrefix(packed, dst) {
		t.Fatalf("level %d, %d bytes: %v", level, len(src), err)
	}
	back, err := zstd.AppendDecompress([]byte("before"), packed[len(dst):], len(src))
	if err != nil || !bytes.Equal(back, append([]byte("before"), src...)) {
		t.Fatalf("level %d, %d bytes: the content differs, or %v", level, len(src), err)
	}
	if len(src) > 0 {
		if back, err := zstd.AppendDecompress(nil, packed[len(dst):], len(src)-1); err != zstd.ErrLimit || back != nil {
			t.Fatalf("level %d: %d bytes in spite of the limit %d: %v", level, len(back), len(src)-1, err)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	for _, kind := range []string{"zeros", "random", "few", "text"} {
		for _, length := range []int{0, 1, 2, 3, 7, 64, 255, 256, 1000, 4096, 65535, 131072, 131073, 300000} {
			for _, level := range []int{-1 << 40, -5, 0, 1, 2, 3, 4, 6, 9, 12, 15, 19, 22, 1 << 40} {
				if (level > 12 || testing.Short()) && length > 70000 {
					continue
				}
				check(t, sample(kind, length, uint64(length)), level)
			}
		}
	}
}

// The data is longer than a window, so that early matches are no longer in the window. The test also uses the highest levels.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	check(t, sample("text", 24<<20, 1), 1)
	check(t, sample("text", 3<<20, 1), 19)
	check(t, sample("few", 1<<20, 1), 22)
}

func TestFramesOfTheProgram(t *testing.T) {
	plain := file(t, "plain")
	for _, name := range []string{"known.zst", "unknown.zst", "unchecked.zst", "frames.zst"} {
		packed := file(t, name)
		for _, limit := range []int{len(plain), len(plain) + 1, 1 << 40} {
			if got, err := zstd.AppendDecompress(nil, packed, limit); err != nil || !bytes.Equal(got, plain) {
				t.Errorf("%s: %d bytes, %v", name, len(got), err)
			}
		}
		for _, limit := range []int{-1, 0, 1, 9000, len(plain) - 1} {
			if got, err := zstd.AppendDecompress(nil, packed, limit); err != zstd.ErrLimit || got != nil {
				t.Errorf("%s: %d bytes with the limit %d, %v", name, len(got), limit, err)
			}
		}
		for cut := range packed {
			got, err := zstd.AppendDecompress([]byte("x"), packed[:cut], 1<<20)
			if whole := name == "frames.zst" && err == nil && bytes.HasPrefix(plain, got[1:]); err == nil && !whole || err != nil && string(got) != "x" {
				t.Fatalf("%s, the first %d bytes: %v", name, cut, err)
			}
		}
	}
}

// Compression must give the same frames on every machine.
func TestGolden(t *testing.T) {
	plain := file(t, "plain")
	for level, want := range map[int]string{
		-3: "7584 0752eda945a81ac0",
		1:  "5995 48054521076b7f14",
		3:  "5901 25bde35b391b6a65",
		9:  "5843 a60970e8a2bc764b",
		19: "5443 0e7fc8b0df080e6e",
	} {
		packed, err := zstd.AppendCompress(nil, plain, level)
		sum := sha256.Sum256(packed)
		if got := fmt.Sprint(len(packed), " ", hex.EncodeToString(sum[:8])); err != nil || got != want {
			t.Errorf("level %d: %q, want %q (%v)", level, got, want, err)
		}
	}
}

func TestProgram(t *testing.T) {
	program, err := exec.LookPath("zstd")
	if err != nil {
		t.Skip("the program zstd is not installed")
	}
	run := func(in []byte, args ...string) []byte {
		command := exec.Command(program, args...)
		command.Stdin = bytes.NewReader(in)
		out, err := command.Output()
		if err != nil {
			t.Fatal(args, err)
		}
		return out
	}
	dict, err := zstd.NewDict(file(t, "dict"), 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range [][]byte{nil, file(t, "plain"), sample("text", 200000, 2), file(t, "message")} {
		for _, level := range []int{1, 3, 9, 19} {
			packed, _ := zstd.AppendCompress(nil, src, level)
			if got := run(packed, "-dcq"); !bytes.Equal(got, src) {
				t.Errorf("level %d: the program's result differs", level)
			}
			if got, err := zstd.AppendDecompress(nil, run(src, fmt.Sprint("-", level), "-cq"), len(src)); err != nil || !bytes.Equal(got, src) {
				t.Errorf("level %d: the program's frame is not read: %v", level, err)
			}
		}
		packed, _ := dict.AppendCompress(nil, src)
		if got := run(packed, "-dcq", "-D", "testdata/dict"); !bytes.Equal(got, src) {
			t.Error("the program does not decompress a frame with a dictionary")
		}
	}
}

func TestDict(t *testing.T) {
	message := file(t, "message")
	dict, err := zstd.NewDict(file(t, "dict"), 19)
	if err != nil {
		t.Fatal(err)
	}
	other, err := zstd.NewDict(sample("text", 5000, 9), 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"message.zst", "message_unknown.zst"} {
		packed := file(t, name)
		if got, err := dict.AppendDecompress(nil, packed, len(message)); err != nil || !bytes.Equal(got, message) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := dict.AppendDecompress(nil, packed, len(message)-1); err != zstd.ErrLimit {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := zstd.AppendDecompress(nil, packed, 1<<20); err != zstd.ErrWrongDict {
			t.Errorf("%s without its dictionary: %v", name, err)
		}
		if _, err := other.AppendDecompress(nil, packed, 1<<20); err != zstd.ErrWrongDict {
			t.Errorf("%s with another dictionary: %v", name, err)
		}
		// This message is compressed without a dictionary: the context must not keep the previous call's dictionary.
		check(t, message, 3)
	}
	for _, d := range []*zstd.Dict{dict, other} {
		packed, err := d.AppendCompress(nil, message)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := d.AppendDecompress(nil, packed, len(message)); err != nil || !bytes.Equal(got, message) {
			t.Errorf("%v", err)
		}
	}
	plain, _ := zstd.AppendCompress(nil, message, 19)
	packed, _ := dict.AppendCompress(nil, message)
	if len(packed)*4 > len(plain)*3 {
		t.Errorf("%d bytes with the dictionary, %d without", len(packed), len(plain))
	}
	// This data begins with the magic number of a dictionary but contains no dictionary.
	if _, err := zstd.NewDict(append([]byte{0x37, 0xA4, 0x30, 0xEC}, "rubbish"...), 3); err != zstd.ErrCorruptDict {
		t.Errorf("a damaged dictionary: %v", err)
	}
}

// The frames' headers state a length above the limit, or the frames' content exceeds the limit.
func TestBombs(t *testing.T) {
	bomb, _ := zstd.AppendCompress(nil, make([]byte, 64<<20), 19)
	before := rt.HeapLive()
	if got, err := zstd.AppendDecompress(nil, bomb, 1<<20); err != zstd.ErrLimit || got != nil {
		t.Errorf("%v", err)
	}
	unknown := []byte{0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58} // no content size, a window of 2 MiB
	for range 10000 {
		unknown = append(unknown, 0x02, 0x00, 0x10, 'a') // a block of 128 KiB: one byte that is repeated
	}
	unknown = append(unknown, 0x01, 0x00, 0x00)
	var stats, after runtime.MemStats
	runtime.ReadMemStats(&stats)
	if got, err := zstd.AppendDecompress(nil, unknown, 1<<20); err != zstd.ErrLimit || got != nil {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	promises := []byte{0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0, 4, 0, 0, 0, 0x01, 0, 0} // the header states a content of 16 GiB
	if _, err := zstd.AppendDecompress(nil, promises, 1<<40); err != zstd.ErrCorrupt {
		t.Errorf("%v", err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - stats.TotalAlloc; used > 8<<20 {
		t.Errorf("%d bytes are allocated for refused results", used)
	}
	if used := int64(rt.HeapLive() - before); used > 8<<20 {
		t.Errorf("%d bytes are allocated outside of Go's heap", used)
	}
	if got, err := zstd.AppendDecompress(nil, unknown, 2<<30); err != nil || len(got) != 10000<<17 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// A small frame with a large window takes no memory for the window.
func TestLargeWindows(t *testing.T) {
	content := bytes.Repeat([]byte("some text, and some more text; "), 3000)
	dict, err := zstd.NewDict(content[:1000], 3)
	if err != nil {
		t.Fatal(err)
	}
	// wide returns a frame without the length of the content, with a window of 128 MiB.
	wide := func(content []byte, dict *zstd.Dict, checksum bool) []byte {
		var packed bytes.Buffer
		e := zstd.NewEncoder(&packed, &zstd.EncoderOptions{Dict: dict, Checksum: checksum})
		e.Write(content)
		e.Flush()
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		frame := packed.Bytes()
		if frame[4]&0xe0 != 0 {
			t.Fatalf("the descriptor is %#x", frame[4])
		}
		frame[5] = 17 << 3
		return frame
	}
	repeated := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 17 << 3, 0x2b, 0, 0, 'a'} // "aaaaa"
	skippable := []byte{0x55, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3}
	frames := bytes.Join([][]byte{wide(content, nil, true), skippable, repeated, wide(content, nil, false)}, nil)
	all := slices.Concat(content, []byte("aaaaa"), content)
	tooLong := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 17 << 3, 0x05, 0, 0} // a compressed block without content
	reserved := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 17 << 3, 0x0f, 0, 0, 'a'}
	wrong := wide(content, nil, true)
	wrong[len(wrong)-1]++
	decompressors := map[string]func(dst, src []byte, limit int) ([]byte, error){"dict": dict.AppendDecompress, "": zstd.AppendDecompress}
	before := rt.HeapLive()
	for _, c := range []struct {
		name, dict string
		src        []byte
		limit      int
		want       []byte
		err        error
	}{
		{"a limit of the content", "", repeated, 5, []byte("aaaaa"), nil},
		{"a lower limit", "", repeated, 4, nil, zstd.ErrLimit},
		{"no limit", "", repeated, math.MaxInt, []byte("aaaaa"), nil},
		{"limit 0", "", repeated, 0, nil, zstd.ErrLimit},
		{"several frames", "", frames, len(all), all, nil},
		{"several frames, a high limit", "", frames, 2 * len(all), all, nil},
		{"several frames, a lower limit", "", frames, len(all) - 1, nil, zstd.ErrLimit},
		{"several frames, limit 7", "", frames, 7, nil, zstd.ErrLimit},
		{"several frames, a piece less", "", frames[:len(frames)-1], len(all), nil, zstd.ErrTruncated},
		{"a byte more", "", append(bytes.Clone(frames), 0x28), len(all), nil, zstd.ErrTruncated},
		{"a part of a skippable frame", "", append(bytes.Clone(repeated), skippable[:9]...), 9, nil, zstd.ErrTruncated},
		{"the start of a skippable frame", "", append(bytes.Clone(repeated), skippable[:2]...), 9, nil, zstd.ErrTruncated},
		{"something else", "", append(bytes.Clone(repeated), "text"...), 9, nil, zstd.ErrUnknownFrame},
		{"without the checksum", "", wrong[:len(wrong)-3], len(all), nil, zstd.ErrTruncated},
		{"a wrong checksum", "", wrong, len(all), nil, zstd.ErrChecksum},
		{"a damaged block", "", tooLong, 9, nil, zstd.ErrCorrupt},
		{"a reserved block", "", reserved, 9, nil, zstd.ErrCorrupt},
		{"a dictionary", "dict", wide(content, dict, true), len(content), content, nil},
		{"another dictionary", "", wide(content, dict, true), 1 << 20, nil, zstd.ErrCorrupt},
	} {
		got, err := decompressors[c.dict]([]byte("> "), c.src, c.limit)
		if want := append([]byte("> "), c.want...); !bytes.Equal(got, want) || err != c.err && !(c.name == "another dictionary" && err != nil) {
			t.Errorf("%s: %d bytes, %v, not %d bytes, %v", c.name, len(got), err, len(want), c.err)
		}
	}
	// A window has 128 MiB. A context has a MiB or less. sync.Pool keeps contexts for each processor, so a test that moves to other processors makes
	// several; with the race detector, sync.Pool drops some of them.
	most := int64(16 << 20)
	if rt.RaceEnabled {
		most = 64 << 20
	}
	if used := int64(rt.HeapLive() - before); used > most {
		t.Errorf("%d bytes are allocated for windows", used)
	}
}

// No limit is too large, whether or not the header states the length of the content.
func TestLargestLimit(t *testing.T) {
	text := []byte("hello, hello, hello")
	dict, err := zstd.NewDict(bytes.Repeat(text, 20), 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt - 5} {
		for name, dict := range map[string]*zstd.Dict{"no dictionary": nil, "dictionary": dict} {
			var packed bytes.Buffer
			e := zstd.NewEncoder(&packed, &zstd.EncoderOptions{Dict: dict})
			e.Write(text)
			e.Flush() // so that the header has no length
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			decompress := zstd.AppendDecompress
			if dict != nil {
				decompress = dict.AppendDecompress
			}
			if got, err := decompress([]byte("> "), packed.Bytes(), limit); err != nil || string(got) != "> "+string(text) {
				t.Errorf("%s, limit %d: %q, %v", name, limit, got, err)
			}
			if got, err := decompress(nil, []byte("not a frame at all"), limit); err != zstd.ErrUnknownFrame || got != nil {
				t.Errorf("%s, limit %d: %q, %v", name, limit, got, err)
			}
		}
	}
}

func TestCorrupt(t *testing.T) {
	plain := file(t, "plain")
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"known.zst", "unknown.zst", "frames.zst"} {
		packed := file(t, name)
		for range 3000 {
			damaged := bytes.Clone(packed)
			for range 1 + r.IntN(3) {
				damaged[r.IntN(len(damaged))] ^= 1 << r.IntN(8)
			}
			got, err := zstd.AppendDecompress(nil, damaged, 1<<20)
			var known zstd.Error
			if err != nil && err != zstd.ErrLimit && (!errors.As(err, &known) || err.Error() == "") {
				t.Fatalf("%v", err)
			}
			// These frames have checksums. But a checksum does not detect a change of the flag that says that there is a checksum, or a change in a
			// skippable frame.
			if name == "unknown.zst" && err == nil && damaged[4] == packed[4] && !bytes.Equal(got, plain) {
				t.Fatalf("the content differs, and there is no error")
			}
		}
	}
	if _, err := zstd.AppendDecompress(nil, []byte("not a frame"), 100); err != zstd.ErrUnknownFrame {
		t.Errorf("%v", err)
	}
	if _, err := zstd.AppendDecompress(nil, nil, 100); err != zstd.ErrTruncated {
		t.Errorf("%v", err)
	}
}

// Unreachable contexts and dictionaries are freed.
func TestHeap(t *testing.T) {
	// settle collects garbage for some rounds, and returns the smallest number of live bytes that it sees. It stops early if at most enough bytes
	// are live. Cleanups run on a separate goroutine, which may be late on a busy machine.
	settle := func(rounds int, enough uint64) uint64 {
		live := rt.HeapLive()
		for n := 0; n < rounds && live > enough; n++ {
			runtime.GC()
			time.Sleep(2 * time.Millisecond)
			live = min(live, rt.HeapLive())
		}
		return live
	}
	before := settle(50, 0)
	src := sample("text", 100000, 5)
	for range 20 {
		dict, err := zstd.NewDict(file(t, "dict"), 12)
		if err != nil {
			t.Fatal(err)
		}
		packed, _ := dict.AppendCompress(nil, src)
		dict.AppendDecompress(nil, packed, len(src))
		zstd.AppendCompress(nil, src, 15)
		zstd.AppendDecompress(nil, file(t, "unknown.zst"), 100)
		zstd.NewDict([]byte{0x37, 0xA4, 0x30, 0xEC, 1, 2, 3, 4, 5}, 3)
	}
	if rt.HeapLive() == before {
		t.Error("nothing is allocated outside of Go's heap")
	}
	if after := settle(5000, before); after > before {
		t.Errorf("%d bytes are not freed", after-before)
	}
}

func TestManyGoroutines(t *testing.T) {
	dict, err := zstd.NewDict(file(t, "dict"), 3)
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for g := range 16 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for n := range 40 {
				src := sample("text", 1+(g*977+n*131)%20000, uint64(g))
				packed, err := zstd.AppendCompress(nil, src, 1+n%9)
				if n%2 == 0 {
					packed, err = dict.AppendCompress(nil, src)
				}
				got, err2 := dict.AppendDecompress(nil, packed, len(src))
				if err != nil || err2 != nil || !bytes.Equal(got, src) {
					t.Error(err, err2)
				}
			}
		}()
	}
	wait.Wait()
}

func TestOverlap(t *testing.T) {
	buffer := sample("text", 5000, 1)
	if message := panictest.Message(func() { zstd.AppendCompress(buffer[:0], buffer[:1000], 3) }); message == "" {
		t.Error("dst and src overlap, and there is no panic")
	}
	check(t, buffer, 3)
}

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("some text, some text"), 3)
	f.Fuzz(func(t *testing.T, src []byte, level int) {
		check(t, src, level%23)
	})
}

func FuzzDecompress(f *testing.F) {
	for _, name := range []string{"known.zst", "unknown.zst", "frames.zst", "message.zst"} {
		f.Add(file(f, name), 1<<15)
	}
	dict, err := zstd.NewDict(file(f, "dict"), 3)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src []byte, limit int) {
		limit %= 1 << 22
		for _, decompress := range []func([]byte, []byte, int) ([]byte, error){zstd.AppendDecompress, dict.AppendDecompress} {
			if got, err := decompress(nil, src, limit); err != nil && got != nil || len(got) > max(limit, 0) {
				t.Fatalf("%d bytes with the limit %d, %v", len(got), limit, err)
			}
		}
	})
}
