package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"rustgo.dev/bench/crypto/internal/column"
)

// check returns the results of each operation for fixed inputs. The argument ciphertext is an ML-KEM-768 ciphertext in hexadecimal.
func check(c *column.Column, ciphertext string) map[string]string {
	all := map[string]string{}
	for name, newAEAD := range map[string]func([]byte) column.AEAD{"aes": c.AES, "chacha": c.ChaCha} {
		for _, length := range []int{0, 1, 16, 64, 1000, 16384} {
			if newAEAD != nil {
				all[fmt.Sprint(name, " ", length)] = sealed(newAEAD(column.Key()), length)
			}
		}
	}
	if c.X25519 != nil {
		scalar, shared, fine := column.Scalar(), column.Point(), true
		for range 10 {
			point := *shared
			fine = c.X25519(scalar)(shared, &point) && fine
			scalar[5] ^= shared[0]
		}
		fine = fine && !c.X25519(scalar)(new([32]byte), new([32]byte))
		all["x25519"] = fmt.Sprintf("%x %t", *shared, fine)
	}
	for _, length := range []int{0, 64, 1000} {
		if c.Signer != nil {
			all[fmt.Sprint("sign ", length)] = signed(c, length)
		}
	}
	if c.Batch != nil {
		all["batch"] = batched(c)
	}
	if c.KEM != nil {
		key := c.KEM(column.KEMSeed())
		all["keygen"] = hash(key.Public())
		all["decaps"] = hex.EncodeToString(key.Decapsulate(column.Must(hex.DecodeString(ciphertext))))
		shared, ciphertext := c.Encapsulate(key.Public())
		all["encaps"] = fmt.Sprintf("%x:%x", ciphertext, shared)
	}
	if c.AES != nil {
		all["chunks"] = hash(stream(c, column.Text(1<<20+5), 1<<16, 2))
	}
	return all
}

func hash(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }

// sealed encrypts into a new buffer and into an existing buffer. It returns the hash of the ciphertext, whether the ciphertext can be decrypted,
// and whether it can be decrypted after a change.
func sealed(aead column.AEAD, length int) string {
	text := column.Text(length)
	out := aead.Seal(nil, column.Nonce(), text, column.Additional())
	again := aead.Seal(make([]byte, 0, length+column.Overhead), column.Nonce(), text, column.Additional())
	opened, err := aead.Open(nil, column.Nonce(), out, column.Additional())
	result := fmt.Sprintf("%s %t", hash(out), err == nil && string(opened) == string(text) && string(again) == string(out))
	out[length/2] ^= 1
	_, err = aead.Open(nil, column.Nonce(), out, column.Additional())
	return fmt.Sprintf("%s %t", result, err == nil)
}

func signed(c *column.Column, length int) string {
	text := column.Text(length)
	signer := c.Signer(column.Seed())
	signature := signer.Sign(text)
	result := fmt.Sprintf("%x %x %t", signer.Public, signature, c.Verify(signer.Public, text, signature))
	signature[40] ^= 1
	return fmt.Sprintf("%s %t", result, c.Verify(signer.Public, text, signature))
}

func batched(c *column.Column) string {
	signer := reference.Signer(column.Seed())
	var publics, messages, signatures [][]byte
	for i := range 8 {
		message := column.Text(column.Message + i)[i:]
		publics, messages, signatures = append(publics, signer.Public), append(messages, message), append(signatures, signer.Sign(message))
	}
	good := c.Batch(publics, messages, signatures)
	signatures[3][1] ^= 1
	return fmt.Sprintf("%t %t", good, c.Batch(publics, messages, signatures))
}
