package aesgcm_test

import (
	"bytes"
	"crypto/aes"
	"crypto/rand"
	"testing"
)

// This file computes round keys as FIPS 197 says. It does not use crypto/aes, which leaves its round keys in memory that the test cannot clear.

// times returns the product of a and b in GF(2⁸).
func times(a, b byte) (product byte) {
	for ; b != 0; b >>= 1 {
		if b&1 != 0 {
			product ^= a
		}
		if a>>7 != 0 {
			a = a<<1 ^ 0x1b
		} else {
			a <<= 1
		}
	}
	return product
}

var sbox = func() (box [256]byte) {
	for x := range box {
		inverse := byte(1) // x to the power 254
		for range 254 {
			inverse = times(inverse, byte(x))
		}
		for shift := range 5 {
			box[x] ^= inverse<<shift | inverse>>(8-shift)
		}
		box[x] ^= 0x63
	}
	return box
}()

// schedule returns the round keys, 16 bytes each.
func schedule(key []byte) []byte {
	n := len(key)
	w := make([]byte, 4*n+112)
	copy(w, key)
	power := byte(1)
	for i := n; i < len(w); i += 4 {
		a, b, c, d := w[i-4], w[i-3], w[i-2], w[i-1]
		if i%n == 0 {
			a, b, c, d = sbox[b]^power, sbox[c], sbox[d], sbox[a]
			power = times(power, 2)
		} else if n == 32 && i%n == 16 {
			a, b, c, d = sbox[a], sbox[b], sbox[c], sbox[d]
		}
		w[i], w[i+1], w[i+2], w[i+3] = w[i-n]^a, w[i-n+1]^b, w[i-n+2]^c, w[i-n+3]^d
	}
	return w
}

// encrypt encrypts a block in place with round keys of schedule.
func encrypt(block, keys []byte) {
	next := make([]byte, 16)
	for round := 0; ; round++ {
		for i := range block {
			block[i] ^= keys[16*round+i]
		}
		if 16*round+16 == len(keys) {
			clear(next)
			return
		}
		for i := range next {
			next[i] = sbox[block[(i+i%4*4)%16]]
		}
		for column := 0; column < 16; column += 4 {
			for i := range 4 {
				block[column+i] = next[column+i]
				if 16*round+32 < len(keys) {
					block[column+i] = times(next[column+i], 2) ^ times(next[column+(i+1)%4], 3) ^ next[column+(i+2)%4] ^ next[column+(i+3)%4]
				}
			}
		}
	}
}

func TestSchedule(t *testing.T) {
	for _, size := range []int{16, 32} {
		key, want, got := make([]byte, size), make([]byte, 16), make([]byte, 16)
		rand.Read(key)
		block, err := aes.NewCipher(key)
		if err != nil {
			t.Fatal(err)
		}
		block.Encrypt(want, got)
		if encrypt(got, schedule(key)); !bytes.Equal(got, want) {
			t.Errorf("%x, not %x, with a key of %d bytes", got, want, size)
		}
	}
}
