//go:build amd64 && !race && !handlesteps

package handle

import "unsafe"

// The value of a slot is written and read here by ordinary stores and loads, as are two fields written that other
// goroutines read atomically. An atomic store is an exchange on amd64, and takes as long as a lookup five times over.
//
// Why this is right: two orders matter, and both hold.
//
//   - Of what one goroutine writes, in the order in which it is written: live set to 0 (by compare-and-swap), the value
//     cleared, the value written, live set to the new number; and next before the compare-and-swap that puts a number on
//     a list.
//   - Of what one goroutine reads: live, the value, live.
//
// The compiler does not move memory accesses past atomic operations, and stores not past each other: package runtime and
// the standard library's lock-free code are built on that. On amd64 neither does the processor: stores become visible in
// program order, and loads are made in program order (Intel SDM volume 3, section 9.2.2; AMD APM volume 2, section 7.2).
// Each of the words is aligned, so that a load sees one store and no mixture of two (SDM 9.1.1).
//
// A load of the value may see the words of two different values while a slot is given a new one. Such a pair is not used:
// the second look at live finds another number, or 0. Until then it is in registers or on the stack, where the garbage
// collector may see it: it takes the second word for a pointer whatever the first says, and each of the two is one.
//
// The race detector cannot know all this, so under it words_atomic.go is used instead.

func (s *slot) load() any         { return s.value }
func (s *slot) store(v any)       { s.value = v }
func (s *slot) publish(h uint64)  { *(*uint64)(unsafe.Pointer(&s.live)) = h }
func (s *slot) link(below uint64) { *(*uint64)(unsafe.Pointer(&s.next)) = below }
