// Package rustgo is the column of the packages that rustgo has made of Rust crates. There is no ChaCha20-Poly1305 among them.
package rustgo

import (
	"rustgo.dev/fixtures/callcost"

	"rustgo.dev/bench/crypto/internal/column"
)

func Column() *column.Column {
	return &column.Column{Name: "rustgo", AES: AES, X25519: X25519, Signer: Signer, Verify: Verify, Batch: batch, KEM: kem, Encapsulate: encapsulate, Empty: empty}
}

// The entry is the dearer kind, which the packages' own functions have: with a frame.
func empty(n int) {
	var x uint64
	for range n {
		x = callcost.FramedIncrement(x)
	}
}
