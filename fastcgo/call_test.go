//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import (
	"math"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"rustgo.dev/fastcgo/internal/ctest"
)

func TestMain(m *testing.M) {
	if how == wayNone && os.Getenv("FASTCGO") == "" && known(runtime.Version()) == nil {
		panic(why)
	}
	os.Exit(m.Run())
}

// TestWay checks that calls are made in the way that the platform, the Go version and the environment require.
func TestWay(t *testing.T) {
	want := wayDirect
	fallback := os.Getenv("FASTCGO") == "cgo" || known(runtime.Version()) != nil
	switch {
	case fallback && (iscgo || runtime.GOOS == "windows"):
		want = wayCgo
	case fallback:
		want = wayNone
	case mustMask(runtime.GOOS, runtime.GOARCH, iscgo):
		want = wayMasked
	}
	if how != want {
		t.Errorf("calls go way %d (%v), want %d", how, why, want)
	}
	direct, err := Direct()
	if direct != (want == wayDirect) || (err == nil) != direct {
		t.Errorf("Direct() = %v, %v", direct, err)
	}
}

func TestUnsafeCalls(t *testing.T) {
	x := uintptr(1000) // on the stack
	if got := UnsafeCall6Return1(ctest.Weigh, uintptr(unsafe.Pointer(&x)), 1, 2, 3, 4, 5); got != 1000+2+6+12+20+30 {
		t.Errorf("Weigh = %d", got)
	}
	if got := UnsafeCall1Return1(ctest.Increment, 41); got != 42 {
		t.Errorf("Increment(41) = %d", got)
	}
	check := func(n int, result, wantResult uintptr) {
		t.Helper()
		args := recordedWords()
		for i := range n {
			if args[i] != uint64(100+i) {
				t.Errorf("%d arguments: argument %d is %d", n, i, args[i])
			}
		}
		if result != wantResult {
			t.Errorf("%d arguments: the result is %#x", n, result)
		}
		if ctest.Recorded.SP%16 != 0 {
			t.Errorf("%d arguments: SP is %#x", n, ctest.Recorded.SP)
		}
		ctest.Recorded.Ints, ctest.Recorded.Stack = [8]uint64{}, [16]uint64{}
	}
	r := ctest.Record
	UnsafeCall0(r)
	check(0, 0, 0)
	UnsafeCall1(r, 100)
	check(1, 0, 0)
	UnsafeCall2(r, 100, 101)
	check(2, 0, 0)
	UnsafeCall3(r, 100, 101, 102)
	check(3, 0, 0)
	UnsafeCall4(r, 100, 101, 102, 103)
	check(4, 0, 0)
	UnsafeCall5(r, 100, 101, 102, 103, 104)
	check(5, 0, 0)
	UnsafeCall6(r, 100, 101, 102, 103, 104, 105)
	check(6, 0, 0)
	check(0, UnsafeCall0Return1(r), ctest.RecordInt)
	check(1, UnsafeCall1Return1(r, 100), ctest.RecordInt)
	check(2, UnsafeCall2Return1(r, 100, 101), ctest.RecordInt)
	check(3, UnsafeCall3Return1(r, 100, 101, 102), ctest.RecordInt)
	check(4, UnsafeCall4Return1(r, 100, 101, 102, 103), ctest.RecordInt)
	check(5, UnsafeCall5Return1(r, 100, 101, 102, 103, 104), ctest.RecordInt)
	check(6, UnsafeCall6Return1(r, 100, 101, 102, 103, 104, 105), ctest.RecordInt)
	check(7, UnsafeBlockingCall(r, 100, 101, 102, 103, 104, 105, 106), ctest.RecordInt)
	result, ok := UnsafeCallNeedStack(r, 0, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111)
	check(12, result, ctest.RecordInt)
	if !ok {
		t.Error("a need of nothing is not met")
	}
}

// recordedWords returns the integer arguments that ctest.Record saved, in order. The result is valid only for calls without floats.
func recordedWords() []uint64 {
	regs := map[convention]int{systemV: 6, windows64: 4, aapcs64: 8, apple64: 8}[native]
	return append(append([]uint64(nil), ctest.Recorded.Ints[:regs]...), ctest.Recorded.Stack[:]...)
}

func TestClobberedRegisters(t *testing.T) {
	calls := map[string]func(){
		"UnsafeCall0": func() { UnsafeCall0(ctest.Clobber) },
		"plain":       Bind[func()](ctest.Clobber),
		"any":         func(f func(uint8)) func() { return func() { f(1) } }(Bind[func(uint8)](ctest.Clobber)),
	}
	for name, f := range calls {
		sum := 0.0
		for i := range 1000 {
			x := float64(i)
			f()
			var zero [4]float64 // Go clears this with X15
			sum += x + zero[i%4]
		}
		if sum != 499500 {
			t.Errorf("%s: the sum is %v", name, sum)
		}
	}
}

