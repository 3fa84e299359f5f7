//go:build amd64 && !race && !handlesteps

package handle

import "unsafe"

// In this build ordinary stores and loads write and read the value of a slot. Ordinary stores also write the fields live and next, which other
// goroutines read atomically. An atomic store on amd64 is an exchange instruction and would take five times as long as a lookup.
//
// This is correct if two orders hold:
//
//   - One goroutine writes in this order: live set to 0 (by compare-and-swap), the value cleared, the value written, live set
//     to the new number. It writes next before the compare-and-swap that puts a number on a list.
//   - One goroutine reads in this order: live, the value, live.
//
// The compiler keeps both orders. In the compiler's intermediate form each store and each atomic operation (also a load) turns one state of memory
// into the next, so these operations stay in order. An ordinary load belongs to one state and is scheduled before the operation that makes the next
// state (cmd/compile/internal/ssa: schedule.go, and tighten.go for other blocks). Go's memory model does not promise this order to programs, so
// TestCompiledOrder checks the machine code that the current version of Go makes. The collector's write barrier may run between the two stores of
// an interface. The barrier does no harm, because it only reads.
//
// On amd64 the processor keeps both orders too: stores become visible in program order, and loads are made in program order (Intel SDM volume 3,
// section 9.2.2; AMD APM volume 2, section 7.2). Each word is aligned, so a load sees one store and never a mixture of two (SDM 9.1.1). A store may
// become visible after loads that follow the store. So New may take effect after it has returned, as late as the processor's store buffer allows. A
// goroutine that learns of the number by a later store sees the handle live. For this reason the package's documentation orders calls by "happens
// before", and does not promise that a call takes effect between call and return.
//
// The collector sees every value. A store of a value has a write barrier as usual, so a cleared value is marked while a reader may still hold the
// value. A loaded value is in a register or on the stack, which the collector scans.
//
// While a slot gets a new value, a load may see the words of two different values. The package does not use such a pair, because the second read of
// live finds another number, or 0. Until then the pair is in registers or on the stack, where the collector may find the pair. The pair is safe for
// the collector: the collector treats the second word as a pointer, whatever the type word is, and the second words of both values are pointers.
//
// The race detector cannot follow this reasoning, so words_atomic.go replaces this file in programs with the race detector.

func (s *slot) load() any         { return s.value }
func (s *slot) store(v any)       { s.value = v }
func (s *slot) publish(h uint64)  { *(*uint64)(unsafe.Pointer(&s.live)) = h }
func (s *slot) link(below uint64) { *(*uint64)(unsafe.Pointer(&s.next)) = below }
