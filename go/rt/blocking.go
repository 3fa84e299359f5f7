//go:build amd64 || arm64

//lint:file-ignore U1000 assembly uses these declarations

package rt

// Blocking calls are calls of exports with the option `blocking`. During such a call the scheduler may give the call's processor (a P of the runtime)
// to other goroutines.
//
// The entry of such an export calls enterCall before the Rust code and leaveCall after the Rust code. In between, the goroutine is in the state of a
// system call: the garbage collector and other stops of the world do not wait for the goroutine, and another thread may take its P. The Rust code
// runs on the goroutine's own stack. The entry has made the stack large enough, and the stack does not move in this state (isShrinkStackSafe,
// runtime/stack.go). A traceback of the goroutine begins at the frame of the entry. The runtime keeps this frame's SP, PC and frame pointer in
// g.syscallsp, g.syscallpc and g.syscallbp.
//
// In the state of a system call, ordinary Go code must not run, and a fault does not become a panic. So each exit from Rust code to Go code first
// leaves the state: the functions enter, exhausted, missing and corrupt call leaveCall, and leaveFault leaves the state after a fault. In the state
// of a system call the goroutine has no P. So the function processor returns -1, and the heap uses a shard that belongs to no P.
//
// runtime.entersyscall and exitsyscall enter and leave the state. The runtime lets other packages use them by linkname, and promises not to remove or
// change them (go.dev/issue/67401; src/runtime/proc.go of Go 1.24 to 1.27). findCall searches for two fields of g when the program starts. On systems
// other than Linux, or if findCall does not find the fields, blocking calls are ordinary calls.

// callSP is the offset of the field syscallsp in the runtime's struct g. This field is not 0 only in the state of a system call. callThrow is the
// offset of the byte g.throwsplit. Both offsets are 0 if blocking calls are ordinary calls. Assembly reads both variables.
var callSP, callThrow uintptr

// callNoticed is 1 after callNotice was printed.
var callNoticed uint32

// callNotice is printed at the first blocking call on Linux if findCall has not found the fields.
var callNotice = "rustgo: blocking calls of Rust hold up the garbage collector: rustgo does not know this version of Go, or the build tag rustgo_ordinary is set\n"

// gWords is the number of words at the start of g that findCall reads. They include g.syscallsp and g.throwsplit, and g has more words.
const gWords = 40

// enterCall, leaveCall and leaveFault are in blocking_amd64.s and blocking_arm64.s. enterState and leaveState call the runtime's functions in
// blocking_state.s, and do nothing in blocking_state_none.s.
func enterCall()
func leaveCall()
func enterState()
func leaveState()

// observeCall copies the first words of g three times: before, in and after the state of a system call.
//
//go:noescape
func observeCall(words *[3][gWords]uintptr)

func init() { callSP, callThrow = findCall() }

// findCall finds the two fields by their values before, during and after a system call. g.syscallsp is 0, then an address of the stack, then 0.
// g.throwsplit is a byte that is 0, then 1, then 0. Other fields, such as preemption requests, may change in the same way in one trial. So findCall
// makes several trials and accepts only a field that changes in this way in each of them.
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

// only returns the marked offset if exactly one offset is marked. Otherwise it returns 0.
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
