package edwards25519_test

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha512"
	"encoding/hex"
	"math/big"
	"slices"
	"testing"

	"rustgo.dev/packages/edwards25519"
	"rustgo.dev/packages/internal/panictest"
)

func unhex(s string) *[32]byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return (*[32]byte)(b)
}

func random() *[32]byte {
	var b [32]byte
	rand.Read(b[:])
	return &b
}

// order is the order of the base point, 2²⁵² + 27742317777372353535851937790883648493.
var order, _ = new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)

func toInt(le []byte) *big.Int {
	be := slices.Clone(le)
	slices.Reverse(be)
	return new(big.Int).SetBytes(be)
}

func toScalar(x *big.Int) *[32]byte {
	var b [32]byte
	new(big.Int).Mod(x, order).FillBytes(b[:])
	slices.Reverse(b[:])
	return &b
}

func TestScalarBaseMultVectors(t *testing.T) {
	for _, v := range []struct{ k, want string }{
		{"39129b3f7bbd7e17a39679b940018a737fc3bf430fcbc827029e67360aab3707", "1cc4789ed5ea69f84ad460941ba0491ff532c1af1fa126733d6c7b62f7ebcbcf"},
		{"0000000000000000000000000000000000000000000000000000000000000000", "0100000000000000000000000000000000000000000000000000000000000000"},
		{"0100000000000000000000000000000000000000000000000000000000000000", "5866666666666666666666666666666666666666666666666666666666666666"},
		{"edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010", "0100000000000000000000000000000000000000000000000000000000000000"},
	} {
		var dst [32]byte
		edwards25519.ScalarBaseMult(&dst, unhex(v.k))
		if dst != *unhex(v.want) {
			t.Errorf("k = %s: got %x, want %s", v.k, dst, v.want)
		}
	}
}

// TestScalarBaseMultMakesPublicKeys compares with crypto/ed25519: the public key must be the base point times the clamped half of the seed's hash.
func TestScalarBaseMultMakesPublicKeys(t *testing.T) {
	for range 300 {
		seed := random()
		hash := sha512.Sum512(seed[:])
		k := [32]byte(hash[:32])
		k[0] &= 248
		k[31] = k[31]&127 | 64
		want := ed25519.NewKeyFromSeed(seed[:]).Public().(ed25519.PublicKey)
		var dst [32]byte
		edwards25519.ScalarBaseMult(&dst, &k)
		if !bytes.Equal(dst[:], want) {
			t.Fatalf("seed %x: got %x, want %x", *seed, dst, want)
		}
	}
}

func TestScalarsAreReduced(t *testing.T) {
	edges := []*[32]byte{{}, {1}, toScalar(big.NewInt(-1))}
	for i := range 32 {
		var b [32]byte
		for j := range i + 1 {
			b[31-j] = 0xff
		}
		edges = append(edges, &b)
	}
	for _, k := range edges {
		var dst, reduced [32]byte
		edwards25519.ScalarBaseMult(&dst, k)
		edwards25519.ScalarBaseMult(&reduced, toScalar(toInt(k[:])))
		if dst != reduced {
			t.Errorf("k = %x: got %x, for k mod order %x", *k, dst, reduced)
		}
	}
}

func TestX25519Vectors(t *testing.T) { // RFC 7748, section 5.2
	for _, v := range []struct{ k, u, want string }{
		{"a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4", "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c", "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"},
		{"4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d", "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493", "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"},
	} {
		var dst [32]byte
		edwards25519.X25519(&dst, unhex(v.k), unhex(v.u))
		if dst != *unhex(v.want) {
			t.Errorf("got %x, want %s", dst, v.want)
		}
	}
	k, u := [32]byte{9}, [32]byte{9}
	for range 1000 {
		var next [32]byte
		edwards25519.X25519(&next, &k, &u)
		k, u = next, k
	}
	if k != *unhex("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51") {
		t.Errorf("after 1000 rounds: got %x", k)
	}
}

// ecdhX25519 returns the correct result, computed by crypto/ecdh. crypto/ecdh returns an error if the result is zero.
func ecdhX25519(k, u *[32]byte) (dst [32]byte, err error) {
	private, err := ecdh.X25519().NewPrivateKey(k[:])
	if err != nil {
		return dst, err
	}
	public, err := ecdh.X25519().NewPublicKey(u[:])
	if err != nil {
		return dst, err
	}
	shared, err := private.ECDH(public)
	copy(dst[:], shared)
	return dst, err
}

