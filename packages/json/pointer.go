//go:build amd64 || arm64

package json

import "strings"

var escapes = strings.NewReplacer("~", "~0", "/", "~1")

// EscapeName returns the name of a member as it is written in a JSON pointer: with ~0 for ~ and ~1 for /.
//
//	value, ok := json.Get(data, "/paths/"+json.EscapeName(path))
func EscapeName(name string) string { return escapes.Replace(name) }
