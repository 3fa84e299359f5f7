package blake3_test

import (
	"testing"

	"rustgo.dev/packages/blake3"
	"rustgo.dev/packages/internal/buildinfo"
)

func TestHasherAllocatesNothing(t *testing.T) {
	if buildinfo.Translated {
		t.Skip("a call of translated code allocates")
	}
	if !buildinfo.Optimised() {
		t.Skip("without inlining more escapes")
	}
	msg := input(3000)
	var heap blake3.Hasher
	for name, call := range map[string]func(){
		"a local Hasher": func() { var h blake3.Hasher; h.Write(msg) },
		"New":            func() { h := blake3.New(); h.Write(msg) },
		"Sum":            func() { var sum [32]byte; heap.Sum(sum[:0]) },
		"XOF":            func() { var output [100]byte; heap.XOF().Read(output[:]) },
	} {
		if n := testing.AllocsPerRun(100, call); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
