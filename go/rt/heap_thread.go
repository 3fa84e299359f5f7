//go:build amd64 || arm64

package rt

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// Thread runs the calls of a package whose Rust code cannot start threads, one after the other and all on one stack. So for Rust code all calls are on
// one thread, with one set of thread-local variables. Each such package has one Thread, in a variable.
type Thread struct {
	mutex sync.Mutex
	stack uintptr
	task  *task // nil before the first call. The mutex guards it and its stack

	waiting     atomic.Bool // true if there are unreachable values
	valuesMutex sync.Mutex
	values      []unreachable // the values that the next call drops. valuesMutex guards the slice
}

// NewThread is called by generated packages. stack is the largest number of bytes that a call may need.
func NewThread(stack uintptr) *Thread { return &Thread{stack: stack} }

// Run calls the body of a generated function when all earlier calls have ended. Generated wrappers call Run.
//
// Run panics if the body panics, or if there is no address space for the stack.
func (th *Thread) Run(body *Body, arguments, results unsafe.Pointer) {
	th.mutex.Lock()
	defer th.unlock()
	th.run(body, arguments, results)
}

// run is Run for a caller that holds the mutex.
func (th *Thread) run(body *Body, arguments, results unsafe.Pointer) {
	if th.task == nil {
		th.task = takeTask(th.stack)
	}
	t := th.task
	*(*uintptr)(pointer(t.low)) = t.high - th.stack
	t.x87 = body.x87
	if why := startTask(t, body.code, arguments, results); why != taskReturned {
		t.raise(why)
	}
}

// unlock drops the values that the garbage collector has found unreachable, and ends the use of the thread.
func (th *Thread) unlock() {
	for {
		if th.waiting.Load() {
			th.dropValues()
		}
		th.mutex.Unlock()
		// A value that was added while this goroutine held the mutex still waits. This goroutine drops it, unless another goroutine holds the mutex
		// now and will drop it.
		if !th.waiting.Load() || !th.mutex.TryLock() {
			return
		}
	}
}

// dropValues drops the values that wait. The caller holds the mutex.
func (th *Thread) dropValues() {
	th.valuesMutex.Lock()
	values := th.values
	th.values = nil
	th.waiting.Store(false)
	th.valuesMutex.Unlock()
	for _, u := range values {
		func() {
			defer reportDestructor()
			th.run(u.drop.(*ThreadDrop).body, unsafe.Pointer(&u.value), nil)
		}()
	}
}

// ThreadDrop is the destructor of a type in a package that has a [Thread]. It runs as a call of that Thread.
type ThreadDrop struct {
	thread *Thread
	body   *Body
}

// NewThreadDrop is called by generated packages for each type of objects. body is the code of the destructor.
func NewThreadDrop(thread *Thread, body *Body) *ThreadDrop { return &ThreadDrop{thread, body} }

// NewThreadObject is [NewObject] for a destructor that runs on a [Thread].
func NewThreadObject(value unsafe.Pointer, drop *ThreadDrop) *Object { return newObject(value, drop) }

func (d *ThreadDrop) reserve() unsafe.Pointer { return nil }
func (d *ThreadDrop) release(unsafe.Pointer)  {}

func (d *ThreadDrop) drop(_, value unsafe.Pointer) {
	d.thread.Run(d.body, unsafe.Pointer(&value), nil)
}

// forget does not wait for a call, because all cleanups of the program would wait too. If a call runs, its goroutine drops the value afterwards.
func (d *ThreadDrop) forget(value unsafe.Pointer) (done bool) {
	th := d.thread
	th.valuesMutex.Lock()
	th.values = append(th.values, unreachable{value, d})
	th.waiting.Store(true)
	th.valuesMutex.Unlock()
	if th.mutex.TryLock() {
		th.unlock()
	}
	return true
}
