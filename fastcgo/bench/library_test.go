//go:build cgo && linux && amd64

package bench

import (
	"bytes"
	"compress/zlib"
	"crypto/ed25519"
	"encoding/hex"
	"hash/crc32"
	"io"
	"testing"
	"unsafe"

	"rustgo.dev/fastcgo"
)

// library returns the address of a library's function, or skips the test if there is no such library.
func library(tb testing.TB, file, pkg, name string) unsafe.Pointer {
	f := symbol(file, name)
	if f == nil {
		tb.Skipf("no %s in %s: scripts/setup installs %s", name, file, pkg)
	}
	return f
}

func sodium(tb testing.TB, name string) unsafe.Pointer {
	fastcgo.UnsafeCall0(library(tb, "libsodium.so.23", "libsodium23", "sodium_init"))
	return library(tb, "libsodium.so.23", "libsodium23", name)
}

func TestZlib(t *testing.T) {
	crc := fastcgo.Bind[func(uint, *byte, uint32) uint](library(t, "libz.so.1", "zlib1g", "crc32"))
	text := bytes.Repeat([]byte("a quick brown fox. "), 1000)
	if got, want := crc(0, &text[0], uint32(len(text))), crc32.ChecksumIEEE(text); uint32(got) != want {
		t.Errorf("crc32 = %#x, want %#x", got, want)
	}
	compress := fastcgo.Bind[func(*byte, *uint, *byte, uint, int32) int32](library(t, "libz.so.1", "zlib1g", "compress2"), fastcgo.NeedStack(16<<10))
	packed := make([]byte, len(text)+100)
	n := uint(len(packed))
	if e := compress(&packed[0], &n, &text[0], uint(len(text)), 9); e != 0 {
		t.Fatalf("compress2 returns %d", e)
	}
	r, err := zlib.NewReader(bytes.NewReader(packed[:n]))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, text) || int(n) > len(text)/10 {
		t.Errorf("%d bytes are packed to %d and unpacked to %d: %v", len(text), n, len(got), err)
	}
}

func TestSodium(t *testing.T) {
	siphash := fastcgo.Bind[func(out, in *byte, n uint64, key *byte) int32](sodium(t, "crypto_shorthash_siphash24"))
	var key [16]byte
	var in [15]byte
	for i := range key {
		key[i] = byte(i)
	}
	copy(in[:], key[:])
	var out [8]byte
	siphash(&out[0], &in[0], 15, &key[0])
	if got := hex.EncodeToString(out[:]); got != "e545be4961ca29a1" { // the example of the SipHash paper
		t.Errorf("SipHash is %s", got)
	}
	sign := fastcgo.Bind[func(sig *byte, n *uint64, m *byte, length uint64, sk *byte) int32](sodium(t, "crypto_sign_detached"), fastcgo.NeedStack(16<<10))
	pk, sk, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	var sig [64]byte
	if sign(&sig[0], nil, &in[0], 15, &sk[0]) != 0 || !ed25519.Verify(pk, in[:], sig[:]) {
		t.Error("Go does not accept libsodium's signature")
	}
}
