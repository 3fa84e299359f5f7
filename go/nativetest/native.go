package nativetest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is the longest time that a native call may take. If a call takes longer, the test does not make it in Go, because nothing could stop the
// call in Go.
const patience = time.Second

// build makes the native program and returns its path. It skips the test if a tool is missing.
func build(t *testing.T, args []string) string {
	t.Helper()
	rustgo := os.Getenv("RUSTGO")
	if rustgo == "" {
		rustgo = "rustgo"
	}
	if _, err := exec.LookPath(rustgo); err != nil {
		t.Skipf("the package is not compared with its Rust code: %v; install rustgo, or name it in RUSTGO", err)
	}
	if _, err := exec.LookPath("cargo"); err != nil {
		t.Skipf("the package is not compared with its Rust code: %v", err)
	}
	if runtime.GOOS != "linux" {
		t.Skipf("the package is not compared with its Rust code: that is done on linux, not on %s", runtime.GOOS)
	}
	cmd := exec.Command(rustgo, append([]string{"native", "--quiet"}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, stderr.String())
	}
	return strings.TrimSpace(stdout.String())
}

// native controls the native program. The first question to the program starts it.
type native struct {
	path    string
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan answer
	stderr  *tail

	// asked holds the questions of the current sequence of calls, so that varies can repeat them.
	asked [][]byte
}

// answer is an answer of the native program.
type answer struct {
	kind byte
	text string
}

// start starts the program.
func (n *native) start() error {
	n.cmd = exec.Command(n.path)
	n.stderr = &tail{}
	n.cmd.Stderr = n.stderr
	n.cmd.Env = append(os.Environ(), "RUST_BACKTRACE=0")
	in, err := n.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := n.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := n.cmd.Start(); err != nil {
		return err
	}
	n.in, n.answers = in, make(chan answer)
	go read(out, n.answers)
	return nil
}

// read sends the answers in the program's output to a channel, until the output ends.
func read(from io.Reader, to chan<- answer) {
	defer close(to)
	for {
		var head [4]byte
		if _, err := io.ReadFull(from, head[:]); err != nil {
			return
		}
		all := make([]byte, binary.LittleEndian.Uint32(head[:]))
		if _, err := io.ReadFull(from, all); err != nil || len(all) == 0 {
			return
		}
		to <- answer{all[0], string(all[1:])}
	}
}

// stop ends the program.
func (n *native) stop() error {
	if n.answers == nil {
		return nil
	}
	_ = n.in.Close()
	_ = n.cmd.Process.Kill()
	for range n.answers {
	}
	n.answers = nil
	return n.cmd.Wait()
}

// ask sends a question and returns the answer. If the answer does not come in time, ask stops the program. The next question then starts a new
// program, which has no objects.
func (n *native) ask(question []byte) (answer, error) {
	return n.askWithin(patience, question)
}

func (n *native) askWithin(limit time.Duration, question []byte) (answer, error) {
	if n.answers == nil {
		if err := n.start(); err != nil {
			return answer{}, fmt.Errorf("the native program: %w", err)
		}
	}
	n.asked = append(n.asked, question)
	message := binary.LittleEndian.AppendUint32(nil, uint32(len(question)))
	// If the write fails, the answer does not come, and the time limit ends the wait.
	_, _ = n.in.Write(append(message, question...))
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case a, ok := <-n.answers:
		if ok {
			return a, nil
		}
		why := "the native program ended"
		if err := n.stop(); err != nil {
			why += ": " + err.Error()
		}
		if line := n.stderr.String(); line != "" {
			why += ": " + line
		}
		return answer{}, errors.New(why)
	case <-timer.C:
		_ = n.stop()
		return answer{}, fmt.Errorf("natively the call takes longer than %v", limit)
	}
}

// programs is the number of native programs that must agree. A HashMap of two keys has one of two orders, so all 20 programs agree by chance once in
// half a million cases.
const programs = 20

// varies asks several new programs, each with other random keys, the same questions. It reports whether their answers to the last question differ and
// Go's result is a possible answer. Go's result is possible if at least one answer is of the same kind (a panic or a value). If all answers have the
// same bytes in different orders, Go's result must have these bytes too.
func (n *native) varies(questions [][]byte, got outcome) bool {
	var answers []answer
	for range programs {
		fresh := &native{path: n.path}
		var last answer
		var err error
		for _, q := range questions {
			if last, err = fresh.ask(q); err != nil {
				break
			}
		}
		_ = fresh.stop()
		if err != nil {
			return false
		}
		answers = append(answers, last)
	}
	first := answers[0]
	differs := slices.ContainsFunc(answers, func(a answer) bool { return a != first })
	hasKind := slices.ContainsFunc(answers, func(a answer) bool { return (a.kind == panics) == got.panicked })
	sorted := sortedBytes(first.text)
	isPermuted := !slices.ContainsFunc(answers, func(a answer) bool { return a.kind != first.kind || sortedBytes(a.text) != sorted })
	return differs && hasKind && (!isPermuted || sortedBytes(got.text) == sorted)
}

// sortedBytes returns the bytes of a text in ascending order.
func sortedBytes(text string) string {
	bytes := []byte(text)
	slices.Sort(bytes)
	return string(bytes)
}

// tail is a writer that keeps the end of its text.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-500):]
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := ""
	for line := range strings.Lines(string(t.text)) {
		// This condition skips std's hint on how to get a backtrace.
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "note:") {
			last = line
		}
	}
	return last
}

var literal = regexp.MustCompile(`b?"((?:[^"\\]|\\.){1,60})"|\b(\d[\d_]{1,18})\b`)

// literals returns the texts and numbers in the crate's sources. They probably include texts that the crate's parsers accept.
func literals(crate string) []string {
	var found []string
	seen := map[string]bool{}
	for _, file := range sources(crate + "/src") {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for _, m := range literal.FindAllSubmatch(data, 1000) {
			word := string(m[1]) + strings.ReplaceAll(string(m[2]), "_", "")
			if !seen[word] && len(found) < 500 {
				seen[word] = true
				found = append(found, word)
			}
		}
	}
	return found
}

func sources(dir string) []string {
	var files []string
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		path := dir + "/" + entry.Name()
		switch {
		case entry.IsDir():
			files = append(files, sources(path)...)
		case strings.HasSuffix(path, ".rs"):
			files = append(files, path)
		}
	}
	return files
}
