//go:build amd64 || arm64

package aesgcm_test

import (
	"bytes"
	"crypto/cipher"
	"math/rand/v2"
	"os"
	"testing"

	"rustgo.dev/packages/aesgcm"
)

const (
	// limit is the total length of text and additional data at which the level x86-64-v3+crypto changes to other code.
	limit   = 1024
	longest = 2100
	// room is the number of bytes before and after an output that must not change.
	room    = 48
	outside = 0xa5
)

// A comparer makes each call twice, with this package and with crypto/cipher, and compares the results. All calls use one block of memory.
type comparer struct {
	ours   *aesgcm.AEAD
	theirs cipher.AEAD
	random *rand.Rand
	// data contains the bytes of keys, nonces, texts and additional data.
	data                  []byte
	want, sealed, changed []byte
	output                []byte
	// blank is the expected memory around an output, and zeros is the expected output of a failed Open.
	blank, zeros []byte
	calls        int
}

func newComparer(seed uint64) *comparer {
	r := rand.New(rand.NewPCG(seed, 5))
	most := room + longest + 16 + room
	return &comparer{
		random: r, data: random(r, 1<<16), want: make([]byte, 0, most), sealed: make([]byte, 0, most), changed: make([]byte, 0, most),
		output: make([]byte, 2*room+most), blank: bytes.Repeat([]byte{outside}, 2*room+most), zeros: make([]byte, most),
	}
}

// bytes returns random bytes at a random alignment.
func (c *comparer) bytes(n int) []byte {
	at := c.random.IntN(len(c.data) - n)
	return c.data[at : at+n : at+n]
}

func (c *comparer) newKey(t *testing.T) {
	if c.ours != nil {
		if err := c.ours.Close(); err != nil {
			t.Fatal(err)
		}
	}
	c.ours, c.theirs = both(t, c.bytes(16+16*c.random.IntN(2)))
}

// place returns n bytes for an output at a random alignment. The bytes after them are within the capacity of the slice.
func (c *comparer) place(n int) (output []byte, at int) {
	copy(c.output, c.blank)
	at = room + c.random.IntN(room)
	return c.output[at : at+n : at+n+c.random.IntN(room)], at
}

// checkOutside fails the test if a byte before or after the n bytes of the output has changed.
func (c *comparer) checkOutside(t *testing.T, what string, at, n, text, additional int) {
	t.Helper()
	before, after := c.output[:at], c.output[at+n:]
	if !bytes.Equal(before, c.blank[:len(before)]) {
		t.Fatalf("%s of %d bytes with %d more writes before the output: %x", what, text, additional, before)
	}
	if !bytes.Equal(after, c.blank[:len(after)]) {
		t.Fatalf("%s of %d bytes with %d more writes after the output: %x", what, text, additional, after)
	}
}

// compare seals and opens one message, in a separate buffer and in place, and opens changed messages.
func (c *comparer) compare(t *testing.T, textSize, additionalSize int) {
	t.Helper()
	nonce, text, additional := c.bytes(12), c.bytes(textSize), c.bytes(additionalSize)
	c.want = c.theirs.Seal(c.want[:0], nonce, text, additional)
	sealedSize := len(c.want)

	out, at := c.place(sealedSize)
	if got := c.ours.Seal(out[:0], nonce, text, additional); !bytes.Equal(got, c.want) || &got[0] != &out[0] {
		t.Fatalf("Seal of %d bytes with %d more: %x, not %x", textSize, additionalSize, got, c.want)
	}
	c.checkOutside(t, "Seal", at, sealedSize, textSize, additionalSize)

	out, at = c.place(sealedSize)
	copy(out, text)
	if got := c.ours.Seal(out[:0], nonce, out[:textSize], additional); !bytes.Equal(got, c.want) {
		t.Fatalf("Seal in place of %d bytes with %d more: %x, not %x", textSize, additionalSize, got, c.want)
	}
	c.checkOutside(t, "Seal in place", at, sealedSize, textSize, additionalSize)

	c.sealed = append(c.sealed[:0], c.want...)
	out, at = c.place(textSize)
	if got, err := c.ours.Open(out[:0], nonce, c.sealed, additional); err != nil || !bytes.Equal(got, text) {
		t.Fatalf("Open of %d bytes with %d more: %x, %v", textSize, additionalSize, got, err)
	}
	c.checkOutside(t, "Open", at, textSize, textSize, additionalSize)
	if !bytes.Equal(c.sealed, c.want) {
		t.Fatalf("Open of %d bytes with %d more changes its input", textSize, additionalSize)
	}

	out, _ = c.place(sealedSize)
	copy(out, c.sealed)
	if got, err := c.ours.Open(out[:0], nonce, out, additional); err != nil || !bytes.Equal(got, text) {
		t.Fatalf("Open in place of %d bytes with %d more: %x, %v", textSize, additionalSize, got, err)
	}
	if !bytes.Equal(out[textSize:], c.sealed[textSize:]) {
		t.Fatalf("Open in place of %d bytes with %d more changes the tag", textSize, additionalSize)
	}
	c.calls += 4

	c.compareChanged(t, nonce, additional, textSize)
}

