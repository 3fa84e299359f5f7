//go:build amd64 || arm64

package aesgcm_test

import (
	"bytes"
	"fmt"
	"testing"

	"rustgo.dev/packages/aesgcm"
	"rustgo.dev/packages/internal/vectors"
)

// A gcmVector is an encryption with the correct result.
type gcmVector struct{ key, nonce, additional, plaintext, sealed []byte }

// TestWycheproof tests all vectors of Wycheproof. The package must refuse keys of 192 bits, and nonces whose size is not 96 bits.
func TestWycheproof(t *testing.T) {
	file := vectors.Load[vectors.Wycheproof[vectors.AESGCM]](t, "aes_gcm_test.json")
	tally := vectors.NewTally()
	for _, group := range file.TestGroups {
		for _, v := range group.Tests {
			if len(v.Key)*8 != group.KeySize || len(v.IV)*8 != group.IVSize || group.TagSize != 128 || len(v.Tag) != 16 {
				t.Fatalf("%v: its sizes are not those of its group", v)
			}
			aead, err := aesgcm.New(v.Key)
			if group.KeySize == 192 {
				if err == nil {
					t.Errorf("%v: a key of 192 bits is accepted", v)
				}
				tally.Left("keys of 192 bits (refused)")
				continue
			}
			if err != nil {
				t.Errorf("%v: %v", v, err)
				continue
			}
			sealed := append(bytes.Clone(v.CT), v.Tag...)
			if group.IVSize != 96 {
				if panics(func() { aead.Seal(nil, v.IV, v.Msg, v.AAD) }) == "" || panics(func() { aead.Open(nil, v.IV, sealed, v.AAD) }) == "" {
					t.Errorf("%v: no panic with a nonce of %d bits", v, group.IVSize)
				}
				tally.Left("other nonces than of 96 bits (panic)")
				continue
			}
			if v.Valid(t) {
				checkSealed(t, v.String(), gcmVector{v.Key, v.IV, v.AAD, v.Msg, sealed})
			} else {
				checkRefused(t, v.String(), aead, v.IV, sealed, v.AAD)
			}
			tally.Ran(fmt.Sprintf("%d bits %s", group.KeySize, v.Result))
		}
	}
	tally.Check(t, file.NumberOfTests,
		map[string]int{"128 bits valid": 40, "128 bits invalid": 27, "256 bits valid": 39, "256 bits invalid": 27},
		map[string]int{"keys of 192 bits (refused)": 103, "other nonces than of 96 bits (panic)": 80})
}

// These inputs are common to the test cases of McGrew and Viega.
const (
	zeros     = "00000000000000000000000000000000"
	gcmKey    = "feffe9928665731c6d6a8f9467308308"
	gcmNonce  = "cafebabefacedbaddecaf888"
	gcmData   = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
	gcmText60 = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
	gcmText64 = gcmText60 + "1aafd255"
	gcm128    = "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
	gcm256    = "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
)

// mcGrewViega are the test cases of "The Galois/Counter Mode of Operation (GCM)" by McGrew and Viega, submitted to NIST, appendix B. The missing
// cases 5, 6, 17 and 18 have nonces of other lengths, and the missing cases 7 to 12 have keys of 192 bits.
var mcGrewViega = []struct {
	number                                         int
	key, nonce, additional, plaintext, sealed, tag string
}{
	{1, zeros, zeros[:24], "", "", "", "58e2fccefa7e3061367f1d57a4e7455a"},
	{2, zeros, zeros[:24], "", zeros, "0388dace60b6a392f328c2b971b2fe78", "ab6e47d42cec13bdf53a67b21257bddf"},
	{3, gcmKey, gcmNonce, "", gcmText64, gcm128 + "473f5985", "4d5c2af327cd64a62cf35abd2ba6fab4"},
	{4, gcmKey, gcmNonce, gcmData, gcmText60, gcm128, "5bc94fbc3221a5db94fae95ae7121a47"},
	{13, zeros + zeros, zeros[:24], "", "", "", "530f8afbc74536b9a963b4f1c4cb738b"},
	{14, zeros + zeros, zeros[:24], "", zeros, "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919"},
	{15, gcmKey + gcmKey, gcmNonce, "", gcmText64, gcm256 + "898015ad", "b094dac5d93471bdec1a502270e3cc6c"},
	{16, gcmKey + gcmKey, gcmNonce, gcmData, gcmText60, gcm256, "76fc6ece0f4e1768cddf8853bb2d551b"},
}

