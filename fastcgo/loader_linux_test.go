//go:build amd64 || arm64

package fastcgo

import (
	"debug/elf"
	"encoding/binary"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// names are functions that the C library has, some in several versions, and some that it lacks.
var names = strings.Fields(`dlopen dlsym dlerror dladdr malloc free realloc calloc printf fprintf fopen fclose fseeko64 pthread_create pthread_join
	pthread_cond_wait pthread_cond_signal pthread_attr_setaffinity_np sem_init nftw realpath regexec posix_spawn memcpy getenv qsort strtol
	__errno_location __vdso_clock_gettime __kernel_clock_gettime no_such_function f p main x _ dlope dlopenn`)

// A program with cgo and an ELF interpreter, which is the dynamic loader, must find the loader's functions. All other programs must get an error.
func TestLoaderIsFound(t *testing.T) {
	file, err := elf.Open("/proc/self/exe")
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = file.Close() }()
	dynamic := slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
	_, _, _, err = loaderFunctions()
	if want := iscgo && dynamic; (err == nil) != want {
		t.Errorf("found: %v; cgo: %v, an interpreter: %v", err, iscgo, dynamic)
	}
}

// The search in the loader's list must give the same addresses as the loader's own dlsym.
func TestLoaderSymbol(t *testing.T) {
	opened(t)
	l, err := theLoader()
	if err != nil {
		t.Fatal(err)
	}
	found, hashes := 0, 0
	for _, name := range names {
		f, err := loaderSymbol(name)
		want := l.symbol(0, name) // RTLD_DEFAULT
		if (f == nil) != (err != nil) {
			t.Errorf("%s: %p, %v", name, f, err)
		}
		if f != nil && want != 0 {
			found++
		}
		// The search skips functions that the loader chooses by the processor (STT_GNU_IFUNC), and dlsym does not look in the kernel's library.
		if f != nil && uintptr(f) != want && !strings.HasPrefix(name, "__vdso_") && !strings.HasPrefix(name, "__kernel_") {
			t.Errorf("%s is at %p, want %#x", name, f, want)
		}
		err = eachImage(func(m *image) bool {
			if m.hash != 0 && m.gnuHash != 0 { // the two tables must agree
				plain := *m
				plain.gnuHash = 0
				if a, b := m.find(name), plain.find(name); a != b {
					t.Errorf("%s is at %#x by DT_GNU_HASH and at %#x by DT_HASH", name, a, b)
				} else if a != 0 {
					hashes++
				}
			}
			return true
		})
		if err != nil {
			t.Error(err)
		}
	}
	if found < 20 {
		t.Errorf("only %d functions were found", found)
	}
	t.Logf("%d functions found, %d in both tables of a library", found, hashes)
}

// A symbol may have the address 0. The loader then leaves no message, or the message of an earlier failure stays.
func TestSymbolWithoutAddress(t *testing.T) {
	library := opened(t)
	l, err := theLoader()
	if err != nil {
		t.Fatal(err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range 2 {
		if _, err := l.result(func() uintptr { return 0 }); err == nil || err.Error() != "the address is 0" {
			t.Errorf("got %v", err)
		}
		if l.symbol(library.handle, "no_such_function") != 0 {
			t.Error("the function exists")
		}
	}
}

// The auxiliary vector and the program headers belong to a program that was loaded 0x1000 bytes above the addresses in its file.
func TestProgramDynamic(t *testing.T) {
	headers := make([]byte, 3*phdrSize)
	for i, h := range [][2]uint64{{1, 0}, {ptDynamic, 0x500}, {ptPhdr, 0x40}} {
		binary.NativeEndian.PutUint32(headers[i*int(phdrSize):], uint32(h[0]))
		binary.NativeEndian.PutUint64(headers[i*int(phdrSize)+16:], h[1])
	}
	at := uintptr(unsafe.Pointer(&headers[0]))
	vector := func(words ...uint64) (v []byte) {
		for _, w := range words {
			v = binary.NativeEndian.AppendUint64(v, w)
		}
		return v
	}
	if got, err := programDynamic(vector(6, 4096, atPhdr, uint64(at), atPhnum, 3, 0, 0)); err != nil || got != at-0x40+0x500 {
		t.Errorf("got %#x, %v, want %#x", got, err, at-0x40+0x500)
	}
	for _, v := range [][]byte{nil, vector(0, 0), vector(atPhdr, uint64(at), atPhnum, 2, 0, 0), vector(atPhdr, uint64(at), 0, 0), vector(atPhnum, 3, 0, 0)} {
		if _, err := programDynamic(v); err != errStatic {
			t.Errorf("%x: %v", v, err)
		}
	}
}
