//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"rustgo.dev/fastcgo/internal/ctest"
)

var conventions = map[string]convention{"systemV": systemV, "windows64": windows64, "aapcs64": aapcs64, "apple64": apple64}

// Together, these signatures cover every rule for the places of arguments. The places in each convention are written as i and f for registers, and
// s for the stack with the offset from SP. They are the places that LLVM uses for x86_64-unknown-linux-gnu, x86_64-pc-windows-gnu,
// aarch64-unknown-linux-gnu and aarch64-apple-darwin.
var placed = []struct {
	signature any
	places    map[string]string
}{
	{(func(a, b, c, d, e, f, g, h, i int16, j int8, k bool, l int32))(nil), map[string]string{
		"systemV":   "i0 i1 i2 i3 i4 i5 s0 s8 s16 s24 s32 s40",
		"windows64": "i0 i1 i2 i3 s0 s8 s16 s24 s32 s40 s48 s56",
		"aapcs64":   "i0 i1 i2 i3 i4 i5 i6 i7 s0 s8 s16 s24",
		"apple64":   "i0 i1 i2 i3 i4 i5 i6 i7 s0 s2 s3 s4",
	}},
	{(func(uint64, float64, uint64, float32, uint64, uint64, float64, uint64, uint64, float32, uint64, uint64, float64, uint8, uint64,
		float32, uint16, int8, float64, float32))(nil), map[string]string{
		"systemV":   "i0 f0 i1 f1 i2 i3 f2 i4 i5 f3 s0 s8 f4 s16 s24 f5 s32 s40 f6 f7",
		"windows64": "i0 f1 i2 f3 s0 s8 s16 s24 s32 s40 s48 s56 s64 s72 s80 s88 s96 s104 s112 s120",
		"aapcs64":   "i0 f0 i1 f1 i2 i3 f2 i4 i5 f3 i6 i7 f4 s0 s8 f5 s16 s24 f6 f7",
		"apple64":   "i0 f0 i1 f1 i2 i3 f2 i4 i5 f3 i6 i7 f4 s0 s8 f5 s16 s18 f6 f7",
	}},
	{(func(a, b, c, d, e, f, g, h *int, i int8, j int16, k int8, l unsafe.Pointer))(nil), map[string]string{
		"systemV":   "i0 i1 i2 i3 i4 i5 s0 s8 s16 s24 s32 s40",
		"windows64": "i0 i1 i2 i3 s0 s8 s16 s24 s32 s40 s48 s56",
		"aapcs64":   "i0 i1 i2 i3 i4 i5 i6 i7 s0 s8 s16 s24",
		"apple64":   "i0 i1 i2 i3 i4 i5 i6 i7 s0 s2 s4 s8",
	}},
}

func TestPlacesOfEveryConvention(t *testing.T) {
	for _, p := range placed {
		sig, err := signatureOf(reflect.TypeOf(p.signature))
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range conventions {
			at, words := c.place(sig.args)
			var got []string
			end := 0
			for i, offset := range at {
				switch {
				case offset < 80:
					got = append(got, fmt.Sprintf("i%d", (offset-16)/8))
				case offset < 144:
					got = append(got, fmt.Sprintf("f%d", (offset-80)/8))
				default:
					got = append(got, fmt.Sprintf("s%d", offset-144))
					end = int(offset) - 144 + int(sig.args[i].size())
				}
			}
			if g, want := strings.Join(got, " "), p.places[name]; g != want {
				t.Errorf("%s of %T:\n got %s\nwant %s", name, p.signature, g, want)
			}
			if int(words)*8 < end || int(words)*8 > end+7 {
				t.Errorf("%s of %T: %d words for %d bytes", name, p.signature, words, end)
			}
		}
	}
}

// The test executes the steps of a bound function in Go, for every convention, and checks the block that the assembly would fill. The test's frame
// has the layout of boundFrame's frame, with garbage in bits that Go's ABI leaves undefined.
func TestStepsOfEveryConvention(t *testing.T) {
	for _, p := range placed {
		sig, err := signatureOf(reflect.TypeOf(p.signature))
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range conventions {
			at, _ := c.place(sig.args)
			frame := make([]byte, 1024)
			for i := range frame {
				frame[i] = 0xa5
			}
			steps, _, _ := sig.steps(at)
			for i, s := range steps { // all bytes of argument i are 0x80+i, so small integers are negative
				for b := range sig.args[i].size() {
					frame[uintptr(s.from)+b] = 0x80 + byte(i)
				}
			}
			for _, s := range steps {
				v := binary.LittleEndian.Uint64(frame[s.from:])
				switch kind(s.kind) {
				case uint8kind:
					v = uint64(uint8(v))
				case int8kind:
					v = uint64(int8(v))
				case uint16kind:
					v = uint64(uint16(v))
				case int16kind:
					v = uint64(int16(v))
				}
				binary.LittleEndian.PutUint64(frame[s.to:], v)
			}
			for i, k := range sig.args {
				place := frame[frameBlock+at[i]:]
				for b := range k.size() {
					if place[b] != 0x80+byte(i) {
						t.Errorf("%s of %T: byte %d of argument %d is %#x", name, p.signature, b, i, place[b])
					}
				}
				extended := map[kind]uint32{uint8kind: 0x80 + uint32(i), int8kind: 0xffffff80 + uint32(i),
					uint16kind: 0x8080 + 0x101*uint32(i), int16kind: 0xffff8080 + 0x101*uint32(i)}
				want, small := extended[k]
				if packed := c == apple64 && at[i] >= 144; small && !packed && binary.LittleEndian.Uint32(place) != want {
					t.Errorf("%s of %T: argument %d is extended to %#x, want %#x", name, p.signature, i, binary.LittleEndian.Uint32(place), want)
				}
			}
		}
	}
}

