//go:build amd64 || arm64

package mlkem768

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha3"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"rustgo.dev/packages/internal/vectors"
)

func load(t *testing.T, name string) vectors.Wycheproof[vectors.MLKEM] {
	t.Helper()
	file := vectors.Load[vectors.Wycheproof[vectors.MLKEM]](t, name)
	for _, group := range file.TestGroups {
		if group.ParameterSet != "ML-KEM-768" {
			t.Fatalf("parameter set %s", group.ParameterSet)
		}
	}
	return file
}

// TestWycheproofKeyGen compares the encapsulation keys. It does not compare the expanded decapsulation keys of the file, because the package does
// not return such keys.
func TestWycheproofKeyGen(t *testing.T) {
	file := load(t, "mlkem_768_keygen_seed_test.json")
	tally := vectors.NewTally()
	for _, group := range file.TestGroups {
		for _, v := range group.Tests {
			if !v.Valid(t) {
				t.Fatalf("%v: is not valid", v)
			}
			checkKey(t, v.String(), v.Seed, v.EK)
			tally.Ran("valid")
		}
	}
	tally.Check(t, file.NumberOfTests, map[string]int{"valid": 100}, map[string]int{})
}

// checkKey makes a key from the seed, and uses the key.
func checkKey(t *testing.T, name string, seed, encapsulationKey []byte) {
	t.Helper()
	key, err := NewDecapsulationKey(seed)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if got := key.Bytes(); !bytes.Equal(got, seed) {
		t.Errorf("%s: the seed is %x; expected %x", name, got, seed)
	}
	if got := key.EncapsulationKey().Bytes(); !bytes.Equal(got, encapsulationKey) {
		t.Errorf("%s: the encapsulation key is %x; expected %x", name, got, encapsulationKey)
	}
	read, err := NewEncapsulationKey(encapsulationKey)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if got := read.Bytes(); !bytes.Equal(got, encapsulationKey) {
		t.Errorf("%s: the encapsulation key is read as %x; expected %x", name, got, encapsulationKey)
	}
	shared, ciphertext := read.Encapsulate()
	if got, err := key.Decapsulate(ciphertext); err != nil || !bytes.Equal(got, shared) {
		t.Errorf("%s: decapsulates to %x, %v; encapsulated was %x", name, got, err, shared)
	}
}

// TestWycheproofEncapsulate tests encapsulation. Keys of a wrong length and keys that are not reduced are refused.
func TestWycheproofEncapsulate(t *testing.T) {
	file := load(t, "mlkem_768_encaps_test.json")
	tally := vectors.NewTally()
	for _, group := range file.TestGroups {
		for _, v := range group.Tests {
			valid := v.Valid(t)
			switch {
			case valid:
				tally.Ran("valid")
			case len(v.EK) != EncapsulationKeySize:
				tally.Ran("wrong length")
			default:
				tally.Ran("not reduced")
			}
			if !valid {
				if key, err := NewEncapsulationKey(v.EK); err == nil || key != nil {
					t.Errorf("%v: the encapsulation key is accepted", v)
				}
				continue
			}
			checkEncapsulate(t, v.String(), v.EK, v.M, v.K, func(c []byte) bool { return bytes.Equal(c, v.C) })
		}
	}
	tally.Check(t, file.NumberOfTests, map[string]int{"valid": 133, "wrong length": 20, "not reduced": 112}, map[string]int{})
}

func checkEncapsulate(t *testing.T, name string, encapsulationKey, m, want []byte, isRight func(ciphertext []byte) bool) {
	t.Helper()
	key, err := NewEncapsulationKey(encapsulationKey)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	shared, ciphertext := key.encapsulateWith((*[32]byte)(m))
	if !bytes.Equal(shared, want) {
		t.Errorf("%s: the shared key is %x; expected %x", name, shared, want)
	}
	if !isRight(ciphertext) {
		t.Errorf("%s: the ciphertext is %x, which is wrong", name, ciphertext)
	}
}

