//go:build amd64 || arm64

package ed25519_test

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"rustgo.dev/go/rt"
	ours "rustgo.dev/packages/ed25519"
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
		return 100
	}
	return 2_000
}

func TestAgreesWithCryptoEd25519(t *testing.T) {
	random := mathrand.NewChaCha8([32]byte{1})
	r := mathrand.New(random)
	for i := range rounds() {
		public, key, err := ours.GenerateKey(random)
		if err != nil {
			t.Fatal(err)
		}
		theirs := ed25519.NewKeyFromSeed(key.Seed())
		if !bytes.Equal(public, theirs.Public().(ed25519.PublicKey)) {
			t.Fatalf("the public key of %x is %x", key.Seed(), public)
		}
		message := make([]byte, r.IntN(300))
		random.Read(message)
		signature := ours.Sign(key, message)
		if want := ed25519.Sign(theirs, message); !bytes.Equal(signature, want) {
			t.Fatalf("seed %x, message %x: %x, not %x", key.Seed(), message, signature, want)
		}
		if !ours.Verify(public, message, signature) {
			t.Fatalf("seed %x, message %x: refused", key.Seed(), message)
		}
		hash := sha512.Sum512(message)
		context := string(message[:min(len(message), i%256)])
		for _, opts := range []*ours.Options{{}, {Hash: crypto.SHA512}, {Context: context}, {Hash: crypto.SHA512, Context: context}} {
			what := message
			if opts.Hash != 0 {
				what = hash[:]
			}
			got, err := key.Sign(nil, what, opts)
			want, wantErr := theirs.Sign(nil, what, opts)
			if err != nil || wantErr != nil || !bytes.Equal(got, want) {
				t.Fatalf("seed %x, %+v: %x, %v, not %x, %v", key.Seed(), opts, got, err, want, wantErr)
			}
			if err := ours.VerifyWithOptions(public, what, got, opts); err != nil {
				t.Fatalf("seed %x, %+v: %v", key.Seed(), opts, err)
			}
			got[r.IntN(64)] ^= 1 << r.IntN(8)
			if ours.VerifyWithOptions(public, what, got, opts) == nil {
				t.Fatalf("seed %x, %+v: accepted with another bit", key.Seed(), opts)
			}
		}
		// The test flips one bit of the public key, the message or the signature.
		for _, of := range [][]byte{public, message, signature} {
			if len(of) == 0 {
				continue
			}
			at, bit := r.IntN(len(of)), byte(1)<<r.IntN(8)
			of[at] ^= bit
			if got, want := ours.Verify(public, message, signature), ed25519.Verify(public, message, signature); got || want {
				t.Fatalf("accepted: %t, by crypto/ed25519 %t", got, want)
			}
			of[at] ^= bit
		}
	}
}

