package promises

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"rustgo.dev/go/rt"
	"scratch/callbacks"
)

func TestCallbacks(t *testing.T) {
	numbers := []uint64{5, 3, 9, 1, 3}
	callbacks.Sort(numbers, func(a, b uint64) bool { return a < b })
	if !slices.Equal(numbers, []uint64{1, 3, 3, 5, 9}) {
		t.Error(numbers)
	}
	if got := callbacks.Repeat(10, func(i uint64) uint64 { return i * i }); got != 285 {
		t.Error(got)
	}
	f := func(a uint8, b float64, c int16, d [3]uint32) float32 {
		return float32(a) + float32(b) + float32(c) + float32(d[0]+d[1]+d[2])
	}
	g := func(b bool, r rune) [2]uint16 {
		if b && r == 'é' {
			return [2]uint16{1, 2}
		}
		return [2]uint16{}
	}
	if x, y, z := callbacks.Mixed(f, g, func() int64 { return -3 }); x != 198.5 || y != 2 || z != -3 {
		t.Error(x, y, z)
	}
	var heard []string
	take := func(word string, units []uint16, n uint32) bool {
		heard = append(heard, fmt.Sprint(word, len(units), n))
		return n < 3
	}
	callbacks.Words("a", take)
	before := rt.HeapLive()
	heard = nil
	if n := callbacks.Words("a bü c d", take); n != 3 || strings.Join(heard, " ") != "a1 1 bü2 2 c1 3" {
		t.Error(n, heard)
	}
	if live := rt.HeapLive(); live != before {
		t.Errorf("%d bytes are live, before %d", live, before)
	}
	var dropped uint64
	if callbacks.Guarded(&dropped, nil) || !callbacks.Guarded(&dropped, func() {}) || dropped != 2 {
		t.Error(dropped)
	}
	if p := panicked(t, "Repeat", func() { callbacks.Repeat(1, nil) }); p.Message != "nil pointer passed for parameter f" {
		t.Error(p)
	}
	for n := range uint64(200) {
		if got := callbacks.Descend(n, func(depth uint64) {
			if depth != n+1 {
				t.Error(depth, n)
			}
		}); got != 0 {
			t.Error(got)
		}
	}
}

type ownPanic struct{ number int }

