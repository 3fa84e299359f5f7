package promises

import "testing"

// A caught panic frees all memory that the unwound frames owned.
func TestUnwindingDropsLeavesNothing(t *testing.T) { leavesNothing(t, "unwinding_drops") }

// Goroutines panic and catch at the same time, and no panic reaches another goroutine's handler.
func TestUnwindingDropsOnManyGoroutines(t *testing.T) { onManyGoroutines(t, "unwinding_drops") }
