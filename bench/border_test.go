package bench

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"rustgo.dev/fixtures/bordercost"
)

// The inputs of BenchmarkBorder.
var (
	borderNumbers = make([]uint64, 16)
	borderText    = "sixteen letters."
	longText      = string(make([]byte, 4096))
)

// elements is the number of elements of an iterator. An operation of the benchmark is one element, so the reported time is the time per element.
const elements = 4096

// viaCgo maps a row of BenchmarkBorder and a way, such as Scalar/cgo-Rust, to the loop in border_cgo_test.go.
var viaCgo = map[string]func(b *testing.B){}

// BenchmarkBorder has a row for each conversion of arguments and results. Each call has the result of the previous call as its argument, so that the
// processor cannot execute two calls at the same time. Each loop calls its function directly, because a call through a function value would cost as
// much as the measured call.
func BenchmarkBorder(b *testing.B) {
	counter, constant, tally := bordercost.NewCounter(1), bordercost.NewConstant(1), bordercost.Tally{}
	row := func(name, cgo string, f func(b *testing.B)) {
		b.Run(name+"/rustgo", f)
		if cgo == "" {
			cgo = name
		}
		for _, way := range []string{"cgo-Rust", "cgo-Rust-batches"} {
			if f, ok := viaCgo[cgo+"/"+way]; ok {
				b.Run(name+"/"+way, f)
			}
		}
	}
	row("Scalar", "", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = bordercost.Increment(x)
		}
		used(b, x)
	})
	row("Task", "Scalar", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = bordercost.TaskIncrement(x)
		}
		used(b, x)
	})
	row("Callback", "none", func(b *testing.B) {
		used(b, bordercost.CallBack(uint64(b.N), func(x uint64) uint64 { return x + 1 }))
	})
	row("Slice", "", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = bordercost.Slice(x, borderNumbers)
		}
		used(b, x)
	})
	row("StringUnchecked", "", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = bordercost.Bytes(x, borderText)
		}
		used(b, x)
	})
	row("String16", "", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = bordercost.Text(x, borderText)
		}
		used(b, x)
	})
	row("String4096", "", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = bordercost.Text(x, longText)
		}
		used(b, x)
	})
	row("StringOwned16", "", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = bordercost.Owned(x, borderText)
		}
		used(b, x)
	})
	row("Struct", "", func(b *testing.B) {
		var p bordercost.Point
		for range b.N {
			p = bordercost.Turn(p)
		}
		used(b, p.X)
	})
	row("StructPointer", "", func(b *testing.B) {
		var p bordercost.Point
		for range b.N {
			bordercost.Move(&p)
		}
		used(b, p.X)
	})
	row("Option", "", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			half, _ := bordercost.Half(x)
			x = half + 8
		}
		used(b, x)
	})
	row("ResultOk", "", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			half, err := bordercost.HalfOrCode(x)
			if err != nil {
				b.Fatal(err)
			}
			x = half &^ 1
		}
		used(b, x+1)
	})
	row("ResultErrNumber", "", func(b *testing.B) {
		x := uint64(1)
		for range b.N {
			half, err := bordercost.HalfOrCode(x)
			if err == nil {
				b.Fatal("no error")
			}
			x = half | 1
		}
		used(b, x)
	})
	row("ResultErrText", "", func(b *testing.B) {
		x := uint64(1)
		for range b.N {
			half, err := bordercost.HalfOrText(x)
			if err == nil {
				b.Fatal("no error")
			}
			x = half | 1
		}
		used(b, x)
	})
	row("Vec16", "", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = bordercost.List(x)[0]
		}
		used(b, x)
	})
	row("StringResult16", "", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x += uint64(len(bordercost.Message(x)))
		}
		used(b, x)
	})
	row("Append16", "", func(b *testing.B) {
		x, dst := uint64(0), make([]uint64, 0, 16)
		for range b.N {
			x = bordercost.AppendList(dst, x)[0]
		}
		used(b, x)
	})
	row("MethodOfSharedObject", "Method", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = constant.Plus(x)
		}
		used(b, x)
	})
	row("MethodShared", "Method", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = counter.Plus(x)
		}
		used(b, x)
	})
	row("MethodExclusive", "", func(b *testing.B) {
		for x := range uint64(b.N) {
			counter.Add(x)
		}
		used(b, counter.Plus(1))
	})
	lock := &guarded{value: 1}
	b.Run("MethodShared/Go-RWMutex", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = lock.plus(x)
		}
		used(b, x)
	})
	b.Run("MethodExclusive/Go-RWMutex", func(b *testing.B) {
		for x := range uint64(b.N) {
			lock.add(x)
		}
		used(b, lock.plus(1))
	})
	row("MethodInline", "MethodExclusive", func(b *testing.B) {
		for x := range uint64(b.N) {
			tally.Add(x + 1)
		}
		used(b, tally.Sum())
	})
	row("NewObject", "", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			object := bordercost.NewClosable(1)
			x = object.Plus(x)
			if err := object.Close(); err != nil {
				b.Fatal(err)
			}
		}
		used(b, x)
	})
	// The collector ends the objects.
	row("NewObjectCollected", "NewObject", func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = bordercost.NewConstant(1).Plus(x)
		}
		used(b, x)
	})
	row("IteratorElement", "", func(b *testing.B) {
		sum := uint64(1)
		for left := uint64(b.N); left > 0; left -= min(left, elements) {
			for x := range bordercost.Count(min(left, elements)) {
				sum += x
			}
		}
		used(b, sum)
	})
}

