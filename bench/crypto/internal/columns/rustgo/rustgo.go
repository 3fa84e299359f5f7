// Package rustgo is the column of the packages made by rustgo. None has ChaCha20-Poly1305.
package rustgo

import (
	"rustgo.dev/fixtures/callcost"

	"rustgo.dev/bench/crypto/internal/column"
)

func Column() *column.Column {
	return &column.Column{Name: "rustgo", AES: AES, X25519: X25519, Signer: Signer, Verify: Verify, Batch: batch, KEM: kem, Encapsulate: encapsulate, Empty: empty}
}

// The entry has a frame, as the entries of the packages' functions have. An entry without a frame is cheaper.
func empty(n int) {
	var x uint64
	for range n {
		x = callcost.FramedIncrement(x)
	}
}
