//go:build linux && amd64

// Package wiped looks for secrets that are left in the memory of the process.
package wiped

import (
	"bufio"
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"testing"
)

// A Secret is random bytes of which only masked copies lie in memory.
type Secret struct{ masked, mask [32]byte }

// NewSecret makes one, and hands it to use, which must not keep it. What it is given is wiped afterwards.
func NewSecret(t *testing.T, use func(secret []byte)) *Secret {
	t.Helper()
	s := new(Secret)
	secret := make([]byte, 32)
	for _, b := range [][]byte{secret, s.mask[:]} {
		if _, err := rand.Read(b); err != nil {
			t.Fatal(err)
		}
	}
	for i := range secret {
		s.masked[i] = secret[i] ^ s.mask[i]
	}
	use(secret)
	clear(secret)
	return s
}

// In counts the places in memory that can be written where the secret lies, by the names of mappings: the heaps and the stacks of Go and of Rust
// have none. Its first 16 bytes count as the whole.
func (s *Secret) In(t *testing.T) map[string]int {
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
	found := make(map[string]int)
	for lines := bufio.NewScanner(strings.NewReader(string(maps))); lines.Scan(); {
		var from, to uint64
		var rights string
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &from, &to, &rights); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(rights, "rw") && to-from < shadow {
			name := strings.Join(strings.Fields(lines.Text())[5:], " ")
			found[name] += s.between(t, memory, pages, int64(from), int64(to))
		}
	}
	return found
}

const (
	// A mapping of that size is the shadow of a sanitizer, which has no copies of what the program writes.
	shadow   = 1 << 40
	pageSize = 4096
	block    = 1 << 18 // pages that are asked about at once
)

// between looks at the pages that there are: what is reserved for heaps is thousands of times that. The map of pages has eight bytes for each, of
// which the highest two bits say that the page is in memory or swapped (Documentation/admin-guide/mm/pagemap.rst of Linux).
func (s *Secret) between(t *testing.T, memory, pages *os.File, from, to int64) (n int) {
	t.Helper()
	entries := make([]byte, 8*block)
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
			if page > first {
				buffer := make([]byte, (page-first)*pageSize)
				got, _ := memory.ReadAt(buffer, at+first*pageSize)
				n += s.count(buffer[:got])
				clear(buffer)
			}
		}
	}
	return n
}

func (s *Secret) count(b []byte) (n int) {
	first := s.masked[0] ^ s.mask[0]
	for i := range len(b) - min(len(b), 15) {
		if b[i] != first {
			continue
		}
		equal := true
		for j := 1; j < 16 && equal; j++ {
			equal = b[i+j]^s.mask[j] == s.masked[j]
		}
		if equal {
			n++
		}
	}
	return n
}
