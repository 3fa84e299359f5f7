//go:build linux && (amd64 || arm64)

package aesgcm_test

import (
	"bytes"
	"os"
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"
)

// guarded returns a page between two pages that cannot be read or written. An access just before or after the returned page ends the program.
func guarded(t *testing.T) []byte {
	t.Helper()
	page := os.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(memory); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{memory[:page], memory[2*page:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return memory[page : 2*page : 2*page]
}

// readByte is a variable so that the compiler keeps the read.
var readByte byte

// canRead reports whether the byte at an address can be read.
func canRead(address unsafe.Pointer) (isThere bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { isThere = recover() == nil }()
	readByte = *(*byte)(address)
	return true
}

// TestNoAccessOutsideSlices places each slice of a call first at the start and then at the end of a guarded page.
func TestNoAccessOutsideSlices(t *testing.T) {
	keys, nonces, texts, outputs, additionals := guarded(t), guarded(t), guarded(t), guarded(t), guarded(t)
	page := len(texts)
	if !canRead(unsafe.Pointer(&texts[0])) || !canRead(unsafe.Pointer(&texts[page-1])) ||
		canRead(unsafe.Add(unsafe.Pointer(&texts[0]), -1)) || canRead(unsafe.Add(unsafe.Pointer(&texts[0]), page)) {
		t.Fatal("the pages are not guarded")
	}
	for _, size := range []int{16, 32} {
		for _, atEnd := range []bool{true, false} {
			at := func(area []byte, n int) []byte {
				if atEnd {
					return area[page-n:]
				}
				return area[:n:n]
			}
			key := at(keys, size)
			for i := range key {
				key[i] = byte(i * 7)
			}
			ours, theirs := both(t, key)
			nonce := at(nonces, 12)
			for n := range limit + 40 {
				for _, m := range [...]int{n % 40, max(0, limit-n-n%3)} {
					additional := at(additionals, m)
					for i := range additional {
						additional[i] = byte(i + n)
					}
					nonce[n%12]++
					text := at(texts, n)
					for i := range text {
						text[i] = byte(i * n)
					}
					plain := bytes.Clone(text)
					want := theirs.Seal(nil, nonce, text, additional)
					sealed := ours.Seal(at(outputs, n+16)[:0], nonce, text, additional)
					if !bytes.Equal(sealed, want) {
						t.Fatalf("Seal of %d bytes with %d more: %x, not %x", n, m, sealed, want)
					}
					if got, err := ours.Open(text[:0], nonce, sealed, additional); err != nil || !bytes.Equal(got, plain) {
						t.Fatalf("Open of %d bytes with %d more: %x, %v", n, m, got, err)
					}
					if got, err := ours.Open(sealed[:0], nonce, sealed, additional); err != nil || !bytes.Equal(got, plain) {
						t.Fatalf("Open in place of %d bytes with %d more: %x, %v", n, m, got, err)
					}
					if got := ours.Seal(sealed[:0], nonce, sealed[:n], additional); !bytes.Equal(got, want) {
						t.Fatalf("Seal in place of %d bytes with %d more: %x, not %x", n, m, got, want)
					}
					sealed[(n*5)%len(sealed)] ^= 1
					if _, err := ours.Open(text[:0], nonce, sealed, additional); err == nil || !bytes.Equal(text, make([]byte, n)) {
						t.Fatalf("Open of %d changed bytes with %d more: %x, %v", n, m, text, err)
					}
				}
			}
		}
	}
}
