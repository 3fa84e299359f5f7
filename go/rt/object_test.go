package rt_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"rustgo.dev/go/rt"
)

// Queue stands in for a type of a generated package, and its methods stand in for generated methods. Go functions replace the Rust code: they use
// the value and check that the use is allowed.
type Queue rt.Object

// value stands in for a Rust value in the Rust heap.
type value struct {
	users   atomic.Int32 // number of shared uses; an exclusive use subtracts 1000
	dropped atomic.Int32
	sum     int // guarded by exclusive use
}

// rustHeap keeps the values alive, because the collector does not know the references from objects to them.
var rustHeap sync.Map

var dropped atomic.Int64

func newQueue() *Queue {
	v := &value{}
	rustHeap.Store(v, true)
	return (*Queue)(rt.NewObject(unsafe.Pointer(v), dropQueue))
}

func dropQueue(address unsafe.Pointer) {
	v := (*value)(address)
	if v.users.Load() != 0 {
		panic("a value is dropped while a call uses it")
	}
	if v.dropped.Add(1) != 1 {
		panic("a value is dropped twice")
	}
	dropped.Add(1)
	rustHeap.Delete(v)
}

// valueOf finds the value as Rust code does.
func valueOf(q *Queue) *value {
	v := **(***value)(unsafe.Pointer(q))
	if v == nil || v.dropped.Load() != 0 {
		panic("a call uses a value that is not there")
	}
	return v
}

//go:noinline
func rustQueueLen(q *Queue, body func()) int {
	v := valueOf(q)
	if v.users.Add(1) < 0 {
		panic("a shared use beside an exclusive one")
	}
	defer v.users.Add(-1)
	if body != nil {
		body()
	}
	return v.sum
}

//go:noinline
func rustQueuePush(q *Queue, body func()) {
	v := valueOf(q)
	rt.EnterValue((*rt.Object)(q))
	v.push(body)
}

func (v *value) push(body func()) {
	if v.users.Add(-1000) != -1000 {
		panic("an exclusive use beside another")
	}
	defer v.users.Add(1000)
	v.sum++
	if body != nil {
		body()
	}
}

func (q *Queue) Len(body func()) int {
	u := rt.Share((*rt.Object)(q), "Queue.Len", "Queue")
	defer u.Release("Queue.Len")
	u.Run() // in place of Rust code, which sets begun
	n := rustQueueLen(q, body)
	u.Returned()
	return n
}

// refusing makes a call whose arguments Rust refuses, so that Rust does not begin to use the value.
func (q *Queue) refusing(leave func()) {
	u := rt.Share((*rt.Object)(q), "Queue.refusing", "Queue")
	defer u.Release("Queue.refusing")
	leave()
	u.Returned()
}

// lentTo stands in for the method Len of a type that has only shared methods.
func (q *Queue) lentTo(body func()) {
	u := rt.Lend((*rt.Object)(q), "Queue.lentTo", "Queue")
	defer u.Release("Queue.lentTo")
	u.Run()
	rustQueueLen(q, body)
	u.Returned()
}

func (q *Queue) Push(body func()) {
	u := rt.Exclusive((*rt.Object)(q), "Queue.Push", "Queue")
	defer u.Release()
	rustQueuePush(q, body)
	u.Returned()
}

// Finish takes the value out of the queue.
func (q *Queue) Finish(body func()) (sum int) {
	u := rt.Exclusive((*rt.Object)(q), "Queue.Finish", "Queue")
	defer u.Release()
	v := valueOf(q)
	rt.TakeValue((*rt.Object)(q))
	rustHeap.Delete(v)
	v.push(body)
	u.Returned()
	return v.sum
}

func (q *Queue) Close() error { return rt.Close((*rt.Object)(q), "Queue.Close", "Queue") }

