package rt

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// TranslatedObject is called by package translated. use points to an [Object], a [Loan] or a [SharedUse]. TranslatedObject returns an address that
// identifies the object, and the value that [NewObject] got. Both are nil if there is no object.
func TranslatedObject(use unsafe.Pointer) (object, value unsafe.Pointer) {
	state := *(**objectState)(use)
	if state == nil {
		return nil, nil
	}
	return unsafe.Pointer(state), state.value
}

// TranslatedUse is called by package translated when translated code has returned or panicked. Translated code writes the flags of an object in its
// own memory. TranslatedUse copies these flags to the object's state. isLoan is true if use points to a [Loan] or a [SharedUse]. begun is not 0 if
// the code has begun to use the value, entered is not 0 if the code may have changed the value, and isTaken is true if the code has taken the value.
func TranslatedUse(use unsafe.Pointer, isLoan bool, begun, entered uint32, isTaken bool) {
	state := *(**objectState)(use)
	if isLoan && begun != 0 {
		(*Loan)(use).begun = begun
	}
	if entered != 0 {
		state.entered = entered
	}
	if isTaken {
		state.value = nil
	}
}

// translatedIsLinked is true if the program contains package translated. The variable is set before the first object is made.
var translatedIsLinked bool

// forgetting holds each value whose destructor runs now as a cleanup of the garbage collector.
var forgetting = struct {
	sync.Mutex
	values map[unsafe.Pointer]struct{}
}{values: map[unsafe.Pointer]struct{}{}}

func beginForgetting(value unsafe.Pointer) {
	forgetting.Lock()
	defer forgetting.Unlock()
	forgetting.values[value] = struct{}{}
}

func endForgetting(value unsafe.Pointer) {
	forgetting.Lock()
	defer forgetting.Unlock()
	delete(forgetting.values, value)
}

// TranslatedIsLinked is called when package translated is initialized.
func TranslatedIsLinked() { translatedIsLinked = true }

// TranslatedIsForgotten is called by package translated in a destructor. It reports whether a cleanup of the garbage collector has called the
// destructor of this value. A cleanup must not wait for another call of the crate, because all cleanups of the program would wait too.
func TranslatedIsForgotten(value unsafe.Pointer) bool {
	forgetting.Lock()
	defer forgetting.Unlock()
	_, is := forgetting.values[value]
	return is
}

// TranslatedDrop is called by package translated. It calls drop, and prints the message of a Rust panic.
func TranslatedDrop(drop func()) {
	defer reportDestructor()
	drop()
}

var isCollecting atomic.Bool

// TranslatedCollect is called by package translated. It starts a garbage collection that also finds new objects, unless one runs already, and does not
// wait for its end.
func TranslatedCollect() {
	if !isCollecting.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer isCollecting.Store(false)
		watchRecent() // the collection does not find objects of the table recent
		runtime.GC()
	}()
}
