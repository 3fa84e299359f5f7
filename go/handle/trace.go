package handle

import (
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// tracing does not change after the program's start, so New and Delete read it without synchronization.
var tracing = slices.Contains(strings.Split(os.Getenv("RUSTGODEBUG"), ","), "handles=1")

// maxFrames is the number of frames that trace records of a stack.
const maxFrames = 32

var made = struct {
	sync.Mutex
	stacks map[Handle][maxFrames]uintptr // a shorter stack ends with 0
}{stacks: map[Handle][maxFrames]uintptr{}}

// trace records the stack of the call of New that made h.
func trace(h Handle) {
	var stack [maxFrames]uintptr
	runtime.Callers(2, stack[:]) // skips Callers and trace
	made.Lock()
	defer made.Unlock()
	made.stacks[h] = stack
	if _, live := h.Lookup(); !live { // another goroutine found h with All and has already deleted it
		delete(made.stacks, h)
	}
}

func untrace(h Handle) {
	made.Lock()
	defer made.Unlock()
	delete(made.stacks, h)
}

// WriteLive writes the number of live handles. If the program was started with RUSTGODEBUG=handles=1, it also writes the stacks of the calls of New
// that made the handles, most frequent first. The text is for people to read; its format may change.
func WriteLive(w io.Writer) error {
	var b strings.Builder
	b.WriteString("handles: " + strconv.Itoa(Len()) + " live\n")
	if !tracing {
		b.WriteString("start the program with RUSTGODEBUG=handles=1 to see where they were made\n")
	}
	count := map[[maxFrames]uintptr]int{}
	made.Lock()
	for _, stack := range made.stacks {
		count[stack]++
	}
	made.Unlock()
	type place struct {
		count int
		stack string
	}
	var places []place
	for stack, n := range count {
		places = append(places, place{n, format(stack)})
	}
	slices.SortFunc(places, func(a, b place) int {
		if a.count != b.count {
			return b.count - a.count
		}
		return strings.Compare(a.stack, b.stack)
	})
	for _, p := range places {
		b.WriteString("\n" + strconv.Itoa(p.count) + " made at\n" + p.stack)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// format writes a stack in the runtime's format. The text starts at the function that called this package.
func format(stack [maxFrames]uintptr) string {
	pcs := stack[:]
	if i := slices.Index(pcs, 0); i >= 0 {
		pcs = pcs[:i]
	}
	var b strings.Builder
	for frames, more := runtime.CallersFrames(pcs), len(pcs) > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if f.Function == here+"New" || strings.HasPrefix(f.Function, here+"NewOf[") {
			continue
		}
		b.WriteString("\t" + f.Function + "\n\t\t" + f.File + ":" + strconv.Itoa(f.Line) + "\n")
	}
	return b.String()
}

// here is the prefix of the names of this package's functions. It is not a constant, because a Go module may have a copy of this package under
// another import path.
var here = func() string {
	pc, _, _, _ := runtime.Caller(0)
	name := runtime.FuncForPC(pc).Name() // path/of/handle.init.func1
	slash := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[slash:], '.')
	return name[:slash+dot+1]
}()
