//go:build amd64 || arm64

package fastcgo

import "testing"

// On amd64 a known slot points to m.tls, whose first word is g. The probe must find exactly this slot.
func TestProbe(t *testing.T) {
	old := tlsOffset
	defer func() { tlsOffset = old }()
	fits := func(word, g uintptr) bool { return word == g }
	if native == windows64 {
		fits = func(word, g uintptr) bool {
			m := wordAt(g, offsets.gM)
			return word >= m && word-m < 2048 && wordAt(word, 0) == g
		}
	}
	if err := probe(fits); err != nil {
		t.Error(err)
	}
	if err := probe(func(word, g uintptr) bool { return false }); err == nil {
		t.Error("a slot that fits nothing was found")
	}
	if err := probe(func(word, g uintptr) bool { return true }); err == nil {
		t.Error("a slot was chosen although every slot fits")
	}
}
