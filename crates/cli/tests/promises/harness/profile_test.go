package promises

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"
)

// Go can unwind the stack at every instruction of Rust code. The test takes a CPU profile while it calls all functions of all test packages. The
// stack of each sample in Rust code must include the Go function that made the call.
func TestNoSampleEndsInRust(t *testing.T) {
	if len(functions) == 0 {
		t.Skip("no functions")
	}
	var out bytes.Buffer
	runtime.SetCPUProfileRate(2000)
	if err := pprof.StartCPUProfile(&out); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
		for _, f := range functions {
			callForProfile(f)
		}
	}
	pprof.StopCPUProfile()
	inRust := 0
	for _, stack := range stacks(t, &out) {
		first := -1
		for i, f := range stack {
			if first < 0 && strings.HasSuffix(f[1], ".rs") {
				first = i
			}
		}
		// Panic messages are formatted on a separate stack, so the stack of such a sample does not include the Go caller.
		if first < 0 || strings.Contains(stack[len(stack)-1][1], "rt/panic_") {
			continue
		}
		inRust++
		found := false
		for _, f := range stack[first:] {
			// Finalizers call Rust too: after a collection a finalizer reads the size of the Rust heap.
			found = found || strings.Contains(f[0], "callForProfile") || slices.Contains(roots, f[0])
		}
		if !found && len(stack) < 60 {
			t.Errorf("the stack ends early: %v", stack)
		}
	}
	if inRust == 0 && !emulated {
		t.Error("no sample is in Rust")
	}
	t.Log(inRust, " samples")
}

// roots are the outermost functions of goroutines that run finalizers and cleanups.
var roots = []string{"runtime.runFinalizers", "runtime.runCleanups", "runtime.runfinq"}

//go:noinline
func callForProfile(f func(uint64) uint64) {
	for x := range uint64(50) {
		line(f, x)
	}
}

// message parses a protocol buffers message, and calls field for each field. The value of a field is a number or bytes.
func message(data []byte, field func(tag int, number uint64, bytes []byte)) {
	for len(data) > 0 {
		key, n := binary.Uvarint(data)
		value, m := binary.Uvarint(data[n:])
		data = data[n+m:]
		if key&7 == 2 {
			field(int(key>>3), 0, data[:value])
			data = data[value:]
		} else {
			field(int(key>>3), value, nil)
		}
	}
}

// stacks parses a CPU profile. It returns the stack of each sample: the function and file of each frame, innermost frame first.
func stacks(t *testing.T, profile io.Reader) (all [][][2]string) {
	unzipped, err := gzip.NewReader(profile)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	var samples [][]uint64
	lines, names := map[uint64][]uint64{}, map[uint64][2]uint64{}
	message(data, func(tag int, _ uint64, bytes []byte) {
		var id uint64
		switch tag {
		case 2: // sample
			var sample []uint64
			message(bytes, func(tag int, number uint64, bytes []byte) {
				if tag == 1 && bytes == nil {
					sample = append(sample, number)
				}
				for tag == 1 && len(bytes) > 0 {
					id, n := binary.Uvarint(bytes)
					sample, bytes = append(sample, id), bytes[n:]
				}
			})
			samples = append(samples, sample)
		case 4: // location
			var functions []uint64
			message(bytes, func(tag int, number uint64, bytes []byte) {
				if tag == 1 {
					id = number
				} else if tag == 4 {
					message(bytes, func(tag int, number uint64, _ []byte) {
						if tag == 1 {
							functions = append(functions, number)
						}
					})
				}
			})
			lines[id] = functions
		case 5: // function
			var name [2]uint64
			message(bytes, func(tag int, number uint64, _ []byte) {
				switch tag {
				case 1:
					id = number
				case 2:
					name[0] = number
				case 4:
					name[1] = number
				}
			})
			names[id] = name
		case 6:
			texts = append(texts, string(bytes))
		}
	})
	for _, sample := range samples {
		var stack [][2]string
		for _, location := range sample {
			for _, function := range lines[location] {
				name := names[function]
				stack = append(stack, [2]string{texts[name[0]], texts[name[1]]})
			}
		}
		all = append(all, stack)
	}
	return all
}
