//go:build linux && (amd64 || arm64)

// Package secretscan searches the memory, stacks and registers of the process for secrets.
package secretscan

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// A Secret is 32 random bytes. Only a masked copy of the bytes stays in memory.
type Secret struct {
	masked, mask [32]byte
}

// NewSecret makes a Secret and calls use with the bytes of the secret. use must not keep the slice, because NewSecret wipes it afterwards.
func NewSecret(t *testing.T, use func(secret []byte)) *Secret {
	t.Helper()
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		t.Fatal(err)
	}
	quietly(func() { use(secret) })
	return FromBytes(t, secret)
}

// Places counts the places in writable memory that contain the secret, by the names of mappings. The heaps and stacks of Go and Rust have
// no name.
func (s *Secret) Places(t *testing.T) map[string]int {
	t.Helper()
	found := make(map[string]int)
	look(t, func(mapping string, block []byte) { found[mapping] += s.count(block) })
	return found
}

// look calls see with the contents of writable memory, in blocks of at most 1 MiB. Blocks overlap, so that a searched value at the end of a block
// lies completely in the next block.
func look(t *testing.T, see func(mapping string, block []byte)) {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	memory, err := os.Open("/proc/self/mem")
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	pages, err := os.Open("/proc/self/pagemap")
	if err != nil {
		t.Fatal(err)
	}
	defer pages.Close()
	buffer, entries := make([]byte, 1<<20), make([]byte, 8*block)
	defer clear(buffer)
	for lines := bufio.NewScanner(strings.NewReader(string(maps))); lines.Scan(); {
		var from, to uint64
		var rights string
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &from, &to, &rights); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(rights, "rw") && to-from < shadow {
			name := strings.Join(strings.Fields(lines.Text())[5:], " ")
			between(t, memory, pages, int64(from), int64(to), buffer, entries, func(block []byte) { see(name, block) })
		}
	}
}

const (
	// A mapping of this size is a sanitizer's shadow memory, which has no copies of the program's data.
	shadow   = 1 << 40
	pageSize = 4096
	block    = 1 << 18 // number of pages in one read of pagemap
	overlap  = 15      // bytes by which blocks overlap: one less than a searched part
)

// between calls see with the contents of a range of addresses. It skips pages that are not in use, because heaps reserve thousands of times more
// memory than they use. pages is the file pagemap, which has eight bytes for each page; the highest two bits mean that the page is in memory or
// swapped out (Documentation/admin-guide/mm/pagemap.rst of Linux).
func between(t *testing.T, memory, pages *os.File, from, to int64, buffer, entries []byte, see func(block []byte)) {
	t.Helper()
	for at := from; at < to; at += pageSize * block {
		count := min(block, (to-at)/pageSize)
		if _, err := pages.ReadAt(entries[:8*count], at/pageSize*8); err != nil {
			t.Fatal(err)
		}
		isThere := func(page int64) bool { return page < count && entries[8*page+7]>>6 != 0 }
		for page := int64(0); page < count; page++ {
			first := page
			for isThere(page) {
				page++
			}
			for from, end := at+first*pageSize, at+page*pageSize; from < end; from += int64(len(buffer) - overlap) {
				got, _ := memory.ReadAt(buffer[:min(int64(len(buffer)), end-from)], from)
				see(buffer[:got])
			}
		}
	}
}

// count counts the first, middle and last 16 bytes of the secret separately, because some functions change a bit at either end or use halves.
func (s *Secret) count(b []byte) (n int) {
	for _, part := range [...]int{0, 8, 16} {
		first := s.masked[part] ^ s.mask[part]
		for at := 0; ; at++ {
			next := bytes.IndexByte(b[at:], first)
			if next < 0 || at+next+16 > len(b) {
				break
			}
			at += next
			equal := true
			for j := 1; j < 16 && equal; j++ {
				equal = b[at+j]^s.mask[part+j] == s.masked[part+j]
			}
			if equal {
				n++
			}
		}
	}
	return n
}

// FromBytes makes a Secret from 32 bytes, and clears the bytes.
func FromBytes(t *testing.T, secret []byte) *Secret {
	t.Helper()
	s := new(Secret)
	if _, err := rand.Read(s.mask[:]); err != nil {
		t.Fatal(err)
	}
	for i := range s.mask {
		s.masked[i] = secret[i] ^ s.mask[i]
	}
	clear(secret)
	return s
}

// InNewGoroutine runs calls in a new goroutine, on a new stack.
func InNewGoroutine(calls func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		quietly(calls)
	}()
	<-done
}

// quietly runs calls while the process ignores SIGURG, with which Go's scheduler preempts goroutines. When a signal arrives, the kernel writes all
// registers to the signal stack, where they stay until the next signal. docs/go-packages.md promises nothing for that stack.
func quietly(calls func()) {
	signal.Ignore(syscall.SIGURG)
	// If signal.Stop were called alone, SIGURG would stay ignored. So signal.Notify first installs Go's handler again.
	defer func() {
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGURG)
		signal.Stop(c)
	}()
	calls()
}

// NotInMemory fails the test if the secret lies in memory.
func (s *Secret) NotInMemory(t *testing.T, what string) {
	t.Helper()
	Secrets{what: s}.NotInMemory(t)
}

// Secrets holds several secrets, by their names in messages.
type Secrets map[string]*Secret

// NotInMemory fails the test if a secret lies in memory. It searches the memory once.
func (all Secrets) NotInMemory(t *testing.T) {
	t.Helper()
	found := make(map[[2]string]int)
	look(t, func(mapping string, block []byte) {
		for what, s := range all {
			if n := s.count(block); n != 0 {
				found[[2]string{what, mapping}] += n
			}
		}
	})
	for where, n := range found {
		t.Errorf("%s lies in %d places of %q", where[0], n, where[1])
	}
}