// TestWycheproofDecapsulate tests decapsulation. A changed ciphertext gives another shared key (implicit rejection). Seeds and ciphertexts of a
// wrong length are refused.
func TestWycheproofDecapsulate(t *testing.T) {
	file := load(t, "mlkem_768_test.json")
	tally := vectors.NewTally()
	for _, group := range file.TestGroups {
		for _, v := range group.Tests {
			valid := v.Valid(t)
			if !valid && len(v.Seed) != SeedSize {
				tally.Ran("seed of a wrong length")
				if key, err := NewDecapsulationKey(v.Seed); err == nil || key != nil {
					t.Errorf("%v: a seed of %d bytes is accepted", v, len(v.Seed))
				}
				continue
			}
			key, err := NewDecapsulationKey(v.Seed)
			if err != nil {
				t.Errorf("%v: %v", v, err)
				continue
			}
			if got := key.EncapsulationKey().Bytes(); !bytes.Equal(got, v.EK) {
				t.Errorf("%v: the encapsulation key is %x; expected %x", v, got, v.EK)
			}
			got, err := key.Decapsulate(v.C)
			if valid {
				tally.Ran("valid")
				if err != nil || !bytes.Equal(got, v.K) {
					t.Errorf("%v: decapsulates to %x, %v; expected %x", v, got, err, v.K)
				}
				continue
			}
			tally.Ran("ciphertext of a wrong length")
			if err == nil || got != nil || len(v.C) == CiphertextSize {
				t.Errorf("%v: a ciphertext of %d bytes decapsulates to %x, %v; expected an error alone", v, len(v.C), got, err)
			}
		}
	}
	tally.Check(t, file.NumberOfTests,
		map[string]int{"valid": 161, "seed of a wrong length": 20, "ciphertext of a wrong length": 20}, map[string]int{})
}

// TestACVP uses NIST's samples for the validation of implementations.
func TestACVP(t *testing.T) {
	file := vectors.Load[vectors.ACVPMLKEM768](t, "acvp_mlkem768.json")
	tally := vectors.NewTally()
	for _, v := range file.KeyGen {
		name := fmt.Sprintf("key generation, tcId %d", v.TcID)
		key, err := NewDecapsulationKey(slices.Concat(v.D, v.Z))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		encapsulationKey := key.EncapsulationKey().Bytes()
		if sum := sha256.Sum256(encapsulationKey); !bytes.Equal(sum[:], v.EKSHA256) {
			t.Errorf("%s: the encapsulation key is %x, with the SHA-256 %x; expected %x", name, encapsulationKey, sum, v.EKSHA256)
		}
		checkKey(t, name, slices.Concat(v.D, v.Z), encapsulationKey)
		tally.Ran("key generation")
	}
	for _, v := range file.Encapsulation {
		checkEncapsulate(t, fmt.Sprintf("encapsulation, tcId %d", v.TcID), v.EK, v.M, v.K, func(c []byte) bool {
			sum := sha256.Sum256(c)
			return bytes.Equal(sum[:], v.CSHA256)
		})
		tally.Ran("encapsulation")
	}
	tally.Check(t, len(file.KeyGen)+len(file.Encapsulation), map[string]int{"key generation": 25, "encapsulation": 25}, map[string]int{})
}

// TestModulus sets each coefficient of a key to a value that is not reduced, and to the highest reduced value. Together the coefficients cover all values
// that are not reduced.
func TestModulus(t *testing.T) {
	const (
		coefficients = 3 * 256
		modulus      = 3329
	)
	seed := make([]byte, SeedSize)
	made, err := NewDecapsulationKey(seed)
	if err != nil {
		t.Fatal(err)
	}
	valid := made.EncapsulationKey().Bytes()
	used := map[int]bool{}
	for i := range coefficients {
		value := modulus + i%(1<<12-modulus)
		used[value] = true
		if _, err := NewEncapsulationKey(withCoefficient(valid, i, value)); err == nil {
			t.Errorf("coefficient %d is %d, and the key is accepted", i, value)
		}
		if _, err := NewEncapsulationKey(withCoefficient(valid, i, modulus-1)); err != nil {
			t.Errorf("coefficient %d is %d: %v", i, modulus-1, err)
		}
	}
	if len(used) != 1<<12-modulus {
		t.Errorf("%d values were used", len(used))
	}
}

