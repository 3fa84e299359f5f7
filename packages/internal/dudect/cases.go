//go:build amd64 || arm64

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"rustgo.dev/packages/aesgcm"
	"rustgo.dev/packages/ed25519"
	"rustgo.dev/packages/mlkem768"
	"rustgo.dev/packages/x25519"
)

// sink keeps results that are otherwise unused.
var sink any

func cases() []testCase {
	return []testCase{
		sealKey(shortText),
		sealKey(longText),
		sealPlaintext(shortText),
		sealPlaintext(longText),
		openTag(shortText),
		openTag(longText),
		exchange(),
		exchangeBase(),
		signSeed(),
		signMessage(),
		decapsulateInvalid(),
		decapsulateKeys(),
		// Encapsulation to two public keys is not a case, because its time depends on the public key: rejection sampling makes the matrix from a part
		// of the key.
		controlEqual(),
		controlVerify(),
	}
}

// These are the text lengths of the cases. At these lengths a call runs both the code for many blocks and the code for the remaining bytes. aesgcm
// has one function for short texts and another for long texts.
const (
	shortText = 256 + 48
	longText  = 1024 + 48
)

// fixed returns n bytes that look random and are the same in each run.
func fixed(n int) []byte {
	return random(n, rand.New(rand.NewPCG(1, 2)))
}

func random(n int, from *rand.Rand) []byte {
	b := make([]byte, n)
	randomize(b, from)
	return b
}

func randomize(b []byte, from *rand.Rand) {
	for i := range b {
		b[i] = byte(from.Uint32())
	}
}

// fixedOrRandom returns a function that makes the inputs of a case: the value for one class, and random bytes for the other class.
func fixedOrRandom(value []byte) func([]byte, uint8, *rand.Rand) {
	return func(input []byte, class uint8, from *rand.Rand) {
		// Make the random bytes for both classes, so that both take the same time.
		randomize(input, from)
		if class == 0 {
			copy(input, value)
		}
	}
}

func nothing() {}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// expect panics unless ok is true. Each case requires that its calls succeed or that they fail.
func expect(ok bool) {
	if !ok {
		panic("a case does not do what its name says")
	}
}

func sealKey(textSize int) testCase {
	var aead *aesgcm.AEAD
	nonce, text, dst := fixed(12), fixed(textSize), make([]byte, 0, textSize+16)
	return testCase{
		name:   fmt.Sprintf("aesgcm seal %d B: fixed, random key", textSize),
		size:   32,
		fill:   fixedOrRandom(fixed(32)),
		load:   func(key []byte) { aead = must(aesgcm.New(key)) },
		call:   func() { aead.Seal(dst, nonce, text, nil) },
		unload: func() { must(0, aead.Close()) },
	}
}

func sealPlaintext(textSize int) testCase {
	var text []byte
	aead := must(aesgcm.New(fixed(32)))
	nonce, dst := fixed(12), make([]byte, 0, textSize+16)
	return testCase{
		name:   fmt.Sprintf("aesgcm seal %d B: fixed, random plaintext", textSize),
		size:   textSize,
		fill:   fixedOrRandom(fixed(textSize)),
		load:   func(input []byte) { text = input },
		call:   func() { aead.Seal(dst, nonce, text, nil) },
		unload: nothing,
	}
}

func openTag(textSize int) testCase {
	var sealed []byte
	var err error
	aead := must(aesgcm.New(fixed(32)))
	nonce, dst := fixed(12), make([]byte, 0, textSize)
	right := aead.Seal(nil, nonce, fixed(textSize), nil)
	return testCase{
		name: fmt.Sprintf("aesgcm open %d B: tag wrong, first, last byte", textSize),
		size: len(right),
		fill: func(input []byte, class uint8, from *rand.Rand) {
			copy(input, right)
			wrong := textSize
			if class == 1 {
				wrong += 15
			}
			input[wrong] ^= byte(1 + from.UintN(255))
		},
		load:   func(input []byte) { sealed = input },
		call:   func() { _, err = aead.Open(dst, nonce, sealed, nil) },
		unload: func() { expect(err != nil) },
	}
}

func exchange() testCase {
	var dst, point [32]byte
	var scalar *[32]byte
	x25519.ExchangeBase(&point, (*[32]byte)(fixed(32)))
	return testCase{
		name:   "x25519 exchange: fixed, random scalar",
		size:   32,
		fill:   fixedOrRandom(fixed(32)),
		load:   func(input []byte) { scalar = (*[32]byte)(input) },
		call:   func() { x25519.Exchange(&dst, scalar, &point) },
		unload: nothing,
	}
}

