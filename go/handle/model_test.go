package handle

import (
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// run executes program on a table and on a model of the table, a map, and compares the two after each step. A step is two bytes: the operation and
// the handle. run returns the number of handles made.
func run(t *testing.T, program []byte) int {
	if len(program) < 2 {
		return 0
	}
	bits := uint(program[0] % 4)
	tab := small(bits, uint64(program[0]>>2)&(1<<bits-1), 1<<(program[1]%3), 1+int(program[1]>>4)%3)
	asideAtMost := 0 // the largest number of free numbers that other processors' lists may hold
	if program[1]&8 != 0 {
		withLists(tab, 1+uint32(program[0]>>2)%8)
		asideAtMost = 2 * 8 * len(tab.locals) * int(tab.generations+1)
	}
	model := map[uint64]any{}
	var made []uint64
	values := []any{nil, 1, "two", &model, 3.0, []int(nil), struct{ a, b any }{4, "five"}}[:5]

	for i := 2; i+1 < len(program); i += 2 {
		op, arg := program[i], int(program[i+1])
		var h uint64 // a number that may be live, stale or neither
		switch {
		case op&0x30 == 0 || len(made) == 0:
			h = binary.LittleEndian.Uint64([]byte{program[i], 0, 0, 0, program[i+1], program[1] & 7, 0, 0})
		case op&0x30 == 0x10:
			h = made[len(made)-1-arg%min(len(made), 8)]
		default:
			h = made[arg*257%len(made)]
		}
		switch op & 7 {
		case 0, 1, 2:
			v := values[arg%len(values)]
			h, full := uint64(0), false
			func() {
				defer func() {
					if p := recover(); p != nil {
						full = true
					}
				}()
				h = tab.add(v)
			}()
			if full {
				if len(made) < tab.numbers()-len(model)*int(tab.generations)-asideAtMost {
					t.Fatalf("full after %d of %d numbers, %d live", len(made), tab.numbers(), len(model))
				}
				continue
			}
			if slices.Contains(made, h) {
				t.Fatalf("%#x was given out twice", h)
			}
			model[h] = v
			made = append(made, h)
		case 3, 4, 5:
			_, want := model[h]
			if got := tab.remove(h); got != want {
				t.Fatalf("remove(%#x) = %v, want %v", h, got, want)
			}
			delete(model, h)
		case 6:
			want, live := model[h]
			if got, ok := tab.lookup(h); got != want || ok != live {
				t.Fatalf("lookup(%#x) = %v, %v, want %v, %v", h, got, ok, want, live)
			}
		case 7:
			if got := maps.Collect(tab.all()); !maps.Equal(got, model) {
				t.Fatalf("all: got %v, want %v", got, model)
			}
			if tab.len() != len(model) {
				t.Fatalf("len is %d, want %d", tab.len(), len(model))
			}
		}
	}
	for _, h := range made {
		want, live := model[h]
		if got, ok := tab.lookup(h); got != want || ok != live {
			t.Fatalf("lookup(%#x) = %v, %v, want %v, %v", h, got, ok, want, live)
		}
	}
	return len(made)
}

func TestModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	most := 0
	for n := range 300 {
		program := make([]byte, 2+2*rng.IntN(1+n*10))
		for i := range program {
			program[i] = byte(rng.Uint32())
		}
		if n%2 == 0 { // long runs of one operation fill and empty the table
			for i := 2; i < len(program); i += 2 {
				if i > 2 && rng.IntN(50) != 0 {
					program[i] = program[i-2]
				}
			}
		}
		most = max(most, run(t, program))
	}
	if most < slotsPerChunk {
		t.Errorf("no program made more than %d handles", most)
	}
}

func FuzzModel(f *testing.F) {
	f.Add([]byte{1, 2, 0, 0, 3, 0x10, 0, 0, 6, 0x10, 7, 0})
	f.Add([]byte{0, 0, 0, 1, 0x13, 0, 0, 1, 0x13, 0, 6, 0})
	f.Add([]byte{1 | 1<<2, 8 | 1, 0, 0, 0, 1, 0, 2, 0x13, 0, 0x13, 1, 0x13, 2, 0, 3, 0, 4, 7, 0}) // with lists of processors, in batches of 2
	f.Fuzz(func(t *testing.T, program []byte) { run(t, program) })
}
