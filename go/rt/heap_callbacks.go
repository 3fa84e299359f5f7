//go:build amd64 || arm64

//lint:file-ignore U1000 assembly uses these declarations

package rt

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"
)

// RunTaskWith is [RunTask] for Rust code that calls Go functions. When Rust code calls Go function n, counted from 1, RunTaskWith calls call(n,
// arguments, result). The arguments and the result of call are in Rust's memory. call returns a pointer to the memory that the result refers to, or
// nil.
//
// If call panics or ends its goroutine, the Rust frames unwind first. Then the Go panic continues with its value, unless Rust code catches it.
func RunTaskWith(body *Body, stack uintptr, arguments, results unsafe.Pointer, call func(n uintptr, arguments, result unsafe.Pointer) unsafe.Pointer) {
	t := takeTask(stack)
	defer giveTask(t)
	runTaskWith(t, body, arguments, results, call)
}

// ReserveTask is called at the start of a loop over an iterator whose steps run as tasks. All steps and the drop of the iterator run on the reserved
// task, one after the other, so no step fails for lack of memory. stack is the number of bytes of stack that a step or the drop may need. ReserveTask
// panics if there is no memory for another task.
func ReserveTask(stack uintptr) unsafe.Pointer { return unsafe.Pointer(takeTask(stack)) }

// ReturnTask gives the task of ReserveTask back when the loop ends.
func ReturnTask(reserved unsafe.Pointer) { giveTask((*task)(reserved)) }

// RunReserved is [RunTaskWith] on a task of [ReserveTask], for Rust code that calls none of the export's function parameters.
func RunReserved(reserved unsafe.Pointer, body *Body, arguments, results unsafe.Pointer) {
	runTaskWith((*task)(reserved), body, arguments, results, nil)
}

// runTaskWith is RunTaskWith on this task.
func runTaskWith(t *task, body *Body, arguments, results unsafe.Pointer, call callee) {
	s := server{task: t}
	defer func() {
		// Rust borrows the memory that the arguments refer to until the Rust code has returned or unwound. The collector does not see these
		// references, because it does not scan the task's stack.
		runtime.KeepAlive(arguments)
		runtime.KeepAlive(results)
	}()
	s.task.x87 = body.x87
	s.task.yields = 1 // all memory that Rust borrows is in Go's heap, so the goroutine's stack may move
	w := &s.task.words
	w[0], w[1], w[2] = body.code, uintptr(arguments), uintptr(results)
	why := s.serve(call, taskStarts)
	for why == taskCalls {
		why = s.serve(call, taskCalls)
	}
	s.raise(why)
}

// serveTask runs the task t and calls the Go functions that Rust code asks for, until the Rust code ends. If why is taskStarts, the task begins. If
// why is taskCalls, the task waits for the call of a Go function. The result is the reason for which the Rust code has ended.
//
//go:noescape
func serveTask(t *task, why uintptr, s *server, call callee) (ended uintptr)

// callee calls the Go functions of an export's parameters by number. (It is a parameter rather than a field of server, so that Go's compiler can keep
// the closure on the stack.)
type callee = func(n uintptr, arguments, result unsafe.Pointer) unsafe.Pointer

// server calls the Go functions that Rust code on a task's stack asks for.
type server struct {
	task   *task
	lent   unsafe.Pointer // memory that Rust code copies before it calls Go again
	panics []uintptr      // the numbers of the Go functions' panics and runtime.Goexits, in ascending order
	caught []caught
}

// lastPanic is the number of the last panic of a Go function that Rust code has called. Rust code may keep a panic and resume it in another call, so
// each panic of the process has its own number.
var lastPanic atomic.Uint64

// caught is the value of a Go panic that Rust code has caught. Rust code can resume the panic later.
type caught struct {
	number uintptr
	value  any
}

// Rust code identifies a Go function by a number. A number from 1 to keptFirst-1 is the number of a parameter of the export. The number 0 is yields.
// Any other number is the number of a function that Rust code keeps; see Keep.
const keptFirst = 4096

