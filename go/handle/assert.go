package handle

import "strings"

// AssertNone fails the test t if any handle of the process is live, and reports the number of live handles. With RUSTGODEBUG=handles=1 in the
// test's environment, the report says where the handles were made. t is a *testing.T or *testing.B. Handles made by tests that run in parallel
// count too.
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
	_ = WriteLive(&b) // writing to a Builder cannot fail
	t.Errorf("handle: there are live handles\n%s", b.String())
}
