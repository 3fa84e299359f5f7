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

// A Ticket stands for a task in a queue. No two tasks in the life of a process have the same one.
type Ticket handle.Of[*Task]

// Add adds a task that is due at the time, and returns what [Queue.Cancel] takes. The time must be representable as
// [time.Time.UnixNano].
func (q *Queue) Add(at time.Time, task *Task) Ticket {
	h := handle.NewOf(task)
	q.Push(at.UnixNano(), h)
	return Ticket(h)
}

// Cancel removes the task that the ticket stands for, and reports whether it was still in the queue.
func (q *Queue) Cancel(ticket Ticket) bool {
	h := handle.Of[*Task](ticket)
	if h == 0 || !q.Remove(h) {
		return false
	}
	h.Delete()
	return true
}

// Next removes the task that is due first, and returns it and when it is due. ok is false if the queue is empty.
func (q *Queue) Next() (task *Task, at time.Time, ok bool) {
	h, due, ok := q.Pop()
	if !ok {
		return nil, time.Time{}, false
	}
	task = h.Value()
	h.Delete()
	return task, time.Unix(0, due), true
}

// Due returns when the first task is due. ok is false if the queue is empty.
func (q *Queue) Due() (at time.Time, ok bool) {
	due, ok := q.peek()
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(0, due), true
}

// Clear removes all tasks.
func (q *Queue) Clear() {
	for h, _, ok := q.Pop(); ok; h, _, ok = q.Pop() {
		h.Delete()
	}
}
