//go:build amd64 || arm64

package rt

import (
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"
)

const (
	taskUnit    = 1 << 20  // number of bytes of address space of the smallest task; larger ones have a multiple of it
	taskClasses = 258      // number of sizes of tasks: an export has a stack of at most 256 MiB
	taskGuard   = 64 << 10 // number of bytes below a task's stack that cannot be accessed
	taskMost    = 16 << 30 // number of bytes of address space for all tasks
	taskLeast   = 64 << 20 // smallest number of bytes of address space for which there are tasks
)

// taskRegion is the memory of a task.
type taskRegion struct {
	t     *task
	low   uintptr
	class int
}

// taskOwner is the Go object of a task. When the collector finds that the pool has dropped it, the task's memory goes back to the system.
type taskOwner struct{ taskRegion }

var tasks struct {
	sync.Mutex
	started bool
	used    uintptr                // number of bytes of the address space that tasks have
	free    [taskClasses][]uintptr // the lower bounds of stacks without memory
	pools   [taskClasses]sync.Pool // tasks that have memory and no call
	live    atomic.Int64           // number of tasks that have memory
}

// RunTask calls the body of a generated function on a stack of its own, outside of Go's memory. stack is the number of bytes that the body may need.
// Generated wrappers of functions with the option task call RunTask.
//
// It panics as the function does, and if there is no address space for another stack.
func RunTask(body, stack uintptr, arguments, results unsafe.Pointer) {
	class := taskClass(stack)
	owner := takeTask(class)
	defer tasks.pools[class].Put(owner)
	t := owner.t
	*(*uintptr)(pointer(t.low)) = t.high - stack
	if why := startTask(t, body, arguments, results); why != taskReturned {
		t.raise(why)
	}
}

// RunTaskWith is RunTask for a function that calls Go functions. It calls Go function n, counted from 1, by call(n, arguments, result). Both addresses
// are memory of Rust.
//
// If call panics or ends its goroutine, the Rust frames unwind first. Then the panic goes on with its value, unless Rust code catches it.
func RunTaskWith(body, stack uintptr, arguments, results unsafe.Pointer, call func(n uintptr, arguments, result unsafe.Pointer)) {
	class := taskClass(stack)
	owner := takeTask(class)
	defer tasks.pools[class].Put(owner)
	t := owner.t
	*(*uintptr)(pointer(t.low)) = t.high - stack
	if why := t.answer(startTask(t, body, arguments, results), call); why != taskReturned {
		t.raise(why)
	}
}

// answer calls Go functions until Rust code ends, and returns why it has ended.
func (t *task) answer(why uintptr, call func(n uintptr, arguments, result unsafe.Pointer)) uintptr {
	calls := false
	defer func() {
		if calls && t.unwound(call) {
			recover()
		}
	}()
	for why == taskCalls {
		n, arguments, result := t.words[0], pointer(t.words[1]), pointer(t.words[2])
		calls = true
		call(n, arguments, result)
		calls = false
		why = resumeTask(t, 0)
	}
	return why
}

// unwound unwinds the Rust frames while a panic, or the end of the goroutine, leaves a Go function that Rust has called. It returns true if Rust code has
// caught the panic and returned.
func (t *task) unwound(call func(n uintptr, arguments, result unsafe.Pointer)) bool {
	why := t.answer(resumeTask(t, 1), call)
	switch why {
	case taskReturned:
		return true
	case taskUnwound, taskRaise:
		w := &t.words
		if p := newPanic(w[0], w[1], nil, 0, 0, 0); p.Message != goPanicked {
			panic(p)
		}
	default:
		t.raise(why)
	}
	return false
}

// goPanicked is the text of the panic with which the support crate unwinds Rust frames after a Go function has panicked.
const goPanicked = "a Go function that Rust has called panicked"

// taskClass returns the number of the smallest size of a task whose stack has this number of bytes. Size 0 is taskUnit.
func taskClass(stack uintptr) int {
	whole := stack + taskLimit + taskGuard + unsafe.Sizeof(task{}) + taskAlign
	return int((whole - 1) / taskUnit)
}

// taskBytes returns the number of bytes of address space of a task.
func taskBytes(class int) uintptr { return taskUnit * uintptr(class+1) }

// takeTask returns a task without a call.
func takeTask(class int) *taskOwner {
	if owner, ok := tasks.pools[class].Get().(*taskOwner); ok {
		return owner
	}
	region := newTask(class)
	owner := &taskOwner{region}
	runtime.AddCleanup(owner, dropTask, region)
	return owner
}

// newTask returns a task with fresh memory.
func newTask(class int) taskRegion {
	tasks.Lock()
	defer tasks.Unlock()
	size := taskBytes(class)
	free := tasks.free[class]
	var low uintptr
	if len(free) > 0 {
		low = free[len(free)-1]
	} else {
		startTasks()
		if tasks.used+size > taskArena[1] {
			panic("rustgo: there is no address space for the stack of another task: " + strconv.FormatUint(uint64(tasks.used>>20), 10) + " MiB are in use")
		}
		low = taskArena[0] + tasks.used + taskGuard
	}
	if !taskCommit(low, size-taskGuard) {
		panic("rustgo: the system has no memory for the stack of another task")
	}
	if len(free) > 0 {
		tasks.free[class] = free[:len(free)-1]
	} else {
		tasks.used += size
	}
	high := (low - taskGuard + size - unsafe.Sizeof(task{})) &^ (taskAlign - 1)
	t := (*task)(pointer(high))
	t.low, t.high = low, high
	*(*uintptr)(pointer(low + 8)) = high
	tasks.live.Add(1)
	return taskRegion{t, low, class}
}

// startTasks reserves the address space for all tasks, at the first call. The caller holds the lock.
func startTasks() {
	if tasks.started {
		return
	}
	tasks.started = true
	for size := uintptr(taskMost); size >= taskLeast; size /= 2 {
		if base := taskReserve(size); base != 0 {
			// Assembly on other threads may read both words meanwhile. It finds no stack in a range without bytes.
			atomic.StoreUintptr(&taskArena[0], base)
			atomic.StoreUintptr(&taskArena[1], size)
			return
		}
	}
}

// dropTask gives the memory of a task back to the system.
func dropTask(region taskRegion) {
	tasks.Lock()
	defer tasks.Unlock()
	tasks.live.Add(-1)
	taskRelease(region.low, taskBytes(region.class)-taskGuard)
	tasks.free[region.class] = append(tasks.free[region.class], region.low)
}
