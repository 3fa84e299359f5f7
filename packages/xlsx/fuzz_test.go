//go:build amd64 || arm64

package xlsx

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"rustgo.dev/go/rt"
)

// FuzzOpen reads the whole contents of damaged files twice. The two results must be equal. The memory has a limit, because a file may demand any
// amount.
func FuzzOpen(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*s*")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	rt.SetMemoryLimit(1 << 30)
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := Open(data)
		var e *Error
		if err != nil {
			if !errors.As(err, &e) {
				t.Fatal(err)
			}
			return
		}
		for _, sheet := range w.SheetNames() {
			var counts [2]int
			for i := range counts {
				for row, err := range w.Rows(sheet) {
					counts[i]++
					if err != nil && !errors.As(err, &e) {
						t.Fatal(err)
					}
					for _, value := range row.Cells {
						_, time := value.Time()
						_, duration := value.Duration()
						if (time || duration) && value.String() == "" {
							t.Fatal("a time without a text")
						}
					}
					if counts[i] == 10_000 {
						break
					}
				}
			}
			if counts[0] != counts[1] {
				t.Fatalf("%d rows, and then %d", counts[0], counts[1])
			}
			for _, err := range w.Formulas(sheet) {
				if err != nil && !errors.As(err, &e) {
					t.Fatal(err)
				}
			}
			if _, err := w.MergedRegions(sheet); err != nil && !errors.As(err, &e) {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
