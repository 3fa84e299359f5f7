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
// The compiler keeps both. In its intermediate form each store and each atomic operation, loads too, makes a new state of
// memory out of the one before, so that they stay in one order; an ordinary load belongs to one state, and is scheduled
// before the operation that makes the next (cmd/compile/internal/ssa: schedule.go, and tighten.go for other blocks).
// Nothing in Go's memory model promises that to programs, so TestCompiledOrder looks at the machine code that this version
// of Go makes. That the collector's write barrier stands between the two stores of an interface does not matter: it reads.
//
// On amd64 the processor keeps them too: stores become visible in program order, and loads are made in program order
// (Intel SDM volume 3, section 9.2.2; AMD APM volume 2, section 7.2). Each of the words is aligned, so that a load sees one
// store and no mixture of two (SDM 9.1.1). A store may become visible after loads that follow it, that is, New may take
// effect after it has returned, by as long as the processor buffers a store. Whoever learns of the number by a store that
// comes later sees it live; that is why the package says "happens before" and not "between call and return".
//
// The collector is not misled: a store of the value has its write barrier as any other, so that what is cleared
// is marked while a reader may have it, and what is loaded lies in a register or on the stack, which the collector looks at.
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
