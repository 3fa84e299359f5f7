package analysis

import (
	"maps"
	"slices"

	"rustgo.dev/check/internal/object"
)

// cells are words of writable data that hold addresses of functions. With such words std and memchr choose code for the processor at run time. A call
// through a cell goes to one of the functions whose addresses the object file or an instruction stores in it. This relies on the assumption that no
// store through a pointer writes to the cell. The checker confirms that no pointer to the cell is stored in memory. It does not confirm that no
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

// stored notes a store to writable data.
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
	case size == 8 && v.k == cell && int(v.n) == at.sym && int(v.v) == at.off:
	default:
		for i := -7; i < max(int(size), 1); i++ {
			if p := (place{at.sym, at.off + i}); !c.unknown[p] {
				c.unknown[p] = true
				c.changed = c.changed || c.functions[p] != nil
			}
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
