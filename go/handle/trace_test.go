package handle_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"rustgo.dev/go/handle"
)

//go:noinline
func makesThree() (hs [3]handle.Handle) {
	for i := range hs {
		hs[i] = handle.New(i)
	}
	return hs
}

//go:noinline
func makesOne() handle.Of[string] { return handle.NewOf("one") }

// TestWriteLive starts the program again with RUSTGODEBUG set.
func TestWriteLive(t *testing.T) {
	if os.Getenv("HANDLE_TEST_CHILD") != "" {
		three := makesThree()
		one := makesOne()
		three[1].Delete()
		makesOne().Delete()
		if err := handle.WriteLive(os.Stdout); err != nil {
			t.Fatal(err)
		}
		one.Delete()
		three[0].Delete()
		three[2].Delete()
		fmt.Println("then")
		_ = handle.WriteLive(os.Stdout)
		return
	}
	for _, c := range []struct{ debug, want string }{
		{"handles=1", `handles: 3 live

2 made at
	rustgo.dev/go/handle_test.makesThree
		\S+trace_test.go:\d+
	rustgo.dev/go/handle_test.TestWriteLive
		\S+trace_test.go:\d+
(?s:.*)
1 made at
	rustgo.dev/go/handle_test.makesOne
		\S+trace_test.go:\d+
	rustgo.dev/go/handle_test.TestWriteLive
(?s:.*)
then
handles: 0 live
`},
		{"other=2,handles=1", "handles: 3 live\n\n2 made at\n"},
		{"handles=0", "handles: 3 live\nstart the program with RUSTGODEBUG=handles=1 to see where they were made\nthen\n"},
		{"", "handles: 3 live\nstart the program with"},
	} {
		cmd := again("-test.run=^TestWriteLive$")
		cmd.Env = append(os.Environ(), "HANDLE_TEST_CHILD=1", "RUSTGODEBUG="+c.debug)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}

		if !regexp.MustCompile("^" + c.want).Match(out) {
			t.Errorf("RUSTGODEBUG=%s: got\n%s\nwant\n%s", c.debug, out, c.want)
		}
	}
}

// again returns a command that runs this test program once more. RUSTGO_TEST_EXEC is a command that runs programs of another architecture, as in go
// test -exec.
func again(args ...string) *exec.Cmd {
	command := append(append(strings.Fields(os.Getenv("RUSTGO_TEST_EXEC")), os.Args[0]), args...)
	return exec.Command(command[0], command[1:]...)
}

type brokenPipe struct{ error }

func (b brokenPipe) Write([]byte) (int, error) { return 0, b.error }

func TestWriteLiveFails(t *testing.T) {
	broken := brokenPipe{errors.New("broken")}
	if err := handle.WriteLive(broken); err != broken.error {
		t.Errorf("got %v", err)
	}
}

// TestTracedHammer repeats tests of the exported functions while New and Delete record stacks.
func TestTracedHammer(t *testing.T) {
	cmd := again("-test.run=^(TestHammerPackage|TestAllAndLen|TestOf)$", "-handle.operations=100000")
	cmd.Env = append(os.Environ(), "RUSTGODEBUG=handles=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
