// Package handle compares ways for C code to hold a Go value by a number: rustgo.dev/go/handle, runtime/cgo.Handle, sync.Map, a map with one lock,
// and a sharded map. The Go API of Wallaroo, a stream processor written in Pony, first used the map with one lock and later this sharded map
// (Adventures with cgo, part 1, 2018). ../METHOD.md describes the measurements.
//
//	go run ./cmd/table -package ./handle    tables of all benchmarks; run it in the folder bench
//	go test -bench Message ./handle         some benchmarks
package handle
