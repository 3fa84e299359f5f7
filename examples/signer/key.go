package main

import (
	"crypto"
	stded25519 "crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"rustgo.dev/packages/ed25519"
)

// implementations lists the implementations of Ed25519, in the order in which tables show them.
var implementations = []string{"go", "rustgo"}

// keyMaker returns the function that makes a private key from a seed of 32 bytes.
func keyMaker(impl string) (func(seed []byte) crypto.Signer, error) {
	switch impl {
	case "go":
		return func(seed []byte) crypto.Signer { return stded25519.NewKeyFromSeed(seed) }, nil
	case "rustgo":
		return func(seed []byte) crypto.Signer { return ed25519.NewKeyFromSeed(seed) }, nil
	}
	return nil, fmt.Errorf("unknown implementation %q: want go or rustgo", impl)
}

// newSeed returns a random seed.
func newSeed() []byte {
	seed := make([]byte, stded25519.SeedSize)
	rand.Read(seed) // never fails since Go 1.24
	return seed
}

// readSeed reads a seed from a file of 64 hexadecimal digits. On Unix only the owner may have permissions for the file. Errors never contain the
// file's text.
func readSeed(name string) ([]byte, error) {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("key file %s does not exist; -generate makes one", name)
	}
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("key file %s is not a regular file", name)
	}
	// On Windows the mode does not show which users may read the file.
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o077 != 0 {
		return nil, fmt.Errorf("key file %s has permissions %#o, others than its owner could use it; chmod 600 %s", name, mode, name)
	}
	const digits = 2 * stded25519.SeedSize
	text, err := io.ReadAll(io.LimitReader(file, digits+16))
	defer clear(text)
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	seed, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(seed) != stded25519.SeedSize {
		return nil, fmt.Errorf("key file %s is not %d hexadecimal digits", name, digits)
	}
	return seed, nil
}

// writeSeed creates the file with the seed. If the file exists, the error matches fs.ErrExist.
func writeSeed(name string, seed []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	_, err = fmt.Fprintln(file, hex.EncodeToString(seed))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		os.Remove(name) // the file may contain only a part of the key
		return fmt.Errorf("key file %s: %w", name, err)
	}
	return nil
}
