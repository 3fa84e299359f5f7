//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import (
	"debug/dwarf"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

func compareDefines(t *testing.T, text string, want map[string]uintptr) {
	t.Helper()
	seen := 0
	for _, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		if len(f) != 3 || f[0] != "#define" {
			continue
		}
		seen++
		if n, err := strconv.Atoi(f[2]); err != nil || uintptr(n) != want[f[1]] {
			t.Errorf("%s is %s in the header, %d in Go", f[1], f[2], want[f[1]])
		}
	}
	if seen != len(want) {
		t.Errorf("%d offsets in the header, want %d", seen, len(want))
	}
}

// The test compares the offsets with the compiler's debugging information, for the Go version that runs this test.
func TestOffsets(t *testing.T) {
	if err := known(runtime.Version()); err != nil {
		t.Skip(err)
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command to read its compiler's debugging information; run the tests on the build machine")
	}
	version, err := exec.Command(tool, "env", "GOVERSION").Output()
	if err != nil || strings.TrimSpace(string(version)) != runtime.Version() {
		t.Skipf("the go command is %s, the tests were built by %s: set GOTOOLCHAIN", version, runtime.Version())
	}
	targets := []string{runtime.GOOS + "/" + runtime.GOARCH}
	if os.Getenv("FASTCGO_ALL_OFFSETS") != "" {
		targets = []string{"linux/amd64", "linux/arm64", "android/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() { go func() {}() }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		t.Run(target, func(t *testing.T) {
			os, arch, _ := strings.Cut(target, "/")
			binary := filepath.Join(dir, os+arch)
			cmd := exec.Command(tool, "build", "-o", binary, "-ldflags=-compressdwarf=false", source)
			cmd.Env = append(cmd.Environ(), "GOOS="+os, "GOARCH="+arch, "CGO_ENABLED=0")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v:\n%s", err, out)
			}
			l := offsetsOf(family(os))
			got := fields(t, binary)
			want := map[string]uintptr{
				"g.stack": l.gStackLo, "stack.lo": 0, "stack.hi": 8, "g.m": l.gM, "g.throwsplit": l.gThrowsplit, "m.g0": l.mG0, "m.curg": l.mCurg,
				"m.lockedg": l.mLockedg, "m.lockedExt": l.mLockedExt, "m.profStack": l.mProfStack,
			}
			if family(os) == "windows" {
				want["m.libcallpc"], want["m.libcallsp"], want["m.libcallg"] = l.seenPC, l.seenSP, l.libcallg
			} else {
				want["m.vdsoPC"], want["m.vdsoSP"] = l.seenPC, l.seenSP
			}
			if l.mSelf != 0 {
				want["m.self"] = l.mSelf
			}
			for name, offset := range want {
				if real, ok := got[name]; !ok || real != offset {
					t.Errorf("%s is at %d (there: %v), not at %d", name, real, ok, offset)
				}
			}
			for _, field := range []string{"i", "n", "c"} {
				if _, ok := got["State."+field]; !ok {
					t.Errorf("internal/chacha8rand.State has no field %s", field)
				}
			}
			if i := got["m.chacha8"] + got["State.i"]; i != l.mChacha8 || got["State.n"] != got["State.i"]+4 || got["State.c"] != got["State.i"]+8 {
				t.Errorf("m.chacha8 is at %d, its i at %d, n and c at %d and %d; i should be at %d", got["m.chacha8"], i, got["State.n"], got["State.c"], l.mChacha8)
			}
			if sp, pc := got["g.sched"]+got["gobuf.sp"], got["g.sched"]+got["gobuf.pc"]; sp != l.gSchedSP || pc != l.gSchedPC {
				t.Errorf("g.sched.sp and pc are at %d and %d, not at %d and %d", sp, pc, l.gSchedSP, l.gSchedPC)
			}
		})
	}
}

// fields returns the offsets of the fields in the runtime's structures, read from the debugging information of a binary.
func fields(t *testing.T, binary string) map[string]uintptr {
	t.Helper()
	var data *dwarf.Data
	var err error
	if f, e := elf.Open(binary); e == nil {
		data, err = f.DWARF()
	} else if f, e := macho.Open(binary); e == nil {
		data, err = f.DWARF()
	} else if f, e := pe.Open(binary); e == nil {
		data, err = f.DWARF()
	}
	if err != nil || data == nil {
		t.Fatalf("no debugging information in %s: %v", binary, err)
	}
	offsets := map[string]uintptr{}
	for r := data.Reader(); ; {
		entry, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if entry == nil {
			return offsets
		}
		name, _ := entry.Val(dwarf.AttrName).(string)
		short, ok := strings.CutPrefix(name, "runtime.")
		ok = ok && (short == "g" || short == "m" || short == "gobuf" || short == "stack")
		if name == "internal/chacha8rand.State" {
			short, ok = "State", true
		}
		if entry.Tag == dwarf.TagStructType && ok {
			typ, err := data.Type(entry.Offset)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range typ.(*dwarf.StructType).Field {
				offsets[short+"."+f.Name] = uintptr(f.ByteOffset)
			}
		}
		if entry.Tag != dwarf.TagCompileUnit {
			r.SkipChildren()
		}
	}
}

// The linker checks that the stack suffices for nosplit functions. The test links unoptimised code with coverage, which has the largest frames. On
// darwin and windows the runtime's own frames are larger than on linux.
func TestNosplitStackSuffices(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it builds the standard library without optimisation")
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command to build a program; run the tests on the build machine")
	}
	targets := []string{runtime.GOOS + "/" + runtime.GOARCH}
	if os.Getenv("FASTCGO_ALL_OFFSETS") != "" {
		targets = []string{"linux/amd64", "linux/arm64", "android/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}
	}
	for _, target := range targets {
		t.Run(target, func(t *testing.T) {
			goos, goarch, _ := strings.Cut(target, "/")
			cmd := exec.Command(tool, "test", "-c", "-vet=off", "-gcflags=all=-N -l", "-covermode=atomic", "-coverpkg=./...", "-o", filepath.Join(t.TempDir(), "program"), ".")
			cmd.Env = append(cmd.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v:\n%.2000s", err, out)
			}
		})
	}
}

// -d=checkptr, which -race implies, puts calls of the runtime before conversions of pointers. Such a call of the runtime may move the goroutine's
// stack, but the stack must not move before a call of C. The compiler leaves these calls out of functions with //go:nosplit.
func TestNoCheckOfPointersBeforeACall(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it builds a program")
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command to build a program; run the tests on the build machine")
	}
	program := filepath.Join(t.TempDir(), "program")
	build := exec.Command(tool, "test", "-c", "-vet=off", "-gcflags=-d=checkptr", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%.2000s", err, out)
	}
	code, err := exec.Command(tool, "tool", "objdump", "-s", `^rustgo.dev/fastcgo\.(run|runHere|blocking|slow|\(\*watch\)\.begin)$`, program).CombinedOutput()
	if err != nil {
		t.Fatalf("%v:\n%.2000s", err, code)
	}
	if n := strings.Count(string(code), "\nTEXT ") + 1; n != 5 || strings.Contains(string(code), "checkptr") {
		t.Errorf("%d functions:\n%s", n, code)
	}
}
