package main

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	uniffi "rustgo.dev/bench/peers/border"
	"rustgo.dev/fixtures/bordercost"
)

var (
	numbers  = make([]uint64, 16)
	text16   = "sixteen letters."
	text4096 = string(make([]byte, 4096))
)

// unchecked reports whether cgo's pointer checks are off. If they are on, rust2go's #[cgo_call] panics.
var unchecked = strings.Contains(os.Getenv("GODEBUG"), "cgocheck=0")

func used(b *testing.B, x uint64) {
	if x == 0 && b.N > 1 {
		b.Fatal("the calls return zero")
	}
}

// TestSame checks that rustgo, uniffi and rust2go give the same results.
func TestSame(t *testing.T) {
	asm := AsmImpl{}
	x := uint64(40)
	same := func(name string, want uint64, got ...uint64) {
		t.Helper()
		for i, g := range got {
			if g != want {
				t.Errorf("%s %d: %d, not %d", name, i, g, want)
			}
		}
	}
	same("increment", 41, bordercost.Increment(x), uniffi.Increment(x), asm.increment(&x))
	same("slice", 56, bordercost.Slice(x, numbers), uniffi.Slice(x, numbers), asm.slice(&x, &numbers))
	same("text", 56, bordercost.Text(x, text16), uniffi.Text(x, text16), uniffi.Owned(x, text16), asm.text(&x, &text16))
	same("text4096", 4136, bordercost.Text(x, text4096), uniffi.Text(x, text4096), asm.text(&x, &text4096))
	p := bordercost.Turn(bordercost.Point{X: 1, Y: 2, Z: 3})
	u := uniffi.Turn(uniffi.Point{X: 1, Y: 2, Z: 3})
	a := asm.turn(&Triple{1, 2, 3})
	for _, q := range [][3]uint64{{p.X, p.Y, p.Z}, {u.X, u.Y, u.Z}, {a.x, a.y, a.z}} {
		if q != [3]uint64{2, 3, 2} {
			t.Error(q)
		}
	}
	h, ok := bordercost.Half(x)
	if !ok {
		t.Error("none")
	}
	same("half", 20, h, *uniffi.Half(x))
	odd := x + 1
	if _, ok := bordercost.Half(odd); ok || uniffi.Half(odd) != nil {
		t.Error("some")
	}
	if h, err := uniffi.HalfOrCode(x); err != nil || h != 20 {
		t.Error(h, err)
	}
	_, err1 := bordercost.HalfOrCode(odd)
	_, err2 := uniffi.HalfOrCode(odd)
	t.Log(err1, "/", err2)
	if err1 == nil || err2 == nil {
		t.Error("no error")
	}
	for _, l := range [][]uint64{bordercost.List(x), uniffi.List(x), asm.list(&x)} {
		if len(l) != 16 || l[0] != 41 || l[15] != 41 {
			t.Error(l)
		}
	}
	for _, s := range []string{bordercost.Message(x), uniffi.Message(x), asm.message(&x)} {
		if s != strings.Repeat("o", 16) {
			t.Error(s)
		}
	}
	if unchecked {
		cgo := CgoImpl{}
		same("cgo", 41, cgo.increment(&x), cgo.list(&x)[15])
		same("cgo", 56, cgo.slice(&x, &numbers), cgo.text(&x, &text16))
		if cgo.turn(&Triple{1, 2, 3}) != (Triple{2, 3, 2}) || cgo.message(&x) != strings.Repeat("o", 16) {
			t.Error("cgo")
		}
	}
	o := uniffi.NewConstant(2)
	same("plus", 42, bordercost.NewConstant(2).Plus(x), o.Plus(x))
	o.Destroy()
}

// chain calls next b.N times, each time with the previous result. The call through a function value adds no visible time: the row Scalar takes as
// long here as in rustgo's bench/border_test.go, whose loop calls the function directly.
func chain(b *testing.B, x uint64, next func(x uint64) uint64) {
	for range b.N {
		x = next(x)
	}
	used(b, x)
}

// chainAt does what chain does, for functions that take the address of a number. The number is allocated once.
func chainAt(b *testing.B, next func(x *uint64) uint64) {
	x := new(uint64)
	for range b.N {
		*x = next(x)
	}
	used(b, *x)
}

