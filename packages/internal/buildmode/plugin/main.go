// Plugin is a Go plugin (-buildmode=plugin) that calls the packages; host loads it.
package main

import "rustgo.dev/packages/internal/buildmode/check"

// Check is [check.Run].
func Check() string { return check.Run() }

func main() {}
