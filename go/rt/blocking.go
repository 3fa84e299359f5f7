//go:build amd64 || arm64

package rt

// Calls that the scheduler is told of: exports with the option `blocking`.
//
// The entry of such an export calls enterCall before the Rust code and leaveCall behind it. In between the goroutine is in the state of a
// system call: the collector, and whoever stops the world, does not wait for it, and another thread may take its P. The Rust code runs on
// the goroutine's own stack, which the entry has made large enough and which does not move in that state (isShrinkStackSafe,
// runtime/stack.go). Whoever looks at the goroutine begins at the frame of the entry: SP, PC and frame pointer there are what the runtime
// keeps in g.syscallsp, g.syscallpc and g.syscallbp.
//
// No Go code may run in that state but what the runtime made for it, and no fault becomes a panic there. So each way out of Rust code that
// calls Go code calls leaveCall first: enter, exhausted, missing and corrupt; and a fault goes by leaveFault. There is no P, so that the
// heap must not use the shard of one: processor says so.
//
// The state is entered and left by runtime.entersyscall and exitsyscall, which the runtime exports to other packages by linknames of its
// own, with the promise not to remove or change them (go.dev/issue/67401; src/runtime/proc.go of Go 1.24 to 1.27). Two fields of g are
// looked for when the program starts; if they are not found, or on systems where nobody has tried this, blocking calls are ordinary ones.

// What is known of the runtime's g: offsets of g.syscallsp, which is not 0 in the state of a system call alone, and of g.throwsplit, a byte.
// Both are 0 if calls cannot be told of. Assembly reads them.
var callSP, callThrow uintptr

// callNoticed is 1 when it has been said that blocking calls are ordinary ones.
var callNoticed uint32

// callNotice is said once, at the first blocking call, where the runtime is not as expected. (Elsewhere than on Linux nothing is expected.)
var callNotice = "rustgo: blocking calls of Rust hold up the garbage collector: this version of Go is not known to rustgo, or it was told to\n"

// gWords is how many words of g are looked at. It is larger than that, and both fields are in the first half.
const gWords = 40

// enterCall, leaveCall and leaveFault are in blocking_amd64.s and blocking_arm64.s; enterState and leaveState, which are the runtime's own
// functions or do nothing, in blocking_state.s and blocking_state_none.s.
func enterCall()
func leaveCall()
func enterState()
func leaveState()

// observeCall copies the first words of g before, in and after the state of a system call.
//
//go:noescape
func observeCall(words *[3][gWords]uintptr)

func init() { callSP, callThrow = findCall() }

// findCall finds the two fields by what they do: g.syscallsp is 0 before and after a system call, and is an address of the stack meanwhile;
// g.throwsplit is a byte that is 1 meanwhile and else 0. Other fields change too, such as requests to give way, but not each time.
func findCall() (sp, throw uintptr) {
	var isSP, isThrow [gWords * 8]bool
	var words [3][gWords]uintptr
	for round := range 4 {
		observeCall(&words)
		before, during, after := &words[0], &words[1], &words[2]
		lo, hi := before[0], before[1] // g.stack
		for at := range uintptr(gWords * 8) {
			word := during[at/8]
			sets := before[at/8] == 0 && after[at/8] == 0 && lo < word && word < hi
			part := func(words *[gWords]uintptr) byte { return byte(words[at/8] >> (at % 8 * 8)) }
			raises := part(before) == 0 && part(during) == 1 && part(after) == 0 && !sets
			isSP[at] = (round == 0 || isSP[at]) && at%8 == 0 && sets
			isThrow[at] = (round == 0 || isThrow[at]) && raises
		}
	}
	sp, throw = only(&isSP), only(&isThrow)
	if sp == 0 || throw == 0 {
		return 0, 0
	}
	return sp, throw
}

// only returns the one offset that is marked, or 0.
func only(marked *[gWords * 8]bool) (offset uintptr) {
	count := 0
	for at, is := range marked {
		if is {
			offset, count = uintptr(at), count+1
		}
	}
	if count != 1 {
		return 0
	}
	return offset
}