// BenchmarkBorder has the rows of rustgo's bench/border_test.go. Each call needs the result of the previous call.
func BenchmarkBorder(b *testing.B) {
	asm, cgo := AsmImpl{}, CgoImpl{}
	type loops map[string]func(b *testing.B)
	ways := []string{"rustgo", "uniffi", "uniffi-collected", "rust2go"}
	if unchecked {
		ways = append(ways, "rust2go-cgo")
	}
	row := func(name string, l loops) {
		b.Run(name, func(b *testing.B) {
			for _, way := range ways {
				if f, ok := l[way]; ok {
					b.Run(way, func(b *testing.B) {
						runtime.LockOSThread()
						defer runtime.UnlockOSThread()
						thread, process := cpu(1), cpu(syscall.RUSAGE_SELF)
						f(b)
						b.ReportMetric((cpu(1)-thread)/float64(b.N), "thread-ns/op")
						b.ReportMetric((cpu(syscall.RUSAGE_SELF)-process)/float64(b.N), "process-ns/op")
					})
				}
			}
		})
	}
	row("Scalar", loops{
		"rustgo":      func(b *testing.B) { chain(b, 0, func(x uint64) uint64 { return bordercost.Increment(x) }) },
		"uniffi":      func(b *testing.B) { chain(b, 0, func(x uint64) uint64 { return uniffi.Increment(x) }) },
		"rust2go":     func(b *testing.B) { chainAt(b, func(x *uint64) uint64 { return asm.increment(x) }) },
		"rust2go-cgo": func(b *testing.B) { chainAt(b, func(x *uint64) uint64 { return cgo.increment(x) }) },
	})
	row("Slice", loops{
		"rustgo":      func(b *testing.B) { chain(b, 0, func(x uint64) uint64 { return bordercost.Slice(x, numbers) }) },
		"uniffi":      func(b *testing.B) { chain(b, 0, func(x uint64) uint64 { return uniffi.Slice(x, numbers) }) },
		"rust2go":     func(b *testing.B) { chainAt(b, func(x *uint64) uint64 { return asm.slice(x, &numbers) }) },
		"rust2go-cgo": func(b *testing.B) { chainAt(b, func(x *uint64) uint64 { return cgo.slice(x, &numbers) }) },
	})
	row("String16", loops{
		"rustgo":      func(b *testing.B) { chain(b, 0, func(x uint64) uint64 { return bordercost.Text(x, text16) }) },
		"uniffi":      func(b *testing.B) { chain(b, 0, func(x uint64) uint64 { return uniffi.Text(x, text16) }) },
		"rust2go":     func(b *testing.B) { chainAt(b, func(x *uint64) uint64 { return asm.text(x, &text16) }) },
		"rust2go-cgo": func(b *testing.B) { chainAt(b, func(x *uint64) uint64 { return cgo.text(x, &text16) }) },
	})
	row("String4096", loops{
		"rustgo":      func(b *testing.B) { chain(b, 0, func(x uint64) uint64 { return bordercost.Text(x, text4096) }) },
		"uniffi":      func(b *testing.B) { chain(b, 0, func(x uint64) uint64 { return uniffi.Text(x, text4096) }) },
		"rust2go":     func(b *testing.B) { chainAt(b, func(x *uint64) uint64 { return asm.text(x, &text4096) }) },
		"rust2go-cgo": func(b *testing.B) { chainAt(b, func(x *uint64) uint64 { return cgo.text(x, &text4096) }) },
	})
	row("StringOwned16", loops{
		"rustgo":      func(b *testing.B) { chain(b, 0, func(x uint64) uint64 { return bordercost.Owned(x, text16) }) },
		"uniffi":      func(b *testing.B) { chain(b, 0, func(x uint64) uint64 { return uniffi.Owned(x, text16) }) },
		"rust2go":     func(b *testing.B) { chainAt(b, func(x *uint64) uint64 { return asm.text(x, &text16) }) },
		"rust2go-cgo": func(b *testing.B) { chainAt(b, func(x *uint64) uint64 { return cgo.text(x, &text16) }) },
	})
	row("Struct", loops{
		"rustgo": func(b *testing.B) {
			var p bordercost.Point
			for range b.N {
				p = bordercost.Turn(p)
			}
			used(b, p.X)
		},
		"uniffi": func(b *testing.B) {
			var p uniffi.Point
			for range b.N {
				p = uniffi.Turn(p)
			}
			used(b, p.X)
		},
		"rust2go": func(b *testing.B) {
			var p Triple
			for range b.N {
				p = asm.turn(&p)
			}
			used(b, p.x)
		},
		"rust2go-cgo": func(b *testing.B) {
			var p Triple
			for range b.N {
				p = cgo.turn(&p)
			}
			used(b, p.x)
		},
	})
	row("Option", loops{
		"rustgo": func(b *testing.B) {
			chain(b, 0, func(x uint64) uint64 {
				half, _ := bordercost.Half(x)
				return half + 8
			})
		},
		"uniffi": func(b *testing.B) {
			chain(b, 0, func(x uint64) uint64 {
				half := uint64(0)
				if p := uniffi.Half(x); p != nil {
					half = *p
				}
				return half + 8
			})
		},
		// There is no loop for rust2go: a call can return an Option that rust2go has not filled in, see ../README.md.
	})
	row("ResultOk", loops{
		"rustgo": func(b *testing.B) {
			chain(b, 0, func(x uint64) uint64 {
				half, err := bordercost.HalfOrCode(x)
				if err != nil {
					b.Fatal(err)
				}
				return half&^1 + 2
			})
		},
		"uniffi": func(b *testing.B) {
			chain(b, 0, func(x uint64) uint64 {
				half, err := uniffi.HalfOrCode(x)
				if err != nil {
					b.Fatal(err)
				}
				return half&^1 + 2
			})
		},
	})
	row("ResultErr", loops{
		"rustgo": func(b *testing.B) {
			chain(b, 1, func(x uint64) uint64 {
				half, err := bordercost.HalfOrCode(x)
				if err == nil {
					b.Fatal("no error")
				}
				return half | 1
			})
		},
		"uniffi": func(b *testing.B) {
			chain(b, 1, func(x uint64) uint64 {
				half, err := uniffi.HalfOrCode(x)
				if err == nil {
					b.Fatal("no error")
				}
				return half | 1
			})
		},
	})
	row("Vec16", loops{
		"rustgo":      func(b *testing.B) { chain(b, 0, func(x uint64) uint64 { return bordercost.List(x)[0] }) },
		"uniffi":      func(b *testing.B) { chain(b, 0, func(x uint64) uint64 { return uniffi.List(x)[0] }) },
		"rust2go":     func(b *testing.B) { chainAt(b, func(x *uint64) uint64 { return asm.list(x)[0] }) },
		"rust2go-cgo": func(b *testing.B) { chainAt(b, func(x *uint64) uint64 { return cgo.list(x)[0] }) },
	})
	row("StringResult16", loops{
		"rustgo": func(b *testing.B) {
			chain(b, 0, func(x uint64) uint64 { return x + uint64(len(bordercost.Message(x))) })
		},
		"uniffi":      func(b *testing.B) { chain(b, 0, func(x uint64) uint64 { return x + uint64(len(uniffi.Message(x))) }) },
		"rust2go":     func(b *testing.B) { chainAt(b, func(x *uint64) uint64 { return *x + uint64(len(asm.message(x))) }) },
		"rust2go-cgo": func(b *testing.B) { chainAt(b, func(x *uint64) uint64 { return *x + uint64(len(cgo.message(x))) }) },
	})
	row("Method", loops{
		"rustgo": func(b *testing.B) {
			constant := bordercost.NewConstant(1)
			chain(b, 0, constant.Plus)
		},
		"uniffi": func(b *testing.B) {
			constant := uniffi.NewConstant(1)
			defer constant.Destroy()
			chain(b, 0, constant.Plus)
		},
	})
	// uniffi's objects are freed explicitly, and have a finalizer too.
	row("NewObject", loops{
		"rustgo": func(b *testing.B) {
			chain(b, 0, func(x uint64) uint64 {
				object := bordercost.NewClosable(1)
				x = object.Plus(x)
				if err := object.Close(); err != nil {
					b.Fatal(err)
				}
				return x
			})
		},
		"rustgo-collected": func(b *testing.B) { chain(b, 0, func(x uint64) uint64 { return bordercost.NewClosable(1).Plus(x) }) },
		"uniffi": func(b *testing.B) {
			chain(b, 0, func(x uint64) uint64 {
				constant := uniffi.NewConstant(1)
				x = constant.Plus(x)
				constant.Destroy()
				return x
			})
		},
		"uniffi-collected": func(b *testing.B) { chain(b, 0, func(x uint64) uint64 { return uniffi.NewConstant(1).Plus(x) }) },
	})
}

