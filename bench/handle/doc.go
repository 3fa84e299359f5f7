// Package handle compares ways to let C keep a Go value by a number: rustgo.dev/go/handle, runtime/cgo.Handle, sync.Map, a map with one lock, and a
// sharded map. Wallaroo, a stream processor written in Pony, replaced the map with one lock by this sharded map in its Go API (Adventures with cgo,
// part 1, 2018). METHOD.md, one level up, describes the measurements.
//
//	go run ./cmd/table -package ./handle    tables of all benchmarks; run it in the folder bench
//	go test -bench Message ./handle         some benchmarks
package handle