// Merge uses two objects. The function before runs after both uses have begun, before the Rust code. The function after runs after both calls of
// Returned.
func Merge(into, from *Queue, before, body, after func()) {
	u := rt.Exclusive((*rt.Object)(into), "Merge", "Queue")
	defer u.Release()
	w := rt.Exclusive((*rt.Object)(from), "Merge", "Queue")
	defer w.Release()
	before()
	rt.EnterValue((*rt.Object)(from))
	rustQueuePush(into, nil)
	rustQueuePush(from, body)
	u.Returned()
	w.Returned()
	after()
}

func nothing() {}

// copyQueue copies a Queue by reflection, which go vet does not notice.
func copyQueue(to, from *Queue) { reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem()) }

// panics returns the message of the *rt.Panic that ends f, or "" if f returns.
func panics(t *testing.T, f func()) (message string) {
	t.Helper()
	defer func() {
		t.Helper()
		switch p := recover().(type) {
		case nil:
		case *rt.Panic:
			message = p.Message
			var any rt.AnyPanic
			if !errors.As(fmt.Errorf("a call: %w", p), &any) || any.RustMessage() != message || p.File != "" || len(p.Frames) != 0 {
				t.Errorf("got %+v", p)
			}
		default:
			t.Errorf("got %v", p)
		}
	}()
	f()
	return ""
}

// try runs f on a new goroutine, and recovers its panic.
func try(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }()
		f()
	}()
	<-done
}

// cleanUp collects garbage until the cleanups of all objects that are unreachable at the call have run.
func cleanUp() {
	rt.WatchRecent()
	for range 3 {
		done := make(chan struct{})
		func() { runtime.AddCleanup(new([64]byte), func(c chan struct{}) { close(c) }, done) }()
		for waiting := true; waiting; {
			runtime.GC()
			select {
			case <-done:
				waiting = false
			case <-time.After(time.Millisecond):
			}
		}
	}
}

// settled returns the number of dropped values, after unreachable objects of earlier tests were dropped.
func settled() int64 {
	cleanUp()
	return dropped.Load()
}

func TestObjectsAreUsed(t *testing.T) {
	q := newQueue()
	q.Push(nil)
	q.Push(nil)
	if got := q.Len(nil); got != 2 {
		t.Errorf("got %d", got)
	}
	var copied Queue
	copyQueue(&copied, q)
	if got := copied.Len(nil); got != 2 {
		t.Errorf("a copy has %d", got)
	}
	q.Len(func() { q.Len(func() { copied.Len(nil) }) })
	if rt.NewObject(nil, dropQueue) != nil {
		t.Error("nil is an object")
	}
}

// The fields of Object and objectState must have the offsets that Rust code uses.
func TestObjectLayout(t *testing.T) {
	if rt.ObjectStateAt != 0 || rt.StateValueAt != 0 || rt.StateEnteredAt != 8 {
		t.Errorf("the state is at %d, the value at %d, entered at %d", rt.ObjectStateAt, rt.StateValueAt, rt.StateEnteredAt)
	}
	if rt.LoanStateAt != 0 || rt.SharedUseStateAt != 0 || rt.LoanBegunAt != 8 || rt.SharedUseBegunAt != 8 {
		t.Errorf("the states are at %d and %d, begun at %d and %d", rt.LoanStateAt, rt.SharedUseStateAt, rt.LoanBegunAt, rt.SharedUseBegunAt)
	}
	if size := unsafe.Sizeof(rt.Object{}); size != unsafe.Sizeof(uintptr(0)) {
		t.Errorf("an Object has %d bytes", size)
	}
}

