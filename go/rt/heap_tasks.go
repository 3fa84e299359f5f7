//go:build amd64 || arm64

package rt

import (
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"

	"rustgo.dev/go/rt/internal/system"
)

const (
	taskUnit    = 1 << 20  // number of bytes of address space of the smallest task; larger ones have a multiple of it
	taskClasses = 258      // number of sizes of tasks: an export has a stack of at most 256 MiB
	taskGuard   = 64 << 10 // number of bytes below a task's stack that cannot be accessed
	taskMost    = 16 << 30 // number of bytes of address space for all tasks
	taskLeast   = 64 << 20 // smallest number of bytes of address space for which there are tasks
)

// taskSlots is the number of idle tasks of one size that can be taken without a lock.
const taskSlots = 32

// taskPool has the idle tasks of one size: tasks that have memory and run no call.
type taskPool struct {
	slots [taskSlots]atomic.Pointer[task]
	more  []*task   // tasks.Mutex guards it
	free  []uintptr // the lower bounds of stacks without memory; tasks.Mutex guards it
}

var tasks struct {
	sync.Mutex
	started bool
	used    uintptr                               // number of bytes of the address space that tasks have
	pools   [taskClasses]atomic.Pointer[taskPool] // nil if there was no task of this size
	live    atomic.Int64                          // number of tasks that have memory
	round   atomic.Uint32                         // number of garbage collections since the first task
}

// RunTask calls the body of a generated function on a stack of its own, outside of Go's memory. stack is the number of bytes that the body may need.
// Generated wrappers of functions with the option task call RunTask.
//
// RunTask panics if the body panics, or if there is no address space for another stack.
func RunTask(body *Body, stack uintptr, arguments, results unsafe.Pointer) {
	t := takeTask(stack)
	defer giveTask(t)
	t.x87 = body.x87
	if why := startTask(t, body.code, arguments, results); why != taskReturned {
		t.raise(why)
	}
}

// DropTask is the destructor of a type whose values may call Go functions. It runs as a task.
type DropTask struct {
	body  *Body
	stack uintptr
}

// NewDropTask is called by generated packages. body is the code of the destructor, and stack is the number of bytes that it may need.
func NewDropTask(body *Body, stack uintptr) *DropTask { return &DropTask{body, stack} }

// NewTaskObject is [NewObject] for a destructor that may call Go functions. If the garbage collector's cleanup runs the destructor, its calls of Go
// functions fail. If the calls did not fail, the Go functions would run at any time, in parallel with goroutines that use the same Go values. A Go
// function that waits would also delay all other cleanups of the program.
func NewTaskObject(value unsafe.Pointer, drop *DropTask) *Object { return newObject(value, drop) }

func (d *DropTask) reserve() unsafe.Pointer         { return unsafe.Pointer(takeTask(d.stack)) }
func (d *DropTask) release(reserved unsafe.Pointer) { giveTask((*task)(reserved)) }

func (d *DropTask) drop(reserved, value unsafe.Pointer) {
	arguments := unsafe.Pointer(&value)
	Escape(arguments)
	t := (*task)(reserved)
	defer giveTask(t)
	runTaskWith(t, d.body, arguments, nil, nil)
}

func (d *DropTask) forget(value unsafe.Pointer) (done bool) {
	t, refused := findTask(d.stack)
	if refused != nil {
		return false
	}
	defer giveTask(t)
	arguments := unsafe.Pointer(&value)
	Escape(arguments)
	t.x87, t.yields = d.body.x87, 1
	why := startTask(t, d.body.code, arguments, nil)
	calls, answer := 0, uintptr(goForgets)
	for why == taskCalls {
		if t.words[0] == yields {
			runtime.Gosched()
		} else if calls++; calls > forgetMost {
			answer = goForgetsNoMore
		}
		why = resumeTask(t, answer)
	}
	t.raise(why)
	return true
}

// When forget runs a destructor, it answers calls of Go functions by these numbers. The support crate has the same numbers.
const (
	goForgets       = 3
	goForgetsNoMore = 4 // the call panics, although its result may be an error
)

// forget answers at most forgetMost calls of Go functions with an error. Then it answers goForgetsNoMore, because a destructor that repeats a call
// until it succeeds would never end.
const forgetMost = 1 << 20

// taskClass returns the number of the smallest size of a task whose stack has at least this number of bytes. Size 0 is taskUnit.
func taskClass(stack uintptr) int {
	whole := stack + taskLimit + taskGuard + unsafe.Sizeof(task{}) + taskAbove + taskAlign
	return int((whole - 1) / taskUnit)
}

// taskBytes returns the number of bytes of address space of a task.
func taskBytes(class int) uintptr { return taskUnit * uintptr(class+1) }

// slot returns the slot that takeTask and giveTask try first. The slot depends on the address of the goroutine's stack, so calls of one goroutine use
// the same slot as long as the stack does not move.
func (p *taskPool) slot() *atomic.Pointer[task] {
	var here byte
	return &p.slots[uintptr(unsafe.Pointer(&here))>>11%taskSlots]
}

