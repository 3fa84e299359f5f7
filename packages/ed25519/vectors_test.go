//go:build amd64 || arm64

package ed25519_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto"
	"crypto/ed25519"
	"crypto/sha512"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	ours "rustgo.dev/packages/ed25519"
	"rustgo.dev/packages/internal/vectors"
)

// signatures holds the arguments of VerifyBatch.
type signatures struct {
	publics          []ours.PublicKey
	messages, proofs [][]byte
}

func (s *signatures) add(public, message, signature []byte) {
	s.publics, s.messages, s.proofs = append(s.publics, public), append(s.messages, message), append(s.proofs, signature)
}

func (s *signatures) valid() bool { return ours.VerifyBatch(s.publics, s.messages, s.proofs) }

// flipEach returns the distance between the bytes of a signature in which the test flips a bit. A short run does not test all bytes, because an
// emulator would take seconds.
func flipEach() int {
	if testing.Short() {
		return 7
	}
	return 1
}

// checkVerify verifies a signature by Verify, by VerifyWithOptions and by crypto/ed25519.
func checkVerify(t *testing.T, name string, public, message, signature []byte, want bool) {
	t.Helper()
	if got := ours.Verify(public, message, signature); got != want {
		t.Errorf("%s: Verify returns %v; expected %v", name, got, want)
	}
	if err := ours.VerifyWithOptions(public, message, signature, &ours.Options{}); (err == nil) != want {
		t.Errorf("%s: VerifyWithOptions returns %v; expected success: %v", name, err, want)
	}
	if got := ed25519.Verify(public, message, signature); got != want {
		t.Errorf("%s: crypto/ed25519 does not agree with the vector", name)
	}
}

// TestWycheproof tests all vectors of Wycheproof. The vectors have no private keys, so the test only verifies.
func TestWycheproof(t *testing.T) {
	file := vectors.Load[vectors.Wycheproof[vectors.Ed25519]](t, "ed25519_test.json")
	tally := vectors.NewTally()
	var valid signatures
	for _, group := range file.TestGroups {
		for _, v := range group.Tests {
			if v.Valid(t) {
				valid.add(group.PublicKey.PK, v.Msg, v.Sig)
			}
		}
	}
	if !valid.valid() {
		t.Error("a batch of all valid signatures is refused")
	}
	for _, group := range file.TestGroups {
		for _, v := range group.Tests {
			public, want := group.PublicKey.PK, v.Valid(t)
			checkVerify(t, v.String(), ours.PublicKey(public), v.Msg, v.Sig, want)
			for _, others := range []int{0, 7} {
				var batch signatures
				for i := range others {
					batch.add(valid.publics[i], valid.messages[i], valid.proofs[i])
				}
				batch.add(public, v.Msg, v.Sig)
				if got := batch.valid(); got != want {
					t.Errorf("%v: VerifyBatch with %d valid ones returns %v; expected %v", v, others, got, want)
				}
			}
			tally.Ran(v.Result)
			if !want {
				continue
			}
			for i := 0; i < len(v.Sig); i += flipEach() {
				wrong := bytes.Clone(v.Sig)
				wrong[i] ^= 1 << (i % 8)
				if ours.Verify(ours.PublicKey(public), v.Msg, wrong) {
					t.Errorf("%v: accepted with bit %d of byte %d of the signature flipped", v, i%8, i)
				}
			}
		}
	}
	tally.Check(t, file.NumberOfTests, map[string]int{"valid": 88, "invalid": 63}, map[string]int{})
}

// TestPoints tests signatures with points of small order, with a part of small order, and with encodings that are not canonical. Like
// crypto/ed25519, this package accepts a signature if the equation holds without the cofactor and R is encoded canonically; A's encoding need not
// be canonical. A batch may accept or refuse other signatures.
func TestPoints(t *testing.T) {
	all := vectors.Load[[]vectors.PointCase](t, "ed25519vectors.json")
	tally := vectors.NewTally()
	var accepted signatures
	for i, v := range all {
		want := !slices.Contains(v.Flags, "LowOrderResidue") && !slices.Contains(v.Flags, "NonCanonicalR")
		signature := append(bytes.Clone(v.R), v.S...)
		name := fmt.Sprintf("vector %d, %v", i, v.Flags)
		checkVerify(t, name, ours.PublicKey(v.A), []byte(v.M), signature, want)
		if !want {
			tally.Ran("invalid")
			continue
		}
		tally.Ran("valid")
		accepted.add(v.A, []byte(v.M), signature)
		var one signatures
		one.add(v.A, []byte(v.M), signature)
		if !one.valid() {
			t.Errorf("%s: VerifyBatch refuses it; Verify accepts it", name)
		}
	}
	if !accepted.valid() {
		t.Error("a batch of all that Verify accepts is refused")
	}
	tally.Check(t, len(all), map[string]int{"valid": 198, "invalid": 570}, map[string]int{})
}