func TestMcGrewViega(t *testing.T) {
	for _, v := range mcGrewViega {
		checkSealed(t, fmt.Sprintf("test case %d", v.number), gcmVector{
			vectors.Bytes(t, v.key), vectors.Bytes(t, v.nonce), vectors.Bytes(t, v.additional),
			vectors.Bytes(t, v.plaintext), vectors.Bytes(t, v.sealed+v.tag),
		})
	}
}

// checkSealed encrypts and decrypts the vector in each way that cipher.AEAD allows, and opens changed messages.
func checkSealed(t *testing.T, name string, v gcmVector) {
	t.Helper()
	aead, err := aesgcm.New(v.key)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	const prefix = "before it"
	room := make([]byte, 0, len(prefix)+len(v.sealed)+1)
	for _, way := range []struct {
		name          string
		sealTo, text  []byte
		openTo, input []byte
		kept          string
	}{
		{"to nil", nil, v.plaintext, nil, v.sealed, ""},
		{"in place", nil, nil, nil, nil, ""},
		{"behind a prefix that is full", []byte(prefix), v.plaintext, []byte(prefix), v.sealed, prefix},
		{"behind a prefix with room", append(room, prefix...), v.plaintext, append(room, prefix...), v.sealed, prefix},
	} {
		inPlace := way.name == "in place"
		if inPlace {
			way.text = append(make([]byte, 0, len(v.sealed)), v.plaintext...)
			way.sealTo = way.text[:0]
		}
		if got := aead.Seal(way.sealTo, v.nonce, way.text, v.additional); string(got) != way.kept+string(v.sealed) {
			t.Errorf("%s, %s: encrypted to %x; expected %x", name, way.name, got, way.kept+string(v.sealed))
		}
		if inPlace {
			way.input = bytes.Clone(v.sealed)
			way.openTo = way.input[:0]
		}
		if got, err := aead.Open(way.openTo, v.nonce, way.input, v.additional); err != nil || string(got) != way.kept+string(v.plaintext) {
			t.Errorf("%s, %s: decrypted to %x, %v; expected %x", name, way.name, got, err, way.kept+string(v.plaintext))
		}
	}

	// The test changes each bit of the tag, and one bit in each byte of the ciphertext, the nonce and the additional data.
	for i := range v.sealed {
		for bit := range 8 {
			if i < len(v.plaintext) && bit != i%8 {
				continue
			}
			checkRefused(t, fmt.Sprintf("%s, bit %d of byte %d flipped", name, bit, i), aead, v.nonce, flipped(v.sealed, i, bit), v.additional)
		}
	}
	for i := range v.nonce {
		checkRefused(t, fmt.Sprintf("%s, byte %d of the nonce changed", name, i), aead, flipped(v.nonce, i, i%8), v.sealed, v.additional)
	}
	for i := range v.additional {
		checkRefused(t, fmt.Sprintf("%s, byte %d of the additional data changed", name, i), aead, v.nonce, v.sealed, flipped(v.additional, i, i%8))
	}
	for _, wrong := range [][]byte{v.sealed[:len(v.sealed)-1], v.sealed[1:], append(bytes.Clone(v.sealed), 0)} {
		checkRefused(t, fmt.Sprintf("%s, %d bytes", name, len(wrong)), aead, v.nonce, wrong, v.additional)
	}
}

// checkRefused tries to open a wrong message, in place and in a separate buffer.
func checkRefused(t *testing.T, name string, aead *aesgcm.AEAD, nonce, sealed, additional []byte) {
	t.Helper()
	if got, err := aead.Open(nil, nonce, sealed, additional); err == nil || got != nil {
		t.Errorf("%s: decrypted to %x, %v; expected an error alone", name, got, err)
	}
	message := bytes.Clone(sealed)
	if got, err := aead.Open(message[:0], nonce, message, additional); err == nil || got != nil {
		t.Errorf("%s, in place: decrypted to %x, %v; expected an error alone", name, got, err)
	}
	// Unauthenticated plaintext must not be left in the output.
	if n := len(message) - 16; n > 0 && !bytes.Equal(message[:n], make([]byte, n)) {
		t.Errorf("%s, in place: %x is left; expected zeros", name, message[:n])
	}
}

func flipped(b []byte, i, bit int) []byte {
	b = bytes.Clone(b)
	b[i] ^= 1 << bit
	return b
}
