//go:build amd64 || arm64

package aesgcm_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"rustgo.dev/go/rt"
	"rustgo.dev/packages/aesgcm"
	"rustgo.dev/packages/internal/buildinfo"
	"rustgo.dev/packages/internal/levels"
)

func TestAtEachLevel(t *testing.T) { levels.Each(t) }

// rounds returns the number of inputs to compare. With RUSTGO_LONG=1 it returns a million.
func rounds() int {
	switch {
	case os.Getenv("RUSTGO_LONG") != "":
		return 1_000_000
	case testing.Short():
		return 2_000
	}
	return 20_000
}

func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// both returns two implementations of AES-GCM with the key: this package's and crypto/cipher's.
func both(t testing.TB, key []byte) (*aesgcm.AEAD, cipher.AEAD) {
	t.Helper()
	ours, err := aesgcm.New(key)
	if err != nil {
		t.Fatal(err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

// length returns a random length of a text. Most lengths are short, and include all lengths near the block sizes of the code.
func length(r *rand.Rand) int {
	if r.IntN(50) == 0 {
		return r.IntN(5000)
	}
	return r.IntN(300)
}

func TestAgreesWithCryptoCipher(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var ours *aesgcm.AEAD
	var theirs cipher.AEAD
	for i := range rounds() {
		if i%16 == 0 {
			ours, theirs = both(t, random(r, 16+16*r.IntN(2)))
		}
		nonce, text, additional, prefix := random(r, 12), random(r, length(r)), random(r, r.IntN(50)), random(r, r.IntN(20))
		want := theirs.Seal(bytes.Clone(prefix), nonce, text, additional)
		// The result is written after the contents of the destination, or to new memory if the destination has no room.
		dst := append(make([]byte, 0, len(prefix)+r.IntN(2)*(len(text)+16)), prefix...)
		if got := ours.Seal(dst, nonce, text, additional); !bytes.Equal(got, want) {
			t.Fatalf("round %d: %d bytes with %d more: %x, not %x", i, len(text), len(additional), got, want)
		}
		place := append(make([]byte, 0, len(text)+16), text...)
		if got := ours.Seal(place[:0], nonce, place, additional); !bytes.Equal(got, want[len(prefix):]) {
			t.Fatalf("round %d, in place: %x, not %x", i, got, want[len(prefix):])
		}
		sealed := want[len(prefix):]
		got, err := ours.Open(dst[:len(prefix)], nonce, sealed, additional)
		if err != nil || !bytes.Equal(got, append(bytes.Clone(prefix), text...)) {
			t.Fatalf("round %d: opened: %x, %v", i, got, err)
		}
		place = bytes.Clone(sealed)
		if got, err := ours.Open(place[:0], nonce, place, additional); err != nil || !bytes.Equal(got, text) {
			t.Fatalf("round %d: opened in place: %x, %v", i, got, err)
		}
		if i%8 == 0 {
			refuses(t, ours, nonce, sealed, additional, r)
		}
	}
}

// refuses flips one bit of the nonce, the ciphertext, the tag and the additional data in turn. Open must refuse each changed message.
func refuses(t *testing.T, aead cipher.AEAD, nonce, sealed, additional []byte, r *rand.Rand) {
	t.Helper()
	for _, of := range [][]byte{nonce, sealed[:len(sealed)-16], sealed[len(sealed)-16:], additional} {
		if len(of) == 0 {
			continue
		}
		at, bit := r.IntN(len(of)), byte(1)<<r.IntN(8)
		of[at] ^= bit
		dst := bytes.Repeat([]byte{0xaa}, len(sealed))
		if got, err := aead.Open(dst[:0], nonce, sealed, additional); err == nil || got != nil {
			t.Fatalf("bit %x of byte %d is flipped, and the text is opened", bit, at)
		}
		if text := dst[:len(sealed)-16]; !bytes.Equal(text, make([]byte, len(text))) {
			t.Fatalf("what was not authentic is left in the destination: %x", text)
		}
		of[at] ^= bit
	}
}

// panics returns the message of the panic of a call, or "" if the call returns.
func panics(call func()) (message string) {
	defer func() {
		if r := recover(); r != nil {
			message = fmt.Sprint(r)
		}
	}()
	call()
	return ""
}

func TestOverlapPanicsMatchCryptoCipher(t *testing.T) {
	ours, theirs := both(t, make([]byte, 32))
	oursRandom, err := aesgcm.NewWithRandomNonce(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	block, _ := aes.NewCipher(make([]byte, 32))
	theirsRandom, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		t.Fatal(err)
	}
	pairs := []struct {
		name         string
		ours, theirs cipher.AEAD
		nonce        []byte
	}{{"nonce", ours, theirs, make([]byte, 12)}, {"random nonce", oursRandom, theirsRandom, nil}}
	for _, pair := range pairs {
		refused := 0
		for at := range 100 {
			for _, size := range []int{0, 1, 20} {
				seal := func(aead cipher.AEAD, additional bool) string {
					buffer := make([]byte, 200)
					text, other := buffer[at:at+size:at+size], []byte(nil)
					if additional {
						text, other = make([]byte, 20), text
					}
					return panics(func() { aead.Seal(buffer[50:50:120], pair.nonce, text, other) })
				}
				for _, additional := range []bool{false, true} {
					got, want := seal(pair.ours, additional), seal(pair.theirs, additional)
					if (got == "") != (want == "") {
						t.Errorf("%s: %d bytes at %d, additional %t: %q, crypto/cipher %q", pair.name, size, at, additional, got, want)
					}
					if got != "" {
						refused++
					}
				}
				sealed := pair.theirs.Seal(nil, pair.nonce, make([]byte, size), nil)
				open := func(aead cipher.AEAD) (string, bool) {
					buffer, opened := make([]byte, 200), false
					text := buffer[at : at+len(sealed) : at+len(sealed)]
					copy(text, sealed)
					message := panics(func() {
						_, err := aead.Open(buffer[50:50:120], pair.nonce, text, nil)
						opened = err == nil
					})
					return message, opened
				}
				got, opened := open(pair.ours)
				want, wantOpened := open(pair.theirs)
				if (got == "") != (want == "") || opened != wantOpened {
					t.Errorf("%s: open %d bytes at %d: %q %t, crypto/cipher %q %t", pair.name, size, at, got, opened, want, wantOpened)
				}
			}
		}
		if refused == 0 {
			t.Errorf("%s: nothing was refused", pair.name)
		}
	}
}

func TestRandomNonces(t *testing.T) {
	key := []byte("0123456789abcdef")
	ours, err := aesgcm.NewWithRandomNonce(key)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := aes.NewCipher(key)
	theirs, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		t.Fatal(err)
	}
	if ours.NonceSize() != theirs.NonceSize() || ours.Overhead() != theirs.Overhead() {
		t.Errorf("a nonce of %d bytes, and %d more", ours.NonceSize(), ours.Overhead())
	}
	seen := make(map[string]bool)
	for n := range 200 {
		text := bytes.Repeat([]byte{byte(n)}, n)
		for _, aeads := range [][2]cipher.AEAD{{ours, theirs}, {theirs, ours}} {
			place := append(make([]byte, 0, n+28), text...)
			sealed := aeads[0].Seal(place[:0], nil, place, key)
			seen[string(sealed[:12])] = true
			if got, err := aeads[1].Open(nil, nil, sealed, key); err != nil || !bytes.Equal(got, text) {
				t.Fatalf("%d bytes: %x, %v", n, got, err)
			}
			if got, err := aeads[1].Open(sealed[:0], nil, sealed, key); err != nil || !bytes.Equal(got, text) {
				t.Fatalf("%d bytes in place: %x, %v", n, got, err)
			}
			if _, err := aeads[1].Open(nil, nil, make([]byte, n), key); err == nil {
				t.Fatalf("%d zeros are opened", n)
			}
		}
	}
	if len(seen) != 400 {
		t.Errorf("%d nonces", len(seen))
	}
	if message := panics(func() { ours.Seal(nil, make([]byte, 12), nil, nil) }); !strings.Contains(message, "random") {
		t.Errorf("%q", message)
	}
}

// Long texts use the entry for blocking calls.
func TestLongTexts(t *testing.T) {
	ours, theirs := both(t, []byte("0123456789abcdef"))
	random, err := aesgcm.NewWithRandomNonce([]byte("0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	nonce := make([]byte, 12)
	for _, n := range []int{256 << 10, 256<<10 + 1, 512 << 10, 3<<20 + 5} {
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(i * i >> 7)
		}
		sealed := ours.Seal(nil, nonce, text, nil)
		if !bytes.Equal(sealed, theirs.Seal(nil, nonce, text, nil)) {
			t.Errorf("%d bytes are sealed as others", n)
		}
		if got, err := ours.Open(nil, nonce, sealed, nil); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%d bytes: %v", n, err)
		}
		place := append(make([]byte, 0, n+28), text...)
		for _, dst := range [][]byte{nil, place[:0]} {
			sealed := random.Seal(dst, nil, place, nil)
			if got, err := random.Open(dst, nil, sealed, nil); err != nil || !bytes.Equal(got, text) {
				t.Errorf("%d bytes with a random nonce: %v", n, err)
			}
		}
	}
}

func TestWrongLengths(t *testing.T) {
	for n := range 70 {
		if n == 16 || n == 32 {
			continue
		}
		aead, err := aesgcm.New(make([]byte, n))
		if size := aes.KeySizeError(0); !errors.As(err, &size) || int(size) != n || aead != nil {
			t.Errorf("a key of %d bytes: %v", n, err)
		}
		if aead, err := aesgcm.NewWithRandomNonce(make([]byte, n)); err == nil || aead != nil {
			t.Errorf("a key of %d bytes", n)
		}
	}
	ours, _ := both(t, make([]byte, 16))
	for n := range 40 {
		if n == 12 {
			continue
		}
		if message := panics(func() { ours.Seal(nil, make([]byte, n), nil, nil) }); !strings.Contains(message, "12 bytes") {
			t.Errorf("a nonce of %d bytes: %q", n, message)
		}
		if message := panics(func() { ours.Open(nil, make([]byte, n), make([]byte, 16), nil) }); !strings.Contains(message, "12 bytes") {
			t.Errorf("a nonce of %d bytes: %q", n, message)
		}
	}
	for n := range 16 {
		if _, err := ours.Open(nil, make([]byte, 12), make([]byte, n), nil); err == nil {
			t.Errorf("%d bytes are opened", n)
		}
	}
}

// The nonce may overlap the output, as in crypto/cipher, which reads the nonce before it writes the output.
func TestNonceInTheOutput(t *testing.T) {
	ours, theirs := both(t, []byte("0123456789abcdef0123456789abcdef"))
	nonce, text := []byte("twelve bytes"), []byte("the plaintext, which is longer than a nonce")
	want := theirs.Seal(nil, nonce, text, nil)
	buffer := append(make([]byte, 0, 100), nonce...)
	if got := ours.Seal(buffer[:0], buffer, text, nil); !bytes.Equal(got, want) {
		t.Errorf("%x, not %x", got, want)
	}
	copy(buffer[:12], nonce)
	if got, err := ours.Open(buffer[:0], buffer[:12], want, nil); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%q, %v", got, err)
	}
	inPlace := append(append(make([]byte, 0, 100), nonce...), text...)
	want = theirs.Seal(nil, nonce, inPlace, nil)
	if got := ours.Seal(inPlace[:0], inPlace[:12], inPlace, nil); !bytes.Equal(got, want) {
		t.Errorf("in place %x, not %x", got, want)
	}
}

// A program may recover from the panic and send the buffer. So the buffer must not contain plaintext then.
func TestClosedLeavesNoPlaintext(t *testing.T) {
	key := make([]byte, 16)
	ours, err := aesgcm.New(key)
	if err != nil {
		t.Fatal(err)
	}
	random, err := aesgcm.NewWithRandomNonce(key)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []io.Closer{ours, random} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	text, dst := []byte("a plaintext that is secret"), make([]byte, 0, 100)
	for name, aead := range map[string]cipher.AEAD{"New": ours, "NewWithRandomNonce": random} {
		nonce := make([]byte, aead.NonceSize())
		if message := panics(func() { aead.Seal(dst, nonce, text, nil) }); !strings.Contains(message, "closed") {
			t.Errorf("%s: %q", name, message)
		}
		if bytes.Contains(dst[:cap(dst)], text[:4]) {
			t.Errorf("%s: %q is left", name, dst[:cap(dst)])
		}
		// In place, the buffer must contain the caller's plaintext and nothing else.
		for n := range 40 {
			place := make([]byte, 100)
			copy(place[:n], text)
			before := bytes.Clone(place[:n])
			if message := panics(func() { aead.Seal(place[:0], nonce, place[:n], nil) }); !strings.Contains(message, "closed") {
				t.Errorf("%s: %q", name, message)
			}
			if !bytes.Equal(place[:n], before) || n > 12 && bytes.Contains(place[n:], text[:1]) {
				t.Errorf("%s: of %q is left %q", name, before, place)
			}
			sealed := place[:n+len(nonce)+aead.Overhead()]
			for i := range sealed {
				sealed[i] = byte(i)
			}
			before = bytes.Clone(sealed)
			if message := panics(func() { aead.Open(sealed[:0], nonce, sealed, nil) }); !strings.Contains(message, "closed") {
				t.Errorf("%s: %q", name, message)
			}
			if !bytes.Equal(sealed, before) {
				t.Errorf("%s: of %x is left %x", name, before, sealed)
			}
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	if !buildinfo.Optimised() {
		t.Skip("in programs that are checked or not optimised, more escapes")
	}
	ours, _ := both(t, make([]byte, 32))
	nonce, buffer := make([]byte, 12), make([]byte, 1024+16)
	allocs := testing.AllocsPerRun(100, func() {
		sealed := ours.Seal(buffer[:0], nonce, buffer[:1024], nonce)
		if _, err := ours.Open(buffer[:0], nonce, sealed, nonce); err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func TestOneKeyInManyGoroutines(t *testing.T) {
	ours, theirs := both(t, []byte("0123456789abcdef0123456789abcdef"))
	var group sync.WaitGroup
	for g := range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			r := rand.New(rand.NewPCG(uint64(g), 7))
			for range 200 {
				nonce, text := random(r, 12), random(r, r.IntN(2000))
				sealed := ours.Seal(nil, nonce, text, nil)
				if got, err := theirs.Open(nil, nonce, sealed, nil); err != nil || !bytes.Equal(got, text) {
					t.Errorf("%x, %v", got, err)
				}
			}
		}()
	}
	group.Wait()
}

// This package and crypto/cipher each encrypt a stream of chunks with ascending nonces, and decrypt each other's stream.
func TestStreamsOfBothAgree(t *testing.T) {
	ours, theirs := both(t, []byte("0123456789abcdef"))
	r := rand.New(rand.NewPCG(3, 4))
	message := random(r, 200_000)
	stream := func(seal, open cipher.AEAD) []byte {
		var out []byte
		nonce := make([]byte, 12)
		for rest, n := message, 0; len(rest) > 0; rest = rest[n:] {
			n = min(len(rest), 1+r.IntN(20_000))
			nonce[11]++
			chunk, err := open.Open(nil, nonce, seal.Seal(nil, nonce, rest[:n], []byte{byte(len(out))}), []byte{byte(len(out))})
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, chunk...)
		}
		return out
	}
	if !bytes.Equal(stream(ours, theirs), message) || !bytes.Equal(stream(theirs, ours), message) {
		t.Error("the streams differ")
	}
}

func TestClosed(t *testing.T) {
	ours, _ := both(t, make([]byte, 16))
	if err := ours.Close(); err != nil {
		t.Error(err)
	}
	defer func() {
		if _, ok := recover().(*rt.Panic); !ok {
			t.Error("a closed key is used")
		}
	}()
	ours.Seal(nil, make([]byte, 12), nil, nil)
}

// Long messages use the entry for blocking calls.
func TestLongMessages(t *testing.T) {
	ours, theirs := both(t, make([]byte, 32))
	nonce, text := make([]byte, 12), bytes.Repeat([]byte("0123456789"), 30_000)
	sealed := ours.Seal(nil, nonce, text, nil)
	if !bytes.Equal(sealed, theirs.Seal(nil, nonce, text, nil)) {
		t.Error("sealed otherwise")
	}
	if got, err := ours.Open(nil, nonce, sealed, nil); err != nil || !bytes.Equal(got, text) {
		t.Error("opened otherwise", err)
	}
}

func FuzzAgreesWithCryptoCipher(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), []byte("text"), []byte("additional"), true)
	f.Fuzz(func(t *testing.T, key, text, additional []byte, long bool) {
		size := 16
		if long {
			size = 32
		}
		key = append(key, make([]byte, 32)...)[:size]
		ours, theirs := both(t, key)
		nonce := key[:12]
		sealed := ours.Seal(nil, nonce, text, additional)
		if want := theirs.Seal(nil, nonce, text, additional); !bytes.Equal(sealed, want) {
			t.Fatalf("%x, not %x", sealed, want)
		}
		got, err := ours.Open(nil, nonce, text, additional)
		want, wantErr := theirs.Open(nil, nonce, text, additional)
		if (err == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
			t.Fatalf("opened: %x, %v, not %x, %v", got, err, want, wantErr)
		}
	})
}
