package promises

import "testing"

// A caught panic frees all memory that the unwound frames owned.
func TestUnwindingCollectionsLeavesNothing(t *testing.T) { leavesNothing(t, "unwinding_collections") }

// Goroutines panic and catch at the same time, and no panic reaches another goroutine's handler.
func TestUnwindingCollectionsOnManyGoroutines(t *testing.T) {
	onManyGoroutines(t, "unwinding_collections")
}