func checkX25519(t *testing.T, k, u *[32]byte) {
	t.Helper()
	var dst [32]byte
	edwards25519.X25519(&dst, k, u)
	want, err := ecdhX25519(k, u)
	if zero := dst == [32]byte{}; zero != (err != nil) || dst != want {
		t.Errorf("k = %x, u = %x: got %x, want %x (%v)", *k, *u, dst, want, err)
	}
}

func TestX25519AgreesWithECDH(t *testing.T) {
	for range 300 {
		checkX25519(t, random(), random())
	}
	for _, u := range []*[32]byte{
		{}, {1}, // of order 4 and 1
		unhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"), // of order 8
		unhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
		unhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"), // p-1, p, p+1
		unhex("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
		unhex("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
		unhex("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
	} {
		checkX25519(t, random(), u)
	}
}

func FuzzX25519(f *testing.F) {
	f.Add(make([]byte, 64))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 64 {
			checkX25519(t, (*[32]byte)(b[:32]), (*[32]byte)(b[32:]))
		}
	})
}

// TestDoubleScalarBaseMultVerifies verifies signatures of crypto/ed25519: R must be s·B − h·A for h = SHA-512(R, A, M).
func TestDoubleScalarBaseMultVerifies(t *testing.T) {
	for range 100 {
		message := random()
		public, private, _ := ed25519.GenerateKey(nil)
		signature := ed25519.Sign(private, message[:])
		hash := sha512.Sum512(slices.Concat(signature[:32], public, message[:]))
		minusH := toScalar(new(big.Int).Neg(toInt(hash[:])))

		var r [32]byte
		if !edwards25519.DoubleScalarBaseMult(&r, minusH, (*[32]byte)(public), (*[32]byte)(signature[32:])) {
			t.Fatalf("the public key %x is refused as a point", public)
		}
		if !bytes.Equal(r[:], signature[:32]) {
			t.Fatalf("public key %x, message %x: got %x, want %x", public, *message, r, signature[:32])
		}
	}
}

func TestDoubleScalarBaseMultRefusesInvalidPoints(t *testing.T) {
	dst, noPoint := [32]byte{3}, [32]byte{2}
	if edwards25519.DoubleScalarBaseMult(&dst, random(), &noPoint, random()) {
		t.Error("y = 2 is accepted as a point")
	}
	if dst != [32]byte{3} {
		t.Errorf("dst was written: %x", dst)
	}
}

func TestNilPanics(t *testing.T) {
	var dst, k [32]byte
	for want, f := range map[string]func(){
		"nil pointer passed for parameter dst":     func() { edwards25519.ScalarBaseMult(nil, &k) },
		"nil pointer passed for parameter k":       func() { edwards25519.ScalarBaseMult(&dst, nil) },
		"nil pointer passed for parameter u":       func() { edwards25519.X25519(&dst, &k, nil) },
		"nil pointer passed for parameter point_a": func() { edwards25519.DoubleScalarBaseMult(&dst, &k, nil, &k) },
	} {
		if got := panictest.Message(f); got != want {
			t.Errorf("got panic %q, want %q", got, want)
		}
	}
}

func TestOverlapPanics(t *testing.T) {
	var b [64]byte
	for i := range 64 - 32 + 1 {
		overlaps := i < 32
		got := panictest.Message(func() { edwards25519.ScalarBaseMult((*[32]byte)(b[:32]), (*[32]byte)(b[i:i+32])) })
		if want := "parameters dst and k overlap"; overlaps && got != want || !overlaps && got != "" {
			t.Errorf("offset %d: got panic %q", i, got)
		}
	}
	// Parameters that the function only reads may share memory.
	var dst [32]byte
	edwards25519.X25519(&dst, (*[32]byte)(b[:32]), (*[32]byte)(b[:32]))
}

func BenchmarkScalarBaseMult(b *testing.B) {
	k := random()
	var dst [32]byte
	b.ReportAllocs()
	for range b.N {
		edwards25519.ScalarBaseMult(&dst, k)
	}
}

func BenchmarkX25519(b *testing.B) {
	k, u := random(), random()
	var dst [32]byte
	for range b.N {
		edwards25519.X25519(&dst, k, u)
	}
}

func BenchmarkDoubleScalarBaseMult(b *testing.B) {
	x, y := random(), random()
	var p, dst [32]byte
	edwards25519.ScalarBaseMult(&p, x)
	for range b.N {
		edwards25519.DoubleScalarBaseMult(&dst, x, &p, y)
	}
}
