package promises

import "testing"

// A caught panic frees all memory that the unwound frames owned.
func TestUnwindingLeavesNothing(t *testing.T) { leavesNothing(t, "unwinding") }

// Goroutines panic and catch at the same time, and no panic reaches another goroutine's handler.
func TestUnwindingOnManyGoroutines(t *testing.T) { onManyGoroutines(t, "unwinding") }
