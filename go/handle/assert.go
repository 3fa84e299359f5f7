package handle

import "strings"

// AssertNone makes the test t fail if any handle of the process is live, and says how many are. With RUSTGODEBUG=handles=1 in
// the environment of the test it says too where they were made. t is a *testing.T or *testing.B; handles that tests running in
// parallel have made count as well.
//
//	defer handle.AssertNone(t)
func AssertNone(t interface {
	Helper()
	Errorf(format string, args ...any)
}) {
	t.Helper()
	if Len() == 0 {
		return
	}
	var b strings.Builder
	_ = WriteLive(&b) // a Builder does not fail
	t.Errorf("handle: there are live handles\n%s", b.String())
}
