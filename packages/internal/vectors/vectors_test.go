package vectors

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestFiles checks that testdata/README.md lists all files with their SHA-256, and that each file of Wycheproof has as many vectors as it states.
func TestFiles(t *testing.T) {
	readme, err := os.ReadFile("testdata/README.md")
	if err != nil {
		t.Fatal(err)
	}
	digests := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` .*`([0-9a-f]{64})` \\|$").FindAllStringSubmatch(string(readme), -1) {
		digests[row[1]] = row[2]
	}
	entries, err := files.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(digests) {
		t.Errorf("%d files, and %d rows in README.md", len(entries), len(digests))
	}
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), ".gz")
		data := Read(t, name)
		if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != digests[name] {
			t.Errorf("%s has the SHA-256 %s; README.md says %q", name, got, digests[name])
		}
		if !strings.HasSuffix(name, "_test.json") {
			continue
		}
		var file Wycheproof[struct{ Tests []json.RawMessage }]
		if err := json.Unmarshal(data, &file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		n := 0
		for _, group := range file.TestGroups {
			n += len(group.Tests)
		}
		if n == 0 || n != file.NumberOfTests {
			t.Errorf("%s has %d vectors, and says %d", name, n, file.NumberOfTests)
		}
	}
}

// recorder records the failures that would be reported to a test.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper()             {}
func (r *recorder) Logf(string, ...any) {}
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// TestTally makes each mistake that Tally.Check must find.
func TestTally(t *testing.T) {
	ran, left := map[string]int{"valid": 2, "invalid": 1}, map[string]int{"of 192 bits": 1}
	for _, c := range []struct {
		name    string
		count   func(*Tally)
		total   int
		reports int
	}{
		{"as expected", func(*Tally) {}, 4, 0},
		{"one valid more", func(c *Tally) { c.Ran("valid") }, 5, 1},
		{"another group", func(c *Tally) { c.Ran("other") }, 5, 1},
		{"one not applicable more", func(c *Tally) { c.Left("of 192 bits") }, 5, 1},
		{"one not looked at", func(*Tally) {}, 5, 1},
	} {
		tally := NewTally()
		tally.Ran("valid")
		tally.Ran("invalid")
		tally.Ran("valid")
		tally.Left("of 192 bits")
		c.count(tally)
		r := &recorder{}
		tally.Check(r, c.total, ran, left)
		if len(r.errors) != c.reports {
			t.Errorf("%s: %d reports instead of %d: %q", c.name, len(r.errors), c.reports, r.errors)
		}
	}
}