// used makes the benchmark fail if the result x is 0. Without a use of its result, the compiler could remove the measured calls.
func used(b *testing.B, x uint64) {
	if x == 0 && b.N > 1 {
		b.Fatal("the calls return zero")
	}
}

// guarded is an object with many readers and few writers, as Go programs usually write it.
type guarded struct {
	sync.RWMutex
	value uint64
}

func (g *guarded) plus(x uint64) uint64 {
	g.RLock()
	defer g.RUnlock()
	return plus(x, g.value)
}

func (g *guarded) add(x uint64) {
	g.Lock()
	defer g.Unlock()
	g.value = plus(x, g.value)
}

//go:noinline
func plus(x, y uint64) uint64 { return x + y }

// BenchmarkShared calls a &self method of one object from several goroutines, which divide the b.N calls among them. If the method scales
// perfectly, twice the processors halve the time.
func BenchmarkShared(b *testing.B) {
	counter, constant, lock := bordercost.NewCounter(1), bordercost.NewConstant(1), &guarded{value: 1}
	for _, n := range []int{1, 2, 4, 8} {
		share := func(b *testing.B, loop func(rounds int) uint64) {
			var sum atomic.Uint64
			var all sync.WaitGroup
			b.ResetTimer()
			for i := range n {
				all.Add(1)
				go func() {
					defer all.Done()
					sum.Add(loop(b.N*(i+1)/n - b.N*i/n))
				}()
			}
			all.Wait()
			if sum.Load() != uint64(b.N) {
				b.Errorf("%d calls, not %d", sum.Load(), b.N)
			}
		}
		run := func(way string, loop func(rounds int) uint64) {
			b.Run(fmt.Sprintf("%dgoroutines/%s", n, way), func(b *testing.B) { share(b, loop) })
		}
		run("rustgo", func(rounds int) (x uint64) {
			for range rounds {
				x = constant.Plus(x)
			}
			return x
		})
		run("rustgo-with-exclusive-methods", func(rounds int) (x uint64) {
			for range rounds {
				x = counter.Plus(x)
			}
			return x
		})
		run("Go-RWMutex", func(rounds int) (x uint64) {
			for range rounds {
				x = lock.plus(x)
			}
			return x
		})
		run("Go-without-lock", func(rounds int) (x uint64) {
			for range rounds {
				x = plus(x, lock.value)
			}
			return x
		})
	}
}
