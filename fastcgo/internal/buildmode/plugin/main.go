//go:build amd64 || arm64

// Plugin is a Go plugin (-buildmode=plugin) that calls C through fastcgo. The program host loads it.
package main

import "rustgo.dev/fastcgo/internal/buildmode/check"

// Check calls [check.Run] and returns its result.
func Check() string { return check.Run() }

func main() {}