// compareChanged opens the message after a change of one bit in the tag, the ciphertext, the additional data or the nonce.
func (c *comparer) compareChanged(t *testing.T, nonce, additional []byte, textSize int) {
	t.Helper()
	r := c.random
	c.changed = append(c.changed[:0], additional...)
	changedNonce := [12]byte(nonce)
	parts := []struct {
		name  string
		bytes []byte
	}{{"tag", c.sealed[textSize:]}, {"ciphertext", c.sealed[:textSize]}, {"additional data", c.changed}, {"nonce", changedNonce[:]}}
	part := parts[r.IntN(len(parts))]
	if len(part.bytes) == 0 {
		part = parts[0]
	}
	byteAt, bit := r.IntN(len(part.bytes)), r.IntN(8)
	part.bytes[byteAt] ^= 1 << bit
	inPlace := r.IntN(2) == 0

	size := textSize
	if inPlace {
		size += 16
	}
	out, at := c.place(size)
	input := c.sealed
	if inPlace {
		copy(out, c.sealed)
		input = out
	}
	if got, err := c.ours.Open(out[:0], changedNonce[:], input, c.changed); err == nil || got != nil {
		t.Fatalf("%d bytes with %d more, bit %d of byte %d of the %s changed: opened to %x, %v", textSize, len(additional), bit, byteAt, part.name, got, err)
	}
	if !bytes.Equal(out[:textSize], c.zeros[:textSize]) {
		t.Fatalf("%d bytes with %d more, %s changed: %x is left, not zeros", textSize, len(additional), part.name, out[:textSize])
	}
	if inPlace && !bytes.Equal(out[textSize:], c.sealed[textSize:]) {
		t.Fatalf("%d bytes with %d more, %s changed: the tag is overwritten", textSize, len(additional), part.name)
	}
	c.checkOutside(t, "Open of a changed message", at, size, textSize, len(additional))
	c.calls++
}

// TestEachLength compares each length of text below and just above the limit. The additional data ends a block, or ends within a block, or makes
// the sum of both lengths 1023, 1024 and 1025.
func TestEachLength(t *testing.T) {
	c := newComparer(1)
	for n := range limit + 20 {
		c.newKey(t)
		for _, additional := range []int{0, 1, 13, 16, 129, limit - 1 - n, limit - n, limit + 1 - n} {
			if additional >= 0 {
				c.compare(t, n, additional)
			}
			if additional > 1 && additional <= limit && n > 20 {
				c.compare(t, additional, n)
			}
		}
	}
}

// TestRandomLengths compares random lengths. With RUSTGO_LONG=1 it makes 10 million calls.
func TestRandomLengths(t *testing.T) {
	calls := 40_000
	if testing.Short() {
		calls = 10_000
	}
	if os.Getenv("RUSTGO_LONG") != "" {
		calls = 10_000_000
	}
	c := newComparer(2)
	for i := 0; c.calls < calls; i++ {
		if i%64 == 0 {
			c.newKey(t)
		}
		text, additional := c.random.IntN(longest+1), c.random.IntN(1101)
		switch c.random.IntN(4) {
		case 0: // near the limit
			text = c.random.IntN(limit + 2)
			additional = max(0, limit-2+c.random.IntN(5)-text)
		case 1: // a few blocks
			text, additional = c.random.IntN(300), c.random.IntN(64)
		case 2: // short code, with much additional data
			text = c.random.IntN(limit)
			additional = c.random.IntN(limit - text)
		}
		c.compare(t, text, additional)
	}
}
