//go:build (amd64 || arm64) && go1.26

package mlkem768

import "crypto"

var (
	_ crypto.Decapsulator = (*DecapsulationKey)(nil)
	_ crypto.Encapsulator = (*EncapsulationKey)(nil)
)

// Encapsulator returns the public key: see [crypto.Decapsulator].
func (d *DecapsulationKey) Encapsulator() crypto.Encapsulator { return d.encapsulationKey() }
