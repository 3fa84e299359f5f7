package promises

import "testing"

// A caught panic frees all memory that the unwound frames owned.
func TestUnwindingVectorsLeavesNothing(t *testing.T) { leavesNothing(t, "unwinding_vectors") }

// Goroutines panic and catch at the same time, and no panic reaches another goroutine's handler.
func TestUnwindingVectorsOnManyGoroutines(t *testing.T) { onManyGoroutines(t, "unwinding_vectors") }
