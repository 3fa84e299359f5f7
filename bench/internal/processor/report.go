package processor

import (
	"testing"
	"time"
)

// Report reports the processor time per operation, including all other work of the process.
func Report(b *testing.B, worked time.Duration, operations int) {
	if worked > 0 {
		b.ReportMetric(float64(worked)/float64(operations), "cpu-ns")
	}
}
