package object

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestDamage requires that Read and Assembled never panic on damaged files, and that Read refuses many of the files.
func TestDamage(t *testing.T) {
	cmd := exec.Command("go", "list", "-export", "-f", "{{.Export}}", "./xxh3")
	cmd.Dir = "../../../packages"
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	archive, err := os.ReadFile(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	files, err := Assembled(archive)
	if err != nil {
		t.Fatal(err)
	}
	good := files["rustgo_amd64.o"]
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 1500 {
		bad := slices.Clone(good)
		for range 1 + r.IntN(3) {
			bad[r.IntN(len(bad))] ^= byte(1 + r.IntN(255))
		}
		if r.IntN(4) == 0 {
			bad[r.IntN(300)] ^= byte(1 + r.IntN(255))
		}
		if r.IntN(3) == 0 {
			bad = bad[:r.IntN(len(bad))]
		}
		if _, err := Read(bad); err != nil {
			refused++
		}
		if len(archive) > 0 {
			_, _ = Assembled(archive[:r.IntN(len(archive))])
		}
	}
	if refused < 300 {
		t.Errorf("only %d damaged files refused", refused)
	}
}
