package rt

import (
	"io/fs"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// Object is a value in the Rust heap that Go holds. A generated package defines a type for each Rust type that it hands out so,
//
//	type Queue struct{ rust_Queue rt.Object }
//
// and makes its values by [NewObject]. The value is dropped when the collector finds that nothing refers to it any more, or by Close. Copies
// of an Object stand for the same value.
//
// Rust reads the address of an inner at p, and there the address of the value, and says where it enters it.
type Object struct {
	_ noCopy
	p *inner
}

// inner is what all copies of an Object share.
type inner struct {
	value   unsafe.Pointer // nil if there is none any more. Rust sets it to nil when it takes the value
	entered uint32         // not 0 while Rust may be changing the value: Rust sets it, after it has checked all arguments
	state   atomic.Uint32
	drop    func(unsafe.Pointer)
	cleanup runtime.Cleanup
	worn    atomic.Bool // a shared use writes breaker, or has; the state says so behind that
	breaker string      // the call that panicked, if the object is broken or worn
}

// The state of an inner: the number of shared uses, and bits above it. Whoever is refused a shared use is counted for a moment too, so
// nobody may store to it, but only add. With worn alone there may be further shared uses.
const (
	worn      = 1 << (28 + iota) // a shared use ended in a panic. Stays
	exclusive                    // there is an exclusive use
	broken                       // an exclusive use ended in a panic. Stays
	closed                       // there is no value any more, or none to drop. Stays
)

// noCopy is what go vet finds in copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// whole is an Object and its inner as one allocation. A copy of the Object keeps it alive as well.
type whole struct {
	object Object
	inner  inner
}

// NewObject is called by generated functions. value is the address of a value in the Rust heap that now belongs to the object; nil
// gives nil. drop is called with it once, unless Rust takes the value back or panics while it changes it.
func NewObject(value unsafe.Pointer, drop func(unsafe.Pointer)) *Object {
	if value == nil {
		return nil
	}
	w := &whole{inner: inner{value: value, drop: drop}}
	w.object.p = &w.inner
	// The cleanup does not look at the state, which is gone when it runs. It is stopped by whatever gives the value another end, and that
	// holds the object.
	w.inner.cleanup = runtime.AddCleanup(w, unreachable.end, unreachable{value, drop})
	if objectMade != nil {
		objectMade()
	}
	return &w.object
}

// objectMade is told of each object, where there is a heap. It is set before any function can make one.
var objectMade func()

// unreachable is a value that the collector has found nobody to refer to.
type unreachable struct {
	value unsafe.Pointer
	drop  func(unsafe.Pointer)
}

// end drops the value. A destructor that panics, or needs more stack than its budget, would end the process, since nobody can recover what a
// cleanup panics with: what it has not freed is lost instead, and that is said.
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

// Loan is a call that uses an object which no call changes. It may run at the same time as any other.
//
// Rust is handed the address of a Loan or a SharedUse in place of the Object's: both begin with the same word.
type Loan struct {
	p     *inner
	begun uint32 // not 0 while Rust uses the value: Rust sets it, after it has checked all arguments
}

// Lend is called by generated functions before Rust uses the value of an object of a type whose methods are all shared, and End of its result,
// deferred, behind it. It panics if there is no object. If the call begins to use the value and does not get to Done, a panic has cut off Rust
// code, maybe in the middle of a change behind a lock of Rust's, which stays locked then. End has nobody drop such a value, since a destructor does not
// ask the lock. call is the name of the Go function and typ that of the object's type, for the message.
//
//	u := rt.Lend((*rt.Object)(unsafe.Pointer(r)), "Regex.Match", "Regex")
//	defer u.End("Regex.Match")
//	value := rust_Regex_Match((*Regex)(unsafe.Pointer(&u)), text)
//	u.Done()
//	return value
func Lend(o *Object, call, typ string) Loan {
	if o == nil || o.p == nil {
		o.refuse(call, typ)
	}
	return Loan{p: o.p}
}

// Run is called before Rust code that does not tell so itself: each step of an iterator that has the object.
func (u *Loan) Run() { u.begun = 1 }

// Done is called when Rust has returned.
func (u *Loan) Done() { u.begun = 0 }

// End ends the use by the same call. Until then the collector does not drop the value, whatever becomes of the Object that was lent.
func (u *Loan) End(call string) {
	if u.begun != 0 {
		u.p.wear(call)
	}
	runtime.KeepAlive(u.p)
}

// SharedUse is a call that uses an object and may run at the same time as others like it: a [Loan] that is counted.
type SharedUse struct{ Loan }

// Share is called by generated functions before Rust uses the value of an object without changing it, and End of its result, deferred,
// behind it. It panics if the object cannot be used or is in exclusive use. call is the name of the Go function and typ that of the object's type,
// for the message. If the call begins to use the value and does not get to Done, End sees to it that nobody drops the value or changes it, as
// that of [Lend] does.
//
//	u := rt.Share((*rt.Object)(unsafe.Pointer(q)), "Queue.Len", "Queue")
//	defer u.End("Queue.Len")
//	value := rust_Queue_Len((*Queue)(unsafe.Pointer(&u)))
//	u.Done()
//	return value
func Share(o *Object, call, typ string) SharedUse {
	if o == nil || o.p == nil || o.p.state.Add(1) >= exclusive {
		o.refuseShared(call, typ)
	}
	return SharedUse{Loan{p: o.p}}
}

// End ends the use by the same call.
func (u *SharedUse) End(call string) {
	if u.begun != 0 {
		u.p.wear(call)
	}
	u.p.state.Add(^uint32(0))
}

// wear is the rare part of End: the value may be used as it was, but neither changed, taken nor dropped.
//
//go:noinline
func (p *inner) wear(call string) {
	if p.worn.CompareAndSwap(false, true) {
		p.breaker = call
		p.state.Or(worn)
		p.keep()
	}
}

// ExclusiveUse is a call that no other may run beside.
type ExclusiveUse struct {
	p    *inner
	call string
}

// Exclusive is called by generated functions before Rust changes the value of an object, or takes it. It panics if the object cannot be used
// or is in use. Rust tells when it has checked the arguments of the call and begins to change the value; if the call does not get to Done
// then, by a panic, a fault or runtime.Goexit, End makes the object one that cannot be used any more, for its value may be half-changed. If
// Rust took the value, End closes the object, without a drop.
//
//	u := rt.Exclusive((*rt.Object)(unsafe.Pointer(q)), "Queue.Push", "Queue")
//	defer u.End()
//	rust_Queue_Push(q, x)
//	u.Done()
func Exclusive(o *Object, call, typ string) ExclusiveUse {
	if o == nil || o.p == nil || !o.p.state.CompareAndSwap(0, exclusive) {
		o.refuse(call, typ)
	}
	return ExclusiveUse{p: o.p, call: call}
}

// Run is called before Rust code that changes the value and does not tell so itself: each step of an iterator that has the object.
func (u *ExclusiveUse) Run() { u.p.entered = 1 }

// Done is called when Rust has returned.
func (u *ExclusiveUse) Done() { u.p.entered = 0 }

// End ends the use.
func (u *ExclusiveUse) End() {
	var outcome uint32
	if u.p.entered != 0 || u.p.value == nil {
		outcome = u.settle()
	}
	u.p.state.Add(outcome - exclusive)
}

// settle is the rare part of End, which Go inlines without it. It gives what the object becomes.
//
//go:noinline
func (u *ExclusiveUse) settle() (outcome uint32) {
	outcome = broken
	if u.p.entered == 0 {
		outcome = closed // Rust took the value and returned
	}
	u.p.breaker = u.call
	u.p.keep()
	return outcome
}

// Close is called by generated methods of this name. It drops the value of an object that is not in use, and then returns nil; [ErrInUse] or
// [ErrClosed] says why it did nothing. An object in which a call has panicked is closed too, but its value stays in the Rust heap. Close panics if
// there is no object.
func Close(o *Object, call, typ string) error {
	if o == nil || o.p == nil {
		o.refuse(call, typ)
	}
	p := o.p
	if p.state.CompareAndSwap(0, closed) {
		value := p.value
		p.value = nil
		p.keep()
		p.drop(value)
		return nil
	}
	for {
		switch state := p.state.Load(); {
		case state&closed != 0:
			return ErrClosed
		case state&broken == 0 && state != worn:
			return ErrInUse
		case p.state.CompareAndSwap(state, state|closed):
			p.value = nil
			return nil
		}
	}
}

// keep has the collector drop nothing. The caller has the object for itself.
func (p *inner) keep() {
	p.cleanup.Stop()
	runtime.KeepAlive(p) // until here, so that the cleanup cannot be on its way
}

// refuseShared is refuse for a use that was counted.
//
//go:noinline
func (o *Object) refuseShared(call, typ string) {
	if o != nil && o.p != nil {
		o.p.state.Add(^uint32(0))
	}
	o.refuse(call, typ)
}

// refuse says why an object cannot be used.
//
//go:noinline
func (o *Object) refuse(call, typ string) {
	panic(&Panic{Message: call + ": " + o.refusal(typ)})
}

func (o *Object) refusal(typ string) string {
	if o == nil {
		return "nil *" + typ
	}
	if o.p == nil {
		return "the " + typ + " was not made by a constructor"
	}
	switch state := o.p.state.Load(); {
	case state&closed != 0:
		return "the " + typ + " is closed"
	case state&broken != 0:
		return "the " + typ + " cannot be used any more: a call of " + o.p.breaker + " panicked"
	case state&worn != 0 && state&exclusive == 0:
		return "the " + typ + " cannot be changed any more: a call of " + o.p.breaker + " panicked"
	default:
		return "the " + typ + " is in use by another call"
	}
}

// ErrClosed is what Close of an object returns if it was closed before, or Rust has taken its value. It is an fs.ErrClosed to errors.Is,
// as of a file.
var ErrClosed error = closedError{}

// ErrInUse is what Close of an object returns while a call uses it. The object stays open.
var ErrInUse error = inUseError{}

type closedError struct{}

func (closedError) Error() string        { return "the object is closed already" }
func (closedError) Is(target error) bool { return target == fs.ErrClosed }

type inUseError struct{}

func (inUseError) Error() string { return "the object is in use by a call" }