// callFunction calls the Go function that the task waits for. serveTask calls it.
func callFunction(s *server, call callee) {
	t := s.task
	n, arguments, result := t.words[0], pointer(t.words[1]), pointer(t.words[2])
	t.calls = 1
	if n-1 < keptFirst-1 {
		s.lent = call(n, arguments, result)
	} else if n == yields {
		runtime.Gosched()
	} else {
		s.lent = kept(n).(func(arguments, result unsafe.Pointer) unsafe.Pointer)(arguments, result)
	}
	t.calls = 0
}

// serve runs the task until the Rust code ends, and returns the reason. If Rust code has caught the panic of a Go function and now calls another Go
// function, serve returns taskCalls, although the Rust code has not ended. The caller then calls serve again. This return is necessary, because only
// a return from serve completes the recovery of the panic and removes the frames of deferred functions.
func (s *server) serve(call callee, why uintptr) (ended uintptr) {
	defer s.failed(call, &ended)
	return serveTask(s.task, why, s, call)
}

// step calls the Go function that the task waits for, and resumes the task.
func (s *server) step(call callee) (ended uintptr) {
	defer s.failed(call, &ended)
	callFunction(s, call)
	return resumeTask(s.task, 0)
}

// failed is deferred. If a panic or runtime.Goexit has left a Go function that Rust code called, failed unwinds the Rust frames. If Rust code catches
// the panic, failed recovers it.
func (s *server) failed(call callee, ended *uintptr) {
	t := s.task
	if t.calls == 0 {
		return
	}
	t.calls = 0
	number := uintptr(lastPanic.Add(1))
	s.panics = append(s.panics, number)
	why := resumeTask(t, 1|number<<8)
	for why == taskCalls && (t.words[3] != 0 || t.words[0] == yields) {
		// A destructor may call a Go function while the thread panics (t.words[3] is not 0). Then Rust code has not caught the panic. For a call with
		// the number yields, which only lets other goroutines run, t.words[3] does not tell whether the thread panics.
		why = s.step(call)
	}
	if why == taskCalls || why == taskReturned {
		// Rust code has caught the panic.
		if value := recover(); value != nil {
			s.caught = append(s.caught, caught{number, value})
			*ended = why
			return
		}
		// recover returned nil, so runtime.Goexit is ending the goroutine. Rust code cannot stop this.
		for why == taskCalls {
			why = s.step(call)
		}
	}
	switch passes := s.passes(why); {
	case why == taskLost:
		// The unwinder has reached frames that cannot be unwound, so they are abandoned. If a crate relies on destructors (t.words[0] is not 0), the
		// process ends.
		if t.words[0] != 0 {
			t.raise(why)
		}
		return
	case passes == number:
		s.dropMessage()
		return
	case passes != 0:
		// A destructor has caught the panic number, and an earlier panic, passes, has left the Rust frames.
		if value := recover(); value != nil {
			s.caught = append(s.caught, caught{number, value})
			*ended = why
			return
		}
		if _, isCaught := s.caughtValue(passes); !isCaught {
			// runtime.Goexit aborts the earlier panic, as it does in Go.
			s.dropMessage()
			return
		}
	}
	s.raise(why)
}

// caughtValue returns the value of a Go panic that Rust code has caught.
func (s *server) caughtValue(number uintptr) (value any, isCaught bool) {
	for _, caught := range s.caught {
		if caught.number == number {
			return caught.value, true
		}
	}
	return nil, false
}

// goPanicked begins the text of the Rust panic that the support crate raises after a Go function has panicked, to unwind the Rust frames. The number
// of the Go function's panic follows in parentheses.
const goPanicked = "a Go function that Rust has called panicked"

// passes returns the number of the Go function's panic that has left all Rust frames, or 0 if Rust code has ended for another reason. The message is
// still in its slot, so passes must not allocate: see raise.
func (s *server) passes(why uintptr) uintptr {
	if why != taskUnwound && why != taskRaise {
		return 0
	}
	slot, length := s.task.words[0], s.task.words[1]
	if slot >= slots || length > uintptr(len(messages[slot])) {
		return 0
	}
	text := messages[slot][:length]
	if len(text) < len(goPanicked) || string(text[:len(goPanicked)]) != goPanicked { // this conversion does not allocate
		return 0
	}
	number := uintptr(0)
	for _, digit := range bytes.Trim(text[len(goPanicked):], " ()") {
		if digit < '0' || digit > '9' {
			return 0
		}
		number = number*10 + uintptr(digit-'0')
	}
	if _, isOurs := slices.BinarySearch(s.panics, number); !isOurs {
		return 0
	}
	return number
}

