//go:build cgo && linux

package callbacks

import (
	"bytes"
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"rustgo.dev/fixtures/bordercost"
)

const text = "a text of 23 characters"

// wazeroLoop returns the loop of the WebAssembly module.
func wazeroLoop(tb testing.TB) func(n uint64) uint64 {
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	tb.Cleanup(func() { runtime.Close(ctx) })
	host := runtime.NewHostModuleBuilder("env").NewFunctionBuilder()
	called := api.GoFunc(func(_ context.Context, stack []uint64) { stack[0] = step(stack[0]) })
	host.WithGoFunction(called, []api.ValueType{api.ValueTypeI64}, []api.ValueType{api.ValueTypeI64}).Export("step").Instantiate(ctx)
	module, err := runtime.Instantiate(ctx, loopModule)
	if err != nil {
		tb.Fatal(err)
	}
	loop := module.ExportedFunction("loop")
	return func(n uint64) uint64 {
		results, err := loop.Call(ctx, n)
		if err != nil {
			tb.Fatal(err)
		}
		return results[0]
	}
}

// qsort returns a function that sorts numbers with the C library's qsort, called by purego.
func qsort(tb testing.TB) func(numbers []uint64, compare uintptr) {
	library, err := purego.Dlopen("libc.so.6", purego.RTLD_NOW)
	if err != nil {
		tb.Fatal(err)
	}
	var sort func(numbers unsafe.Pointer, n, size, compare uintptr)
	purego.RegisterLibFunc(&sort, library, "qsort")
	return func(numbers []uint64, compare uintptr) {
		sort(unsafe.Pointer(&numbers[0]), uintptr(len(numbers)), 8, compare)
	}
}

var byPurego = purego.NewCallback(func(a, b *uint64) uintptr { return uintptr(compare(*a, *b)) })

func shuffled(n int) []uint64 {
	random := rand.New(rand.NewPCG(1, 2))
	numbers := make([]uint64, n)
	for i := range numbers {
		numbers[i] = random.Uint64()
	}
	return numbers
}

func TestWaysAgree(t *testing.T) {
	const n = 1000
	for name, got := range map[string]uint64{"rustgo": bordercost.CallBack(n, step), "cgo": cgoLoop(n), "wazero": wazeroLoop(t)(n)} {
		if got != n {
			t.Errorf("%s: %d", name, got)
		}
	}
	want, err := bordercost.CallBackText(n, text, textLength)
	if got := cgoLoopText(n, text); got != want || want != n*uint64(len(text)) || err != nil {
		t.Error(got, want, err)
	}
	sorted := shuffled(n)
	slices.Sort(sorted)
	sort := qsort(t)
	for name, by := range map[string]func([]uint64){
		"rustgo": func(xs []uint64) { bordercost.SortBy(xs, compare) },
		"cgo":    cgoSort,
		"purego": func(xs []uint64) { sort(xs, byPurego) },
	} {
		numbers := shuffled(n)
		if by(numbers); !slices.Equal(numbers, sorted) {
			t.Errorf("%s does not sort", name)
		}
	}
	data := make([]byte, 100000)
	if sum, err := bordercost.Checksum(bytes.NewReader(data), 4096); sum != bordercost.ChecksumBytes(data, 4096) || err != nil {
		t.Error(sum, err)
	}
}

var sink uint64

// BenchmarkCallback measures one callback with a number and a result.
func BenchmarkCallback(b *testing.B) {
	b.Run("rustgo", func(b *testing.B) { sink = bordercost.CallBack(uint64(b.N), step) })
	b.Run("cgo", func(b *testing.B) { sink = cgoLoop(uint64(b.N)) })
	b.Run("wazero", func(b *testing.B) {
		loop := wazeroLoop(b)
		b.ResetTimer()
		sink = loop(uint64(b.N))
	})
}

// BenchmarkText measures one callback with a text as the argument, and with a result and an error. Go gets a copy of the text.
func BenchmarkText(b *testing.B) {
	b.Run("rustgo", func(b *testing.B) { sink, _ = bordercost.CallBackText(uint64(b.N), text, textLength) })
	b.Run("cgo", func(b *testing.B) { sink = cgoLoopText(uint64(b.N), text) })
}

// BenchmarkSort sorts a million numbers by a comparison in Go.
func BenchmarkSort(b *testing.B) {
	sort := qsort(b)
	for _, way := range []struct {
		name string
		sort func([]uint64)
	}{
		{"rustgo", func(xs []uint64) { bordercost.SortBy(xs, compare) }},
		{"slices.SortFunc", func(xs []uint64) { slices.SortFunc(xs, func(a, b uint64) int { return cmp.Compare(a, b) }) }},
		{"cgo", cgoSort},
		{"purego", func(xs []uint64) { sort(xs, byPurego) }},
	} {
		b.Run(way.name, func(b *testing.B) {
			numbers, unsorted := shuffled(1_000_000), shuffled(1_000_000)
			for range b.N {
				b.StopTimer()
				copy(numbers, unsorted)
				b.StartTimer()
				way.sort(numbers)
			}
		})
	}
}

// BenchmarkReader reads 16 MiB in pieces of 4 KiB and hashes each byte.
func BenchmarkReader(b *testing.B) {
	data := make([]byte, 16<<20)
	b.Run("rustgo", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for range b.N {
			sink, _ = bordercost.Checksum(bytes.NewReader(data), 4096)
		}
	})
	b.Run("bytes", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for range b.N {
			sink = bordercost.ChecksumBytes(data, 4096)
		}
	})
}

// BenchmarkCall measures a call of an export that takes a Go function and does not call it.
func BenchmarkCall(b *testing.B) {
	b.Run("callback", func(b *testing.B) {
		for range b.N {
			sink += bordercost.CallBack(0, step)
		}
	})
	b.Run("task", func(b *testing.B) {
		for range b.N {
			sink = bordercost.TaskIncrement(sink)
		}
	})
	b.Run("ordinary", func(b *testing.B) {
		for range b.N {
			sink = bordercost.Increment(sink)
		}
	})
}