func TestObjectsThatCannotBeUsed(t *testing.T) {
	var none *Queue
	var zero Queue
	closed, taken, broken, twice := newQueue(), newQueue(), newQueue(), newQueue()
	if err := closed.Close(); err != nil {
		t.Error(err)
	}
	if got := taken.Finish(nil); got != 1 {
		t.Errorf("got %d", got)
	}
	try(func() { broken.Push(func() { panic("no") }) })
	try(func() { twice.Finish(func() { panic("no") }) })
	calls := []struct {
		name string
		call func(*Queue)
	}{
		{"Queue.Len", func(q *Queue) { q.Len(nil) }},
		{"Queue.Push", func(q *Queue) { q.Push(nil) }},
		{"Queue.Finish", func(q *Queue) { q.Finish(nil) }},
	}
	inUse := ": the Queue is in use by another call"
	for _, c := range calls {
		for _, o := range []struct {
			q    *Queue
			want string
		}{
			{none, ": nil *Queue"},
			{&zero, ": the Queue was not made by a constructor"},
			{closed, ": the Queue is closed"},
			{taken, ": the Queue is closed"},
			{broken, ": the Queue cannot be used any more: a call of Queue.Push panicked"},
			{twice, ": the Queue cannot be used any more: a call of Queue.Finish panicked"},
		} {
			if got, want := panics(t, func() { c.call(o.q) }), c.name+o.want; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
		q := newQueue()
		q.Push(func() {
			if got := panics(t, func() { c.call(q) }); got != c.name+inUse {
				t.Errorf("got %q", got)
			}
		})
		q.Len(func() {
			want := c.name + inUse
			if c.name == "Queue.Len" {
				want = ""
			}
			if got := panics(t, func() { c.call(q) }); got != want {
				t.Errorf("got %q", got)
			}
		})
		q.Push(nil) // the refused calls changed nothing
		c.call(q)
	}
	for _, c := range []struct {
		q    *Queue
		want string
	}{{none, "Queue.Close: nil *Queue"}, {&zero, "Queue.Close: the Queue was not made by a constructor"}} {
		if got := panics(t, func() { _ = c.q.Close() }); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestClose(t *testing.T) {
	is := func(what string, got, want error) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	q := newQueue()
	v := valueOf(q)
	q.Len(func() { is("in a shared use", q.Close(), rt.ErrInUse) })
	q.Push(func() { is("in an exclusive use", q.Close(), rt.ErrInUse) })
	is("once", q.Close(), nil)
	if v.dropped.Load() != 1 {
		t.Error("it is not dropped at once")
	}
	is("twice", q.Close(), rt.ErrClosed)
	hasNoValue(t, q)

	taken := newQueue()
	taken.Finish(func() { is("while it is taken", taken.Close(), rt.ErrInUse) })
	is("taken", taken.Close(), rt.ErrClosed)
	hasNoValue(t, taken)

	broken := newQueue()
	v = valueOf(broken)
	try(func() { broken.Push(func() { panic("no") }) })
	is("broken", broken.Close(), nil)
	is("broken, twice", broken.Close(), rt.ErrClosed)
	hasNoValue(t, broken)
	if got, want := panics(t, func() { broken.Len(nil) }), "Queue.Len: the Queue is closed"; got != want {
		t.Errorf("got %q", got)
	}
	if v.dropped.Load() != 0 {
		t.Error("a broken object is dropped")
	}

	closed, inUse := fmt.Errorf("closing: %w", rt.ErrClosed), fmt.Errorf("closing: %w", rt.ErrInUse)
	for _, target := range []error{rt.ErrClosed, fs.ErrClosed, os.ErrClosed} {
		if !errors.Is(closed, target) || errors.Is(inUse, target) {
			t.Errorf("errors.Is is wrong of %v", target)
		}
	}
}

// hasNoValue checks that Rust code would find no value in the object.
func hasNoValue(t *testing.T, q *Queue) {
	t.Helper()
	if **(**unsafe.Pointer)(unsafe.Pointer(q)) != nil {
		t.Error("a closed object has a value")
	}
}

// If many goroutines close, take and use an object at the same time, at most one of them ends the object.
func TestObjectEndsOnce(t *testing.T) {
	const goroutines = 4
	rounds := 20000
	if raceEnabled || testing.Short() {
		rounds = 2000
	}
	var queue atomic.Pointer[Queue]
	var round, arrived, ended atomic.Int64
	var wg sync.WaitGroup
	for id := range goroutines {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range int64(rounds) {
				for spins := 0; round.Load() <= i; spins++ {
					if spins > 1000 {
						runtime.Gosched()
					}
				}
				q := queue.Load()
				func() {
					defer func() {
						if p := recover(); p != nil {
							_ = p.(*rt.Panic) // the use was refused
						}
					}()
					switch (int(i) + id) % goroutines {
					case 0, 1:
						if q.Close() == nil {
							ended.Add(1)
						}
					case 2:
						q.Finish(nil)
						ended.Add(1)
					case 3:
						q.Len(nil)
					}
				}()
				arrived.Add(1)
			}
		}()
	}
	for i := range int64(rounds) {
		ended.Store(0)
		q := newQueue()
		queue.Store(q)
		round.Store(i + 1)
		for arrived.Load() != goroutines*(i+1) {
			runtime.Gosched()
		}
		switch err := q.Close(); {
		case err == nil && ended.Load() == 0, err == rt.ErrClosed && ended.Load() == 1:
		default:
			t.Errorf("it ended %d times, and then Close says %v", ended.Load(), err)
		}
	}
	wg.Wait()
}

// If several goroutines at once close an object that an unwinding panic has broken, one of them drops the value.
func TestCloseOfBrokenObjectsConcurrently(t *testing.T) {
	for range 2000 {
		q := newQueue()
		v := valueOf(q)
		use := rt.Exclusive((*rt.Object)(q), "Queue.Push", "Queue")
		use.Unwound()
		use.Release()
		var wg sync.WaitGroup
		var closed, ready atomic.Int32
		for range 2 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for ready.Add(1); ready.Load() < 2; {
					runtime.Gosched()
				}
				switch err := q.Close(); err {
				case nil:
					closed.Add(1)
				case rt.ErrClosed:
				default:
					t.Error(err)
				}
			}()
		}
		wg.Wait()
		if closed.Load() != 1 || v.dropped.Load() != 1 {
			t.Errorf("%d calls closed the object, and it is dropped %d times", closed.Load(), v.dropped.Load())
		}
	}
}

