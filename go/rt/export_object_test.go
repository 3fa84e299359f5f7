package rt

import "unsafe"

// Where Rust reads the addresses of an inner and of its value.
const (
	ObjectP    = unsafe.Offsetof(Object{}.p)
	InnerValue = unsafe.Offsetof(inner{}.value)
	// Where Rust says that it enters the value.
	InnerEntered = unsafe.Offsetof(inner{}.entered)
	// Where Rust says that a call that shares the value begins to use it.
	LoanBegun      = unsafe.Offsetof(Loan{}.begun)
	SharedUseBegun = unsafe.Offsetof(SharedUse{}.begun)
)

// P are where Rust reads the address of an inner in what it is handed.
const (
	LoanP      = unsafe.Offsetof(Loan{}.p)
	SharedUseP = unsafe.Offsetof(SharedUse{}.p)
)

// EnterValue is what Rust does when it has checked the arguments of a call that has the object for itself.
func EnterValue(o *Object) { o.p.entered = 1 }

// TakeValue is what Rust does when it takes the value out.
func TakeValue(o *Object) { o.p.value, o.p.entered = nil, 1 }
