//go:build amd64 || arm64

package x25519_test

import (
	"bytes"
	"crypto/ecdh"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"rustgo.dev/go/rt"
	"rustgo.dev/packages/internal/buildinfo"
	"rustgo.dev/packages/internal/levels"
	"rustgo.dev/packages/x25519"
)

func TestAtEachLevel(t *testing.T) { levels.Each(t) }

// rounds returns the number of inputs to compare. With RUSTGO_LONG=1 it returns a million.
func rounds() int {
	switch {
	case os.Getenv("RUSTGO_LONG") != "":
		return 1_000_000
	case testing.Short():
		return 100
	}
	return 2_000
}

// reader returns a source of random bytes that are the same in each run.
func reader(seed byte) *mathrand.ChaCha8 { return mathrand.NewChaCha8([32]byte{seed}) }

func TestAgreesWithCryptoECDH(t *testing.T) {
	r := reader(1)
	for i := range rounds() {
		ours, err := x25519.GenerateKey(r)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := ecdh.X25519().NewPrivateKey(ours.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := ours.PublicKey().Bytes(), theirs.PublicKey().Bytes(); !bytes.Equal(got, want) {
			t.Fatalf("public key of %x: %x, not %x", ours.Bytes(), got, want)
		}
		point := make([]byte, 32)
		r.Read(point)
		if i%4 == 0 { // the number is not reduced, or close to the prime
			point = bytes.Repeat([]byte{0xff}, 32)
			point[0], point[31] = byte(i), byte(i>>8)|0x7f
		}
		public, err := x25519.NewPublicKey(point)
		if err != nil {
			t.Fatal(err)
		}
		remote, err := ecdh.X25519().NewPublicKey(point)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ours.ECDH(public)
		want, wantErr := theirs.ECDH(remote)
		if !bytes.Equal(got, want) || (err == nil) != (wantErr == nil) {
			t.Fatalf("%x and %x: %x, %v, not %x, %v", ours.Bytes(), point, got, err, want, wantErr)
		}
	}
}

// The test uses the points of small order, and the values equal to them modulo the prime (cr.yp.to/ecdh.html).
func TestPointsOfSmallOrder(t *testing.T) {
	key, err := x25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	points := []string{
		"0000000000000000000000000000000000000000000000000000000000000000",
		"0100000000000000000000000000000000000000000000000000000000000000",
		"e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
		"5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	}
	for _, text := range points {
		var point []byte
		if _, err := fmt.Sscanf(text, "%x", &point); err != nil {
			t.Fatal(err)
		}
		public, err := x25519.NewPublicKey(point)
		if err != nil {
			t.Fatal(err)
		}
		if secret, err := key.ECDH(public); err == nil || secret != nil {
			t.Errorf("%s: %x", text, secret)
		}
		dst := [32]byte{1}
		if x25519.Exchange(&dst, (*[32]byte)(key.Bytes()), (*[32]byte)(point)) || dst != [32]byte{} {
			t.Errorf("%s: %x", text, dst)
		}
	}
}

func TestFunctions(t *testing.T) {
	const n = 100
	scalars, points, dst := make([][32]byte, n), make([][32]byte, n), make([][32]byte, n)
	for i := range scalars {
		rand.Read(scalars[i][:])
		x25519.ExchangeBase(&points[i], &scalars[n-1-i])
	}
	if !x25519.ExchangeAll(dst, scalars, points) {
		t.Error("ExchangeAll reports a point of small order")
	}
	for i := range dst {
		var one [32]byte
		if !x25519.Exchange(&one, &scalars[i], &points[i]) || one != dst[i] {
			t.Errorf("%d: %x, not %x", i, dst[i], one)
		}
	}
	points[50] = [32]byte{}
	if x25519.ExchangeAll(dst, scalars, points) || dst[50] != [32]byte{} || dst[99] == [32]byte{} {
		t.Error("a point of small order is not reported, or the points after it are not computed")
	}
	defer func() {
		if r := fmt.Sprint(recover()); !strings.Contains(r, "lengths differ") {
			t.Error(r)
		}
	}()
	x25519.ExchangeAll(dst[:3], scalars, points)
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("broken") }

func TestKeys(t *testing.T) {
	for n := range 70 {
		if n == x25519.Size {
			continue
		}
		if _, err := x25519.NewPrivateKey(make([]byte, n)); err == nil {
			t.Errorf("a private key of %d bytes is accepted", n)
		}
		if _, err := x25519.NewPublicKey(make([]byte, n)); err == nil {
			t.Errorf("a public key of %d bytes is accepted", n)
		}
	}
	if _, err := x25519.GenerateKey(broken{}); err == nil {
		t.Error("GenerateKey ignores an error of random")
	}
	a, _ := x25519.GenerateKey(nil)
	b, _ := x25519.NewPrivateKey(a.Bytes())
	c, _ := x25519.GenerateKey(nil)
	if !a.Equal(b) || a.Equal(c) || a.Equal(a.Bytes()) {
		t.Error("private keys are compared wrongly")
	}
	if !a.PublicKey().Equal(b.Public()) || a.PublicKey().Equal(c.Public()) {
		t.Error("public keys are compared wrongly")
	}
	if text := fmt.Sprintf("%v %s", a, a); text != "x25519.PrivateKey x25519.PrivateKey" {
		t.Error(text)
	}
	if remote, err := a.PublicKey().ECDH(); err != nil || !bytes.Equal(remote.Bytes(), a.PublicKey().Bytes()) {
		t.Error("the key for crypto/ecdh differs", err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	defer func() {
		if _, ok := recover().(*rt.Panic); !ok {
			t.Error("a closed key does not panic")
		}
	}()
	b.PublicKey()
}

func TestNothingIsAllocated(t *testing.T) {
	if !buildinfo.Optimised() {
		t.Skip("more escapes in instrumented programs and without optimization")
	}
	var dst, scalar, point [32]byte
	point[0] = 9
	if allocs := testing.AllocsPerRun(20, func() {
		x25519.Exchange(&dst, &scalar, &point)
		x25519.ExchangeBase(&dst, &scalar)
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func TestOneKeyInManyGoroutines(t *testing.T) {
	key, _ := x25519.GenerateKey(nil)
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 20 {
				other, _ := x25519.GenerateKey(nil)
				a, err := key.ECDH(other.PublicKey())
				b, err2 := other.ECDH(key.PublicKey())
				if err != nil || err2 != nil || !bytes.Equal(a, b) {
					t.Errorf("%x, %v and %x, %v", a, err, b, err2)
				}
			}
		}()
	}
	group.Wait()
}
