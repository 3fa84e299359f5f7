package main

import (
	"bytes"
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

const randomInputs, longestInput = 40, 5000

// makeInputs returns the inputs for a crate: fixed inputs, the documents, random bytes and texts, and documents with random damage. The random
// inputs depend only on the seed and the crate's name.
func makeInputs(name string, documents [][]byte) [][]byte {
	pattern := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(i*7 + i/251)
		}
		return b
	}
	found := [][]byte{{}, []byte("the quick brown fox jumps over the lazy dog"), pattern(33), pattern(300), pattern(4000)}
	found = append(found, documents...)
	hash := fnv.New64a()
	hash.Write([]byte(name))
	rng := rand.New(rand.NewPCG(seed, hash.Sum64()))
	words := []string{"the ", "quick ", "x", "\n", ", ", "12", "3.5", "-", "\"", "(", ")", "[1]", "{}", "&amp;", "<b>", "# ", "größe", "日本 "}
	for n := range randomInputs {
		share := rng.Float64()
		length := int(longestInput * share * share * share)
		switch {
		case len(documents) > 0 && n%4 != 0:
			text := damaged(rng, documents)
			found = append(found, text[:min(len(text), longestInput)])
		case n%2 == 0:
			b := make([]byte, length)
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			found = append(found, b)
		default:
			var text []byte
			for len(text) < length {
				text = append(text, pick(rng, words)...)
			}
			found = append(found, text)
		}
	}
	return found
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }

// damaged returns a damaged copy of a document: bytes replaced, removed, doubled or moved, the end cut off, or another document appended.
func damaged(rng *rand.Rand, documents [][]byte) []byte {
	const likely = "0123456789abcxyzE+-.,:;'\"\\/<>[]{}()&=# \n\t\x00\x80\xff"
	text := slices.Clone(pick(rng, documents))
	for range pick(rng, []int{1, 1, 1, 2, 3, 8}) {
		from := rng.IntN(len(text) + 1)
		to := min(len(text), from+pick(rng, []int{1, 1, 2, 5, 20}))
		switch rng.IntN(7) {
		case 0:
			text = slices.Delete(text, from, to)
		case 1:
			text = slices.Insert(text, from, slices.Clone(text[from:to])...)
		case 2:
			for i := from; i < to; i++ {
				text[i] = likely[rng.IntN(len(likely))]
			}
		case 3:
			piece := slices.Clone(text[from:to])
			text = slices.Delete(text, from, to)
			text = slices.Insert(text, rng.IntN(len(text)+1), piece...)
		case 4:
			if rng.Float64() < 0.3 {
				text = text[:from]
			}
		case 5:
			other := pick(rng, documents)
			text = append(text[:from], other[rng.IntN(len(other)+1):]...)
		case 6:
			text = slices.Replace(text, from, to, bytes.Repeat(text[from:to], pick(rng, []int{2, 3, 40}))...)
		}
	}
	return text
}
