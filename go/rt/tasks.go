//go:build amd64 || arm64

//lint:file-ignore U1000 assembly uses these declarations

package rt

import (
	"strconv"
	"unsafe"
)

// A task is a call of Rust code on a stack of its own, outside of Go's memory. The stack of the goroutine needs room only for startTask.
//
// While a task runs, g has the bounds of the task's stack. (In the same way g has the bounds of the static stack while the formatter of panic
// messages runs on that stack, see panic_amd64.s.) So checked entries find the stack limit of the running call at the lowest address of the task's
// stack, and the profiler of Windows finds SP within the bounds. No Go code runs on a task's stack. Each exit from Rust code to Go code first goes
// back to the goroutine's stack: leaveTask returns from the call of runTask in startTask, with the reason, and Go code calls the function that
// panics.
//
// The stacks of all tasks lie in one range of addresses, so that assembly can tell whether it runs on one of them:
//
//	low - guard     not accessible
//	low             the stack limit of the running call
//	low + 8         the address of the task
//	low + taskLimit the stack, as far as high
//	high            the task struct, and above it taskAbove bytes
//
// Tracebacks and profiles of Rust code on a task end at taskBase, which has the flag TOPFRAME.

// task describes a task's stack. Assembly reads and writes its fields.
type task struct {
	low, high uintptr // the bounds of the task's stack

	// The state of the goroutine that runs the task: SP and the return address at the CALL of runTask or goOn, and the bounds of its stack. bothLow
	// and bothHigh are bounds that include the goroutine's stack and the task's.
	goSP, goPC, goLow, goHigh, bothLow, bothHigh uintptr

	class  uintptr    // the number of the task's size, see taskClass
	round  uint32     // tasks.round when its last call ended
	sp     uintptr    // the task's SP in callGo, while a Go function runs
	calls  uintptr    // 1 from the call of a Go function until it returns
	x87    uintptr    // not 0 if the Rust code uses the x87 stack
	yields uintptr    // not 0 if Rust code that waits for a lock lets other goroutines run
	words  [7]uintptr // the values that Rust code passes to Go, and at taskStarts the values that Go passes to serveTask
}

// Body describes the Rust code of an export that runs as a task. The assembly file of the generated package defines one Body for each such export.
type Body struct {
	code uintptr // its address
	x87  uintptr // 1 if it uses the x87 stack
}

const (
	taskAlign = 128  // alignment of high, the largest that Rust code may rely on
	taskAbove = 1024 // number of bytes above the task that Rust code may read: some entries copy words of stack arguments even if none are passed
	taskLimit = 8192 // number of bytes at the lower end of a task's stack that Rust code leaves free; systemSize is a part of them
)

// The reasons for which runTask and goOn return from the task's stack to the goroutine's stack.
const (
	taskReturned = iota
	taskCalls    // words are the arguments of callGo
	taskRaise
	taskUnwound
	taskExhausted
	taskMissing
	taskLost
	taskCorrupt
	taskOverflowed
	taskFaulted // words are the signal and the address
	taskStarts  // an argument of serveTask: words are the addresses of the body, the arguments and the results
)

// taskArena is the address and the size in bytes of the memory for tasks, and 0 before the first task.
var taskArena [2]uintptr

// savedBounds has the bounds of the stack on which a panic began, and the address of the static stack, while the panic's message is formatted.
// panicLock guards savedBounds. The function thread reads it only on the static stack.
var savedBounds [3]uintptr

// startTask calls body on the task's stack, as the entry of an export calls the body on the goroutine's stack. It returns the reason for which Rust
// code has left the task's stack. See tasks_amd64.s and tasks_arm64.s.
//
//go:noescape
func startTask(t *task, body uintptr, arguments, results unsafe.Pointer) (why uintptr)

// resumeTask makes callGo return answer to Rust code on the task's stack. The result is as for startTask.
//
//go:noescape
func resumeTask(t *task, answer uintptr) (why uintptr)

// runTask switches to the task's stack and calls the body. goOn switches to the task's stack and returns from callGo. Both return to their caller
// when Rust code leaves the task's stack.
func runTask()
func goOn()

// callGo leaves the task's stack, so that Go code can run.
func callGo()

// giveWay waits briefly for a lock of Rust code, and lets other goroutines run if it can.
func giveWay()

// yields is passed to callGo instead of the number of a Go function. It lets other goroutines run before the task continues. In a call with the
// number yields, words[3] does not tell whether the thread panics.
const yields = 0

// repeatFault repeats an access that has faulted on a task's stack. It runs on the goroutine's stack, so that Go raises its own panic for the fault.
func repeatFault(signal, address uintptr)

// leaveTask switches from the task's stack to the goroutine's stack for good, before an exit of Rust code calls Go code.
func leaveTask()

// taskBase is the first function on a task's stack. leaveTaskFault continues a task that has faulted.
func taskBase()
func leaveTaskFault()

// thread returns a number that identifies the running thread to Rust code: the address of the task, or of the runtime's m if no task runs.
func thread()

// raiseFault makes the Go panic for a task's fault if repeatFault has returned, that is, if the repeated access did not fault.
func raiseFault(signal, address uintptr) {
	panic(&Panic{Message: "Rust code faulted: signal " + strconv.Itoa(int(signal)) + ", address 0x" + strconv.FormatUint(uint64(address), 16)})
}

// raise makes the Go panic for why, the reason for which Rust code has left the task's stack for good. It returns only for taskReturned.
func (t *task) raise(why uintptr) {
	w := &t.words
	switch why {
	case taskReturned:
	case taskUnwound:
		raiseUnwound(w[0], w[1], (*byte)(pointer(w[2])), w[3], uint32(w[4]), uint32(w[4]>>32), w[5], w[6])
	case taskRaise:
		raise(w[0], w[1], (*byte)(pointer(w[2])), w[3], uint32(w[4]), uint32(w[4]>>32))
	case taskExhausted:
		raiseExhausted((*byte)(pointer(w[0])), w[1], w[2])
	case taskMissing:
		raiseMissing()
	case taskLost:
		raiseLost(w[0])
	case taskCorrupt:
		raiseCorrupt(w[0], w[1])
	case taskFaulted:
		signal, address := w[0], w[1]
		repeatFault(signal, address)
		raiseFault(signal, address)
	default:
		overflowed()
	}
}

// pointer converts an address to a pointer, in a way that go vet accepts. The address is outside Go's heap, or other references keep the object
// there alive.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }
