package main

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	uniffi "rustgo.dev/bench/peers/border"
	"rustgo.dev/packages/bordercost"
)

var (
	numbers  = make([]uint64, 16)
	text16   = "sixteen letters."
	text4096 = string(make([]byte, 4096))
)

// unchecked says that cgo's pointer checks are off: #[cgo_call] of rust2go panics with them.
var unchecked = strings.Contains(os.Getenv("GODEBUG"), "cgocheck=0")

func used(b *testing.B, x uint64) {
	if x == 0 && b.N > 1 {
		b.Fatal("the calls return zero")
	}
}

// TestSame checks that all bindings give the same.
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

// BenchmarkBorder: each call needs the result of the one before. Loops as in rustgo's bench/border_test.go.
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
		"rustgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = bordercost.Increment(x)
			}
			used(b, x)
		},
		"uniffi": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = uniffi.Increment(x)
			}
			used(b, x)
		},
		"rust2go": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = asm.increment(&x)
			}
			used(b, x)
		},
		"rust2go-cgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = cgo.increment(&x)
			}
			used(b, x)
		},
	})
	row("Slice", loops{
		"rustgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = bordercost.Slice(x, numbers)
			}
			used(b, x)
		},
		"uniffi": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = uniffi.Slice(x, numbers)
			}
			used(b, x)
		},
		"rust2go": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = asm.slice(&x, &numbers)
			}
			used(b, x)
		},
		"rust2go-cgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = cgo.slice(&x, &numbers)
			}
			used(b, x)
		},
	})
	row("String16", loops{
		"rustgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = bordercost.Text(x, text16)
			}
			used(b, x)
		},
		"uniffi": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = uniffi.Text(x, text16)
			}
			used(b, x)
		},
		"rust2go": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = asm.text(&x, &text16)
			}
			used(b, x)
		},
		"rust2go-cgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = cgo.text(&x, &text16)
			}
			used(b, x)
		},
	})
	row("String4096", loops{
		"rustgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = bordercost.Text(x, text4096)
			}
			used(b, x)
		},
		"uniffi": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = uniffi.Text(x, text4096)
			}
			used(b, x)
		},
		"rust2go": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = asm.text(&x, &text4096)
			}
			used(b, x)
		},
		"rust2go-cgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = cgo.text(&x, &text4096)
			}
			used(b, x)
		},
	})
	row("StringOwned16", loops{
		"rustgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = bordercost.Owned(x, text16)
			}
			used(b, x)
		},
		"uniffi": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = uniffi.Owned(x, text16)
			}
			used(b, x)
		},
		"rust2go": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = asm.text(&x, &text16)
			}
			used(b, x)
		},
		"rust2go-cgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = cgo.text(&x, &text16)
			}
			used(b, x)
		},
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
			x := uint64(0)
			for range b.N {
				half, _ := bordercost.Half(x)
				x = half + 8
			}
			used(b, x)
		},
		"uniffi": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				half := uint64(0)
				if p := uniffi.Half(x); p != nil {
					half = *p
				}
				x = half + 8
			}
			used(b, x)
		},
		// rust2go's Option points into a dead stack frame: Half(40) gives garbage, see TestValues in ../r2gonly.
	})
	row("ResultOk", loops{
		"rustgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				half, err := bordercost.HalfOrCode(x)
				if err != nil {
					b.Fatal(err)
				}
				x = half &^ 1
			}
			used(b, x+1)
		},
		"uniffi": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				half, err := uniffi.HalfOrCode(x)
				if err != nil {
					b.Fatal(err)
				}
				x = half &^ 1
			}
			used(b, x+1)
		},
	})
	row("ResultErr", loops{
		"rustgo": func(b *testing.B) {
			x := uint64(1)
			for range b.N {
				half, err := bordercost.HalfOrCode(x)
				if err == nil {
					b.Fatal("no error")
				}
				x = half | 1
			}
			used(b, x)
		},
		"uniffi": func(b *testing.B) {
			x := uint64(1)
			for range b.N {
				half, err := uniffi.HalfOrCode(x)
				if err == nil {
					b.Fatal("no error")
				}
				x = half | 1
			}
			used(b, x)
		},
	})
	row("Vec16", loops{
		"rustgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = bordercost.List(x)[0]
			}
			used(b, x)
		},
		"uniffi": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = uniffi.List(x)[0]
			}
			used(b, x)
		},
		"rust2go": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = asm.list(&x)[0]
			}
			used(b, x)
		},
		"rust2go-cgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = cgo.list(&x)[0]
			}
			used(b, x)
		},
	})
	row("StringResult16", loops{
		"rustgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x += uint64(len(bordercost.Message(x)))
			}
			used(b, x)
		},
		"uniffi": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x += uint64(len(uniffi.Message(x)))
			}
			used(b, x)
		},
		"rust2go": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x += uint64(len(asm.message(&x)))
			}
			used(b, x)
		},
		"rust2go-cgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x += uint64(len(cgo.message(&x)))
			}
			used(b, x)
		},
	})
	row("Method", loops{
		"rustgo": func(b *testing.B) {
			constant := bordercost.NewConstant(1)
			x := uint64(0)
			for range b.N {
				x = constant.Plus(x)
			}
			used(b, x)
		},
		"uniffi": func(b *testing.B) {
			constant := uniffi.NewConstant(1)
			defer constant.Destroy()
			x := uint64(0)
			for range b.N {
				x = constant.Plus(x)
			}
			used(b, x)
		},
	})
	// rustgo's objects have no explicit end: the collector ends them. uniffi's have both.
	row("NewObject", loops{
		"rustgo": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = bordercost.NewConstant(1).Plus(x)
			}
			used(b, x)
		},
		"uniffi": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				constant := uniffi.NewConstant(1)
				x = constant.Plus(x)
				constant.Destroy()
			}
			used(b, x)
		},
		"uniffi-collected": func(b *testing.B) {
			x := uint64(0)
			for range b.N {
				x = uniffi.NewConstant(1).Plus(x)
			}
			used(b, x)
		},
	})
}

// cpu is how long a processor worked, for the thread (1, RUSAGE_THREAD) or the process: the machine has other users.
func cpu(who int) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano() + u.Stime.Nano())
}

// resident is the memory that the process has, in bytes.
func resident() int {
	text, _ := os.ReadFile("/proc/self/statm")
	pages, _ := strconv.Atoi(strings.Fields(string(text))[1])
	return pages * os.Getpagesize()
}

// TestGrowth reports how much memory a million calls leave behind.
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