// caughtValue returns the value of the panic of f.
func caughtValue(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

// A panic of a Go function keeps its value when it unwinds Rust functions. Their destructors run, and their locks are released.
func TestCallbacksThatPanic(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	failure := errors.New("an error")
	for round := range times(30) {
		var dropped uint64
		for i, value := range []any{ownPanic{round}, failure, "a text"} {
			if got := caughtValue(func() { callbacks.Guarded(&dropped, func() { panic(value) }) }); got != value || dropped != uint64(i)+1 {
				t.Errorf("%v, %d", got, dropped)
			}
		}
		var fault runtime.Error
		if err, _ := caughtValue(func() { callbacks.Repeat(1, func(i uint64) uint64 { return []uint64{}[i] }) }).(error); !errors.As(err, &fault) {
			t.Error(err)
		}
		if !callbacks.Catches(false, func() { panic("caught") }) || callbacks.Catches(false, func() {}) {
			t.Error("Catches")
		}
		if got := caughtValue(func() { callbacks.Catches(true, func() { panic(ownPanic{1}) }) }); got != (ownPanic{1}) {
			t.Error(got)
		}
		for _, f := range []func(){func() {}, func() { panic("first") }} {
			if p := panicked(t, "FailsAfter", func() { callbacks.FailsAfter(f) }); p.Message != "Rust's own panic" {
				t.Error(p)
			}
		}
		var order []uint64
		after := func(n uint64) { order = append(order, n) }
		if got := caughtValue(func() { callbacks.CallsInDrop(func() { panic(ownPanic{2}) }, after) }); got != (ownPanic{2}) || !slices.Equal(order, []uint64{2, 1}) {
			t.Error(got, order)
		}
		callbacks.CallsInDrop(func() {}, after)
		// A Go function calls Rust code that panics. This panic also unwinds the Rust code that has called the Go function.
		var inner *rt.Panic
		if err, _ := caughtValue(func() {
			callbacks.Guarded(&dropped, func() { callbacks.FailsAfter(func() {}) })
		}).(error); !errors.As(err, &inner) || inner.Message != "Rust's own panic" {
			t.Error(err)
		}
	}
	// A panic in the innermost of 20 nested calls unwinds through all of them.
	var dropped [20]uint64
	var nest func(n int)
	nest = func(n int) {
		if n == len(dropped) {
			panic(ownPanic{n})
		}
		callbacks.Catches(true, func() { callbacks.CallsInDrop(func() { nest(n + 1) }, func(uint64) { dropped[n]++ }) })
	}
	if got := caughtValue(func() { nest(0) }); got != (ownPanic{len(dropped)}) {
		t.Error(got)
	}
	for n, drops := range dropped {
		if drops != 2 {
			t.Errorf("call %d has run %d destructors", n, drops)
		}
	}
}

// runtime.Goexit in a Go function ends the goroutine after the Rust functions have unwound.
func TestCallbacksThatEndTheirGoroutine(t *testing.T) {
	for range times(50) {
		var dropped uint64
		var deferred, on bool
		done := make(chan bool)
		go func() {
			defer close(done)
			defer func() { deferred = recover() == nil }()
			callbacks.Guarded(&dropped, func() { runtime.Goexit() })
			on = true
		}()
		<-done
		if dropped != 1 || !deferred || on {
			t.Error(dropped, deferred, on)
		}
	}
}

// Go functions make the stack grow and move, collect, wait for other goroutines, and call Rust again.
func TestCallbacksNested(t *testing.T) {
	var wg sync.WaitGroup
	for g := range uint64(8) {
		wg.Go(func() {
			numbers := make([]uint64, times(300))
			for i := range numbers {
				numbers[i] = rand.Uint64N(1000)
			}
			calls := 0
			callbacks.Sort(numbers, func(a, b uint64) bool {
				calls++
				switch {
				case calls%97 == 0:
					growStack(100)
					runtime.GC()
				case calls%31 == 0:
					if got := callbacks.Repeat(3, func(i uint64) uint64 { runtime.Gosched(); return i + g }); got != 3+3*g {
						t.Error(got)
					}
				case calls%29 == 0:
					wait := make(chan bool)
					go func() { wait <- true }()
					<-wait
				case calls%23 == 0:
					if got := caughtValue(func() { callbacks.Catches(true, func() { panic(ownPanic{calls}) }) }); got != (ownPanic{calls}) {
						t.Error(got)
					}
				}
				return a < b
			})
			if !slices.IsSorted(numbers) {
				t.Error("the numbers are not sorted")
			}
		})
	}
	wg.Wait()
}

// growStack makes the stack grow by n KiB.
//
//go:noinline
func growStack(n int) (sum byte) {
	var block [1024]byte
	block[n%1024] = byte(n)
	if n > 0 {
		sum = growStack(n - 1)
	}
	return sum + block[n%1024/2]
}

// The memory that an export has borrowed stays where it is while the goroutine's stack moves.
func TestCallbacksOnAStackThatMoves(t *testing.T) {
	for range times(20) {
		done := make(chan bool)
		go func() {
			defer close(done)
			numbers, calls := [8]uint64{8, 7, 6, 5, 4, 3, 2, 1}, 0
			callbacks.Sort(numbers[:], func(a, b uint64) bool {
				if calls++; calls == 3 {
					growStack(300)
				}
				return a < b
			})
			var dropped uint64
			callbacks.Guarded(&dropped, func() { growStack(2000) })
			if numbers != [8]uint64{1, 2, 3, 4, 5, 6, 7, 8} || dropped != 1 {
				t.Error(numbers, dropped)
			}
		}()
		<-done
	}
}

// The destructor of a List runs on the goroutine's stack. The option `stack` states the stack size of tasks, and does not make this stack grow.
func TestDestructorsOfTasksKeepGoroutinesSmall(t *testing.T) {
	const goroutines = 20
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var ready, done sync.WaitGroup
	end := make(chan bool)
	for range goroutines {
		ready.Add(1)
		done.Add(1)
		go func() {
			list := callbacks.NewList(10)
			if got := list.Sum(); got != 45 {
				t.Error(got)
			}
			if err := list.Close(); err != nil {
				t.Error(err)
			}
			ready.Done()
			<-end
			done.Done()
		}()
	}
	ready.Wait()
	runtime.ReadMemStats(&after)
	close(end)
	done.Wait()
	if each := (after.StackInuse - before.StackInuse) / goroutines; each > 1<<20 {
		t.Errorf("a goroutine has a stack of %d KiB", each>>10)
	}
}

// Memory that Rust borrows stays alive until Rust returns or unwinds, although no Go code refers to it any more.
func TestCallbacksKeepArgumentsAlive(t *testing.T) {
	numbers := func() []uint64 { return slices.Repeat([]uint64{1}, 1000) }
	text := func() string { return strings.Repeat("t", 2000) }
	var waste [][]uint64
	for _, panics := range []bool{false, true} {
		var sums []uint64
		caughtValue(func() {
			callbacks.Lasts(numbers(), text(), new(uint64), func(sum uint64) {
				sums = append(sums, sum)
				runtime.GC()
				runtime.GC()
				for range 500 {
					waste = append(waste, slices.Repeat([]uint64{7}, 1000))
				}
				waste = nil
				if panics && len(sums) == 2 {
					panic(ownPanic{1})
				}
			})
		})
		want := []uint64{3001, 3002, 3003, 3004, 1000}
		if panics {
			want = []uint64{3001, 3002, 1000}
		}
		if !slices.Equal(sums, want) {
			t.Errorf("panics %v: %d", panics, sums)
		}
	}
}

// A Go function that Rust calls may write to the memory that the export has borrowed, because Rust works on copies. Rust's writes reach Go's memory
// when the export returns or panics.
func TestCallbacksThatWriteToBorrowedMemory(t *testing.T) {
	for _, panics := range []bool{false, true} {
		dst, src, rows := []uint64{1, 2, 3}, []uint64{10, 20, 30}, [][]byte{{1, 2}, nil}
		number, calls, last := uint64(100), 0, uint64(0)
		value := caughtValue(func() {
			callbacks.Fills(dst, src, &number, rows, func(x uint64) uint64 {
				calls++
				if want := []uint64{10, 20, 30}; calls <= 3 && x != want[calls-1] {
					t.Errorf("call %d gets %d", calls, x)
				}
				last = x
				for i := range dst {
					if dst[i] != uint64(i+1)*uint64(calls) {
						t.Errorf("call %d: element %d is %d", calls, i, dst[i])
					}
					dst[i] = uint64(i+1) * uint64(calls+1)
					src[i] = 999
				}
				number, rows[0][0], rows[1] = 0, 77, []byte{1}
				if panics && calls == 2 {
					panic(ownPanic{5})
				}
				return x + 1
			})
		})
		if panics {
			if value != (ownPanic{5}) || !slices.Equal(dst, []uint64{11, 2, 3}) || number != 101 {
				t.Error(value, dst, number)
			}
			continue
		}
		if value != nil || calls != 4 || last != 63+103 || !slices.Equal(dst, []uint64{11, 21, 31}) || number != 103 {
			t.Error(value, calls, last, dst, number)
		}
		if src[2] != 999 || rows[0][0] != 77 || len(rows[1]) != 1 {
			t.Error("a write of the Go function is lost:", src, rows)
		}
	}
	numbers := []uint64{4, 2, 3, 1}
	callbacks.Sort(numbers, func(a, b uint64) bool {
		numbers[0] = 1000
		return a < b
	})
	if !slices.Equal(numbers, []uint64{1, 2, 3, 4}) {
		t.Error(numbers)
	}
	value := uint64(5)
	callbacks.Sets(&value, func(x uint64) uint64 {
		value = 1000
		return x + 1
	})
	callbacks.Sets(nil, func(x uint64) uint64 { return x + 1 })
	if value != 6+7 {
		t.Error(value)
	}
	whole := []uint64{1, 2, 3, 4, 0, 0}
	if got := callbacks.AppendCalled(whole[:4], whole[:2], func(x uint64) uint64 {
		whole[0], whole[1] = 50, 60
		return 2 * x
	}); !slices.Equal(got, []uint64{50, 60, 3, 4, 2, 4}) || &got[0] != &whole[0] {
		t.Error(got)
	}
}

// Overlapping arguments are refused even if Rust gets copies of them.
func TestCallbacksWithArgumentsThatOverlap(t *testing.T) {
	whole := []uint64{1, 2, 3, 4, 5, 6}
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&whole[2])), 8)
	ignore := func(x uint64) uint64 {
		t.Error("called")
		return x
	}
	for want, call := range map[string]func(){
		"parameters dst and src overlap":    func() { callbacks.Fills(whole[:3], whole[2:], new(uint64), nil, ignore) },
		"parameters dst and number overlap": func() { callbacks.Fills(whole[:3], nil, &whole[2], nil, ignore) },
		"parameters src and number overlap": func() { callbacks.Fills(nil, whole[:3], &whole[0], nil, ignore) },
		"parameters dst and rows overlap":   func() { callbacks.Fills(whole[:3], nil, new(uint64), [][]byte{nil, raw[7:]}, ignore) },
	} {
		if p := panicked(t, "Fills", call); p.Message != want {
			t.Errorf("%s, not %s", p.Message, want)
		}
	}
	if p := panicked(t, "AppendCalled", func() { callbacks.AppendCalled(whole[:3], whole[2:4], ignore) }); p.Message != "parameters dst and src overlap" {
		t.Error(p)
	}
	callbacks.Fills(whole[:3], whole[3:], new(uint64), [][]byte{raw[8:], raw[:0]}, func(x uint64) uint64 { return x })
	if !slices.Equal(whole, []uint64{4, 5, 6, 4, 5, 6}) {
		t.Error(whole)
	}
}

