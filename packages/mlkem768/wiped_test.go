//go:build linux && amd64

package mlkem768_test

import (
	"testing"

	"rustgo.dev/packages/internal/wiped"
	"rustgo.dev/packages/mlkem768"
)

func TestKeysAreWiped(t *testing.T) {
	var key *mlkem768.DecapsulationKey
	secret := wiped.NewSecret(t, func(bytes []byte) {
		var err error
		// Not on the stack, which leaves a copy behind where it grows: what is appended to is not known to the compiler.
		seed := append(bytes, bytes...)
		defer clear(seed)
		if key, err = mlkem768.NewDecapsulationKey(seed); err != nil {
			t.Fatal(err)
		}
	})
	if n := secret.In(t)[""]; n == 0 {
		t.Error("the key is nowhere: the test finds nothing")
	}
	key.EncapsulationKey()
	if err := key.Close(); err != nil {
		t.Fatal(err)
	}
	for where, n := range secret.In(t) {
		if n != 0 {
			t.Errorf("the key lies in %d places of %q after it was closed", n, where)
		}
	}
}
