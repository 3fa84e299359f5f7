//go:build (amd64 || arm64) && go1.26

package mlkem768

import (
	"crypto"
	"crypto/mlkem"
)

var (
	_ crypto.Decapsulator = (*DecapsulationKey)(nil)
	_ crypto.Encapsulator = (*EncapsulationKey)(nil)
)

// Encapsulator returns the public key as a type of [crypto/mlkem]. By this type crypto/hpke recognizes the scheme: see [crypto.Decapsulator].
// [DecapsulationKey.EncapsulationKey] returns the type of package mlkem768.
func (d *DecapsulationKey) Encapsulator() crypto.Encapsulator {
	key, err := mlkem.NewEncapsulationKey768(d.EncapsulationKey().Bytes())
	if err != nil {
		panic(err) // cannot happen for a key that was made from a seed
	}
	return key
}
