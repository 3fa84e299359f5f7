//go:build amd64 || arm64

package htmlrewrite

// The flags of a unit. rust/src/snapshot.rs has the same numbers.
const (
	flagRemoved        = 1
	flagCanHaveContent = 2
	flagSelfClosing    = 4
	flagLast           = 2
	aboveFlags         = 3
)

// A snapshot is the part of a string from Rust that has not been read yet. rust/src/snapshot.rs describes it.
type snapshot string

// number reads a number: six bits in each byte, and the bit 0x40 in each byte but the last.
func (s *snapshot) number() (n int) {
	for i := 0; ; i++ {
		b := (*s)[i]
		n |= int(b&0x3f) << (6 * i)
		if b < 0x40 {
			*s = (*s)[i+1:]
			return n
		}
	}
}

// text reads a string, which shares the snapshot's memory.
func (s *snapshot) text() string {
	n := s.number()
	text := string((*s)[:n])
	*s = (*s)[n:]
	return text
}

// optional reads a string that may be missing.
func (s *snapshot) optional() (text string, ok bool) {
	ok = s.number() != 0
	return s.text(), ok
}
