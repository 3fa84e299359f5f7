//go:build amd64 || arm64

package fastcgo

import (
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"rustgo.dev/fastcgo/internal/ctest"
)

// On windows, C can call Go without cgo, by a callback. fastcgo must refuse such a call.
func TestCallbackOfWindowsIsRefused(t *testing.T) {
	if os.Getenv("FASTCGO_CHILD") != "" {
		defer func() { recover() }()
		callback := syscall.NewCallback(func(x uintptr) uintptr { return x + 1 })
		fn := *(*unsafe.Pointer)(unsafe.Pointer(&callback))
		switch os.Getenv("FASTCGO_CHILD") {
		case "unsafe":
			UnsafeCall1Return1(fn, 1)
		case "bound":
			Bind[func(uintptr) uintptr](fn)(1)
		case "blocking":
			Bind[func(uintptr) uintptr](fn, Blocking())(1)
		}
		return
	}
	if how != wayDirect {
		t.Skip("cgo's way can call back")
	}
	for child, want := range map[string]string{
		"unsafe":   "fatal error: exitsyscall: syscall frame is no longer valid",
		"bound":    "fatal error: exitsyscall: syscall frame is no longer valid",
		"blocking": "fatal error: fastcgo: the C function called Go",
	} {
		out := crash(t, "TestCallbackOfWindowsIsRefused", child)
		for _, want := range []string{want, "fastcgo.CFunction(", "fastcgo.TestCallbackOfWindowsIsRefused("} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in:\n%s", child, want, out)
			}
		}
	}
}

// strlen returns the address of a C function of the system.
func strlen(t *testing.T) unsafe.Pointer {
	proc := syscall.NewLazyDLL("msvcrt.dll").NewProc("strlen")
	if err := proc.Find(); err != nil {
		t.Fatal(err)
	}
	address := proc.Addr()
	return *(*unsafe.Pointer)(unsafe.Pointer(&address))
}

func TestLibraryOfWindows(t *testing.T) {
	text := []byte("some text\x00")
	if n := Bind[func(*byte) uintptr](strlen(t))(&text[0]); n != 9 {
		t.Errorf("strlen = %d", n)
	}
	if n := UnsafeCall1Return1(strlen(t), uintptr(unsafe.Pointer(&text[0]))); n != 9 {
		t.Errorf("strlen = %d", n)
	}
}

// The fault's PC is outside all Go functions, because the faulting function is in a library.
func TestFaultInLibraryIsFatal(t *testing.T) {
	if os.Getenv("FASTCGO_CHILD") == "fault" {
		defer func() { recover() }()
		faultInLibrary(strlen(t))
		return
	}
	if how != wayDirect {
		t.Skip("cgo's way reports faults in another form")
	}
	out := crash(t, "TestFaultInLibraryIsFatal", "fault")
	if syscall.NewLazyDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil {
		// Wine ends the process at once, even for a fault in a call by package syscall.
		if strings.Contains(out, "PASS") {
			t.Errorf("got:\n%s", out)
		}
		t.Skip("Wine does not let Go report the fault; run the test on Windows")
	}
	for _, want := range []string{"0xc0000005", "fastcgo.CFunction(", "fastcgo.faultInLibrary("} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	if strings.Contains(out, "unexpected return pc") || strings.Contains(out, "PASS") {
		t.Errorf("got:\n%s", out)
	}
}

//go:noinline
func faultInLibrary(strlen unsafe.Pointer) { UnsafeCall1Return1(strlen, 8) }

// The last error of windows belongs to the thread, and Go's own calls of windows change it.
func TestLastErrorOfWindows(t *testing.T) {
	proc := syscall.NewLazyDLL("kernel32.dll").NewProc("SetLastError")
	address := proc.Addr()
	set := *(*unsafe.Pointer)(unsafe.Pointer(&address))
	eachWayOfBind(func(opts ...Option) {
		f := Bind[func(uint32) (uintptr, syscall.Errno)](set, opts...)
		for i := range uint32(100) {
			if _, errno := f(i); errno != syscall.Errno(i) {
				t.Errorf("the last error is %d, want %d", errno, i)
			}
		}
	})
	strlen := Bind[func(string) (uintptr, syscall.Errno)](strlen(t))
	if n, errno := strlen("some text"); n != 9 || errno != 0 {
		t.Errorf("got %d, %d", n, errno)
	}
}

// On windows the package syscall makes functions for C without cgo.
func TestCallsGoOnWindows(t *testing.T) {
	apply := Bind[func(f uintptr, x int) int](ctest.Apply, CallsGo())
	inner := Bind[func(uint64) uint64](ctest.Increment)
	callback := syscall.NewCallback(func(x int) uintptr {
		if grow(100) != 101 {
			return 0
		}
		runtime.GC()
		runtime.Gosched()
		return uintptr(inner(uint64(x)))
	})
	for i := range 20 {
		got := make(chan int)
		go func() { got <- apply(callback, i) }()
		if got := <-got; got != i+1 {
			t.Errorf("got %d, want %d", got, i+1)
		}
	}
}