// A fault leaves values on the x87 stack of its thread. Rust code that uses this stack finds it empty, even if the fault occurred in a Go function
// that the Rust code called.
func TestCallbacksEmptyTheX87Stack(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range 3 {
		if got := callbacks.Eight(func() { caughtValue(callbacks.Faults) }); got != 36 {
			t.Error(got)
		}
		caughtValue(callbacks.Faults)
		if got := callbacks.Eight(func() {}); got != 36 {
			t.Error(got)
		}
	}
}

func TestCallbacksWithObjects(t *testing.T) {
	sum := uint64(0)
	if got := callbacks.Stores(5, func(store *callbacks.Store, n int8) bool {
		store.Each(func(x uint64) { sum += x })
		return n == -1
	}); got != 5 || sum != 30 {
		t.Error(got, sum)
	}
}

func TestCallbacksOfObjects(t *testing.T) {
	store := callbacks.NewStore([]uint64{1, 2, 3})
	store.Update(func(x uint64) uint64 { return x * 10 })
	sum := uint64(0)
	store.Each(func(x uint64) { store.Each(func(y uint64) { sum += x * y }) })
	if sum != 3600 {
		t.Error(sum)
	}
	other := callbacks.NewStore([]uint64{1})
	if got := caughtValue(func() { other.Update(func(uint64) uint64 { panic(ownPanic{3}) }) }); got != (ownPanic{3}) {
		t.Error(got)
	}
}

