package handle

// local is the private part of a processor (a P of Go's scheduler; there are GOMAXPROCS of them): two stacks of free numbers. The numbers are
// linked through the field next of their slots; the last next is 0. Only a goroutine pinned to the processor accesses the stacks. So most calls of
// New need no atomic operation, and most calls of Delete need only the atomic operation that decides which goroutine has deleted the handle.
//
// There are two stacks because a number must not get on a shard's stack twice (see shard). Numbers in freed have never been on a shard's stack. When
// freed has a full batch, the batch is pushed to a shard. Numbers in fresh came from a shard's stack. Only New takes numbers from fresh.
type local struct {
	freed uint64 // top of the stack of numbers of handles deleted on this processor, or 0
	last  uint64 // the number at the bottom of freed, if freed is not empty
	fresh uint64 // top of the stack of numbers from a shard, or 0
	count uint32 // the length of freed, less than a batch
	_     [100]byte
}

// obtain returns a number that no other goroutine has, and its slot.
func (t *table) obtain() (uint64, *slot) {
	p := pin()
	if uint(p) >= uint(len(t.locals)) {
		unpin()
		return t.take(hint() & (t.config.shards - 1))
	}
	l := &t.locals[p]
	list := &l.freed
	if *list != 0 {
		l.count--
	} else {
		list = &l.fresh
		if *list == 0 {
			i := uint32(p) & (t.config.shards - 1)
			if *list = t.refill(&t.shards[i]); *list == 0 {
				unpin()
				return t.take(i)
			}
		}
	}
	h := *list
	s := t.slot(h)
	*list = s.next.Load()
	unpin()
	return h, s
}

// giveBack makes the number h available to New. h must never have been on a list. home is the shard to use if the processor has no lists.
func (t *table) giveBack(h uint64, s *slot, home uint32) {
	p := pin()
	if uint(p) >= uint(len(t.locals)) {
		unpin()
		t.shards[home].push(h, s)
		return
	}
	l := &t.locals[p]
	if l.freed == 0 {
		l.last = h
	}
	step()
	s.link(l.freed)
	l.freed = h
	l.count++
	if l.count == t.batch {
		t.shards[uint32(p)&(t.config.shards-1)].push(h, t.slot(l.last))
		l.freed, l.count = 0, 0
	}
	unpin()
}

// refill takes a batch of numbers from the shard s. If s has no number, but has a chunk of its own, refill takes the batch from the shard that last
// lent to s. It returns the top number, or 0 if there is no number.
func (t *table) refill(s *shard) uint64 {
	top := t.popBatch(s)
	if top == 0 && s.chunks.Load() != 0 {
		top = t.popBatch(&t.shards[s.lender.Load()])
	}
	return top
}

// popBatch takes at most a batch of numbers from the shard's stack and returns the top number, or 0 if the stack is empty. The caller then owns the
// slots of these numbers. The slots are linked by next, and the last next is 0.
//
// While popBatch walks down the stack, other goroutines may take numbers and change the links of their slots, so the walk may reach numbers that
// are now elsewhere. In this case the top number was taken too and is never on top again, so the compare-and-swap fails.
func (t *table) popBatch(s *shard) uint64 {
	for {
		step()
		top := s.free.Load()
		if top == 0 {
			return 0
		}
		last := t.slot(top)
		step()
		below := last.next.Load()
		for n := uint32(1); n < t.batch && below != 0; n++ {
			last = t.slot(below)
			step()
			below = last.next.Load()
		}
		step()
		if s.free.CompareAndSwap(top, below) {
			step()
			last.link(0)
			return top
		}
	}
}
