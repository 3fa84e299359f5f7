package fastcgo

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// mathLibrary returns a library of the system that has the function cos, or "" if OpenLibrary cannot work on this platform.
func mathLibrary() string {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" && runtime.GOOS != "windows" {
		return ""
	}
	return map[string]string{"linux": "libm.so.6", "android": "libm.so", "darwin": "/usr/lib/libSystem.B.dylib", "windows": "msvcrt.dll"}[runtime.GOOS]
}

// opened opens the library, or skips the test if this program cannot open libraries.
func opened(t *testing.T) *Library {
	t.Helper()
	l, err := OpenLibrary(mathLibrary())
	if err == nil {
		return l
	}
	for _, reason := range []string{
		"libraries cannot be opened on " + runtime.GOOS, "this program has no dynamic loader", "it is built without cgo",
		"no call is possible", `"" is not the name of a library`,
	} {
		if strings.Contains(err.Error(), reason) {
			t.Skip(err)
		}
	}
	t.Fatal(err)
	return nil
}

func TestOpenLibrary(t *testing.T) {
	l := opened(t)
	cos, err := l.Symbol("cos")
	if err != nil {
		t.Fatal(err)
	}
	if got := Bind[func(float64) float64](cos, NeedStack(8<<10))(0); got != 1 {
		t.Errorf("cos(0) = %v", got)
	}
	if _, err := l.Symbol("no_such_function"); err == nil || !strings.Contains(err.Error(), "symbol no_such_function of library "+mathLibrary()) {
		t.Errorf("a symbol that does not exist: %v", err)
	}
}

// The message of a failure belongs to the thread on which the library was searched.
func TestMessagesOfOpenLibrary(t *testing.T) {
	l := opened(t)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 50 {
				name := fmt.Sprintf("libnone%d-%d.so", g, i)
				if _, err := OpenLibrary(name); err == nil || strings.Count(err.Error(), name) != 2 && runtime.GOOS != "windows" {
					t.Errorf("%s: %v", name, err)
				}
				symbol := fmt.Sprintf("none%d_%d", g, i)
				if _, err := l.Symbol(symbol); err == nil || strings.Count(err.Error(), symbol) != 2 && runtime.GOOS != "windows" {
					t.Errorf("%s: %v", symbol, err)
				}
			}
		}()
	}
	wg.Wait()
}

func TestNamesForOpenLibrary(t *testing.T) {
	for _, name := range []string{"", "a\x00b"} {
		if _, err := OpenLibrary(name); err == nil {
			t.Errorf("%q is accepted as a library", name)
		}
		if _, err := (&Library{handle: 1}).Symbol(name); err == nil {
			t.Errorf("%q is accepted as a symbol", name)
		}
	}
	// A handle of 0 means all libraries on linux, and the program on windows.
	if p, err := new(Library).Symbol("malloc"); err == nil || !strings.Contains(err.Error(), "OpenLibrary") {
		t.Errorf("a symbol of the zero Library: %v, %v", p, err)
	}
	if mathLibrary() == "" {
		if _, err := OpenLibrary("libm.so.6"); err == nil || !strings.Contains(err.Error(), "cannot be opened on") {
			t.Error(err)
		}
	}
}
