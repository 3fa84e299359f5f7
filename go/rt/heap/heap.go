//go:build amd64 || arm64

package heap

import "rustgo.dev/go/rt"

func init() { rt.StartHeap() }
