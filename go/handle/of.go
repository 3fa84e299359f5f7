package handle

// Of is a handle for a value of type T. It has the same number as a [Handle], and the two types can be converted to each other; the conversion
// checks nothing. To pass an Of through C or Rust, convert the Of to a number. T may be an interface type.
type Of[T any] Handle

// NewOf returns a handle for v. It allocates if T is neither an interface nor a pointer, map, channel or function.
func NewOf[T any](v T) Of[T] {
	return Of[T](New(v))
}

// Value returns the value of h. It panics with an [InvalidError] if h is not live, and with a [runtime.TypeAssertionError] if the value is not a T.
func (h Of[T]) Value() T {
	v := Handle(h).Value()
	if v == nil && isInterface[T]() {
		var none T
		return none
	}
	return v.(T)
}

// Lookup returns the value of h. ok reports whether h is live and the value is a T.
func (h Of[T]) Lookup() (v T, ok bool) {
	a, live := Handle(h).Lookup()
	if live && a == nil && isInterface[T]() {
		return v, true
	}
	v, ok = a.(T)
	return v, ok
}

// Delete invalidates h. It panics with an [InvalidError] if h is not live.
func (h Of[T]) Delete() {
	Handle(h).Delete()
}

// TryDelete invalidates h, and reports whether h was live.
func (h Of[T]) TryDelete() bool {
	return Handle(h).TryDelete()
}

// Take returns the value of h and deletes h, in one atomic step. ok reports whether h was live and the value was a T. If the value is not a T, h
// stays live.
func (h Of[T]) Take() (v T, ok bool) {
	if v, ok = h.Lookup(); ok && h.TryDelete() {
		return v, true
	}
	var none T
	return none, false
}

// isInterface reports whether T is an interface type. Only the zero value of an interface type is nil when converted to any.
func isInterface[T any]() bool {
	var zero T
	return any(zero) == nil
}
