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
	startTask(t, body, arguments, results)
}

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
