//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

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

	"rustgo.dev/fastcgo/internal/ctest"
)

// profiled holds functions that make calls, one for each assembly function that calls C.
type profiled struct{ plain, need, small, many, blocking func() }

func newProfiled() *profiled {
	plain := Bind[func(uint64) uint64](ctest.Spin)
	need := Bind[func(uint64) uint64](ctest.Spin, NeedStack(1024))
	small := Bind[func(uint8) uint64](ctest.Spin)
	many := Bind[func(a, b, c, d, e, f, g, h, i, j, k, l uint64) uint64](ctest.Spin)
	waits := Bind[func(uint64) uint64](ctest.Spin, Blocking())
	return &profiled{
		plain:    func() { plain(20) },
		need:     func() { need(20) },
		small:    func() { small(20) },
		many:     func() { many(20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) },
		blocking: func() { waits(20) },
	}
}

// profiledCaller makes each non-blocking call once. If all is set, it also makes the calls in which Go functions run on the way to C. The name of
// this function identifies the samples.
//
//go:noinline
func (p *profiled) profiledCaller(all bool) {
	UnsafeCall0(ctest.SP)
	UnsafeCall1(ctest.Spin, 20)
	UnsafeCall6Return1(ctest.Spin, 20, 2, 3, 4, 5, 6)
	p.plain()
	p.need()
	p.small()
	p.many()
	if all {
		UnsafeCallNeedStack(ctest.Spin, 0, 20)
	}
}

// profiledBlocking makes the blocking call.
//
//go:noinline
func (p *profiled) profiledBlocking() {
	p.blocking()
}

const callerNames = "rustgo.dev/fastcgo.(*profiled).profiled"

// checkProfile reports an error if a sample in a call has a stack without the caller. It returns the number of samples in calls, the functions of
// this package in these samples, and whether the profile lost samples. (The profile's buffer has room for some six thousand samples.)
func checkProfile(t *testing.T, profile []byte) (calls int, seen map[string]bool, lost bool) {
	t.Helper()
	seen = map[string]bool{}
	for _, s := range samples(t, profile) {
		lost = lost || slices.Contains(s.stack, "runtime/pprof.lostProfileEvent")
		if len(s.stack) == 0 || !inAssembly(s.stack[0]) {
			continue
		}
		calls += s.count
		seen[strings.TrimPrefix(s.stack[0], "rustgo.dev/fastcgo.")] = true
		if !slices.ContainsFunc(s.stack, func(f string) bool { return strings.HasPrefix(f, callerNames) }) {
			t.Errorf("%d samples do not include the caller: %v", s.count, s.stack)
		}
	}
	return calls, seen, lost
}

// inAssembly reports whether a function is defined in call_*.h.
func inAssembly(function string) bool {
	name, ok := strings.CutPrefix(function, "rustgo.dev/fastcgo.")
	for _, prefix := range []string{"UnsafeCall", "bound", "direct", "CFunction"} {
		if ok && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// In a profile, every sample in C must name the Go caller, whichever instruction the signal interrupts.
func TestProfileNamesTheCaller(t *testing.T) {
	if how != wayDirect || runtime.GOOS == "windows" {
		t.Skip("only profiles of direct calls, and not under Wine, are checked")
	}
	took := 2 * time.Second
	if testing.Short() {
		took = time.Second / 2
	}
	p := newProfiled()
	// On a busy machine the thread gets few samples, so the loop takes profiles until one has a sample in C.
	for profiles, inC := 1, false; !inC; profiles++ {
		var profile bytes.Buffer
		runtime.SetCPUProfileRate(2000)
		if err := pprof.StartCPUProfile(&profile); err != nil { // warns on stderr that the rate is already set, and keeps the rate
			t.Fatal(err)
		}
		for start := time.Now(); time.Since(start) < took; {
			for range 1000 {
				p.profiledCaller(false)
			}
		}
		pprof.StopCPUProfile()
		calls, seen, _ := checkProfile(t, profile.Bytes())
		t.Logf("%d samples in calls", calls)
		if inC = seen["CFunction"]; !inC && profiles == 100 {
			t.Fatal("no sample of a hundred profiles is in CFunction")
		}
	}
}

// sample is a stack, innermost function first, and its number of occurrences.
type sample struct {
	stack []string
	count int
}

// samples reads a profile in the format of runtime/pprof: a protocol buffer, github.com/google/pprof/proto/profile.proto.
func samples(t *testing.T, profile []byte) (all []sample) {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(profile))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	var table []string
	names, locations := map[uint64]uint64{}, map[uint64][]uint64{} // names: function id to its index in table; locations: location id to its functions
	eachField(data, func(field int, _ uint64, b []byte) {
		switch field {
		case 4: // a location
			var id uint64
			var functions []uint64
			eachField(b, func(field int, v uint64, b []byte) {
				switch field {
				case 1:
					id = v
				case 4: // a line of it; more than one where functions are inlined
					eachField(b, func(field int, v uint64, _ []byte) {
						if field == 1 {
							functions = append(functions, v)
						}
					})
				}
			})
			locations[id] = functions
		case 5: // a function
			var id, name uint64
			eachField(b, func(field int, v uint64, _ []byte) {
				switch field {
				case 1:
					id = v
				case 2:
					name = v
				}
			})
			names[id] = name
		case 6:
			table = append(table, string(b))
		}
	})
	eachField(data, func(field int, _ uint64, b []byte) {
		if field != 2 {
			return
		}
		var s sample
		eachField(b, func(field int, v uint64, b []byte) {
			switch {
			case field == 1:
				for _, location := range numbers(v, b) {
					for _, f := range locations[location] {
						s.stack = append(s.stack, table[names[f]])
					}
				}
			case field == 2 && s.count == 0: // the first value is the number of samples
				s.count = int(numbers(v, b)[0])
			}
		})
		all = append(all, s)
	})
	return all
}

// eachField calls f for each field of a message, with the field's number and its value or bytes.
func eachField(message []byte, f func(field int, value uint64, bytes []byte)) {
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		value, m := binary.Uvarint(message[n:])
		message = message[n+m:]
		if tag&7 == 2 {
			f(int(tag>>3), 0, message[:value])
			message = message[value:]
		} else {
			f(int(tag>>3), value, nil)
		}
	}
}

// numbers returns the values of a repeated field, packed or single.
func numbers(value uint64, packed []byte) (all []uint64) {
	if packed == nil {
		return []uint64{value}
	}
	for len(packed) > 0 {
		v, n := binary.Uvarint(packed)
		all = append(all, v)
		packed = packed[n:]
	}
	return all
}