func TestRunsOnTheSystemStack(t *testing.T) {
	if how == wayCgo || how == wayNone {
		t.Skip("no direct calls: see TestWay")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	g := getg()
	g0 := wordAt(wordAt(g, offsets.gM), offsets.mG0)
	sp := UnsafeCall0Return1(ctest.SP)
	if lo, hi := wordAt(g0, 0), wordAt(g0, 8); sp <= lo || sp >= hi {
		t.Errorf("C ran at %#x, the system stack is %#x to %#x", sp, lo, hi)
	}
	if sp%16 != 0 {
		t.Errorf("SP is %#x", sp)
	}
	m := wordAt(g, offsets.gM)
	if wordAt(m, offsets.seenSP) != 0 || byteAt(g, offsets.gThrowsplit) != 0 || getg() != g {
		t.Error("g or m is not as it was")
	}
}

// The test binds signatures of every shape. It compares the words that the C function receives with the expected words.
func TestBindPlacesArguments(t *testing.T) {
	i8, u8, i16, u16, i32, u32 := int8(-2), uint8(200), int16(-300), uint16(60000), int32(-70000), uint32(4000000000)
	f32, f64 := float32(1.5), 2.25
	eachWayOfBind(func(opts ...Option) {
		got := Bind[func(int8, uint8, int16, uint16, int32, uint32) uint64](ctest.Record, opts...)(i8, u8, i16, u16, i32, u32)
		if got != ctest.RecordInt {
			t.Errorf("the result is %#x", got)
		}
		w := recordedWords()
		if int32(w[0]) != -2 || uint32(w[1]) != 200 || int32(w[2]) != -300 || uint32(w[3]) != 60000 || int32(w[4]) != -70000 || uint32(w[5]) != 4000000000 {
			t.Errorf("small integers arrive as %#x", w[:6])
		}

		// The signature mixes twelve integers and eight floats.
		r := Bind[func(uint64, float64, uint64, float32, uint64, uint64, float64, uint64, uint64, float32, uint64, uint64,
			float64, uint64, uint64, float32, uint64, uint64, float64, float32) float64](ctest.Record, opts...)(
			1, f64, 2, f32, 3, 4, f64+1, 5, 6, f32+1, 7, 8, f64+2, 9, 10, f32+2, 11, 12, f64+3, f32+3)
		if r != math.Float64frombits(ctest.RecordFloat) {
			t.Errorf("the result is %v", r)
		}
		if native == windows64 {
			checkWindows(t)
			return
		}
		w = recordedWords()
		for i := range 12 {
			if w[i] != uint64(i+1) {
				t.Errorf("integer %d arrives as %#x", i+1, w[i])
			}
		}
		for i, bits := range ctest.Recorded.Floats {
			if i%2 == 0 && math.Float64frombits(bits) != f64+float64(i/2) || i%2 == 1 && math.Float32frombits(uint32(bits)) != f32+float32(i/2) {
				t.Errorf("float %d arrives as %#x", i, bits)
			}
		}
	})
}

// eachWayOfBind calls f once for each way in which a func value made by Bind calls C, with the options for that way: directly, after a check of the
// stack, as a blocking call, and by boundGo. A watchdog makes calls use boundGo.
func eachWayOfBind(f func(opts ...Option)) {
	f()
	f(NeedStack(1000))
	f(Blocking())
	stop := Watch(time.Hour, func(Overstay) {})
	defer stop()
	f()
	f(NeedStack(1000))
}

// checkWindows checks the mixed call of TestBindPlacesArguments in the Windows convention, in which an argument's position selects its register.
func checkWindows(t *testing.T) {
	t.Helper()
	r := &ctest.Recorded
	if r.Ints[0] != 1 || math.Float64frombits(r.Floats[1]) != 2.25 || r.Ints[2] != 2 || math.Float32frombits(uint32(r.Floats[3])) != 1.5 {
		t.Errorf("the first four arrive as %#x %#x", r.Ints, r.Floats)
	}
	want := []any{3, 4, 3.25, 5, 6, float32(2.5), 7, 8, 4.25, 9, 10, float32(3.5), 11, 12, 5.25, float32(4.5)}
	for i, w := range want {
		ok := false
		switch w := w.(type) {
		case int:
			ok = r.Stack[i] == uint64(w)
		case float64:
			ok = math.Float64frombits(r.Stack[i]) == w
		case float32:
			ok = math.Float32frombits(uint32(r.Stack[i])) == w
		}
		if !ok {
			t.Errorf("argument %d arrives as %#x, want %v", i+4, r.Stack[i], w)
		}
	}
}

// On amd64 Go passes some of these small integers on the stack.
func TestBindManySmallIntegers(t *testing.T) {
	eachWayOfBind(func(opts ...Option) {
		ctest.Recorded.Ints, ctest.Recorded.Stack = [8]uint64{}, [16]uint64{}
		f := Bind[func(a, b, c, d, e, f, g, h, i int16, j int8, k bool, l int32) int8](ctest.Record, opts...)
		if got := f(-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, true, -12); uint8(got) != 0xff {
			t.Errorf("the result is %d", got)
		}
		if native == apple64 {
			s := ctest.Recorded.Stack
			if int16(s[0]) != -9 || int8(s[0]>>16) != -10 || uint8(s[0]>>24) != 1 || int32(s[0]>>32) != -12 {
				t.Errorf("the stack is %#x", s[:2])
			}
			return
		}
		w := recordedWords()
		for i := range 10 {
			if int32(w[i]) != int32(-1-i) {
				t.Errorf("integer %d arrives as %#x", i+1, w[i])
			}
		}
		if w[10]&0xff != 1 || int32(w[11]) != -12 {
			t.Errorf("the last two arrive as %#x", w[10:12])
		}
	})
}

// While C runs in a blocking call, nothing but the call refers to its arguments. On amd64 Go passes the last pointers on the stack.
func TestPointersStayAliveInBlockingCalls(t *testing.T) {
	if how == wayNone {
		t.Skip("no calls: see TestWay")
	}
	var freed atomic.Int32
	object := func() *[4]uint64 {
		p := new([4]uint64)
		runtime.SetFinalizer(p, func(*[4]uint64) { freed.Add(1) })
		return p
	}
	type p = *[4]uint64
	await := Bind[func(words *uint64, steps uint64, a, b, c, d, e, f, g, h, i, j p) uint64](ctest.Await, Blocking())
	meeting = [2]uint64{}
	left := make(chan uint64)
	go func() {
		left <- await(&meeting[0], 1<<40, object(), object(), object(), object(), object(), object(), object(), object(), object(), object())
	}()
	for atomic.LoadUint64(&meeting[0]) == 0 {
		runtime.Gosched()
	}
	for range 3 {
		runtime.GC()
		time.Sleep(5 * time.Millisecond) // the time for finalizers
	}
	if n := freed.Load(); n != 0 {
		t.Errorf("the collector freed %d of 10 arguments during the call", n)
	}
	atomic.StoreUint64(&meeting[1], 1)
	if <-left == 0 {
		t.Error("C gave up")
	}
	for range 1000 {
		if freed.Load() == 10 {
			return
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	t.Errorf("the collector freed %d of 10 arguments after the call, so this test proves nothing", freed.Load())
}

func TestBindPointers(t *testing.T) {
	x := uint64(7)
	f := Bind[func(*uint64, uint64, uint64, uint64, uint64, uint64) uint64](ctest.Weigh)
	if got := f(&x, 1, 1, 1, 1, 1); got != 7+20 {
		t.Errorf("got %d", got)
	}
	p := Bind[func(*uint64) unsafe.Pointer](ctest.Increment)(&x)
	if p != unsafe.Add(unsafe.Pointer(&x), 1) {
		t.Errorf("got %p", p)
	}
	if !Bind[func(uint64) bool](ctest.Increment)(0) || Bind[func(uint64) bool](ctest.Increment)(255) {
		t.Error("bool results are wrong")
	}
	if got := Bind[func(uint8) uint8](ctest.Increment)(255); got != 0 {
		t.Errorf("255 + 1 = %d", got)
	}
}

// C may leave anything in the upper bits of a small result. ctest.Record returns 0x8899aabbccddeeff.
func TestSmallResults(t *testing.T) {
	eachWayOfBind(func(opts ...Option) {
		r := ctest.Record
		for i, got := range []int64{
			int64(Bind[func() int8](r, opts...)()), int64(Bind[func(int8) int8](r, opts...)(1)),
			int64(Bind[func() uint8](r, opts...)()), int64(Bind[func(int8) uint8](r, opts...)(1)),
			int64(Bind[func() int16](r, opts...)()), int64(Bind[func(int8) int16](r, opts...)(1)),
			int64(Bind[func() uint16](r, opts...)()), int64(Bind[func(int8) uint16](r, opts...)(1)),
			int64(Bind[func() int32](r, opts...)()), int64(Bind[func(int8) int32](r, opts...)(1)),
			int64(Bind[func() uint32](r, opts...)()), int64(Bind[func(int8) uint32](r, opts...)(1)),
		} {
			if want := []int64{-1, 0xff, -0x1101, 0xeeff, -0x33221101, 0xccddeeff}[i/2]; got != want {
				t.Errorf("case %d gives %#x, want %#x", i, got, want)
			}
		}
		if got := math.Float32bits(Bind[func() float32](r, opts...)()); got != ctest.RecordFloat&0xffffffff {
			t.Errorf("a float32 is %#x", got)
		}
	})
}

func TestBindRefuses(t *testing.T) {
	for want, f := range map[string]func(){
		"is not a func type": func() { Bind[int](ctest.Record) },
		"variadic":           func() { Bind[func(...int)](ctest.Record) },
		"parameter 2":        func() { Bind[func(int, []byte)](ctest.Record) },
		"result of":          func() { Bind[func() []byte](ctest.Record) },
		"one result":         func() { Bind[func() (int, int)](ctest.Record) },
		"13 integers":        func() { Bind[func(a, b, c, d, e, f, g, h, i, j, k, l, m int)](ctest.Record) },
		"9 floats":           func() { Bind[func(a, b, c, d, e, f, g, h, i float64)](ctest.Record) },
		"nil function":       func() { Bind[func()](nil) },
		"13 arguments":       func() { UnsafeBlockingCall(ctest.Record, make([]uintptr, 13)...) },
		"needs 1099511627776 bytes of stack": func() {
			if how == wayCgo {
				panic("needs 1099511627776 bytes of stack: cgo's way does not look")
			}
			Bind[func()](ctest.Record, NeedStack(1<<40))()
		},
	} {
		func() {
			defer func() {
				if p, _ := recover().(string); !strings.Contains(p, want) {
					t.Errorf("panic %q does not say %q", p, want)
				}
			}()
			f()
		}()
	}
}

func TestNeedStack(t *testing.T) {
	if how == wayCgo || how == wayNone {
		t.Skip("cgo's way does not look at the stack")
	}
	have := SystemStack()
	if have < 4096 {
		t.Fatalf("%d bytes of system stack", have)
	}
	if _, ok := UnsafeCallNeedStack(ctest.Increment, 4096, 1); !ok {
		t.Error("a call that needs 4096 bytes of stack is refused")
	}
	ctest.Recorded.SP = 0
	if _, ok := UnsafeCallNeedStack(ctest.Record, 1<<40, 1); ok || ctest.Recorded.SP != 0 {
		t.Error("a call that needs a terabyte of stack is made")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	have = SystemStack()
	if _, ok := UnsafeCallNeedStack(ctest.Increment, have, 1); !ok {
		t.Error("what SystemStack returns is not there")
	}
	if _, ok := UnsafeCallNeedStack(ctest.Increment, have+1, 1); ok {
		t.Error("more than SystemStack returns is there")
	}
	f := Bind[func(uint64) uint64](ctest.Increment, NeedStack(have))
	if f(1) != 2 {
		t.Error("a bound function fails with the stack that is there")
	}
}

func TestNoAllocation(t *testing.T) {
	if how == wayCgo || how == wayNone {
		t.Skip("in cgo's way calls allocate: see TestWay")
	}
	f := Bind[func(uint64, float64, *int, bool) uint64](ctest.Increment)
	blocking := Bind[func(uint64, float64, *int, bool) uint64](ctest.Increment, Blocking())
	p := new(int)
	var x uintptr
	if n := testing.AllocsPerRun(100, func() {
		f(1, 2, p, true)
		blocking(1, 2, p, true)
		UnsafeCall6Return1(ctest.Weigh, uintptr(unsafe.Pointer(&x)), 0, 0, 0, 0, 0)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkUnsafeCall1Return1(b *testing.B) {
	for i := range b.N {
		UnsafeCall1Return1(ctest.Increment, uintptr(i))
	}
}

func BenchmarkBound(b *testing.B) {
	f := Bind[func(uint64) uint64](ctest.Increment)
	for i := range b.N {
		f(uint64(i))
	}
}

func BenchmarkBoundAny(b *testing.B) {
	f := Bind[func(uint8) uint64](ctest.Increment)
	for i := range b.N {
		f(uint8(i))
	}
}

func BenchmarkBoundBlocking(b *testing.B) {
	f := Bind[func(uint64) uint64](ctest.Increment, Blocking())
	for i := range b.N {
		f(uint64(i))
	}
}

// The benchmark measures only entersyscall and exitsyscall. A blocking call takes at least this time.
func BenchmarkSystemCallState(b *testing.B) {
	for range b.N {
		systemCallState()
	}
}

//go:nosplit
func systemCallState() {
	entersyscall()
	exitsyscall()
}
