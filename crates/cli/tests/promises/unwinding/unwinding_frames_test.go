package promises

import "testing"

// A caught panic frees all memory that the unwound frames owned.
func TestUnwindingFramesLeavesNothing(t *testing.T) { leavesNothing(t, "unwinding_frames") }

// Goroutines panic and catch at the same time, and no panic reaches another goroutine's handler.
func TestUnwindingFramesOnManyGoroutines(t *testing.T) { onManyGoroutines(t, "unwinding_frames") }
