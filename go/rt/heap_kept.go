//go:build amd64 || arm64

package rt

import (
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"
)

const (
	keptChunk  = 1 << 10
	keptChunks = 1 << 8
	keptMost   = keptChunk * keptChunks // the number of Go values that Rust code can keep at one time
)

// These constants are the states of a Go value that Rust code keeps. The support crate has the same numbers.
const (
	keptNew      = 0 // Rust does not own the value: it is new, or Go has lent it for one call
	keptReleased = 1 // Rust does not need the value any more
	keptTaken    = 2
	keptDone     = 4 // the value is a context that is done

	// If the value is a Go error, Rust code adds keptReturned when it returns the error to Go. takeOrigin subtracts keptReturned when Go code
	// receives the error.
	keptReturned = 1 << 8
)

// keptStates has a word for each Go value that Rust code keeps. The address of the word is the number by which Rust code identifies the value.
var keptStates [keptMost]uint32

// keptValues are the Go values that Rust code keeps. A value stays alive until dropReleased finds keptReleased in the word of the value.
var keptValues struct {
	sync.Mutex
	chunks  [keptChunks]atomic.Pointer[[keptChunk]atomic.Pointer[any]]
	free    []uint32 // the numbers of words without a value, below used
	used    uint32
	limit   uint32 // when used reaches this number, Keep first calls dropReleased
	started bool
}

// Kept is a Go value that Go code passes to Rust code.
type Kept struct {
	Number uintptr // identifies the value in Rust code
	value  *any
}

// Keep stores a Go value and returns a number for it. The value stays alive until Rust code releases the number. Generated functions call Keep. Keep
// panics if Rust code keeps 262,144 values.
func Keep(value any) Kept {
	k := &keptValues
	k.Lock()
	defer k.Unlock()
	if !k.started {
		k.started = true
		k.limit = keptChunk
		afterCollections(func() {
			k.Lock()
			defer k.Unlock()
			dropReleased()
		})
	}
	if len(k.free) == 0 && k.used == k.limit {
		dropReleased()
		if len(k.free) < int(k.limit)/2 {
			k.limit = min(2*k.limit, keptMost)
		}
	}
	n := k.used
	if last := len(k.free) - 1; last >= 0 {
		n = k.free[last]
		k.free = k.free[:last]
	} else if n < k.limit {
		k.used++
	} else {
		panic(&Panic{Message: "Rust code keeps " + strconv.Itoa(keptMost) + " Go values, and cannot keep another one"})
	}
	chunk := k.chunks[n/keptChunk].Load()
	if chunk == nil {
		chunk = new([keptChunk]atomic.Pointer[any])
		k.chunks[n/keptChunk].Store(chunk)
	}
	chunk[n%keptChunk].Store(&value)
	return Kept{uintptr(unsafe.Pointer(&keptStates[n])), &value}
}

// Untaken releases the value if Rust does not own it when the call ends, for example because the call has panicked before Rust took the value.
// Generated functions defer Untaken.
func (k Kept) Untaken() {
	// The number may already belong to another value. After a release, dropReleased first removes the value and then stores keptNew. So if the word
	// is keptNew and the value is still present afterwards, the value has never been released. The two loads must be in this order.
	if atomic.LoadUint32((*uint32)(pointer(k.Number))) == keptNew && keptPlace(k.Number).Load() == k.value {
		releaseKept(k.Number)
	}
}

// kept returns the Go value that Rust code keeps by this number.
func kept(number uintptr) any { return *keptPlace(number).Load() }

func releaseKept(number uintptr) { atomic.StoreUint32((*uint32)(pointer(number)), keptReleased) }

func init() {
	takeOrigin = func(number uintptr) error {
		err := kept(number).(error)
		atomic.AddUint32((*uint32)(pointer(number)), ^uint32(keptReturned-1))
		return err
	}
}

func keptPlace(number uintptr) *atomic.Pointer[any] {
	n := (number - uintptr(unsafe.Pointer(&keptStates))) / unsafe.Sizeof(keptStates[0])
	return &keptValues.chunks[n/keptChunk].Load()[n%keptChunk]
}

// dropReleased forgets the values that Rust code has released. The caller holds the lock.
func dropReleased() {
	k := &keptValues
	for n := range k.used {
		if atomic.LoadUint32(&keptStates[n]) == keptReleased {
			k.chunks[n/keptChunk].Load()[n%keptChunk].Store(nil)
			atomic.StoreUint32(&keptStates[n], keptNew)
			k.free = append(k.free, n)
		}
	}
}