func exchangeBase() testCase {
	var dst [32]byte
	var scalar *[32]byte
	return testCase{
		name:   "x25519 base point: fixed, random scalar",
		size:   32,
		fill:   fixedOrRandom(fixed(32)),
		load:   func(input []byte) { scalar = (*[32]byte)(input) },
		call:   func() { x25519.ExchangeBase(&dst, scalar) },
		unload: nothing,
	}
}

func signSeed() testCase {
	var key *ed25519.PrivateKey
	message := fixed(64)
	return testCase{
		name:   "ed25519 sign: fixed, random seed",
		size:   ed25519.SeedSize,
		fill:   fixedOrRandom(fixed(ed25519.SeedSize)),
		load:   func(seed []byte) { key = ed25519.NewKeyFromSeed(seed) },
		call:   func() { ed25519.Sign(key, message) },
		unload: func() { must(0, key.Close()) },
	}
}

func signMessage() testCase {
	var message []byte
	key := ed25519.NewKeyFromSeed(fixed(ed25519.SeedSize))
	return testCase{
		name:   "ed25519 sign: fixed, random message",
		size:   64,
		fill:   fixedOrRandom(fixed(64)),
		load:   func(input []byte) { message = input },
		call:   func() { ed25519.Sign(key, message) },
		unload: nothing,
	}
}

func decapsulateInvalid() testCase {
	var ciphertext, shared []byte
	key := must(mlkem768.NewDecapsulationKey(fixed(mlkem768.SeedSize)))
	public := key.EncapsulationKey()
	return testCase{
		name: "mlkem768 decapsulate: valid, invalid ciphertext",
		size: mlkem768.CiphertextSize,
		fill: func(input []byte, class uint8, from *rand.Rand) {
			_, valid := public.Encapsulate()
			copy(input, valid)
			if class == 1 {
				bit := from.UintN(8 * mlkem768.CiphertextSize)
				input[bit/8] ^= 1 << (bit % 8)
			}
		},
		load:   func(input []byte) { ciphertext = input },
		call:   func() { shared, _ = key.Decapsulate(ciphertext) },
		unload: func() { expect(shared != nil) },
	}
}

func decapsulateKeys() testCase {
	var key *mlkem768.DecapsulationKey
	var ciphertext, shared []byte
	seeds := [2][]byte{fixed(2 * mlkem768.SeedSize)[:mlkem768.SeedSize], fixed(2 * mlkem768.SeedSize)[mlkem768.SeedSize:]}
	var publics [2]*mlkem768.EncapsulationKey
	for class, seed := range seeds {
		publics[class] = must(mlkem768.NewDecapsulationKey(seed)).EncapsulationKey()
	}
	return testCase{
		name: "mlkem768 decapsulate: one, another key",
		size: mlkem768.SeedSize + mlkem768.CiphertextSize,
		fill: func(input []byte, class uint8, _ *rand.Rand) {
			_, valid := publics[class].Encapsulate()
			copy(input, seeds[class])
			copy(input[mlkem768.SeedSize:], valid)
		},
		load: func(input []byte) {
			key, ciphertext = must(mlkem768.NewDecapsulationKey(input[:mlkem768.SeedSize])), input[mlkem768.SeedSize:]
		},
		call:   func() { shared, _ = key.Decapsulate(ciphertext) },
		unload: func() { must(0, key.Close()); expect(shared != nil) },
	}
}

// controlEqual compares slices and stops at the first difference.
func controlEqual() testCase {
	var input []byte
	var equal bool
	const size = 4096
	reference := fixed(size)
	return testCase{
		name:    "bytes.Equal: equal, different",
		control: true,
		size:    size,
		fill: func(input []byte, class uint8, from *rand.Rand) {
			copy(input, reference)
			if class == 1 {
				input[0] ^= byte(1 + from.UintN(255))
			}
		},
		load:   func(loaded []byte) { input = loaded },
		call:   func() { equal = bytes.Equal(input, reference) },
		unload: func() { sink = equal },
	}
}

// controlVerify verifies signatures whose second half, a scalar, is random or small. Verification computes with both kinds of scalars to the end,
// but needs fewer additions for a small scalar. This is allowed, because verification reads only public data.
func controlVerify() testCase {
	var signature []byte
	var valid bool
	key := ed25519.NewKeyFromSeed(fixed(ed25519.SeedSize))
	public, message := key.Public().(ed25519.PublicKey), fixed(64)
	right := ed25519.Sign(key, message)
	return testCase{
		name:    "ed25519 verify: valid, invalid signature",
		control: true,
		size:    ed25519.SignatureSize,
		fill: func(input []byte, class uint8, from *rand.Rand) {
			copy(input, right)
			if class == 1 {
				clear(input[32:])
				input[32] = byte(from.Uint32())
			}
		},
		load:   func(input []byte) { signature = input },
		call:   func() { valid = ed25519.Verify(public, message, signature) },
		unload: func() { sink = valid },
	}
}
