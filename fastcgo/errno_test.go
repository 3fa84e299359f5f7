//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import (
	"runtime"
	"strings"
	"syscall"
	"testing"

	"rustgo.dev/fastcgo/internal/ctest"
)

func TestErrnoFunc(t *testing.T) {
	if how == wayNone {
		t.Skip("no calls: see TestWay")
	}
	eachWayOfBind(func(opts ...Option) {
		ctest.Errno = 77 // a call must not return an errno that was set before the call
		opts = append(opts, ErrnoFunc(ctest.ErrnoFunc))
		if before, errno := Bind[func(int32) (int32, syscall.Errno)](ctest.Fail, opts...)(5); before != 0 || errno != 5 {
			t.Errorf("before the call errno is %d, and after it %d", before, errno)
		}
		if r, errno := Bind[func(uint64) (uint64, syscall.Errno)](ctest.Increment, opts...)(41); r != 42 || errno != 0 {
			t.Errorf("got %d, %d", r, errno)
		}
		if r, errno := Bind[func(int32) (float64, syscall.Errno)](ctest.Fail, opts...)(6); errno != 6 {
			t.Errorf("with a float: %v, %d", r, errno)
		}
		if r, errno := Bind[func() (float64, syscall.Errno)](ctest.Record, opts...)(); uint64(r*1e6) != 3141592 || errno != 0 {
			t.Errorf("with a float: %v, %d", r, errno)
		}
		if r, errno := Bind[func(uint8) (int8, syscall.Errno)](ctest.Fail, opts...)(7); r != 0 || errno != 7 {
			t.Errorf("with small numbers: %d, %d", r, errno)
		}
		ctest.Errno = 77
		if r, errno := Bind[func(string) (string, syscall.Errno)](ctest.Increment, opts...)("text"); r != "ext" || errno != 0 {
			t.Errorf("with a string: %q, %d", r, errno)
		}
		if r, errno := Bind[func(uint64) (string, syscall.Errno)](ctest.Fail, opts...)(8); r != "" || errno != 8 {
			t.Errorf("with a string: %q, %d", r, errno)
		}
		// If syscall.Errno is the only result, it is C's result.
		if r := Bind[func(uint64) syscall.Errno](ctest.Increment, opts...)(41); r != 42 {
			t.Errorf("alone: %d", r)
		}
		// The arguments must not be lost when ErrnoFunc is called before C.
		_, _ = Bind[func(uint64, float64, uint64, float32, uint64, uint64, float64, uint64, uint64, float32, uint64, uint64,
			float64, uint64, uint64, float32, uint64, uint64, float64, float32) (float64, syscall.Errno)](ctest.Record, opts...)(
			1, 2.25, 2, 1.5, 3, 4, 3.25, 5, 6, 2.5, 7, 8, 4.25, 9, 10, 3.5, 11, 12, 5.25, 4.5)
		if native == windows64 {
			checkWindows(t)
			return
		}
		for i, w := range recordedWords()[:12] {
			if w != uint64(i+1) {
				t.Errorf("integer %d arrives as %#x", i+1, w)
			}
		}
		if ctest.Recorded.SP%16 != 0 {
			t.Errorf("SP is %#x", ctest.Recorded.SP)
		}
	})
}

func TestErrnoWithoutCLibrary(t *testing.T) {
	if _, err := systemErrno(); err == nil {
		t.Skip("errno is known")
	}
	defer func() {
		if p, _ := recover().(string); !strings.Contains(p, "errno is not known: this program") {
			t.Errorf("panic %q", p)
		}
	}()
	Bind[func() (int, syscall.Errno)](ctest.Record)
}

func TestCallsGoWithoutCgo(t *testing.T) {
	if iscgo || runtime.GOOS == "windows" {
		t.Skip("C can call Go in this program")
	}
	defer func() {
		if p, _ := recover().(string); !strings.Contains(p, "CallsGo needs a program with cgo") {
			t.Errorf("panic %q", p)
		}
	}()
	Bind[func()](ctest.Record, CallsGo())
}
