//go:build amd64 && !race && !handlesteps

package handle

import "unsafe"

// In this build the value of a slot is written and read by ordinary stores and loads. Two fields that other goroutines read atomically are also
// written by ordinary stores. An atomic store is an exchange on amd64 and takes five times as long as a lookup.
//
// Two orders must hold for this to be correct:
//
//   - One goroutine writes in this order: live set to 0 (by compare-and-swap), the value cleared, the value written, live set
//     to the new number. It writes next before the compare-and-swap that puts a number on a list.
//   - One goroutine reads in this order: live, the value, live.
//
// The compiler keeps both orders. In its intermediate form each store and each atomic operation (loads included) turns one state of memory into the
// next, so they stay in one order. An ordinary load belongs to one state and is scheduled before the operation that makes the next state
// (cmd/compile/internal/ssa: schedule.go, and tighten.go for other blocks). Go's memory model does not promise this to programs, so
// TestCompiledOrder checks the machine code that the current version of Go makes. The collector's write barrier between the two stores of an
// interface does no harm: it only reads.
//
// On amd64 the processor keeps both orders too: stores become visible in program order, and loads are made in program order (Intel SDM volume 3,
// section 9.2.2; AMD APM volume 2, section 7.2). Each word is aligned, so a load sees one store and never a mixture of two (SDM 9.1.1). A store may
// become visible after loads that follow it. So New may take effect after it has returned, as late as the processor's store buffer allows. A
// goroutine that learns of the number by a later store sees the handle live; for this reason the package's documentation says "happens before" and
// not "between call and return".
//
// The collector sees every value. A store of the value has its write barrier as usual, so a cleared value is marked while a reader may still have
// it. A loaded value is in a register or on the stack, which the collector scans.
//
// While a slot gets a new value, a load may see the words of two different values. Such a pair is not used: the second read of live finds another
// number, or 0. Until then the pair is in registers or on the stack, where the collector may see it. The collector treats the second word as a
// pointer, whatever the type word says, and both second words are pointers.
//
// The race detector cannot know all this, so words_atomic.go replaces this file under it.

func (s *slot) load() any         { return s.value }
func (s *slot) store(v any)       { s.value = v }
func (s *slot) publish(h uint64)  { *(*uint64)(unsafe.Pointer(&s.live)) = h }
func (s *slot) link(below uint64) { *(*uint64)(unsafe.Pointer(&s.next)) = below }
