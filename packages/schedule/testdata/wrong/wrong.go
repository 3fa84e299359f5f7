// Package wrong passes to Rust what is not a handle of a task, and takes what comes back for something else. The compiler
// refuses each line that says ERROR, in words that hold what the line ends with.
package wrong

import (
	"net"

	"rustgo.dev/go/handle"
	"rustgo.dev/packages/schedule"
)

var (
	due    []int64
	tasks  []handle.Of[*schedule.Task]
	task   handle.Of[*schedule.Task]
	number uint64
	conn   = handle.NewOf[net.Conn](nil)
	bare   = handle.New(nil)
)

func right() {
	schedule.Push(due, tasks, 0, task)
	task, due[0] = schedule.Pop(due, tasks)
	schedule.Push(due, tasks, 0, handle.Of[*schedule.Task](bare)) // a conversion is the programmer's word
}

func wrong() {
	schedule.Push(due, tasks, 0, conn)                             // ERROR as handle.Of[*schedule.Task] value in argument to schedule.Push
	schedule.Push(due, tasks, 0, bare)                             // ERROR as handle.Of[*schedule.Task] value in argument to schedule.Push
	schedule.Push(due, tasks, 0, number)                           // ERROR as handle.Of[*schedule.Task] value in argument to schedule.Push
	schedule.Push(due, tasks, 0, handle.NewOf(new(int)))           // ERROR as handle.Of[*schedule.Task] value in argument to schedule.Push
	schedule.Push(due, tasks, 0, handle.Of[schedule.Task](number)) // ERROR as handle.Of[*schedule.Task] value in argument to schedule.Push
	schedule.Push(due, []handle.Handle{bare}, 0, task)             // ERROR as []handle.Of[*schedule.Task] value in argument to schedule.Push
	schedule.Remove(due, []handle.Of[net.Conn]{conn}, task)        // ERROR as []handle.Of[*schedule.Task] value in argument to schedule.Remove
	conn, due[0] = schedule.Pop(due, tasks)                        // ERROR as handle.Of[net.Conn] value in
	number, due[0] = schedule.Pop(due, tasks)                      // ERROR as uint64 value in
}
