package promises

import "testing"

// A caught panic frees all memory that the unwound frames owned.
func TestUnwindingIteratorsLeavesNothing(t *testing.T) { leavesNothing(t, "unwinding_iterators") }

// Goroutines panic and catch at the same time, and no panic reaches another goroutine's handler.
func TestUnwindingIteratorsOnManyGoroutines(t *testing.T) { onManyGoroutines(t, "unwinding_iterators") }
