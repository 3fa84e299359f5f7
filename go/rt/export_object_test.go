package rt

import "unsafe"

// Where Rust reads the addresses of an inner and of its value.
const (
	ObjectP    = unsafe.Offsetof(Object{}.p)
	InnerValue = unsafe.Offsetof(inner{}.value)
	// Where Rust says that it enters the value.
	InnerEntered = unsafe.Offsetof(inner{}.entered)
)

// EnterValue is what Rust does when it has checked the arguments of a call that has the object for itself.
func EnterValue(o *Object) { o.p.entered = 1 }

// TakeValue is what Rust does when it takes the value out.
func TakeValue(o *Object) { o.p.value, o.p.entered = nil, 1 }