// A panic in drop continues in the caller of Close, and drop is not called again.
func TestCloseWhoseDropPanics(t *testing.T) {
	calls := 0
	o := rt.NewObject(unsafe.Pointer(new(int)), func(unsafe.Pointer) { calls++; panic(&rt.Panic{Message: "no"}) })
	if got := panics(t, func() { _ = rt.Close(o, "T.Close", "T") }); got != "no" {
		t.Errorf("got %q", got)
	}
	if err := rt.Close(o, "T.Close", "T"); err != rt.ErrClosed || calls != 1 {
		t.Errorf("got %v after %d calls", err, calls)
	}
}

// If an exclusive use ends without a return, the object is broken. If a shared use ends without a return after Rust has begun, the object can be used
// but not changed, and its value is never dropped.
func TestWhatBreaksAnObject(t *testing.T) {
	cleanUp() // unreachable objects of earlier tests
	for name, leave := range map[string]func(){
		"panic":       func() { panic("no") },
		"panic(nil)":  func() { panic(nil) },
		"Goexit":      runtime.Goexit,
		"fault":       func() { sink = *none },
		"rust panics": func() { panic(&rt.Panic{Message: "no"}) },
	} {
		before := settled()
		func() {
			q := newQueue()
			try(func() { q.refusing(leave) })
			q.Push(nil)
			q.Len(func() { try(func() { q.Len(leave) }) })
			if got := q.Len(nil); got != 1 {
				t.Errorf("%s: %d", name, got)
			}
			for call, change := range map[string]func(){"Push": func() { q.Push(nil) }, "Finish": func() { q.Finish(nil) }} {
				if got, want := panics(t, change), "Queue."+call+": the Queue cannot be changed any more: a call of Queue.Len panicked"; got != want {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
			}
			q.Len(func() {
				if err := q.Close(); err != rt.ErrInUse {
					t.Errorf("%s: Close says %v", name, err)
				}
			})
			if err := q.Close(); err != nil {
				t.Errorf("%s: Close says %v", name, err)
			}
			if got, want := panics(t, func() { q.Len(nil) }), "Queue.Len: the Queue is closed"; got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
			try(func() { newQueue().Len(leave) })
			try(func() { newQueue().lentTo(leave) })
		}()
		cleanUp()
		if got := dropped.Load(); got != before {
			t.Errorf("%s: %d were dropped", name, got-before)
		}
		q := newQueue()
		try(func() { q.Push(leave) })
		if got, want := panics(t, func() { q.Len(nil) }), "Queue.Len: the Queue cannot be used any more: a call of Queue.Push panicked"; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

var (
	none *int
	sink int
)

// Deferred functions may use objects while a panic is under way.
func TestUsesInDeferredFunctions(t *testing.T) {
	q := newQueue()
	try(func() {
		defer q.Push(nil)
		defer func() { q.Push(nil) }()
		panic("no")
	})
	try(func() {
		defer q.Push(nil)
		runtime.Goexit()
	})
	q.Push(func() {
		defer func() { _ = recover() }()
		panic("no") // recovered inside the call
	})
	if got := q.Len(nil); got != 4 {
		t.Errorf("got %d", got)
	}
}

// A panic breaks the objects that Rust may have changed, and no other objects.
func TestCallsWithSeveralObjects(t *testing.T) {
	no := func() { panic("no") }
	usable := func(q *Queue) bool { return panics(t, func() { q.Push(nil) }) == "" }
	a, b := newQueue(), newQueue()
	if got, want := panics(t, func() { Merge(a, a, nothing, nothing, nothing) }), "Merge: the Queue is in use by another call"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	panics(t, func() { Merge(a, nil, nothing, nothing, nothing) })
	b.Len(func() { panics(t, func() { Merge(a, b, nothing, nothing, nothing) }) })
	try(func() { Merge(a, b, no, nothing, nothing) })
	try(func() { Merge(a, b, nothing, nothing, no) })
	if !usable(a) || !usable(b) {
		t.Error("what happens beside the call breaks an object")
	}
	try(func() { Merge(a, b, nothing, no, nothing) })
	if usable(a) || usable(b) {
		t.Error("a panic of the call does not break both")
	}
}

// When an object and all its copies are unreachable, the collector drops the value once, unless Close or a call has already ended the object.
func TestUnreachableObjectsAreDropped(t *testing.T) {
	before := settled()
	const each = 50
	var copies [each]Queue
	for i := range each {
		func() {
			newQueue()
			closed, taken, broken, half := newQueue(), newQueue(), newQueue(), newQueue()
			_ = closed.Close()
			taken.Finish(nil)
			try(func() { broken.Push(func() { panic("no") }) })
			try(func() { half.Finish(func() { panic("no") }) })
			copyQueue(&copies[i], newQueue())
		}()
	}
	cleanUp()
	if got := dropped.Load() - before; got != 2*each {
		t.Errorf("%d were dropped, of %d that were closed or are unreachable", got, 2*each)
	}
	for i := range each {
		copies[i].Push(nil)
	}
	runtime.KeepAlive(&copies)
	clear(copies[:])
	cleanUp()
	if got := dropped.Load() - before; got != 3*each {
		t.Errorf("%d were dropped, of %d", got, 3*each)
	}
}

// An object without a cleanup is dropped by later collections, also if no later object is made.
func TestRecentObjectIsDropped(t *testing.T) {
	before := settled()
	newQueue()
	runtime.GC()
	for try := 0; rt.RecentObjects() != 0; try++ {
		if try == 10_000 {
			t.Fatal("a collection leaves objects in the table")
		}
		time.Sleep(time.Millisecond)
	}
	cleanUp()
	if got := dropped.Load() - before; got != 1 {
		t.Errorf("%d objects are dropped, of 1", got)
	}
}

// An object that is closed soon leaves the table. Later objects displace others, which the next collection drops.
func TestRecentObjectsAreFew(t *testing.T) {
	before := settled()
	for range 3 * rt.RecentLength {
		_ = newQueue().Close()
	}
	if n := rt.RecentObjects(); n != 0 {
		t.Errorf("%d closed objects are kept", n)
	}
	func() {
		defer debug.SetGCPercent(debug.SetGCPercent(-1))
		for range 3 * rt.RecentLength {
			newQueue()
		}
		if n := rt.RecentObjects(); n != rt.RecentLength {
			t.Errorf("%d objects are kept, of %d", n, rt.RecentLength)
		}
	}()
	cleanUp()
	if got := dropped.Load() - before; got != 6*rt.RecentLength {
		t.Errorf("%d objects are dropped, of %d", got, 6*rt.RecentLength)
	}
}

// Objects are closed or given up at the moment in which they get their cleanups. Each is dropped once.
func TestObjectsGetCleanupsWhileTheyAreClosed(t *testing.T) {
	before := settled()
	stop := make(chan struct{})
	var helpers, wg sync.WaitGroup
	for _, work := range []func(){rt.WatchRecent, runtime.GC} {
		helpers.Add(1)
		go func() {
			defer helpers.Done()
			for {
				select {
				case <-stop:
					return
				default:
					work()
				}
			}
		}()
	}
	const goroutines, each = 4, 20_000
	for range goroutines {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range each {
				if q := newQueue(); i%4 != 0 {
					if err := q.Close(); err != nil {
						t.Error(err)
					}
				}
			}
		}()
	}
	wg.Wait()
	close(stop)
	helpers.Wait()
	for try := 0; try < 100 && dropped.Load()-before < goroutines*each; try++ {
		cleanUp() // many cleanups may still be queued
	}
	if got := dropped.Load() - before; got != goroutines*each {
		t.Errorf("%d objects are dropped, of %d", got, goroutines*each)
	}
}

// If a destructor panics in the collector's goroutine, memory leaks, but the process does not end.
func TestUnreachableObjectWhoseDropPanics(t *testing.T) {
	ran := make(chan bool)
	rt.NewObject(unsafe.Pointer(&value{}), func(unsafe.Pointer) {
		defer close(ran)
		panic(&rt.Panic{Message: "a destructor of this test"})
	})
	for waiting := true; waiting; {
		runtime.GC()
		select {
		case <-ran:
			waiting = false
		case <-time.After(time.Millisecond):
		}
	}
	cleanUp()
}

// The object of a running call stays alive, even if the call has the last reference to the object.
func TestACallKeepsItsObject(t *testing.T) {
	for _, use := range []func(*Queue, func()){
		func(q *Queue, body func()) { q.Len(body) }, (*Queue).lentTo, (*Queue).Push, func(q *Queue, body func()) { q.Finish(body) },
	} {
		q := newQueue()
		v := valueOf(q) // does not keep the object alive
		use(q, func() {
			for range 5 {
				runtime.GC()
				time.Sleep(time.Millisecond)
			}
			if v.dropped.Load() != 0 {
				t.Error("it was dropped")
			}
		})
	}
}

// Many goroutines close, take, break and use shared objects while the collector runs.
func TestObjectsHammered(t *testing.T) {
	// The drops are counted before this test starts its own collections.
	before := settled()
	stop := make(chan struct{})
	var collector, wg sync.WaitGroup
	collector.Add(1)
	go func() {
		defer collector.Done()
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	rounds, goroutines := 300, 8
	if raceEnabled || testing.Short() {
		rounds = 60
	}
	var closes, takes, breaks, poisonings, refused atomic.Int64
	const objects = 4
	for round := range rounds {
		var queues [objects]*Queue
		var ended [objects]atomic.Int32 // how often an object ended in another way than a drop by the collector
		var poisoned [objects]atomic.Bool
		for i := range queues {
			queues[i] = newQueue()
		}
		for id := range goroutines {
			wg.Add(1)
			go func() {
				defer wg.Done()
				random := rand.New(rand.NewPCG(uint64(round), uint64(id)))
				for i := range 40 {
					n := random.IntN(objects)
					q := queues[n]
					func() {
						defer func() {
							switch p := recover().(type) {
							case nil:
							case *rt.Panic:
								refused.Add(1)
							case string:
								if p != "mine" {
									t.Error(p)
								}
							default:
								t.Error(p)
							}
						}()
						switch k := random.IntN(64); {
						case k < 30:
							q.Len(nil)
						case k < 56 || i < 20:
							q.Push(nil)
						case k == 57:
							q.Push(func() { breaks.Add(1); ended[n].Add(1); panic("mine") })
						case k == 58:
							q.Finish(func() { takes.Add(1); ended[n].Add(1) })
						case k == 59:
							q.Finish(func() { breaks.Add(1); ended[n].Add(1); panic("mine") })
						case k == 60:
							q.Len(func() {
								if poisoned[n].CompareAndSwap(false, true) {
									poisonings.Add(1)
								}
								panic("mine")
							})
						case k == 61:
							if err := q.Close(); err == nil {
								closes.Add(1)
							} else if err != rt.ErrClosed && err != rt.ErrInUse {
								t.Error(err)
							}
						}
					}()
				}
			}()
		}
		wg.Wait()
		for i := range ended {
			n := ended[i].Load()
			if n > 1 {
				t.Errorf("an object ended %d times", n)
			}
			if n == 0 && i%2 == 0 {
				// The calls have ended and no longer use the object, so Close must not return ErrInUse.
				switch err := queues[i].Close(); err {
				case nil:
					closes.Add(1)
				case rt.ErrClosed:
				default:
					t.Error(err)
				}
			}
		}
	}
	close(stop)
	collector.Wait()
	cleanUp()
	want := int64(rounds*objects) - takes.Load() - breaks.Load() - poisonings.Load()
	if got := dropped.Load() - before; got != want {
		t.Errorf("%d values were dropped, %d should be (%d by Close)", got, want, closes.Load())
	}
	t.Logf("%d closed, %d taken, %d broken, %d poisoned, %d calls refused", closes.Load(), takes.Load(), breaks.Load(), poisonings.Load(), refused.Load())
}

// An exclusive use sees the writes of earlier exclusive uses. The race detector checks the accesses to sum.
func TestExclusiveUsesAreOrdered(t *testing.T) {
	q := newQueue()
	var wg sync.WaitGroup
	each := 100000
	if raceEnabled || testing.Short() {
		each = 2000
	}
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for done := 0; done < each; {
				func() {
					defer func() {
						switch p := recover().(type) {
						case nil:
						case *rt.Panic:
							runtime.Gosched()
						default:
							t.Error(p)
							done = each
						}
					}()
					q.Push(nil)
					done++
				}()
			}
		}()
	}
	wg.Wait()
	if got := q.Len(nil); got != 4*each {
		t.Errorf("got %d, want %d", got, 4*each)
	}
}

func TestUsesDoNotAllocate(t *testing.T) {
	q, other := newQueue(), newQueue()
	for name, f := range map[string]func(){
		"shared":    func() { q.Len(nil) },
		"exclusive": func() { q.Push(nil) },
		"two":       func() { Merge(q, other, nothing, nil, nothing) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	v := unsafe.Pointer(&value{})
	rt.WatchRecent()
	newObject := func() { rt.NewObject(v, func(unsafe.Pointer) {}) }
	if n := testing.AllocsPerRun(100, newObject); n != 1 {
		t.Errorf("an object is %v allocations, and may be 1", n)
	}
	most := 3.0 // two more in AddCleanup, for the object that the new one displaces
	if strings.HasPrefix(runtime.Version(), "go1.25") {
		most = 4 // AddCleanup of this Go version copies its argument once more
	}
	for range rt.RecentLength {
		newObject()
	}
	if n := testing.AllocsPerRun(100, newObject); n > most {
		t.Errorf("an object and the cleanup of another are %v allocations, and may be %v", n, most)
	}
}

//go:noinline
func rustNothing(*Queue) {}

//go:noinline
func (q *Queue) bare() { rustNothing(q) }

//go:noinline
func (q *Queue) shared() {
	u := rt.Share((*rt.Object)(q), "Queue.shared", "Queue")
	defer u.Release("Queue.shared")
	rustNothing(q)
	u.Returned()
}

//go:noinline
func (q *Queue) sharedWithoutDefer() {
	u := rt.Share((*rt.Object)(q), "Queue.shared", "Queue")
	rustNothing(q)
	u.Returned()
	u.Release("Queue.shared")
}

//go:noinline
func (q *Queue) lent() {
	u := rt.Lend((*rt.Object)(q), "Queue.lent", "Queue")
	defer u.Release("Queue.lent")
	rustNothing(q)
	u.Returned()
}

//go:noinline
func (q *Queue) exclusive() {
	u := rt.Exclusive((*rt.Object)(q), "Queue.exclusive", "Queue")
	defer u.Release()
	rustNothing(q)
	u.Returned()
}

//go:noinline
func (q *Queue) exclusiveWithoutDefer() {
	u := rt.Exclusive((*rt.Object)(q), "Queue.exclusive", "Queue")
	rustNothing(q)
	u.Returned()
	u.Release()
}

func BenchmarkUse(b *testing.B) {
	for _, c := range []struct {
		name string
		call func(*Queue)
	}{
		{"bare", (*Queue).bare}, {"lent", (*Queue).lent},
		{"shared", (*Queue).shared}, {"sharedWithoutDefer", (*Queue).sharedWithoutDefer},
		{"exclusive", (*Queue).exclusive}, {"exclusiveWithoutDefer", (*Queue).exclusiveWithoutDefer},
	} {
		b.Run(c.name, func(b *testing.B) {
			q := newQueue()
			for b.Loop() {
				c.call(q)
			}
		})
	}
}

// BenchmarkSharedUse uses one object from several goroutines.
func BenchmarkSharedUse(b *testing.B) {
	for _, c := range []struct {
		name string
		call func(*Queue)
	}{{"bare", (*Queue).bare}, {"shared", (*Queue).shared}} {
		for _, n := range []int{1, 2, 4, 8} {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				q := newQueue()
				var wg sync.WaitGroup
				for range n {
					wg.Add(1)
					go func() {
						defer wg.Done()
						for range b.N / n {
							c.call(q)
						}
					}()
				}
				wg.Wait()
			})
		}
	}
}

func BenchmarkNewObject(b *testing.B) {
	v := unsafe.Pointer(&value{})
	for b.Loop() {
		rt.NewObject(v, func(unsafe.Pointer) {})
	}
}

func BenchmarkNewObjectAndClose(b *testing.B) {
	v := unsafe.Pointer(&value{})
	for b.Loop() {
		if err := rt.Close(rt.NewObject(v, func(unsafe.Pointer) {}), "Value.Close", "Value"); err != nil {
			b.Fatal(err)
		}
	}
}

// go vet reports copies of generated types, although such copies are harmless.
func TestVetFindsCopies(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs go vet")
	}
	vet := exec.Command("go", "vet", "./copies")
	vet.Dir = filepath.Join("testdata", "generated")
	vet.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	said, _ := vet.CombinedOutput()
	if want := "assignment copies lock value to copied: example.com/generated/copies.Queue contains rustgo.dev/go/rt.noCopy"; !strings.Contains(string(said), want) {
		t.Errorf("go vet says\n%s", said)
	}
}
