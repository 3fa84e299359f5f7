package promises

import "testing"

// A caught panic frees all memory that the unwound frames owned.
func TestUnwindingPayloadsLeavesNothing(t *testing.T) { leavesNothing(t, "unwinding_payloads") }

// Goroutines panic and catch at the same time, and no panic reaches another goroutine's handler.
func TestUnwindingPayloadsOnManyGoroutines(t *testing.T) { onManyGoroutines(t, "unwinding_payloads") }
