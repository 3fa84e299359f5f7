//go:build (amd64 || arm64) && !purego

package evm

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"testing"

	"rustgo.dev/go/rt"
)

// FuzzAnalyses analyses damaged codes twice. The results must be equal, and the only error allowed is that the memory does not suffice. The memory has a
// limit, because code may demand any amount.
func FuzzAnalyses(f *testing.F) {
	for _, code := range codes(f) {
		f.Add(code)
	}
	code, _ := dispatcher()
	body := []byte{0x60, 4, 0x35, 0x60, 4, 0x01, 0x35, 0x54, 0x60, 0xff, 0x16, 0x5f, 0x55, 0}
	f.Add(body)
	f.Add(append(code, body...))
	rt.SetMemoryLimit(1 << 30)
	f.Fuzz(func(t *testing.T, code []byte) {
		if len(code) > 4096 {
			return
		}
		check := func(err error) bool {
			if err != nil && !errors.Is(err, ErrMemory) && !errors.Is(err, ErrNoMetadata) {
				t.Fatal(err)
			}
			return err == nil
		}
		functions, err := Functions(code)
		if check(err) {
			again, err := Selectors(code)
			check(err)
			for i, f := range functions {
				if i >= len(again) || again[i] != f.Selector {
					t.Fatalf("%v, and then %v", functions, again)
				}
			}
		}
		// With jumps, Storage takes seconds for some codes of 30 bytes, and the fuzzer allows ten seconds.
		if body, _ := dispatcher(); !bytes.ContainsAny(code, "\x56\x57") {
			body = append(body, code...)
			first, err := Storage(body)
			if check(err) {
				second, err := Storage(body)
				check(err)
				if !reflect.DeepEqual(first, second) {
					t.Fatalf("%v, and then %v", first, second)
				}
			}
		}
		graph, err := ControlFlow(code)
		if check(err) {
			blocks, err := BasicBlocks(code)
			check(err)
			for _, b := range graph {
				if !slices.Contains(blocks, b.Range) {
					t.Fatalf("%v is not a basic block", b)
				}
			}
		}
		_, err = Disassemble(code)
		check(err)
		_, err = ReadMetadata(code)
		check(err)
	})
}
