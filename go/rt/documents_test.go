package rt_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// stubs declares the names that the examples about panics in docs/std.md use besides package rt.
const stubs = `package example

import (
	"errors"
	"fmt"
	"log"
	"sync"

	"rustgo.dev/go/rt"
)

var _, _, _, _ = errors.As, fmt.Errorf, log.Printf, sync.OnceFunc

// words is a generated package.
var words struct{ Count func(text string) uint64 }

// Queue is a type of one.
type Queue rt.Object

// NewQueue makes a Queue.
func NewQueue() *Queue { return nil }

// Push is one of its methods.
func (q *Queue) Push(x uint64) {}
`

// The examples about panics in docs/std.md compile, and go vet and gofmt accept them.
func TestDocumentedExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs go vet")
	}
	document, err := os.ReadFile(filepath.FromSlash("../../docs/std.md"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the module is here without the project's documents")
	} else if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(document), "\n## Panics\n")
	section, _, _ = strings.Cut(section, "\n## ")
	text, examples := stubs, 0
	for _, block := range strings.Split(section, "```go\n")[1:] {
		example, _, _ := strings.Cut(block, "```\n")
		text += "\n" + example
		examples++
	}
	if examples < 4 {
		t.Errorf("there are %d examples", examples)
	}
	here, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":     "module example\n\ngo 1.24\n\nrequire rustgo.dev/go v0.1.0\n\nreplace rustgo.dev/go => " + here + "\n",
		"example.go": text,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"go", "vet", "."}, {"gofmt", "-l", "."}} {
		command := exec.Command(args[0], args[1:]...)
		command.Dir = dir
		command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		if said, err := command.CombinedOutput(); err != nil || len(said) != 0 {
			t.Errorf("%v: %v\n%s", args, err, said)
		}
	}
}
