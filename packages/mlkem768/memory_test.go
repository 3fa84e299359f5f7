//go:build amd64 || arm64

package mlkem768_test

import (
	"runtime/debug"
	"testing"

	"rustgo.dev/go/rt"
	"rustgo.dev/packages/mlkem768"
)

// Keys that are not closed must not fill the memory, although Go's collector knows only a small part of their size. In this test a collection
// starts only if the package requests it.
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
		// Objects of other tests may be freed during this test.
		most = max(most, rt.HeapLive()-min(before, rt.HeapLive()))
	}
	// On a slow machine the test may make many keys while one collection runs.
	if all := each * keys; most > all-all/8 || all < 100<<20 {
		t.Errorf("%d of %d bytes were there at a time", most, all)
	}
}