// cpu returns the processor time of the thread (who is 1, RUSAGE_THREAD) or of the process. Other programs on the machine affect processor time
// less than elapsed time.
func cpu(who int) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano() + u.Stime.Nano())
}

// resident returns the resident memory of the process, in bytes.
func resident() int {
	text, _ := os.ReadFile("/proc/self/statm")
	pages, _ := strconv.Atoi(strings.Fields(string(text))[1])
	return pages * os.Getpagesize()
}

// TestGrowth reports how much memory a million calls leave allocated.
func TestGrowth(t *testing.T) {
	const n = 1_000_000
	grow := func(name string, f func(x uint64) uint64) {
		x := f(0)
		before := resident()
		for range n {
			x = f(x)
		}
		t.Logf("%-28s %6.1f bytes for each call", name, float64(resident()-before)/n)
	}
	asm := AsmImpl{}
	grow("rustgo Increment", bordercost.Increment)
	grow("uniffi Increment", uniffi.Increment)
	grow("rust2go increment", func(x uint64) uint64 { return asm.increment(&x) })
	grow("rustgo List", func(x uint64) uint64 { return bordercost.List(x)[0] })
	grow("uniffi List", func(x uint64) uint64 { return uniffi.List(x)[0] })
	grow("rust2go list", func(x uint64) uint64 { return asm.list(&x)[0] })
	grow("rustgo Message", func(x uint64) uint64 { return x + uint64(len(bordercost.Message(x))) })
	grow("uniffi Message", func(x uint64) uint64 { return x + uint64(len(uniffi.Message(x))) })
	grow("rust2go message", func(x uint64) uint64 { return x + uint64(len(asm.message(&x))) })
}
