//go:build amd64 || arm64

package mlkem768_test

import (
	"runtime/debug"
	"testing"

	"rustgo.dev/go/rt"
	"rustgo.dev/packages/mlkem768"
)

// Keys without Close do not fill the memory, although Go's collector sees little of them. In this test it starts only if the package asks for it.
func TestDroppedKeysAreCollected(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	seed := make([]byte, mlkem768.SeedSize)
	before, most := rt.HeapLive(), uint64(0)
	const keys = 30_000
	var each uint64
	for i := range keys {
		if _, err := mlkem768.NewDecapsulationKey(seed); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			each = rt.HeapLive() - before
		}
		// What other tests have left may go meanwhile.
		most = max(most, rt.HeapLive()-min(before, rt.HeapLive()))
	}
	// A slow machine makes many while one collection runs.
	if all := each * keys; most > all-all/8 || all < 100<<20 {
		t.Errorf("%d of %d bytes were there at a time", most, all)
	}
}
