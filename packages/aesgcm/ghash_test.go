package aesgcm_test

import (
	"encoding/binary"
	"encoding/hex"
	"testing"
)

// An element is an element of POLYVAL's field. Code with carry-less multiplication computes GHASH in this field (RFC 8452, 3 and appendix A).
type element struct{ low, high uint64 }

func elementOf(b []byte) element {
	return element{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

// put writes the 16 bytes of the element to b: the low half first, or the high half first if swapped is set.
func (a element) put(b []byte, swapped bool) {
	if swapped {
		a.low, a.high = a.high, a.low
	}
	binary.LittleEndian.PutUint64(b, a.low)
	binary.LittleEndian.PutUint64(b[8:], a.high)
}

// timesX returns the product of a and x. The modulus is x¹²⁸ + x¹²⁷ + x¹²⁶ + x¹²¹ + 1.
func (a element) timesX() element {
	top := a.high >> 63
	return element{a.low<<1 ^ top, a.high<<1 ^ a.low>>63 ^ top<<63 ^ top<<62 ^ top<<57}
}

// overX returns the quotient of a and x.
func (a element) overX() element {
	odd := a.low & 1
	return element{a.low>>1 ^ a.high<<63, a.high>>1 ^ odd<<63 ^ odd<<62 ^ odd<<61 ^ odd<<56}
}

// dot returns a·b·x⁻¹²⁸.
func (a element) dot(b element) (sum element) {
	for _, word := range [...]uint64{b.low, b.high} {
		for i := range 64 {
			if word>>i&1 != 0 {
				sum.low, sum.high = sum.low^a.low, sum.high^a.high
			}
			a = a.timesX()
		}
	}
	for range 128 {
		sum = sum.overX()
	}
	return sum
}

// The vector is from RFC 8452, appendix A.
func TestDot(t *testing.T) {
	of := func(text string) element {
		b, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return elementOf(b)
	}
	a, b := of("66e94bd4ef8a2c3b884cfa59ca342b2e"), of("ff000000000000000000000000000000")
	if got := a.dot(b); got != of("ebe563401e7e91ea3ad6426b8140c394") {
		t.Errorf("%x", got)
	}
	if got := a.timesX().overX(); got != a {
		t.Errorf("%x, not %x", got, a)
	}
}
