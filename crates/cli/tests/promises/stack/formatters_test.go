package promises

import (
	"fmt"
	"testing"

	"scratch/formatters"
)

// Formatting without recursion needs no stack budget, and its stack use stays within the computed bound.
func TestFormattersNeedNoBudget(t *testing.T) {
	const most = 16 << 10
	for _, function := range []string{"Prints", "Debugs"} {
		if bound := bound(t, "formatters", function); bound > most {
			t.Errorf("%s needs %d bytes of stack, more than %d", function, bound, most)
		}
	}
	sum := func(text string) (sum uint64) {
		for _, b := range []byte(text) {
			sum = sum*31 + uint64(b)
		}
		return sum
	}
	for n := range uint64(300) {
		short, long := "None", "None"
		if n%2 == 0 {
			short = fmt.Sprintf("Some([%d, %d])", n, n/3)
			long = fmt.Sprintf("Some(\n        [\n            %d,\n            %d,\n        ],\n    )", n, n/3)
		}
		for what, call := range map[string]func() uint64{
			fmt.Sprintf("%5d %d and %d/%x", n, n/2, n, n+1):              func() uint64 { return formatters.Prints(n) },
			`Both { name: "both\n", pair: ` + short + " }":               func() uint64 { return formatters.Debugs(n, false) },
			"Both {\n    name: \"both\\n\",\n    pair: " + long + ",\n}": func() uint64 { return formatters.Debugs(n, true) },
		} {
			fresh(t, func() {
				if got := call(); got != sum(what) {
					t.Errorf("%s: got %d, want %d", what, got, sum(what))
				}
			})
		}
	}
}
