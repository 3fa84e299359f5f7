package analysis

import (
	"os"
	"strings"
	"testing"
	"time"

	"rustgo.dev/check/internal/object"
)

func TestX(t *testing.T) {
	for _, p := range strings.Fields(os.Getenv("P")) {
		a := os.Getenv("A")
		b, _ := os.ReadFile("/tmp/chk/" + a + "/" + p + "/x.a")
		m, _ := object.Assembled(b)
		for _, o := range m {
			f, err := object.Read(o)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			x, faults := Check(f)
			t.Logf("%s %v %+v", p, time.Since(start), x)
			t.Log(len(faults))
			for _, f := range faults[:min(len(faults), 8)] {
				t.Log(f)
			}
		}
	}
}
