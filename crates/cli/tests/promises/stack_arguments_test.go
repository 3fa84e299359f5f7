package promises

import (
	"testing"

	"scratch/stack_arguments"
)

// The stack bound of a function includes the copies of stack arguments at the bottom of its frame, which hold only its arguments and not its locals.
func TestCopiesOfStackArgumentsAreSmall(t *testing.T) {
	stack_arguments.AlignedFrame(3)
	if got, most := bound(t, "stack_arguments", "AlignedFrame"), 1200; got > most {
		t.Errorf("AlignedFrame needs %d bytes of stack, want at most %d", got, most)
	}
}
