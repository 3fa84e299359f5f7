//go:build amd64 || arm64

package x25519_test

import (
	"bytes"
	"crypto/ecdh"
	"fmt"
	"os"
	"slices"
	"testing"

	"rustgo.dev/packages/internal/vectors"
	"rustgo.dev/packages/x25519"
)

// TestWycheproof tests all vectors of Wycheproof. As in crypto/ecdh, vectors with the result "acceptable" are valid if the shared secret is not zero:
// RFC 7748 accepts points on the twist and coordinates that are not reduced.
func TestWycheproof(t *testing.T) {
	file := vectors.Load[vectors.Wycheproof[vectors.X25519]](t, "x25519_test.json")
	tally := vectors.NewTally()
	var scalars, points, secrets [][32]byte
	for _, group := range file.TestGroups {
		if group.Curve != "curve25519" {
			t.Fatalf("unknown curve %q", group.Curve)
		}
		for _, v := range group.Tests {
			zero := slices.Contains(v.Flags, "ZeroSharedSecret")
			if zero != bytes.Equal(v.Shared, make([]byte, 32)) || zero && v.Result != "acceptable" {
				t.Fatalf("%v: its flags contradict its result", v)
			}
			checkExchange(t, v.String(), v.Private, v.Public, v.Shared)
			group := v.Result
			if zero {
				group += ", small order (refused)"
			}
			tally.Ran(group)
			scalars = append(scalars, [32]byte(v.Private))
			points = append(points, [32]byte(v.Public))
			secrets = append(secrets, [32]byte(v.Shared))
		}
	}
	tally.Check(t, file.NumberOfTests,
		map[string]int{"valid": 264, "acceptable": 223, "acceptable, small order (refused)": 31}, map[string]int{})

	all := make([][32]byte, len(secrets))
	if x25519.ExchangeAll(all, scalars, points) {
		t.Error("ExchangeAll returns true, though there are points of small order")
	}
	for i := range all {
		if all[i] != secrets[i] {
			t.Errorf("ExchangeAll: tcId %d: %x; expected %x", file.TestGroups[0].Tests[i].TcID, all[i], secrets[i])
		}
	}
}

// checkExchange computes a shared secret with each function of the package and with crypto/ecdh.
func checkExchange(t *testing.T, name string, private, public, want []byte) {
	t.Helper()
	smallOrder := bytes.Equal(want, make([]byte, 32))
	key, err := x25519.NewPrivateKey(private)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	remote, err := x25519.NewPublicKey(public)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	switch got, err := key.ECDH(remote); {
	case smallOrder && (err == nil || got != nil):
		t.Errorf("%s: ECDH returns %x, %v; expected an error alone", name, got, err)
	case !smallOrder && (err != nil || !bytes.Equal(got, want)):
		t.Errorf("%s: ECDH returns %x, %v; expected %x", name, got, err, want)
	}

	var got [32]byte
	copy(got[:], "something else, to be overwritten")
	if ok := x25519.Exchange(&got, (*[32]byte)(private), (*[32]byte)(public)); ok == smallOrder || !bytes.Equal(got[:], want) {
		t.Errorf("%s: Exchange sets %x and returns %v; expected %x and %v", name, got, ok, want, !smallOrder)
	}

	theirs, err := ecdh.X25519().NewPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	theirRemote, err := ecdh.X25519().NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	if secret, err := theirs.ECDH(theirRemote); (err != nil) != smallOrder || err == nil && !bytes.Equal(secret, want) {
		t.Errorf("%s: crypto/ecdh does not agree with the vector: %x, %v", name, secret, err)
	}
	if !bytes.Equal(key.PublicKey().Bytes(), theirs.PublicKey().Bytes()) {
		t.Errorf("%s: the public key is %x; expected %x", name, key.PublicKey().Bytes(), theirs.PublicKey().Bytes())
	}
}

// TestRFC7748Function uses the first two vectors of RFC 7748, 5.2.
func TestRFC7748Function(t *testing.T) {
	for i, v := range [][3]string{
		{
			"a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
			"e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
			"c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
		},
		{
			"4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
			"e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
			"95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
		},
	} {
		checkExchange(t, fmt.Sprintf("vector %d", i+1), vectors.Bytes(t, v[0]), vectors.Bytes(t, v[1]), vectors.Bytes(t, v[2]))
	}
}

// TestRFC7748Iterated uses the iterated vectors of RFC 7748, 5.2: each result is the next scalar, and each scalar is the next point.
func TestRFC7748Iterated(t *testing.T) {
	want := map[int]string{
		1:         "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079",
		1000:      "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51",
		1_000_000: "7c3911e0ab2586fd864497297e575e6f3bc601c0883c30df5f4dd2d24f665424",
	}
	last := 1000
	if os.Getenv("RUSTGO_LONG") != "" && !testing.Short() {
		last = 1_000_000
	} else {
		t.Log("the vector of 1,000,000 iterations is left out: it takes half a minute; RUSTGO_LONG=1 without -short runs it")
	}
	scalar := [32]byte{9}
	point := scalar
	checked := 0
	for i := 1; i <= last; i++ {
		var result [32]byte
		if !x25519.Exchange(&result, &scalar, &point) {
			t.Fatalf("iteration %d: Exchange returns false", i)
		}
		point, scalar = scalar, result
		if digits, ok := want[i]; ok {
			checked++
			if !bytes.Equal(result[:], vectors.Bytes(t, digits)) {
				t.Errorf("after %d iterations: %x; expected %s", i, result, digits)
			}
		}
	}
	if expected := map[int]int{1000: 2, 1_000_000: 3}[last]; checked != expected {
		t.Errorf("%d vectors were tested; expected %d", checked, expected)
	}
}

// TestRFC7748DiffieHellman uses the vectors of RFC 7748, 6.1.
func TestRFC7748DiffieHellman(t *testing.T) {
	alice := vectors.Bytes(t, "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
	bob := vectors.Bytes(t, "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
	alicePublic := vectors.Bytes(t, "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
	bobPublic := vectors.Bytes(t, "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
	secret := vectors.Bytes(t, "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
	for _, side := range []struct {
		name                   string
		private, public, other []byte
	}{{"Alice", alice, alicePublic, bobPublic}, {"Bob", bob, bobPublic, alicePublic}} {
		key, err := x25519.NewPrivateKey(side.private)
		if err != nil {
			t.Fatal(err)
		}
		if got := key.PublicKey().Bytes(); !bytes.Equal(got, side.public) {
			t.Errorf("%s: the public key is %x; expected %x", side.name, got, side.public)
		}
		var public [32]byte
		x25519.ExchangeBase(&public, (*[32]byte)(side.private))
		if !bytes.Equal(public[:], side.public) {
			t.Errorf("%s: ExchangeBase sets %x; expected %x", side.name, public, side.public)
		}
		checkExchange(t, side.name, side.private, side.other, secret)
	}
}
