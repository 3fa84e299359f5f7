package handle

// local is what a processor (a P of Go's scheduler, of which there are GOMAXPROCS) keeps for itself: two stacks of free
// numbers, linked by their slots' next and ended by 0. Only a goroutine that is pinned to the processor touches them, so
// that most calls of New need no atomic operation at all, and most calls of Delete no other than the one that decides who
// has deleted the handle.
//
// There are two because a number must not get on a shard's stack twice (see shard). What is freed has never been on one,
// and goes to one when there is a batch of it. What is fresh has come from one, and goes out by New alone.
type local struct {
	freed uint64 // the number on top, or 0: of handles deleted on this processor
	last  uint64 // the number at the bottom of freed, if there is one
	fresh uint64 // the number on top, or 0: from a shard
	count uint32 // how many freed has, less than a batch
	_     [100]byte
}

// obtain returns a number that nobody else has, and its slot.
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

// giveBack makes a number, which has never been on a list, available to New. home is a shard for it where processors
// have no lists.
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
	if l.count == t.config.batch {
		t.shards[uint32(p)&(t.config.shards-1)].push(h, t.slot(l.last))
		l.freed, l.count = 0, 0
	}
	unpin()
}

// refill takes numbers from a shard, or where its goroutines found some last. It returns the one on top; 0 if there are none.
func (t *table) refill(s *shard) uint64 {
	top := t.popBatch(s)
	if top == 0 && s.chunks.Load() != 0 {
		top = t.popBatch(&t.shards[s.lender.Load()])
	}
	return top
}

// popBatch takes up to a batch of numbers from the stack and returns the one on top; 0 if there is none. The caller owns
// the slots, which are linked by next and ended by 0.
//
// While it goes down the stack, others may take numbers and change what their slots link to, so that it gets to numbers
// that are elsewhere now. But then the first was taken as well, and is never on top again.
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
		for n := uint32(1); n < t.config.batch && below != 0; n++ {
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
