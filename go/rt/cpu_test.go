//go:build amd64 || arm64

package rt

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// inChild runs this test again in a new process with these environment variables, and returns the output. RUSTGO_TEST_EXEC is a command that runs
// tests of another architecture, as in go test -exec.
func inChild(t *testing.T, variables ...string) string {
	t.Helper()
	command := append(strings.Fields(os.Getenv("RUSTGO_TEST_EXEC")), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child := exec.Command(command[0], command[1:]...)
	child.Env = append(os.Environ(), append(variables, "RUSTGO_TEST_CHILD=1")...)
	out, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", variables, err, out)
	}
	return string(out)
}

// TestCPULevel runs itself as a child process, which prints the level that it uses.
func TestCPULevel(t *testing.T) {
	if os.Getenv("RUSTGO_TEST_CHILD") != "" {
		_, _ = os.Stdout.WriteString("level " + CPULevel() + ".\n")
		return
	}
	t.Logf("the processor has %s, and %s is used", cpuLevels[processorLevel-1], CPULevel())
	for number, level := range cpuLevels {
		want := cpuLevels[min(number, int(processorLevel)-1)]
		if out := inChild(t, "GODEBUG=", "RUSTGO_CPU="+level); !strings.Contains(out, "level "+want+".\n") {
			t.Errorf("RUSTGO_CPU=%s: %s", level, out)
		}
	}
	out := inChild(t, "GODEBUG=", "RUSTGO_CPU=z80")
	if !strings.Contains(out, "RUSTGO_CPU=z80 is no level of this architecture: "+cpuLevels[0]+", ") ||
		!strings.Contains(out, "level "+cpuLevels[processorLevel-1]+".\n") {
		t.Error(out)
	}
	// If the processor lacks a feature, the level that introduces the feature and all higher levels must not be used.
	features := map[string]string{"avx2": "x86-64-v2", "avx512bw": "x86-64-v3+crypto", "pclmulqdq": "x86-64-v3",
		"vaes": "x86-64-v4", "sha2": "armv8-a+lse", "sse42": "x86-64", "atomics": "armv8-a", "all": cpuLevels[0]}
	for feature, most := range features {
		number := levelNumber(most)
		if number == 0 {
			continue
		}
		want := cpuLevels[min(number, processorLevel)-1]
		if out := inChild(t, "RUSTGO_CPU=", "GODEBUG=asyncpreemptoff=1,cpu."+feature+"=off"); !strings.Contains(out, "level "+want+".\n") {
			t.Errorf("without %s: %s", feature, out)
		}
	}
}

// TestNeedCPU calls NeedCPU as if the processor had only the lowest level.
func TestNeedCPU(t *testing.T) {
	defer func(level uint8) { processorLevel = level }(processorLevel)
	processorLevel = 1
	if !NeedCPU("p", cpuLevels[0], "a level of another architecture") {
		t.Error("NeedCPU refuses the lowest level")
	}
	defer func() {
		message, _ := recover().(string)
		if want := "rustgo: package p is compiled for processors of the level " + cpuLevels[1] + ", and this one is of the level " +
			cpuLevels[0]; !strings.HasPrefix(message, want) {
			t.Errorf("%q", message)
		}
	}()
	NeedCPU("p", "none", cpuLevels[1])
	t.Error("no panic")
}