// dropMessage empties the message slot that holds the text of a Go function's panic.
func (s *server) dropMessage() { _ = newPanic(s.task.words[0], s.task.words[1], nil, 0, 0, 0) }

// raise makes the Go panic for why, the reason for which the Rust code has ended. It returns only for taskReturned. If the reason is the panic of a
// Go function that Rust code called, the new Go panic has the same value.
func (s *server) raise(why uintptr) {
	if why == taskReturned {
		return
	}
	if number := s.passes(why); number != 0 {
		if value, isCaught := s.caughtValue(number); isCaught {
			s.dropMessage()
			panic(value)
		}
	}
	s.task.raise(why)
}

// RawError is an error in the form that Rust reads.
type RawError struct {
	number, kind uintptr
	text         [2]uintptr
}

// Fail passes an error to Rust as the result of a Go function. Generated functions call it. It returns the address of the error's text, which must
// stay alive until Rust has copied the text.
func Fail(result *RawError, err error) unsafe.Pointer {
	// Methods of the error may panic, so they are called before the error is kept.
	text, kind := err.Error(), errorKind(err)
	result.number, result.kind = Keep(err).Number, kind
	return AnswerString(&result.text, text)
}

// AnswerString passes a string to Rust as the result of a Go function. Generated functions call it. It returns the address of the string's bytes,
// which must stay alive until Rust has copied them.
func AnswerString(result *[2]uintptr, s string) unsafe.Pointer {
	data := unsafe.Pointer(unsafe.StringData(s))
	*result = [2]uintptr{uintptr(data), uintptr(len(s))}
	return data
}

// AnswerSlice passes a slice to Rust as the result of a Go function. Generated functions call it. It returns the address of the elements, which must
// stay alive until Rust has copied them.
func AnswerSlice[T any](result *[3]uintptr, s []T) unsafe.Pointer {
	data := unsafe.Pointer(unsafe.SliceData(s))
	*result = [3]uintptr{uintptr(data), uintptr(len(s)), uintptr(cap(s))}
	return data
}

// Returned is an object that a Go function has returned to Rust, or nil.
type Returned struct {
	At     *uintptr // where Rust reads the address of the value
	Object *Object
	Type   string // the name of the object's type, for messages
}

// TakeObjects moves the values of all objects to Rust and closes the objects. If one of the objects is in use, closed, broken or poisoned,
// TakeObjects panics and moves no value. Generated functions call it after they have called a Go function.
func TakeObjects(objects ...Returned) {
	claimed := 0
	defer func() {
		if claimed < len(objects) {
			for _, given := range objects[:claimed] {
				given.Object.unclaim()
			}
		}
	}()
	for _, given := range objects {
		given.Object.claim(given.Type)
		claimed++
	}
	for _, given := range objects {
		if given.Object != nil {
			*given.At = uintptr(given.Object.take())
		}
	}
}

// Answers returns a pointer that keeps alive all memory to which the results of a Go function refer.
func Answers(memory ...unsafe.Pointer) unsafe.Pointer {
	kept := append([]unsafe.Pointer(nil), memory...)
	return unsafe.Pointer(&kept[0])
}

// errorKind returns the number of the kind of Rust's std::io::Error that corresponds to err, or 0 if no kind does. The support crate has the same
// numbers.
func errorKind(err error) uintptr {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 1
	case errors.Is(err, fs.ErrPermission):
		return 2
	case errors.Is(err, fs.ErrExist):
		return 3
	case errors.As(err, &timeout) && timeout.Timeout():
		return 4
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return 5
	case errors.Is(err, io.ErrShortWrite):
		return 6
	case errors.Is(err, io.ErrClosedPipe):
		return 7
	}
	return 0
}
