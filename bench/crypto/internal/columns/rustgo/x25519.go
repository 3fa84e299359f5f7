package rustgo

import "rustgo.dev/packages/x25519"

func X25519(scalar *[32]byte) func(shared, point *[32]byte) bool {
	return func(shared, point *[32]byte) bool { return x25519.Exchange(shared, scalar, point) }
}