// The contents of a block must reach C, whatever the registers held before the call. On arm64 the contents include the bytes between words, which
// only Apple's convention uses.
func TestBlock(t *testing.T) {
	if how == wayNone {
		t.Skip("no calls: see TestWay")
	}
	for words := range uintptr(17) {
		b := block{fn: ctest.Record, words: words}
		for i := range b.ints {
			b.ints[i] = 0x1101010101010101 * uintptr(i+1)
			b.floats[i] = 0x1202020202020202 * uint64(i+1)
		}
		for i := range b.stack {
			b.stack[i] = 0x0f0e0d0c0b0a0908 + uintptr(i)<<56
		}
		UnsafeCall0(ctest.Clobber)
		clear(ctest.Recorded.Stack[:])
		want := b
		if !run(callBlockAt, unsafe.Pointer(&b), 0, false) {
			t.Fatal("no stack")
		}
		r := &ctest.Recorded
		ints, floats := 8, 8
		switch native {
		case systemV:
			ints = 6
		case windows64:
			ints, floats = 4, 4
		}
		for i := range ints {
			if r.Ints[i] != uint64(want.ints[i]) {
				t.Errorf("%d words: integer %d is %#x", words, i, r.Ints[i])
			}
		}
		for i := range floats {
			if r.Floats[i] != want.floats[i] {
				t.Errorf("%d words: float %d is %#x", words, i, r.Floats[i])
			}
		}
		for i := range words {
			if r.Stack[i] != uint64(want.stack[i]) {
				t.Errorf("%d words: word %d of the stack is %#x", words, i, r.Stack[i])
			}
		}
		if r.SP%16 != 0 {
			t.Errorf("%d words: SP is %#x", words, r.SP)
		}
		if b.ints[0] != ctest.RecordInt || b.floats[0] != ctest.RecordFloat {
			t.Errorf("the results are %#x and %#x", b.ints[0], b.floats[0])
		}
	}
}

// The test makes a call in Apple's convention on any arm64 system, because all systems use the same assembly to copy the block.
func TestAppleConventionOnArm64(t *testing.T) {
	if runtime.GOARCH != "arm64" || how == wayNone {
		t.Skip("needs arm64; make matrix runs it in an emulator")
	}
	sig, err := signatureOf(reflect.TypeOf(placed[0].signature))
	if err != nil {
		t.Fatal(err)
	}
	at, words := apple64.place(sig.args)
	b := block{fn: ctest.Record, words: words}
	for i := range at {
		*(*uint64)(unsafe.Add(unsafe.Pointer(&b), at[i])) = uint64(-1 - i)
	}
	run(callBlockAt, unsafe.Pointer(&b), 0, false)
	if s := ctest.Recorded.Stack[0]; int16(s) != -9 || int8(s>>16) != -10 || int8(s>>24) != -11 || int32(s>>32) != -12 {
		t.Errorf("the stack is %#x", s)
	}
}

// Floating-point numbers, including signalling NaNs, keep their bits in each kind of call.
func TestNaNsKeepTheirBits(t *testing.T) {
	const quiet, signalling = 0x7fc00001, 0xffa00002
	eachWayOfBind(func(opts ...Option) {
		plain := Bind[func(float32, float64)](ctest.Record, opts...)
		small := Bind[func(float32, float64, uint8)](ctest.Record, opts...)
		result := Bind[func(float32) float32](ctest.SP, opts...) // returns the contents of the register
		for _, bits := range []uint32{quiet, signalling} {
			wide := uint64(bits)<<32 | 5
			x, y := *(*float32)(unsafe.Pointer(&bits)), *(*float64)(unsafe.Pointer(&wide))
			plain(x, y)
			if f := ctest.Recorded.Floats; uint32(f[0]) != bits || f[1] != wide {
				t.Errorf("%#x and %#x arrive as %#x", bits, wide, f[:2])
			}
			small(x, y, 1)
			if f := ctest.Recorded.Floats; uint32(f[0]) != bits || f[1] != wide {
				t.Errorf("with a small integer, %#x and %#x arrive as %#x", bits, wide, f[:2])
			}
			back := result(x)
			if got := *(*uint32)(unsafe.Pointer(&back)); got != bits {
				t.Errorf("%#x comes back as %#x", bits, got)
			}
		}
	})
}
