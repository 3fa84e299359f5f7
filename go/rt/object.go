package rt

import (
	"io/fs"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// Object is a value in the Rust heap that Go holds. A generated package defines a type for each such Rust type,
//
//	type Queue struct{ rust_Queue rt.Object }
//
// and makes its values by [NewObject]. The value is dropped by Close, or after the garbage collector finds it unreachable. Copies of an
// Object stand for the same value.
//
// Rust reads the address of an objectState at the start of an Object, and the address of the value at the start of the objectState. It sets
// objectState.entered.
type Object struct {
	_     noCopy
	state *objectState
}

// objectState is shared by all copies of an Object.
type objectState struct {
	value    unsafe.Pointer // nil if there is no value any more. Rust sets it to nil when it takes the value
	entered  uint32         // not 0 while Rust may be changing the value: Rust sets it, after it has checked all arguments
	uses     atomic.Uint32  // the number of shared uses, and the flags below
	drop     func(unsafe.Pointer)
	cleanup  runtime.Cleanup
	poisoned atomic.Bool // set before culprit is written; flagPoisoned is set after that
	culprit  string      // the call that panicked, if the object is poisoned or broken
}

// Flags of objectState.uses. A refused shared use is counted for a moment too, so the word is never stored to, only added to. A poisoned
// object without another flag may have further shared uses.
const (
	flagPoisoned  = 1 << (28 + iota) // a shared use ended in a panic. Never cleared
	flagExclusive                    // there is an exclusive use
	flagBroken                       // an exclusive use ended in a panic. Never cleared
	flagClosed                       // there is no value any more, or none to drop. Never cleared
)

// noCopy makes go vet report copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// objectAndState is the one allocation of an Object. A copy of the Object keeps it alive as well.
type objectAndState struct {
	object Object
	state  objectState
}

// NewObject is called by generated functions. value is the address of a value in the Rust heap, which the object owns from now on; nil
// gives nil. drop is called with it once, unless Rust takes the value back or panics while it changes the value.
func NewObject(value unsafe.Pointer, drop func(unsafe.Pointer)) *Object {
	if value == nil {
		return nil
	}
	both := &objectAndState{state: objectState{value: value, drop: drop}}
	both.object.state = &both.state
	// The cleanup does not read the state, which is gone when it runs. Everything else that ends the value stops the cleanup first, and
	// keeps the object alive meanwhile.
	both.state.cleanup = runtime.AddCleanup(both, unreachable.end, unreachable{value, drop})
	if objectMade != nil {
		objectMade()
	}
	return &both.object
}

// objectMade is called for each object, if there is a Rust heap. It is set before the first object is made.
var objectMade func()

// unreachable is a value whose Object the garbage collector found unreachable.
type unreachable struct {
	value unsafe.Pointer
	drop  func(unsafe.Pointer)
}

// end drops the value. A panic of a cleanup function cannot be recovered and would end the process. So if the destructor panics or exceeds
// its stack budget, end prints the message, and the memory that the destructor has not freed is lost.
func (u unreachable) end() {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *Panic:
			print("rustgo: the destructor of an object panicked, and memory is lost: ", p.Message, "\n")
		default:
			panic(p)
		}
	}()
	u.drop(u.value)
}

// Loan is the use of an object by one call. All methods of the object's type are shared, so calls may run at the same time.
//
// Rust gets the address of a Loan or a SharedUse instead of the address of the Object: all three begin with the same word.
type Loan struct {
	state *objectState
	begun uint32 // not 0 while Rust uses the value: Rust sets it, after it has checked all arguments
}

// Lend is called by generated functions before Rust uses the value of an object of a type whose methods are all shared. The function defers
// Release of the result. Lend panics if there is no object.
//
// If Rust begins to use the value and Returned is not called, a panic has ended the Rust code, perhaps in the middle of a change under a
// Rust lock, which stays locked. Release poisons the object then: its value is never dropped, since a destructor does not take the lock.
// call is the name of the Go function and typ the name of the object's type, for messages.
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

// Run is called before each step of an iterator that has the object: Rust does not set begun there.
func (u *Loan) Run() { u.begun = 1 }

