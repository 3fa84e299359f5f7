//go:build linux && (amd64 || arm64)

package secretscan

import "testing"

// registers copies the vector registers to dst: X0 to X15 on amd64, V0 to V31 on arm64.
//
//go:noescape
func registers(dst *[512]byte)

// NotInRegisters fails the test if a part of the secret is in a vector register after the call.
func (s *Secret) NotInRegisters(t *testing.T, what string, call func()) {
	t.Helper()
	found := new([512]byte)
	quietly(func() {
		call()
		registers(found)
	})
	for at := 0; at < len(found); at += 16 {
		if s.count(found[at:at+16]) != 0 {
			t.Errorf("%s leaves a part of the secret in vector register %d", what, at/16)
		}
	}
	clear(found[:])
}
