//go:build !linux && (amd64 || arm64)

package rt_test

import (
	"os"
	"strings"
	"testing"

	"rustgo.dev/go/rt/internal/fakerust"
)

func TestFormatterThatFaultsIsFatal(t *testing.T) {
	if os.Getenv("RT_TEST_CHILD") == "fault" {
		defer func() { recover() }()
		fakerust.Panic("", 0, fakerust.FaultsNil)
	}
	if out := crash(t, "TestFormatterThatFaultsIsFatal", "fault"); !strings.Contains(out, "formatPanicMessage") {
		t.Errorf("got:\n%s", out)
	}
}
