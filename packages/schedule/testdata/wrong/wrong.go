// Package wrong passes to Rust what is not a handle of a task, and takes what comes back for something else. The compiler
// refuses each line that says ERROR, in words that hold what the line ends with.
package wrong

import (
	"net"

	"rustgo.dev/go/handle"
	"rustgo.dev/packages/schedule"
)

var (
	queue  *schedule.Queue
	task   handle.Of[*schedule.Task]
	number uint64
	conn   = handle.NewOf[net.Conn](nil)
	bare   = handle.New(nil)
	at     int64
	ok     bool
)

func right() {
	queue.Push(0, task)
	task, at, ok = queue.Pop()
	queue.Push(0, handle.Of[*schedule.Task](bare)) // a conversion is the programmer's word
}

func wrong() {
	queue.Push(0, conn)                             // ERROR as handle.Of[*schedule.Task] value in argument to queue.Push
	queue.Push(0, bare)                             // ERROR as handle.Of[*schedule.Task] value in argument to queue.Push
	queue.Push(0, number)                           // ERROR as handle.Of[*schedule.Task] value in argument to queue.Push
	queue.Push(0, handle.NewOf(new(int)))           // ERROR as handle.Of[*schedule.Task] value in argument to queue.Push
	queue.Push(0, handle.Of[schedule.Task](number)) // ERROR as handle.Of[*schedule.Task] value in argument to queue.Push
	queue.Remove(conn)                              // ERROR as handle.Of[*schedule.Task] value in argument to queue.Remove
	conn, at, ok = queue.Pop()                      // ERROR as handle.Of[net.Conn] value in
	number, at, ok = queue.Pop()                    // ERROR as uint64 value in
}