//go:noinline
func callbackOfLock(panics error) { panic(panics) }

// A task that waits for a lock lets other goroutines run, so the holder of the lock can go on although there is one processor.
func TestCallbacksWithALock(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	mine := errors.New("mine")
	before := callbacks.Locked(func() {})
	var wg sync.WaitGroup
	held := make(chan bool)
	var turns atomic.Int64
	wg.Go(func() {
		callbacks.Locked(func() {
			close(held)
			for turns.Add(1) < 100 {
				deepen(10)
				runtime.Gosched()
			}
			runtime.GC()
		})
	})
	<-held
	for range 4 {
		wg.Go(func() { callbacks.Locked(func() { runtime.GC() }) })
		// The destructor waits for the lock while a panic unwinds. The panic keeps its value, and the stack still shows where it began.
		wg.Go(func() {
			defer func() {
				if got, stack := recover(), string(debug.Stack()); got != mine || !strings.Contains(stack, "callbackOfLock") {
					t.Error(got, stack)
				}
			}()
			callbacks.LockedAfter(func() { callbackOfLock(mine) })
		})
	}
	runtime.Gosched()
	if turns.Load() >= 100 {
		t.Error("nothing has waited")
	}
	wg.Wait()
	if after := callbacks.Locked(func() {}); after != before+1+4+4*100+1 {
		t.Error(after - before)
	}
}
