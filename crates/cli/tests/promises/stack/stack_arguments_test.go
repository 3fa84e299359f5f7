package promises

import (
	"testing"

	"scratch/stack_arguments"
)

// The stack bound of a function includes copies of stack arguments. The copies contain only the arguments, and not the locals of the function.
func TestCopiesOfStackArgumentsAreSmall(t *testing.T) {
	stack_arguments.AlignedFrame(3)
	if got, most := bound(t, "stack_arguments", "AlignedFrame"), 1200; got > most {
		t.Errorf("AlignedFrame needs %d bytes of stack, want at most %d", got, most)
	}
}
