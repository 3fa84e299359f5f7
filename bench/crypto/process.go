package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A process runs the worker program of one column.
type process struct {
	column string
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
}

// start starts the program of a column. It pins the process to a processor, unless processor is "".
func start(program, column, processor string) (*process, error) {
	args := []string{program, column}
	if processor != "" {
		args = append([]string{"taskset", "-c", processor}, args...)
	}
	p := &process{column: column, cmd: exec.Command(args[0], args[1:]...)}
	p.cmd.Stderr = os.Stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	return p, p.cmd.Start()
}

// ask sends a command and reads the answer. If the process does not answer within a minute, ask kills the process.
func (p *process) ask(answer any, words ...any) error {
	command := strings.TrimSpace(fmt.Sprintln(words...))
	timer := time.AfterFunc(time.Minute, func() { p.cmd.Process.Kill() })
	defer timer.Stop()
	if _, err := fmt.Fprintln(p.in, command); err != nil {
		return fmt.Errorf("%s, %q: %w", p.column, command, err)
	}
	line, err := p.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, answer)
	}
	if err != nil {
		return fmt.Errorf("%s, %q: %w", p.column, command, err)
	}
	return nil
}

func (p *process) stop() error {
	p.in.Close()
	return p.cmd.Wait()
}
