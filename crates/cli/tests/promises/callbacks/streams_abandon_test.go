package promises

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	streams "scratch/streams_abandon"
)

// Readers and writers implement std's traits in a crate without unwinding too.
func TestStreamsAbandon(t *testing.T) {
	var out strings.Builder
	if n, err := streams.Double(&out, strings.NewReader("text")); n != 4 || err != nil || out.String() != "texttext" {
		t.Error(n, err, out.String())
	}
	mine := errors.New("mine")
	if _, err := streams.Double(&out, iotest.ErrReader(mine)); err != mine {
		t.Error(err)
	}
}
