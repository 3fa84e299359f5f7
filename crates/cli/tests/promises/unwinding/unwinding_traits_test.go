package promises

import "testing"

// A caught panic frees all memory that the unwound frames owned.
func TestUnwindingTraitsLeavesNothing(t *testing.T) { leavesNothing(t, "unwinding_traits") }

// Goroutines panic and catch at the same time, and no panic reaches another goroutine's handler.
func TestUnwindingTraitsOnManyGoroutines(t *testing.T) { onManyGoroutines(t, "unwinding_traits") }
