//go:build amd64 || arm64

package schedule

import (
	"time"

	"rustgo.dev/go/handle"
)

// A Task is something to be done at a time.
type Task struct {
	// Do does it.
	Do func()
}

// A Queue holds tasks until they are due. The zero Queue is empty. A Queue must not be used by several goroutines at once.
type Queue struct {
	due   []int64 // as of time.Time.UnixNano
	tasks []handle.Of[*Task]
}

// A Ticket stands for a task in a queue. No two tasks in the life of a process have the same one.
type Ticket handle.Of[*Task]

// Add adds a task that is due at the time, and returns what [Queue.Cancel] takes. The time must be representable as
// [time.Time.UnixNano].
func (q *Queue) Add(at time.Time, task *Task) Ticket {
	h := handle.NewOf(task)
	q.due, q.tasks = append(q.due, 0), append(q.tasks, 0)
	Push(q.due, q.tasks, at.UnixNano(), h)
	return Ticket(h)
}

// Cancel removes the task that the ticket stands for, and reports whether it was still in the queue.
func (q *Queue) Cancel(ticket Ticket) bool {
	h := handle.Of[*Task](ticket)
	if h == 0 || !Remove(q.due, q.tasks, h) {
		return false
	}
	q.shorten()
	h.Delete()
	return true
}

// Next removes the task that is due first, and returns it and when it is due. ok is false if the queue is empty.
func (q *Queue) Next() (task *Task, at time.Time, ok bool) {
	h, due := Pop(q.due, q.tasks)
	if h == 0 {
		return nil, time.Time{}, false
	}
	q.shorten()
	task = h.Value()
	h.Delete()
	return task, time.Unix(0, due), true
}

// Len returns the number of tasks in the queue.
func (q *Queue) Len() int { return len(q.due) }

func (q *Queue) shorten() {
	n := len(q.due) - 1
	q.due, q.tasks = q.due[:n], q.tasks[:n]
}
