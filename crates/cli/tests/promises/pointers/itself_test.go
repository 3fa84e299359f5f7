package promises

import (
	"testing"

	"scratch/itself"

	"rustgo.dev/go/rt"
)

// Functions that call themselves through pointers format this panic's message.
func TestWhatPrintsItself(t *testing.T) {
	for x, want := range map[uint64]string{1: "((1 2 1) 6 1)", 12: "List { first: 4, rest: Some(List { first: 3, rest: None }) }"} {
		func() {
			defer func() {
				p, ok := recover().(*rt.Panic)
				if !ok || p.Message != want {
					t.Errorf("%d: %v", x, p)
				}
			}()
			itself.PrintsItself(x)
			t.Errorf("%d returns", x)
		}()
	}
}