// takeTask returns an idle task whose stack has at least this number of bytes. It panics if there is no memory for another task.
func takeTask(stack uintptr) *task {
	t, refused := findTask(stack)
	if refused != nil {
		panic(refused)
	}
	return t
}

// findTask is takeTask, but returns the panic instead of raising it.
func findTask(stack uintptr) (t *task, refused *Panic) {
	class := taskClass(stack)
	pool := tasks.pools[class].Load()
	if pool != nil {
		t = pool.slot().Swap(nil)
	}
	if t == nil {
		if t, refused = idleTask(class, pool); refused != nil {
			return nil, refused
		}
	}
	*(*uintptr)(pointer(t.low)) = t.high - stack
	t.yields = 0
	return t, nil
}

// idleTask takes an idle task from any place, or makes a new one.
func idleTask(class int, pool *taskPool) (t *task, refused *Panic) {
	for i := 0; pool != nil && i < taskSlots; i++ {
		if t := pool.slots[i].Swap(nil); t != nil {
			return t, nil
		}
	}
	tasks.Lock()
	defer tasks.Unlock()
	if pool = tasks.pools[class].Load(); pool == nil {
		pool = new(taskPool)
		tasks.pools[class].Store(pool)
	}
	if n := len(pool.more); n > 0 {
		t := pool.more[n-1]
		pool.more = pool.more[:n-1]
		return t, nil
	}
	return newTask(class, pool)
}

// giveTask keeps a task for a later call.
func giveTask(t *task) {
	t.round = tasks.round.Load()
	tasks.pools[t.class].Load().keep(t)
}

// newTask returns a task with fresh memory. The caller holds the lock.
func newTask(class int, pool *taskPool) (t *task, refused *Panic) {
	size := taskBytes(class)
	free := pool.free
	var low uintptr
	if len(free) > 0 {
		low = free[len(free)-1]
	} else {
		startTasks()
		if tasks.used+size > taskArena[1] {
			return nil, &Panic{Message: "there is no address space for the stack of another task: " + strconv.FormatUint(uint64(tasks.used>>20), 10) + " MiB are in use"}
		}
		low = taskArena[0] + tasks.used + taskGuard
	}
	if !system.Commit(low, size-taskGuard) {
		return nil, &Panic{Message: "the system has no memory for the stack of another task"}
	}
	if len(free) > 0 {
		pool.free = free[:len(free)-1]
	} else {
		tasks.used += size
	}
	high := (low - taskGuard + size - unsafe.Sizeof(task{}) - taskAbove) &^ (taskAlign - 1)
	t = (*task)(pointer(high))
	t.low, t.high, t.class = low, high, uintptr(class)
	*(*uintptr)(pointer(low + 8)) = high
	tasks.live.Add(1)
	return t, nil
}

// startTasks reserves the address space for all tasks, at the first call. The caller holds the lock.
func startTasks() {
	if tasks.started {
		return
	}
	tasks.started = true
	for size := uintptr(taskMost); size >= taskLeast; size /= 2 {
		base := system.ReserveInaccessible(size)
		if base == 0 {
			continue
		}
		if size < taskMost {
			// The process has a limit on its address space. Most of the reservation is returned, because Go's own heap needs a part of the address space.
			system.Unreserve(base+size/4, size-size/4)
			size /= 4
		}
		// Assembly on other threads may read the two words between the two stores. At that time the range has 0 bytes, so assembly finds no stack in
		// it.
		atomic.StoreUintptr(&taskArena[0], base)
		atomic.StoreUintptr(&taskArena[1], size)
		break
	}
	afterCollections(dropIdleTasks)
}

// dropIdleTasks gives the memory of tasks that have run no call during two collections back to the system.
func dropIdleTasks() {
	now := tasks.round.Add(1)
	isIdle := func(t *task) bool { return now-t.round >= 2 }
	for class := range tasks.pools {
		pool := tasks.pools[class].Load()
		if pool == nil {
			continue
		}
		for _, t := range pool.takeAll() {
			if isIdle(t) {
				dropTask(t, pool)
			} else {
				pool.keep(t)
			}
		}
	}
}

// takeAll takes all idle tasks out of the pool.
func (p *taskPool) takeAll() []*task {
	tasks.Lock()
	found := p.more
	p.more = nil
	tasks.Unlock()
	for i := range p.slots {
		if t := p.slots[i].Swap(nil); t != nil {
			found = append(found, t)
		}
	}
	return found
}

// keep puts an idle task where later calls find it.
func (p *taskPool) keep(t *task) {
	if !p.slot().CompareAndSwap(nil, t) {
		tasks.Lock()
		p.more = append(p.more, t)
		tasks.Unlock()
	}
}

// dropTask gives the memory of a task back to the system. Nothing else uses the task.
func dropTask(t *task, pool *taskPool) {
	low := t.low
	system.Release(low, taskBytes(int(t.class))-taskGuard)
	tasks.live.Add(-1)
	tasks.Lock()
	pool.free = append(pool.free, low)
	tasks.Unlock()
}
