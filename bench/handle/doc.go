// Package handle compares ways to let C keep a Go value by a number: rustgo.dev/go/handle, runtime/cgo.Handle, sync.Map, a map
// with one lock, and the sharded map that Wallaroo, a stream processor written in Pony, put in that map's place in its Go API
// (Adventures with cgo, part 1, 2018). METHOD.md, one level up, says what is measured and how.
//
//	go run ./cmd/table -package ./handle    tables of all; run it in the folder bench
//	go test -bench Message ./handle         some
package handle
