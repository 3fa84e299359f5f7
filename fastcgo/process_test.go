//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"rustgo.dev/fastcgo/internal/ctest"
)

// again runs one test in a new process and returns its output.
func again(t *testing.T, test string, env ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.v", "-test.timeout=5m")
	cmd.Env = append(os.Environ(), env...)
	if runtime.GOARCH == "arm64" && os.Getenv("QEMU") != "" {
		cmd.Path, cmd.Args = os.Getenv("QEMU"), append([]string{os.Getenv("QEMU")}, cmd.Args...)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// crash runs one test in a new process, which must crash, and returns its output.
func crash(t *testing.T, test, child string) string {
	t.Helper()
	out, err := again(t, test, "FASTCGO_CHILD="+child)
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		t.Fatalf("the process should die, got %v:\n%s", err, out)
	}
	return out
}

func TestFaultInCIsFatal(t *testing.T) {
	// Each assembly function that calls C tells the runtime where the Go stack ends. So for each of these functions, the test causes a fault in a
	// call through it.
	calls := map[string]func(){
		"fault":       func() { UnsafeCall0(ctest.Fault) },
		"fault plain": Bind[func()](ctest.Fault),
		"fault any":   func() { Bind[func(uint8)](ctest.Fault)(1) },
		"fault block": func() { UnsafeCallNeedStack(ctest.Fault, 0) },
	}
	if call := calls[os.Getenv("FASTCGO_CHILD")]; call != nil {
		defer func() { _ = recover() }()
		faultInC(call)
		return
	}
	for child := range calls {
		out := crash(t, "TestFaultInCIsFatal", child)
		if strings.Contains(out, "PASS") {
			t.Errorf("%s was recovered:\n%s", child, out)
		}
		if how == wayMasked {
			continue // the kernel ends the process without a report
		}
		code := "SIGSEGV"
		if runtime.GOOS == "windows" {
			code = "0xc0000005"
		}
		for _, want := range []string{code, "fastcgo.CFunction(", "fastcgo.faultInC("} {
			if how == wayDirect && !strings.Contains(out, want) {
				t.Errorf("%s: no %q in:\n%s", child, want, out)
			}
		}
		if strings.Contains(out, "unexpected return pc") {
			t.Errorf("%s: Go cannot unwind:\n%s", child, out)
		}
	}
}

//go:noinline
func faultInC(call func()) {
	call()
}

// The test runs all tests of results again, as if the Go version were not supported.
func TestFallback(t *testing.T) {
	if os.Getenv("FASTCGO") != "" || known(runtime.Version()) != nil {
		t.Skip("this program already uses the fallback")
	}
	cgo := iscgo || runtime.GOOS == "windows"
	if !cgo {
		out, err := again(t, "TestUnsafeCalls", "FASTCGO=cgo")
		if want := "panic: fastcgo: no call is possible: FASTCGO=cgo is set, and this program has no cgo to fall back to"; err == nil || !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
		return
	}
	out, err := again(t, "(TestWay|TestUnsafeCalls|TestBind.*|TestText.*|TestErrno.*|Test.*Library|TestPointers.*|TestClobberedRegisters|TestAgainstCCompiler|TestHammer)", "FASTCGO=cgo")
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	if n := strings.Count(out, "fastcgo: calls use the slower way of cgo: FASTCGO=cgo is set\n"); n != 1 {
		t.Errorf("the notice appears %d times in:\n%s", n, out)
	}
}

// buildAs builds the tests into a program that contains the name of another Go version, and returns a command that runs some of them.
func buildAs(t *testing.T, version, tests string) *exec.Cmd {
	t.Helper()
	if testing.Short() {
		t.Skip("not with -short: it builds a test program")
	}
	if !iscgo || how != wayDirect {
		t.Skip("the fallback is cgo's way, which needs a program with cgo and direct calls: set CGO_ENABLED=1")
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command to build a program; run the tests on the build machine")
	}
	program := filepath.Join(t.TempDir(), "program")
	build := exec.Command(tool, "test", "-c", "-vet=off", "-ldflags=-X runtime.buildVersion="+version, "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	run := exec.Command(program, "-test.run=^("+tests+")$", "-test.short", "-test.v")
	if emulator := os.Getenv("QEMU"); runtime.GOARCH == "arm64" && emulator != "" {
		run.Path, run.Args = emulator, append([]string{emulator}, run.Args...)
	}
	return run
}

// The built program claims to be made by an unsupported Go version.
func TestUnknownVersion(t *testing.T) {
	out, err := buildAs(t, "go1.99.1", "TestUnsafeCalls|TestBind.*|TestText.*|TestPointers.*|TestClobberedRegisters|TestAgainstCCompiler|TestCallsInACallback|TestHammer").CombinedOutput()
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	if n := strings.Count(string(out), "fastcgo: calls use the slower way of cgo: go1.99.1 is not supported by this version of fastcgo, which supports go1.24.6 to go1.27\n"); n != 1 {
		t.Errorf("the notice appears %d times in:\n%s", n, out)
	}
}

// The built program claims to be made by a vendor's Go, or with an experiment. The layout of the runtime, not the name, decides whether calls are
// direct.
func TestVendorVersion(t *testing.T) {
	out, err := buildAs(t, runtime.Version()+"-X:jsonv2-1.el9", "TestVendorVersionChild|TestWay|TestRunsOnTheSystemStack|TestUnsafeCalls").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "the version is a vendor's, and calls are direct") {
		t.Errorf("%v:\n%s", err, out)
	}
}

// TestVendorVersionChild runs in the program that TestVendorVersion builds.
func TestVendorVersionChild(t *testing.T) {
	if !strings.HasSuffix(runtime.Version(), "-X:jsonv2-1.el9") {
		t.Skip("TestVendorVersion runs this in another program")
	}
	if direct, err := Direct(); !direct {
		t.Fatal(err)
	}
	t.Log("the version is a vendor's, and calls are direct")
}

func TestChoose(t *testing.T) {
	for _, version := range []string{"go1.23.12", "go1.24", "go1.24rc2", "go1.24.5", "go1.24.5-X:jsonv2", "go1.28", "go1.28rc1", "go1.99.3",
		"go1.99999999999999999999", "devel go1.28-0123456789", "devel +0123456789", "go1.", "go2.0", ""} {
		if w, err := choose(version, "", true); w != wayCgo || err == nil {
			t.Errorf("%q with cgo: way %d, %v", version, w, err)
		}
		if w, err := choose(version, "", false); w != wayNone || err == nil {
			t.Errorf("%q without cgo: way %d, %v", version, w, err)
		}
	}
	for version, want := range map[string][2]int{
		"go1.24.6": {24, 6}, "go1.24.13": {24, 13}, "go1.25.0": {25, 0}, "go1.25.14": {25, 14}, "go1.26rc2": {26, 0}, "go1.26beta1": {26, 0}, "go1.27.4": {27, 4},
		"go1.26.8-X:jsonv2": {26, 8}, "go1.25.1 X:arenas,jsonv2": {25, 1}, "go1.25.3-1.el9": {25, 3}, "go1.25.3 (Red Hat 1.25.3-1.el9)": {25, 3},
		"go1.26-20260101-RC00 cl/123456789": {26, 0}, "devel go1.27-0123456789": {27, 0}, "go1.25.x": {25, 0}, "vendor-go1.26.2": {26, 2},
	} {
		minor, patch, err := release(version)
		if err == nil {
			err = known(version)
		}
		if err != nil || minor != want[0] || patch != want[1] {
			t.Errorf("%q is %d, %d, %v, want %d", version, minor, patch, err, want)
		}
	}
}

// Android and iOS have the same runtime as linux and darwin, with the same layout and signal handlers.
func TestFamily(t *testing.T) {
	for _, c := range []struct {
		goos, goarch string
		cgo, want    bool
	}{
		{"linux", "arm64", false, true}, {"android", "arm64", false, true}, {"linux", "arm64", true, false}, {"android", "arm64", true, false},
		{"linux", "amd64", false, false}, {"android", "amd64", false, false}, {"darwin", "arm64", false, false}, {"ios", "arm64", false, false}, {"windows", "arm64", false, false},
	} {
		if got := mustMask(c.goos, c.goarch, c.cgo); got != c.want {
			t.Errorf("mustMask(%s, %s, %v) = %v", c.goos, c.goarch, c.cgo, got)
		}
	}
	if offsetsOf(family("android")) != offsetsOf("linux") || offsetsOf(family("ios")) != offsetsOf("darwin") {
		t.Error("android or ios has a layout of its own")
	}
}

// The start-up check must notice each single wrong offset.
func TestConsistentNoticesWrongOffsets(t *testing.T) {
	if err := known(runtime.Version()); err != nil {
		t.Skip(err)
	}
	if err := offsets.consistent(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*layout, uintptr){
		"g.stack":      func(l *layout, d uintptr) { l.gStackLo += d },
		"g.m":          func(l *layout, d uintptr) { l.gM += d },
		"g.sched.sp":   func(l *layout, d uintptr) { l.gSchedSP += d },
		"g.throwsplit": func(l *layout, d uintptr) { l.gThrowsplit += d },
		"m.g0":         func(l *layout, d uintptr) { l.mG0 += d },
		"m.curg":       func(l *layout, d uintptr) { l.mCurg += d },
		"m.lockedg":    func(l *layout, d uintptr) { l.mLockedg += d },
		"m.lockedExt":  func(l *layout, d uintptr) { l.mLockedExt += d },
		"m.profStack":  func(l *layout, d uintptr) { l.mProfStack += d },
		"m.chacha8":    func(l *layout, d uintptr) { l.mChacha8 += d },
		"m.self":       func(l *layout, d uintptr) { l.mSelf += d },
	} {
		if name == "m.self" && offsets.mSelf == 0 {
			continue
		}
		for _, d := range []uintptr{8, 16, 1 << 40} {
			l := offsets
			change(&l, d)
			if err := l.consistent(); err == nil {
				t.Errorf("%s off by %d passes the check", name, d)
			}
		}
	}
}

func TestHeadersAndGoAgree(t *testing.T) {
	file := "offsets_go125.h"
	if v, _, _ := release(runtime.Version()); v == 24 {
		file = "offsets_go124.h"
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// The lines between #ifdef GOOS_windows and #else are for windows; the lines from there to #endif are for other systems.
	head, rest, _ := bytes.Cut(text, []byte("#ifdef GOOS_windows\n"))
	windows, unix, _ := bytes.Cut(rest, []byte("#else\n"))
	if runtime.GOOS == "windows" {
		unix = windows
	}
	text = append(head, unix...)
	want := map[string]uintptr{
		"g_stack_lo": offsets.gStackLo, "g_m": offsets.gM, "g_sched_sp": offsets.gSchedSP, "g_sched_pc": offsets.gSchedPC,
		"g_throwsplit": offsets.gThrowsplit, "m_g0": offsets.mG0,
	}
	if runtime.GOOS == "windows" {
		want["m_libcallpc"], want["m_libcallsp"], want["m_libcallg"] = offsets.seenPC, offsets.seenSP, offsets.libcallg
	} else {
		want["m_vdsoPC"], want["m_vdsoSP"] = offsets.seenPC, offsets.seenSP
	}
	compareDefines(t, string(text), want)
}
