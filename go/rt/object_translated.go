package rt

import "unsafe"

// TranslatedObject is called by package translated. use points to an [Object], a [Loan] or a [SharedUse]. TranslatedObject returns an address that
// identifies the object, and the value that [NewObject] got. Both are nil if there is no object.
func TranslatedObject(use unsafe.Pointer) (object, value unsafe.Pointer) {
	state := *(**objectState)(use)
	if state == nil {
		return nil, nil
	}
	return unsafe.Pointer(state), state.value
}

// TranslatedUse is called by package translated when translated code has returned or panicked. It copies the flags that the code has written to the
// object's state. isLoan tells that use points to a [Loan] or a [SharedUse]. begun is not 0 if the code has begun to use the value, entered is not 0
// if the code may have changed the value, and isTaken is true if the code has taken the value.
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