// Returned is called when Rust has returned.
func (u *Loan) Returned() { u.begun = 0 }

// Release ends the use by the same call. The garbage collector does not drop the value before, even if the Object is unreachable.
func (u *Loan) Release(call string) {
	if u.begun != 0 {
		u.state.poison(call)
	}
	runtime.KeepAlive(u.state)
}

// SharedUse is a [Loan] that is counted: an object with exclusive uses must have no shared use meanwhile.
type SharedUse struct{ Loan }

// Share is called by generated functions before Rust uses the value of an object without changing it. The function defers Release of the
// result. Share panics if the object cannot be used or is in exclusive use. call is the name of the Go function and typ the name of the
// object's type, for messages. If Rust begins to use the value and Returned is not called, Release poisons the object, as for [Lend]: its
// value is never dropped and never changed.
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

// Release ends the use by the same call.
func (u *SharedUse) Release(call string) {
	if u.begun != 0 {
		u.state.poison(call)
	}
	u.state.uses.Add(^uint32(0))
}

// poison is the rare part of Release: further shared uses are allowed, but the value is never changed, taken or dropped.
//
//go:noinline
func (s *objectState) poison(call string) {
	if s.poisoned.CompareAndSwap(false, true) {
		s.culprit = call
		s.uses.Or(flagPoisoned)
		s.keep()
	}
}

// ExclusiveUse is a use of an object during which there is no other.
type ExclusiveUse struct {
	state *objectState
	call  string
}

// Exclusive is called by generated functions before Rust changes the value of an object, or takes it. The function defers Release of the
// result. Exclusive panics if the object cannot be used or is in use.
//
// Rust sets objectState.entered after it has checked the arguments, before it changes the value. If Returned is not called after that,
// because of a panic, a fault or runtime.Goexit, Release breaks the object: it cannot be used any more, for its value may be half-changed.
// If Rust took the value, Release closes the object without a drop.
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

// Run is called before each step of an iterator that has the object: Rust does not set entered there.
func (u *ExclusiveUse) Run() { u.state.entered = 1 }

// Returned is called when Rust has returned.
func (u *ExclusiveUse) Returned() { u.state.entered = 0 }

// Release ends the use.
func (u *ExclusiveUse) Release() {
	var outcome uint32
	if u.state.entered != 0 || u.state.value == nil {
		outcome = u.settle()
	}
	u.state.uses.Add(outcome - flagExclusive)
}

// settle is the rare part of Release, apart from it so that Go inlines Release. It returns the flag that the object gets.
//
//go:noinline
func (u *ExclusiveUse) settle() (outcome uint32) {
	outcome = flagBroken
	if u.state.entered == 0 {
		outcome = flagClosed // Rust took the value and returned
	}
	u.state.culprit = u.call
	u.state.keep()
	return outcome
}

// Close is called by generated methods of this name. It drops the value of an object that is not in use and returns nil. Otherwise it returns
// [ErrInUse] or [ErrClosed] and does nothing. An object in which a call has panicked is closed too, but its value stays in the Rust heap.
// Close panics if there is no object.
func Close(o *Object, call, typ string) error {
	if o == nil || o.state == nil {
		o.refuse(call, typ)
	}
	s := o.state
	if s.uses.CompareAndSwap(0, flagClosed) {
		value := s.value
		s.value = nil
		s.keep()
		s.drop(value)
		return nil
	}
	for {
		switch uses := s.uses.Load(); {
		case uses&flagClosed != 0:
			return ErrClosed
		case uses&flagBroken == 0 && uses != flagPoisoned:
			return ErrInUse
		case s.uses.CompareAndSwap(uses, uses|flagClosed):
			s.value = nil
			return nil
		}
	}
}

// keep stops the cleanup, so that the garbage collector does not drop the value. No other call may stop it at the same time.
func (s *objectState) keep() {
	s.cleanup.Stop()
	runtime.KeepAlive(s) // before Stop returns the cleanup cannot be queued
}

// refuseShared is refuse for a use that was counted.
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
