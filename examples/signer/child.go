package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// child is a service in a separate process.
type child struct {
	url     string
	command *exec.Cmd
	stderr  *bytes.Buffer // may be read only after the process has ended
}

// startChild runs the command serve of this program with the arguments, on a free port of the loopback interface. It returns when the service
// listens.
func startChild(ctx context.Context, args ...string) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, self, append([]string{"serve", "-addr", "127.0.0.1:0"}, args...)...)
	c := &child{command: command, stderr: new(bytes.Buffer)}
	command.Stderr = c.stderr
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = 15 * time.Second
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil { // the service has ended
		io.Copy(io.Discard, stdout)
		return nil, c.failure(errors.Join(command.Wait(), errors.New("it does not listen")))
	}
	c.url = strings.TrimSpace(line)
	return c, nil
}

// stop sends SIGTERM to the service, as a service manager would, and waits until the service has ended. It returns an error if the service does not
// exit with code 0.
func (c *child) stop() error {
	if err := c.command.Process.Signal(syscall.SIGTERM); err != nil { // Windows has no SIGTERM
		c.command.Process.Kill()
		c.command.Wait()
		return nil
	}
	if err := c.command.Wait(); err != nil {
		return c.failure(err)
	}
	return nil
}

func (c *child) failure(err error) error {
	return fmt.Errorf("the service failed: %w\n%s", err, bytes.TrimSpace(c.stderr.Bytes()))
}
