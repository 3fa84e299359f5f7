//go:build cgo && rustnative

package bench

import (
	"testing"

	"rustgo.dev/bench/internal/viacgo"
)

// These are the loops of BenchmarkBorder that call Rust by cgo.
func init() {
	viaCgo["Scalar/cgo-Rust"] = func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = viacgo.BorderIncrement(x)
		}
		used(b, x)
	}
	viaCgo["Slice/cgo-Rust"] = func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = viacgo.Slice(x, borderNumbers)
		}
		used(b, x)
	}
	viaCgo["StringUnchecked/cgo-Rust"] = func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = viacgo.Bytes(x, borderText)
		}
		used(b, x)
	}
	viaCgo["String16/cgo-Rust"] = func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = viacgo.Text(x, borderText)
		}
		used(b, x)
	}
	viaCgo["String4096/cgo-Rust"] = func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = viacgo.Text(x, longText)
		}
		used(b, x)
	}
	viaCgo["StringOwned16/cgo-Rust"] = func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = viacgo.Owned(x, borderText)
		}
		used(b, x)
	}
	viaCgo["Struct/cgo-Rust"] = func(b *testing.B) {
		var p viacgo.Point
		for range b.N {
			p = viacgo.Turn(p)
		}
		used(b, p.X)
	}
	viaCgo["StructPointer/cgo-Rust"] = func(b *testing.B) {
		var p viacgo.Point
		for range b.N {
			viacgo.Move(&p)
		}
		used(b, p.X)
	}
	viaCgo["Option/cgo-Rust"] = func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			half, _ := viacgo.Half(x)
			x = half + 8
		}
		used(b, x)
	}
	viaCgo["ResultOk/cgo-Rust"] = func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			half, err := viacgo.HalfOrCode(x)
			if err != nil {
				b.Fatal(err)
			}
			x = half &^ 1
		}
		used(b, x+1)
	}
	viaCgo["ResultErrNumber/cgo-Rust"] = func(b *testing.B) {
		x := uint64(1)
		for range b.N {
			half, err := viacgo.HalfOrCode(x)
			if err == nil {
				b.Fatal("no error")
			}
			x = half | 1
		}
		used(b, x)
	}
	viaCgo["ResultErrText/cgo-Rust"] = func(b *testing.B) {
		x := uint64(1)
		for range b.N {
			half, err := viacgo.HalfOrText(x)
			if err == nil {
				b.Fatal("no error")
			}
			x = half | 1
		}
		used(b, x)
	}
	viaCgo["Vec16/cgo-Rust"] = func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x = viacgo.List(x)[0]
		}
		used(b, x)
	}
	viaCgo["StringResult16/cgo-Rust"] = func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			x += uint64(len(viacgo.Message(x)))
		}
		used(b, x)
	}
	viaCgo["Append16/cgo-Rust"] = func(b *testing.B) {
		x, dst := uint64(0), make([]uint64, 0, 16)
		for range b.N {
			x = viacgo.AppendList(dst, x)[0]
		}
		used(b, x)
	}
	viaCgo["Method/cgo-Rust"] = func(b *testing.B) {
		counter := viacgo.NewCounter(1)
		defer counter.Free()
		x := uint64(0)
		for range b.N {
			x = counter.Plus(x)
		}
		used(b, x)
	}
	viaCgo["MethodExclusive/cgo-Rust"] = func(b *testing.B) {
		counter := viacgo.NewCounter(1)
		defer counter.Free()
		for x := range uint64(b.N) {
			counter.Add(x)
		}
		used(b, counter.Plus(1))
	}
	viaCgo["NewObject/cgo-Rust"] = func(b *testing.B) {
		x := uint64(0)
		for range b.N {
			counter := viacgo.NewCounter(1)
			x = counter.Plus(x)
			counter.Free()
		}
		used(b, x)
	}
	viaCgo["IteratorElement/cgo-Rust"] = func(b *testing.B) {
		sum := uint64(1)
		for left := uint64(b.N); left > 0; left -= min(left, elements) {
			for x := range viacgo.Count(min(left, elements)) {
				sum += x
			}
		}
		used(b, sum)
	}
	viaCgo["IteratorElement/cgo-Rust-batches"] = func(b *testing.B) {
		sum := uint64(1)
		for left := uint64(b.N); left > 0; left -= min(left, elements) {
			for x := range viacgo.CountBatches(min(left, elements)) {
				sum += x
			}
		}
		used(b, sum)
	}
}
