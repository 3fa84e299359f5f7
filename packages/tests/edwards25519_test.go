package tests

import (
	"bytes"
	"testing"

	filippo "filippo.io/edwards25519"

	"rustgo.dev/packages/edwards25519"
)

// reduce returns the scalar k modulo the order of the base point.
func reduce(k []byte) *filippo.Scalar {
	var wide [64]byte
	copy(wide[:], k)
	s, err := new(filippo.Scalar).SetUniformBytes(wide[:])
	if err != nil {
		panic(err)
	}
	return s
}

func checkEdwards25519(t *testing.T, a, pointA, b [32]byte) {
	t.Helper()
	var got [32]byte
	edwards25519.ScalarBaseMult(&got, &a)
	if want := new(filippo.Point).ScalarBaseMult(reduce(a[:])).Bytes(); !bytes.Equal(got[:], want) {
		t.Errorf("%x times the base point: got %x, want %x", a, got, want)
	}

	got = [32]byte{}
	ok := edwards25519.DoubleScalarBaseMult(&got, &a, &pointA, &b)
	p, err := new(filippo.Point).SetBytes(pointA[:])
	if ok != (err == nil) {
		t.Fatalf("is %x a point? got %v, want %v", pointA, ok, err)
	}
	if !ok {
		return
	}
	if want := new(filippo.Point).VarTimeDoubleScalarBaseMult(reduce(a[:]), p, reduce(b[:])).Bytes(); !bytes.Equal(got[:], want) {
		t.Errorf("a = %x, A = %x, b = %x: got %x, want %x", a, pointA, b, got, want)
	}
}

func TestEdwards25519(t *testing.T) {
	edges := [][32]byte{
		{}, {1}, {2},
		[32]byte(bytes.Repeat([]byte{0xff}, 32)),
		{31: 0x80}, {0: 1, 31: 0x80}, // x = 0 with its sign bit set
	}
	// The values of y are p-1, p and p+1, each with the sign bit and without. The values p and p+1 are not reduced.
	for _, low := range []byte{0xec, 0xed, 0xee} {
		y := [32]byte(bytes.Repeat([]byte{0xff}, 32))
		y[0], y[31] = low, 0x7f
		edges = append(edges, y)
		y[31] = 0xff
		edges = append(edges, y)
	}
	for _, a := range edges {
		for _, p := range edges {
			for _, b := range edges {
				checkEdwards25519(t, a, p, b)
			}
		}
	}
	for range 500 {
		a, b, p := [32]byte(randomBytes(32)), [32]byte(randomBytes(32)), [32]byte(randomBytes(32))
		checkEdwards25519(t, a, p, b) // every second value is a point, mostly outside the prime order group
		copy(p[:], new(filippo.Point).ScalarBaseMult(reduce(p[:])).Bytes())
		checkEdwards25519(t, a, p, b)
	}
}

func FuzzEdwards25519(f *testing.F) {
	f.Add(make([]byte, 96))
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) == 96 {
			checkEdwards25519(t, [32]byte(in[:32]), [32]byte(in[32:64]), [32]byte(in[64:]))
		}
	})
}
