package rt

import "unsafe"

// These constants are the offsets that Rust code uses: crates/support/src/border/owned/object.rs.
const (
	ObjectStateAt    = unsafe.Offsetof(Object{}.state)
	LoanStateAt      = unsafe.Offsetof(Loan{}.state)
	SharedUseStateAt = unsafe.Offsetof(SharedUse{}.state)
	LoanBegunAt      = unsafe.Offsetof(Loan{}.begun)
	SharedUseBegunAt = unsafe.Offsetof(SharedUse{}.begun)
	StateValueAt     = unsafe.Offsetof(objectState{}.value)
	StateEnteredAt   = unsafe.Offsetof(objectState{}.entered)
)

// EnterValue sets the flag as Rust does after it has checked the arguments of a call with exclusive use.
func EnterValue(o *Object) { o.state.entered = 1 }

// TakeValue changes the state as Rust does when it takes the value.
func TakeValue(o *Object) { o.state.value, o.state.entered = nil, 1 }

// RecentLength is the length of the table of objects without a cleanup.
const RecentLength = int64(len(recent))

// WatchRecent empties the table of objects without a cleanup.
func WatchRecent() { watchRecent() }

// RecentObjects is the number of objects in the table.
func RecentObjects() (n int64) {
	for i := range recent {
		if recent[i].Load() != nil {
			n++
		}
	}
	return n
}
