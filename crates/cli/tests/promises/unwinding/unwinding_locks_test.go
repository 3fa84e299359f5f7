package promises

import "testing"

// A caught panic frees all memory that the unwound frames owned.
func TestUnwindingLocksLeavesNothing(t *testing.T) { leavesNothing(t, "unwinding_locks") }

// Goroutines panic and catch at the same time, and no panic reaches another goroutine's handler.
func TestUnwindingLocksOnManyGoroutines(t *testing.T) {
	onManyGoroutines(t, "unwinding_locks", "static_mutex")
}