// withCoefficient returns a copy of an encapsulation key in which coefficient i has the value. Coefficients have 12 bits each, the lowest bits
// first.
func withCoefficient(key []byte, i, value int) []byte {
	key = bytes.Clone(key)
	at := i / 2 * 3
	if i%2 == 0 {
		key[at], key[at+1] = byte(value), key[at+1]&0xf0|byte(value>>8)
	} else {
		key[at+1], key[at+2] = key[at+1]&0x0f|byte(value<<4), byte(value>>4)
	}
	return key
}

// TestImplicitRejection flips one bit in each byte of a ciphertext, and compares the shared key with the result of FIPS 203, algorithm 18: SHAKE256
// of z and the changed ciphertext. The ciphertext begins with a zero byte, as only 1 in 256 does. So the test finds a comparison that ends at a
// zero byte, as strcmp does.
func TestImplicitRejection(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 31
	}
	seed := make([]byte, SeedSize)
	for i := range seed {
		seed[i] = byte(i)
	}
	key, err := NewDecapsulationKey(seed)
	if err != nil {
		t.Fatal(err)
	}
	public := key.EncapsulationKey()
	var m [32]byte
	shared, ciphertext := public.encapsulateWith(&m)
	for n := 1; ciphertext[0] != 0; n++ {
		if n == 1<<13 {
			t.Fatalf("none of %d ciphertexts begins with zero", n)
		}
		m[0], m[1] = byte(n), byte(n>>8)
		shared, ciphertext = public.encapsulateWith(&m)
	}
	if got, err := key.Decapsulate(ciphertext); err != nil || !bytes.Equal(got, shared) {
		t.Errorf("decapsulates to %x, %v; encapsulated was %x", got, err, shared)
	}
	for i := 0; i < len(ciphertext); i += step {
		wrong := bytes.Clone(ciphertext)
		wrong[i] ^= 1 << (i % 8)
		want := sha3.SumSHAKE256(slices.Concat(seed[32:], wrong), SharedKeySize)
		if got, err := key.Decapsulate(wrong); err != nil || !bytes.Equal(got, want) {
			t.Errorf("bit %d of byte %d flipped: decapsulates to %x, %v; expected %x", i%8, i, got, err, want)
		}
	}
}

// TestAccumulated computes a hash over random keys, messages and ciphertexts. The expected hash is in the tests of crypto/mlkem, and comes from the
// reference implementation of Kyber.
func TestAccumulated(t *testing.T) {
	n, want := 10_000, "8a518cc63da366322a8e7a818c7a0d63483cb3528d34a4cf42f35d5ad73f22fc"
	if testing.Short() {
		n, want = 100, "1114b1b6699ed191734fa339376afa7e285c9e6acf6ff0177d346696ce564415"
	}
	random, results := sha3.NewSHAKE128(), sha3.NewSHAKE128()
	var m [32]byte
	seed, other := make([]byte, SeedSize), make([]byte, CiphertextSize)
	for i := range n {
		read(t, random, seed)
		key, err := NewDecapsulationKey(seed)
		if err != nil {
			t.Fatal(err)
		}
		public := key.EncapsulationKey()
		read(t, random, m[:])
		shared, ciphertext := public.encapsulateWith(&m)
		got, err := key.Decapsulate(ciphertext)
		if err != nil || !bytes.Equal(got, shared) {
			t.Errorf("number %d: decapsulates to %x, %v; encapsulated was %x", i, got, err, shared)
		}
		read(t, random, other)
		rejected, err := key.Decapsulate(other)
		if err != nil {
			t.Fatal(err)
		}
		results.Write(slices.Concat(public.Bytes(), ciphertext, shared, rejected))
	}
	sum := make([]byte, 32)
	read(t, results, sum)
	if got := hex.EncodeToString(sum); got != want {
		t.Errorf("the hash over %d is %s; expected %s", n, got, want)
	}
}

func read(t *testing.T, from *sha3.SHAKE, to []byte) {
	t.Helper()
	if _, err := from.Read(to); err != nil {
		t.Fatal(err)
	}
}
