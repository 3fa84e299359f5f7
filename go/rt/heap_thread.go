//go:build amd64 || arm64

package rt

import (
	"sync"
	"unsafe"
)

// Thread runs the calls of a package whose Rust code cannot start threads, one after the other and all on one stack. So for Rust code all calls are on
// one thread, with one set of thread-local variables. Each such package has one Thread, in a variable.
type Thread struct {
	mutex sync.Mutex
	stack uintptr
	task  *task // nil before the first call. The mutex guards it and its stack

	valuesMutex sync.Mutex    // guards the fields below
	values      []threadValue // the values that the garbage collector has found unreachable
	isDropping  bool          // a goroutine drops the values
}

// threadValue is a value that a [Thread] drops.
type threadValue struct {
	value unsafe.Pointer
	body  *Body // the code of the destructor
}

// NewThread is called by generated packages. stack is the largest number of bytes that a call may need.
func NewThread(stack uintptr) *Thread { return &Thread{stack: stack} }

// Run calls the body of a generated function when all earlier calls have ended. Generated wrappers call Run.
//
// Run panics if the body panics, or if there is no address space for the stack.
func (th *Thread) Run(body *Body, arguments, results unsafe.Pointer) {
	th.mutex.Lock()
	defer th.mutex.Unlock()
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

// dropValues drops all waiting values, including values that arrive while dropValues runs. It runs on a goroutine of its own. So calls of other
// goroutines run no destructors. A fault in a destructor ends the process, as in the cleanup of an ordinary object.
//
// It locks the mutex once for all values that wait at that moment. If it locked the mutex for each value, goroutines that make calls all the time
// could make objects faster than dropValues drops them.
func (th *Thread) dropValues() {
	for {
		th.mutex.Lock()
		th.valuesMutex.Lock()
		values := th.values
		th.values = nil
		th.isDropping = len(values) > 0
		th.valuesMutex.Unlock()
		for _, u := range values {
			func() {
				defer reportDestructor()
				th.run(u.body, unsafe.Pointer(&u.value), nil)
			}()
		}
		th.mutex.Unlock()
		growth.waiting.Add(-int64(len(values)))
		if len(values) == 0 {
			return
		}
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

// forget does not wait for the mutex, because all cleanups of the program would wait too. Instead a goroutine that runs dropValues drops the value.
func (d *ThreadDrop) forget(value unsafe.Pointer) (done bool) {
	th := d.thread
	th.valuesMutex.Lock()
	defer th.valuesMutex.Unlock()
	th.values = append(th.values, threadValue{value, d.body})
	growth.waiting.Add(1)
	if !th.isDropping {
		th.isDropping = true
		go th.dropValues()
	}
	return true
}
