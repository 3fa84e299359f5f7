package analysis

import (
	"maps"
	"slices"

	"rustgo.dev/check/internal/object"
)

// cells are words of writable data that hold addresses of functions. std and memchr use such words to choose code for the processor at run time. A
// call through a cell enters one of the functions whose addresses the object file or an instruction stores in the cell. This conclusion assumes that
// no store through a pointer writes to the cell. The checker confirms that no pointer to the cell is stored in memory. It does not confirm that no
// function gets such a pointer as an argument.
type cells struct {
	functions map[place]map[place]bool
	unknown   map[place]bool // words that may also hold a value that is not the address of a known function
	leaked    map[int]bool   // symbols whose address is stored in memory
	written   map[int]bool   // symbols that instructions write by name
	changed   bool
}

func newCells(file *object.File) *cells {
	c := &cells{map[place]map[place]bool{}, map[place]bool{}, map[int]bool{}, map[int]bool{}, false}
	for i, s := range file.Symbols {
		if s.Kind == object.Writable {
			// An initial byte that is not 0 and lies outside of all addresses is part of a number. So a word that contains this byte may hold a
			// value that is not the address of a known function.
			for at, b := range s.Data {
				if b != 0 && !slices.ContainsFunc(s.Relocs, func(r object.Reloc) bool { return r.Off <= at && at < r.Off+r.Size }) {
					for off := at - 7; off <= at; off++ {
						c.unknown[place{i, off}] = true
					}
				}
			}
		}
		for _, r := range s.Relocs {
			if r.Kind != object.Addr {
				continue
			}
			switch file.Symbols[r.Sym].Kind {
			case object.Writable:
				c.leaked[r.Sym] = true
			case object.Text:
				if s.Kind == object.Writable {
					c.add(place{i, r.Off}, place{r.Sym, int(r.Add)})
					c.overlapped(place{i, r.Off})
				}
			}
		}
	}
	return c
}

func (c *cells) add(at, to place) {
	if c.functions[at] == nil {
		c.functions[at] = map[place]bool{}
	}
	if !c.functions[at][to] {
		c.functions[at][to], c.changed = true, true
	}
}

func (c *cells) leak(symbol int) {
	if !c.leaked[symbol] {
		c.leaked[symbol], c.changed = true, true
	}
}

// stored notes a store of size bytes to writable data at the address a. v is the stored value.
func (c *cells) stored(a value, size int64, v value, sets *sets) {
	at := place{int(a.n), int(a.v)}
	c.written[at.sym] = true
	switch {
	case a.k == dataAny:
		c.leak(at.sym)
	case size == 8 && (v.k == code || v.k == codes):
		for _, to := range sets.members(v) {
			c.add(at, to)
		}
		c.overlapped(at)
	case size == 8 && v.k == cell && int(v.n) == at.sym && int(v.v) == at.off:
	default:
		for i := -7; i < max(int(size), 1); i++ {
			c.doubt(place{at.sym, at.off + i})
		}
	}
}

// doubt notes that a word may hold a value that is not the address of a known function.
func (c *cells) doubt(at place) {
	if !c.unknown[at] {
		c.unknown[at] = true
		c.changed = c.changed || c.functions[at] != nil
	}
}

// overlapped is called for a word that holds an address. It notes that a word that overlaps this word may hold a part of the address.
func (c *cells) overlapped(at place) {
	for i := -7; i <= 7; i++ {
		if i != 0 {
			c.doubt(place{at.sym, at.off + i})
		}
	}
}

// targets returns the functions whose addresses a word may hold, or nil if they are not known.
func (c *cells) targets(at place) []place {
	if c.leaked[at.sym] || c.unknown[at] {
		return nil
	}
	return slices.SortedFunc(maps.Keys(c.functions[at]), func(a, b place) int { return a.sym - b.sym })
}