// TestRFC8032 uses the vectors of RFC 8032 for Ed25519, Ed25519ctx and Ed25519ph.
func TestRFC8032(t *testing.T) {
	tally := vectors.NewTally()
	for _, v := range rfc8032 {
		public, message, want := vectors.Bytes(t, v.public), vectors.Bytes(t, v.message), vectors.Bytes(t, v.signature)
		key := ours.NewKeyFromSeed(vectors.Bytes(t, v.seed))
		if got := key.Public().(ours.PublicKey); !bytes.Equal(got, public) {
			t.Errorf("%s: the public key is %x; expected %x", v.name, got, public)
		}
		if v.options.Hash == crypto.SHA512 {
			digest := sha512.Sum512(message)
			message = digest[:]
		}
		if got, err := key.Sign(nil, message, v.options); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the signature is %x, %v; expected %x", v.name, got, err, want)
		}
		for _, other := range []*ours.Options{
			{}, {Context: "foo"}, {Context: "bar"}, {Hash: crypto.SHA512}, {Hash: crypto.SHA512, Context: "foo"},
		} {
			if other.Hash == crypto.SHA512 && len(message) != sha512.Size {
				continue
			}
			same := *other == *v.options
			if err := ours.VerifyWithOptions(public, message, want, other); (err == nil) != same {
				t.Errorf("%s: VerifyWithOptions with %+v returns %v; expected success: %v", v.name, *other, err, same)
			}
		}
		if *v.options == (ours.Options{}) {
			if got := ours.Sign(key, message); !bytes.Equal(got, want) {
				t.Errorf("%s: Sign returns %x; expected %x", v.name, got, want)
			}
			checkVerify(t, v.name, public, message, want, true)
		}
		for i := 0; i < len(want); i += flipEach() {
			wrong := bytes.Clone(want)
			wrong[i] ^= 1 << (i % 8)
			if ours.VerifyWithOptions(public, message, wrong, v.options) == nil {
				t.Errorf("%s: accepted with bit %d of byte %d of the signature flipped", v.name, i%8, i)
			}
		}
		tally.Ran(v.name[:3])
	}
	tally.Check(t, len(rfc8032), map[string]int{"7.1": 5, "7.2": 4, "7.3": 1}, map[string]int{})
}

// TestSignatures signs the messages of sign.input of ed25519.cr.yp.to. Go's own tests have 128 of its lines. A line has four fields: the private
// key followed by the public key, the public key, the message, and the signature followed by the message.
func TestSignatures(t *testing.T) {
	root := os.Getenv("GOROOT")
	if root == "" {
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Fatalf("go env GOROOT: %v; where the tests run without Go, set GOROOT", err)
		}
		root = strings.TrimSpace(string(out))
	}
	packed, err := os.Open(filepath.Join(root, "src", "crypto", "ed25519", "testdata", "sign.input.gz"))
	if os.IsNotExist(err) && os.Getenv("CI") != "true" {
		t.Skipf("the vectors of Go's own tests are not there: %v; Go as go.dev ships it has them", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	lines, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	tally := vectors.NewTally()
	scanner := bufio.NewScanner(lines)
	number := 0
	for scanner.Scan() {
		number++
		fields := strings.Split(scanner.Text(), ":")
		if len(fields) != 5 {
			t.Fatalf("line %d has %d fields", number, len(fields))
		}
		public, message := vectors.Bytes(t, fields[1]), vectors.Bytes(t, fields[2])
		want := vectors.Bytes(t, fields[3])[:ours.SignatureSize]
		key, err := ours.NewPrivateKey(vectors.Bytes(t, fields[0]))
		if err != nil {
			t.Errorf("line %d: %v", number, err)
			continue
		}
		if got := ours.Sign(key, message); !bytes.Equal(got, want) {
			t.Errorf("line %d: the signature of %d bytes is %x; expected %x", number, len(message), got, want)
		}
		checkVerify(t, fmt.Sprintf("line %d", number), public, message, want, true)
		tally.Ran("signed")
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	tally.Check(t, number, map[string]int{"signed": 128}, map[string]int{})
}
