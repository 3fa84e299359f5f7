//go:build amd64 || arm64

// Host loads the plugin whose path is its argument, and lets the plugin check itself. Host makes calls too, so host and plugin both contain the
// functions of fastcgo.
package main

import (
	"fmt"
	"os"
	"plugin"

	"rustgo.dev/fastcgo/internal/buildmode/check"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "host:", err)
		os.Exit(1)
	}
}

func run() error {
	if problem := check.Run(); problem != "" {
		return fmt.Errorf("before the plugin: %s", problem)
	}
	if len(os.Args) == 1 {
		return nil
	}
	p, err := plugin.Open(os.Args[1])
	if err != nil {
		return err
	}
	symbol, err := p.Lookup("Check")
	if err != nil {
		return err
	}
	if problem := symbol.(func() string)(); problem != "" {
		return fmt.Errorf("in the plugin: %s", problem)
	}
	return nil
}
