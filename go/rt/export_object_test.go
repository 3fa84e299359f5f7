package rt

import "unsafe"

// The offsets that Rust uses: crates/support/src/border/owned/object.rs.
const (
	ObjectStateAt    = unsafe.Offsetof(Object{}.state)
	LoanStateAt      = unsafe.Offsetof(Loan{}.state)
	SharedUseStateAt = unsafe.Offsetof(SharedUse{}.state)
	LoanBegunAt      = unsafe.Offsetof(Loan{}.begun)
	SharedUseBegunAt = unsafe.Offsetof(SharedUse{}.begun)
	StateValueAt     = unsafe.Offsetof(objectState{}.value)
	StateEnteredAt   = unsafe.Offsetof(objectState{}.entered)
)

// EnterValue does what Rust does after it has checked the arguments of a call with exclusive use.
func EnterValue(o *Object) { o.state.entered = 1 }

// TakeValue does what Rust does when it takes the value out.
func TakeValue(o *Object) { o.state.value, o.state.entered = nil, 1 }
