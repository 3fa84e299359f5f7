package rt

import (
	"io/fs"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// Object is a value in the Rust heap that Go holds. A generated package defines a Go type for each Rust type of such values,
//
//	type Queue struct{ rust_Queue rt.Object }
//
// and makes values of the Go type by [NewObject]. The Rust value is dropped by Close, or after the garbage collector finds the Object unreachable.
// Copies of an Object refer to the same Rust value.
//
// Rust code reads the address of an objectState from the first word of an Object, and the address of the value from the first word of the
// objectState. Rust code also sets objectState.entered.
type Object struct {
	_     noCopy
	state *objectState
}

// objectState is the state that all copies of an Object share.
type objectState struct {
	value    unsafe.Pointer // nil if the value is gone. Rust sets it to nil when it takes the value
	entered  uint32         // not 0 while Rust may be changing the value (set by Rust after it has checked all arguments), or afterUnwinding
	uses     atomic.Uint32  // the number of shared uses, and the flags below
	made     unreachable    // the value and its destructor. Never changed
	cleanup  runtime.Cleanup
	slot     uint32        // the number of the object's slot in the table recent
	watched  atomic.Uint32 // whether the object has a cleanup: one of the constants below
	poisoned atomic.Bool   // set before culprit is written; flagPoisoned is set after culprit is written
	culprit  string        // the call that panicked, if the object is poisoned or broken
}

// These constants are flags in objectState.uses. Share adds 1 to uses before it knows whether the use is allowed. A Store by other code could lose
// this addition, so Go code changes uses only by Add, Or and CompareAndSwap. An object that has only the flag flagPoisoned allows further shared
// uses.
const (
	flagPoisoned  = 1 << (28 + iota) // a shared use ended in a panic. Never cleared
	flagExclusive                    // there is an exclusive use
	flagBroken                       // an exclusive use ended in a panic. Never cleared
	flagClosed                       // the value is gone, or must not be dropped. Never cleared
)

// These constants are the values of objectState.watched.
const (
	watchedNot   = iota // there is no cleanup yet
	watchedYes          // cleanup is set
	watchedNever        // keep was called: the collector must not drop the value
)

// afterUnwinding is the value of objectState.entered after a panic has unwound a call that could change the Rust value. The Rust value may be
// half-changed. But the unwinding has released all locks in the value, so the value's destructor can run.
const afterUnwinding = 2

// noCopy makes go vet report copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// objectAndState is the single allocation that holds an Object and its state. A copy of the Object also keeps this allocation alive.
type objectAndState struct {
	object Object
	state  objectState
}

// destructor drops the values of a type of objects.
type destructor interface {
	// reserve returns a task (tasks.go) on which the destructor can run, or nil if the destructor needs none. It panics if there is no memory for a
	// task.
	reserve() unsafe.Pointer
	// release gives back the result of reserve, if drop is not called.
	release(reserved unsafe.Pointer)
	// drop drops the value for Close. reserved is the result of reserve.
	drop(reserved, value unsafe.Pointer)
	// forget drops the value after the garbage collector has found the object unreachable. If the destructor cannot run now, forget does nothing and
	// returns false.
	forget(value unsafe.Pointer) (done bool)
}

// function is a destructor that runs on the goroutine's stack: an ordinary assembly function.
type function func(unsafe.Pointer)

func (function) reserve() unsafe.Pointer           { return nil }
func (function) release(unsafe.Pointer)            {}
func (drop function) drop(_, value unsafe.Pointer) { drop(value) }
func (drop function) forget(value unsafe.Pointer) bool {
	if translatedIsLinked {
		beginForgetting(value)
		defer endForgetting(value)
	}
	drop(value)
	return true
}

// NewObject is called by generated functions. value is the address of a value in the Rust heap. From the call on the value belongs to the object. If
// value is nil, NewObject returns nil. drop is called with value once, with two exceptions: Rust takes the value back, or a call that uses the value
// ends in a panic that does not unwind.
func NewObject(value unsafe.Pointer, drop func(unsafe.Pointer)) *Object {
	return newObject(value, function(drop))
}

func newObject(value unsafe.Pointer, drop destructor) *Object {
	if value == nil {
		return nil
	}
	both := &objectAndState{state: objectState{value: value, made: unreachable{value, drop}}}
	both.object.state = &both.state
	number := both.enter()
	if objectMade != nil {
		objectMade(number)
	}
	return &both.object
}

// objectMade is called for each new object with the object's number, if there is a Rust heap. The variable is set before the first object is made.
var objectMade func(number uint32)

// unreachable holds the value of an Object that the garbage collector found unreachable.
type unreachable struct {
	value unsafe.Pointer
	drop  destructor
}

// end drops the value. It runs as a cleanup function, whose panic cannot be recovered and would end the process. If the destructor panics or exceeds
// its stack budget, end only prints the message, and memory that the destructor has not freed is never freed. If the destructor cannot run now, end
// tries it again after the next collection.
func (u unreachable) end() {
	defer reportDestructor()
	if !u.drop.forget(u.value) {
		// Attach the cleanup to a new pointer. The tiny allocator may put a variable without pointers into one block with others, and the cleanup
		// of such a variable may never run.
		runtime.AddCleanup(new(unsafe.Pointer), unreachable.end, u)
	}
}

// reportDestructor is deferred. It recovers a Rust panic and prints its message.
func reportDestructor() {
	switch p := recover().(type) {
	case nil:
	case *Panic:
		print("rustgo: the destructor of an object panicked, and memory is lost: ", p.Message, "\n")
	default:
		panic(p)
	}
}

// Loan is the use of an object by one call, for an object type whose methods all take &self. Several calls may use such an object at the same time.
//
// Rust gets the address of a Loan or a SharedUse instead of the address of the Object. The first word of all three is the address of the
// objectState.
type Loan struct {
	state *objectState
	begun uint32 // not 0 while Rust uses the value. Rust sets it after it has checked all arguments
}

// Lend is called by generated functions before Rust uses the value of an object whose type has only shared methods. The generated function defers
// Release of the result. Lend panics if there is no object.
//
// If Returned is not called after Rust has begun to use the value, a panic has ended the Rust code. Without unwinding, the panic may have interrupted
// a change of the value while Rust code held a lock. The lock then stays locked and the value half-changed. A destructor does not take the lock, so
// it would use the half-changed value. So Release poisons the object: its value is never dropped. After a panic that has unwound, Rust has set begun
// to 0, and Release does not poison the object. The arguments call and typ are the names of the Go function and of the object's type, for messages.
//
//	u := rt.Lend((*rt.Object)(unsafe.Pointer(r)), "Regex.Match", "Regex")
//	defer u.Release("Regex.Match")
//	value := rust_Regex_Match((*Regex)(unsafe.Pointer(&u)), text)
//	u.Returned()
//	return value
func Lend(o *Object, call, typ string) Loan {
	if o == nil || o.state == nil {
		o.refuse(call, typ)
	}
	return Loan{state: o.state}
}

// Run is called before each step of an iterator that uses the object, because Rust does not set begun in such a step.
func (u *Loan) Run() { u.begun = 1 }

// Returned is called after the Rust function has returned.
func (u *Loan) Returned() { u.begun = 0 }

// Release ends the use of the object. Its argument call is the argument call of Lend. Until Release the garbage collector does not drop the value,
// even if Go code no longer refers to the Object.
func (u *Loan) Release(call string) {
	if u.begun != 0 {
		u.state.poison(call)
	}
	runtime.KeepAlive(u.state)
}

// SharedUse is a [Loan] that is counted in objectState.uses, because there must be no shared use during an exclusive use.
type SharedUse struct{ Loan }

// Share is called by generated functions before Rust uses the value of an object without changing it. The generated function defers Release of the
// result. Share panics if the object cannot be used or is in exclusive use. The arguments call and typ are the names of the Go function and of the
// object's type, for messages. If Rust begins to use the value and Returned is not called, Release poisons the object, as for [Lend]: its value is
// never dropped and never changed.
//
//	u := rt.Share((*rt.Object)(unsafe.Pointer(q)), "Queue.Len", "Queue")
//	defer u.Release("Queue.Len")
//	value := rust_Queue_Len((*Queue)(unsafe.Pointer(&u)))
//	u.Returned()
//	return value
func Share(o *Object, call, typ string) SharedUse {
	if o == nil || o.state == nil || o.state.uses.Add(1) >= flagExclusive {
		o.refuseShared(call, typ)
	}
	return SharedUse{Loan{state: o.state}}
}

// Release ends the shared use. Its argument call is the argument call of Share.
func (u *SharedUse) Release(call string) {
	if u.begun != 0 {
		u.state.poison(call)
	}
	u.state.uses.Add(^uint32(0))
}

// poison is the part of Release that rarely runs. A poisoned object allows further shared uses, but its value is never changed, taken or dropped.
//
//go:noinline
func (s *objectState) poison(call string) {
	if s.poisoned.CompareAndSwap(false, true) {
		s.culprit = call
		s.uses.Or(flagPoisoned)
		s.keep()
	}
}

// ExclusiveUse is a use of an object that excludes all other uses.
type ExclusiveUse struct {
	state *objectState
	call  string
}

// Exclusive is called by generated functions before Rust changes or takes the value of an object. The generated function defers Release of the
// result. Exclusive panics if the object is in use, closed, broken or poisoned.
//
// Rust sets objectState.entered after it has checked the arguments and before it changes the value. If a panic, a fault or runtime.Goexit then
// prevents the call of Returned, the value may be half-changed. So Release breaks the object, and no call can use it any more. If the panic has
// unwound the Rust code, the value is still dropped, by Close or after the Object is unreachable; otherwise it is never dropped. If Rust took the
// value, Go never drops it. In this case Release closes the object if the Rust function returned, and breaks the object if it panicked.
//
//	u := rt.Exclusive((*rt.Object)(unsafe.Pointer(q)), "Queue.Push", "Queue")
//	defer u.Release()
//	rust_Queue_Push(q, x)
//	u.Returned()
func Exclusive(o *Object, call, typ string) ExclusiveUse {
	if o == nil || o.state == nil || !o.state.uses.CompareAndSwap(0, flagExclusive) {
		o.refuse(call, typ)
	}
	return ExclusiveUse{state: o.state, call: call}
}

// Run is called before each step of an iterator that uses the object, because Rust does not set entered in such a step.
func (u *ExclusiveUse) Run() { u.state.entered = 1 }

// Returned is called after the Rust function has returned.
func (u *ExclusiveUse) Returned() { u.state.entered = 0 }

// Unwound is called after a panic has unwound a step of an iterator that uses the object, and the iterator is dropped.
func (u *ExclusiveUse) Unwound() { u.state.entered = afterUnwinding }

// Release ends the exclusive use.
func (u *ExclusiveUse) Release() {
	var outcome uint32
	if u.state.entered != 0 || u.state.value == nil {
		outcome = u.settle()
	}
	u.state.uses.Add(outcome - flagExclusive)
}

// settle is the part of Release that rarely runs. It is a separate function so that Go inlines Release. It returns the flag to set in
// objectState.uses.
//
//go:noinline
func (u *ExclusiveUse) settle() (outcome uint32) {
	outcome = flagBroken
	if u.state.entered == 0 {
		outcome = flagClosed // Rust took the value and returned
	}
	u.state.culprit = u.call
	if u.state.entered != afterUnwinding || u.state.value == nil {
		u.state.keep()
	}
	return outcome
}

// Close is called by generated methods of the same name. If the object is not in use, Close drops its value and returns nil. Otherwise Close returns
// [ErrInUse] or [ErrClosed] and does nothing. If an earlier call on the object panicked without unwinding, Close closes the object, but the value
// stays in the Rust heap. Close panics if there is no object. If the destructor is a task (see [NewTaskObject]) and there is no memory for another
// task, Close panics and the object stays open.
func Close(o *Object, call, typ string) error {
	if o == nil || o.state == nil {
		o.refuse(call, typ)
	}
	s := o.state
	for {
		uses := s.uses.Load()
		switch {
		case uses&flagClosed != 0:
			return ErrClosed
		case uses != 0 && uses&flagBroken == 0 && uses != flagPoisoned:
			return ErrInUse
		}
		var reserved unsafe.Pointer
		if uses != flagPoisoned {
			reserved = s.made.drop.reserve()
		}
		// Until this CompareAndSwap succeeds, another Close may write the other fields.
		closed := s.uses.CompareAndSwap(uses, uses|flagClosed)
		if closed && (uses == 0 || uses&flagBroken != 0 && s.entered == afterUnwinding && s.value != nil) {
			value := s.value
			s.value = nil
			s.keep()
			s.made.drop.drop(reserved, value)
			return nil
		}
		if uses != flagPoisoned {
			s.made.drop.release(reserved)
		}
		if closed {
			s.value = nil
			return nil
		}
	}
}

// claim begins an exclusive use, so that take cannot fail. It panics if the object is in use, closed, broken or poisoned. For a nil object claim does
// nothing.
func (o *Object) claim(typ string) {
	if o != nil && (o.state == nil || !o.state.uses.CompareAndSwap(0, flagExclusive)) {
		o.refuse("a Go function's result", typ)
	}
}

// unclaim ends the use that claim has begun.
func (o *Object) unclaim() {
	if o != nil {
		o.state.uses.Add(^uint32(flagExclusive - 1))
	}
}

// take closes an object that claim has claimed, and returns the value. From then on Rust owns the value, and Go never drops it.
func (o *Object) take() unsafe.Pointer {
	s := o.state
	value := s.value
	s.value = nil
	s.keep()
	s.uses.Add(flagClosed - flagExclusive)
	return value
}

// refuseShared does the same as refuse for a shared use that was already counted.
//
//go:noinline
func (o *Object) refuseShared(call, typ string) {
	if o != nil && o.state != nil {
		o.state.uses.Add(^uint32(0))
	}
	o.refuse(call, typ)
}

// refuse panics with the reason why an object cannot be used.
//
//go:noinline
func (o *Object) refuse(call, typ string) {
	panic(&Panic{Message: call + ": " + o.refusal(typ)})
}

func (o *Object) refusal(typ string) string {
	if o == nil {
		return "nil *" + typ
	}
	if o.state == nil {
		return "the " + typ + " was not made by a constructor"
	}
	switch uses := o.state.uses.Load(); {
	case uses&flagClosed != 0:
		return "the " + typ + " is closed"
	case uses&flagBroken != 0:
		return "the " + typ + " cannot be used any more: a call of " + o.state.culprit + " panicked"
	case uses&flagPoisoned != 0 && uses&flagExclusive == 0:
		return "the " + typ + " cannot be changed any more: a call of " + o.state.culprit + " panicked"
	default:
		return "the " + typ + " is in use by another call"
	}
}

// ErrClosed is returned by Close of an object that was closed before or whose value Rust has taken. errors.Is(ErrClosed, fs.ErrClosed) is
// true, as for files.
var ErrClosed error = closedError{}

// ErrInUse is returned by Close of an object while a call uses it. The object stays open.
var ErrInUse error = inUseError{}

type closedError struct{}

func (closedError) Error() string        { return "the object is closed already" }
func (closedError) Is(target error) bool { return target == fs.ErrClosed }

type inUseError struct{}

func (inUseError) Error() string { return "the object is in use by a call" }