// The test uses points of small order as keys and as R, in each encoding, and values of S at the bounds of its range. Verify must accept what
// crypto/ed25519 accepts.
func TestEdgeCasesMatchCryptoEd25519(t *testing.T) {
	points := []string{
		"0100000000000000000000000000000000000000000000000000000000000000",
		"0100000000000000000000000000000000000000000000000000000000000080",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		"0000000000000000000000000000000000000000000000000000000000000000",
		"0000000000000000000000000000000000000000000000000000000000000080",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
		"5866666666666666666666666666666666666666666666666666666666666666", // the base point
	}
	scalars := []string{
		"0000000000000000000000000000000000000000000000000000000000000000",
		"0100000000000000000000000000000000000000000000000000000000000000",
		"ecd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010", // the order, less 1
		"edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010", // the order
		"eed3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010",
		"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff1f",
		"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	}
	decode := func(text string) []byte {
		b, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	accepted, messages := 0, 6
	if testing.Short() {
		messages = 1
	}
	for _, key := range points {
		for _, r := range points {
			for _, s := range scalars {
				public, signature := decode(key), append(decode(r), decode(s)...)
				for n := range messages {
					message := []byte{byte(n)}
					got, want := ours.Verify(public, message, signature), ed25519.Verify(public, message, signature)
					if got != want {
						t.Errorf("key %s, R %s, S %s, message %d: %t, crypto/ed25519 %t", key, r, s, n, got, want)
					}
					if got {
						accepted++
						if !ours.VerifyBatch([]ours.PublicKey{public}, [][]byte{message}, [][]byte{signature}) {
							t.Errorf("key %s, R %s, S %s, message %d: a batch refuses it", key, r, s, n)
						}
					}
					opts := &ours.Options{Context: "context"}
					got, want = ours.VerifyWithOptions(public, message, signature, opts) == nil,
						ed25519.VerifyWithOptions(public, message, signature, opts) == nil
					if got != want {
						t.Errorf("key %s, R %s, S %s, message %d, with context: %t, crypto/ed25519 %t", key, r, s, n, got, want)
					}
				}
			}
		}
	}
	if accepted == 0 {
		t.Error("nothing was accepted")
	}
}

func TestBatches(t *testing.T) {
	if !ours.VerifyBatch(nil, nil, nil) {
		t.Error("an empty batch is refused")
	}
	for _, n := range []int{1, 2, 3, 64, 200} {
		var publics []ours.PublicKey
		var messages, signatures [][]byte
		for i := range n {
			public, key, err := ours.GenerateKey(nil)
			if err != nil {
				t.Fatal(err)
			}
			message := bytes.Repeat([]byte{byte(i)}, i*7)
			publics, messages, signatures = append(publics, public), append(messages, message), append(signatures, ours.Sign(key, message))
		}
		if !ours.VerifyBatch(publics, messages, signatures) {
			t.Fatalf("%d signatures are refused", n)
		}
		for _, at := range []int{0, n / 2, n - 1} {
			for _, of := range [][]byte{publics[at], messages[at], signatures[at][:32], signatures[at][32:]} {
				if len(of) == 0 {
					continue
				}
				of[len(of)/2] ^= 4
				if ours.VerifyBatch(publics, messages, signatures) {
					t.Errorf("of %d signatures number %d is wrong, and the batch is accepted", n, at)
				}
				of[len(of)/2] ^= 4
			}
			short := append([][]byte(nil), signatures...)
			short[at] = short[at][:63]
			if ours.VerifyBatch(publics, messages, short) {
				t.Error("a signature of 63 bytes")
			}
		}
		if n > 1 {
			signatures[0], signatures[1] = signatures[1], signatures[0]
			if ours.VerifyBatch(publics, messages, signatures) {
				t.Error("signatures at the places of others")
			}
		}
	}
	if message := panics(func() { ours.VerifyBatch(make([]ours.PublicKey, 1), nil, nil) }); !strings.Contains(message, "1 public keys, 0 messages") {
		t.Error(message)
	}
}

func panics(call func()) (message string) {
	defer func() { message = fmt.Sprint(recover()) }()
	call()
	return ""
}

func TestOptionsThatAreRefused(t *testing.T) {
	public, key, err := ours.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	theirs := ed25519.NewKeyFromSeed(key.Seed())
	cases := []struct {
		message []byte
		opts    crypto.SignerOpts
		refused bool
	}{
		{make([]byte, 3), crypto.Hash(0), false},
		{make([]byte, 64), crypto.SHA512, false},
		{make([]byte, 63), crypto.SHA512, true},
		{make([]byte, 32), crypto.SHA256, true},
		{nil, &ours.Options{Context: strings.Repeat("c", 255)}, false},
		{nil, &ours.Options{Context: strings.Repeat("c", 256)}, true},
		{make([]byte, 48), &ours.Options{Hash: crypto.SHA384}, true},
	}
	for _, test := range cases {
		signature, err := key.Sign(nil, test.message, test.opts)
		want, wantErr := theirs.Sign(nil, test.message, test.opts)
		if (err != nil) != test.refused || (wantErr != nil) != test.refused || !bytes.Equal(signature, want) {
			t.Errorf("%d bytes, %v: %x, %v, not %x, %v", len(test.message), test.opts, signature, err, want, wantErr)
		}
		if opts, ok := test.opts.(*ours.Options); ok {
			if err := ours.VerifyWithOptions(public, test.message, signature, opts); (err != nil) != test.refused {
				t.Errorf("%d bytes, %v: %v", len(test.message), test.opts, err)
			}
		}
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("broken") }

func TestKeys(t *testing.T) {
	public, theirs, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a, err := ours.NewPrivateKey(theirs)
	if err != nil {
		t.Fatal(err)
	}
	b := ours.NewKeyFromSeed(theirs.Seed())
	_, c, _ := ours.GenerateKey(nil)
	if !a.Equal(b) || !a.Equal(theirs) || a.Equal(c) || a.Equal(public) {
		t.Error("keys are compared wrongly")
	}
	if !public.Equal(a.Public()) {
		t.Errorf("the public key is %x", a.Public())
	}
	if text := fmt.Sprintf("%v %s", a, a); text != "ed25519.PrivateKey ed25519.PrivateKey" {
		t.Error(text)
	}
	theirs[40] ^= 1
	if _, err := ours.NewPrivateKey(theirs); err == nil {
		t.Error("a public half of another key")
	}
	if _, err := ours.NewPrivateKey(theirs[:63]); err == nil {
		t.Error("a private key of 63 bytes")
	}
	if _, _, err := ours.GenerateKey(broken{}); err == nil {
		t.Error("a key without random bytes")
	}
	for n := range 70 {
		if n == 32 {
			continue
		}
		if message := panics(func() { ours.NewKeyFromSeed(make([]byte, n)) }); !strings.Contains(message, "not 32") {
			t.Errorf("a seed of %d bytes: %s", n, message)
		}
		if message := panics(func() { ours.Verify(make([]byte, n), nil, nil) }); !strings.Contains(message, "not 32") {
			t.Errorf("a public key of %d bytes: %s", n, message)
		}
	}
	for n := range 70 {
		if ours.Verify(public, nil, make([]byte, n)) {
			t.Errorf("%d zeros are a signature", n)
		}
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	defer func() {
		if _, ok := recover().(*rt.Panic); !ok {
			t.Error("a closed key is used")
		}
	}()
	ours.Sign(b, nil)
}

func TestOneKeyInManyGoroutines(t *testing.T) {
	public, key, _ := ours.GenerateKey(nil)
	var group sync.WaitGroup
	for g := range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range 50 {
				message := []byte{byte(g), byte(i)}
				if !ours.Verify(public, message, ours.Sign(key, message)) {
					t.Error("refused")
				}
			}
		}()
	}
	group.Wait()
}

// Equal returns true for keys that crypto/ed25519 considers equal, in whatever form. It never panics.
func TestEqualToOtherForms(t *testing.T) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ours.NewPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	wrong := bytes.Clone(private)
	wrong[40] ^= 1
	for name, c := range map[string]struct {
		other crypto.PrivateKey
		want  bool
	}{
		"the same":              {private, true},
		"nil":                   {nil, false},
		"no key":                {ed25519.PrivateKey(nil), false},
		"two bytes":             {private[:2], false},
		"the seed":              {private[:32], false},
		"longer":                {append(bytes.Clone(private), 1), false},
		"with another public":   {ed25519.PrivateKey(wrong), false},
		"a nil *PrivateKey":     {(*ours.PrivateKey)(nil), false},
		"the key itself":        {key, true},
		"the key in a new form": {ours.NewKeyFromSeed(private.Seed()), true},
	} {
		if got := key.Equal(c.other); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestVerifyAllocatesNothing(t *testing.T) {
	if !buildinfo.Optimised() {
		t.Skip("in programs that are checked or not optimised, more escapes")
	}
	public, key, _ := ours.GenerateKey(nil)
	signature := ours.Sign(key, public)
	if allocs := testing.AllocsPerRun(20, func() { ours.Verify(public, public, signature) }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func FuzzVerify(f *testing.F) {
	f.Add(make([]byte, 32), []byte("message"), make([]byte, 64))
	f.Fuzz(func(t *testing.T, public, message, signature []byte) {
		public = append(public, make([]byte, 32)...)[:32]
		if got, want := ours.Verify(public, message, signature), ed25519.Verify(public, message, signature); got != want {
			t.Fatalf("%t, crypto/ed25519 %t", got, want)
		}
	})
}
