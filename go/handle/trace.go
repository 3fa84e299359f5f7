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

// tracing does not change after the program's start, so that New and Delete need not ask in a way that costs.
var tracing = slices.Contains(strings.Split(os.Getenv("RUSTGODEBUG"), ","), "handles=1")

// maxFrames is how much of a stack is kept.
const maxFrames = 32

var made = struct {
	sync.Mutex
	stacks map[Handle][maxFrames]uintptr // ended by 0 if shorter
}{stacks: map[Handle][maxFrames]uintptr{}}

// trace keeps the stack of the call of New that made h.
func trace(h Handle) {
	var stack [maxFrames]uintptr
	runtime.Callers(2, stack[:]) // without Callers and trace
	made.Lock()
	defer made.Unlock()
	made.stacks[h] = stack
	if _, live := h.Lookup(); !live { // deleted already, by who found it with All
		delete(made.stacks, h)
	}
}

func untrace(h Handle) {
	made.Lock()
	defer made.Unlock()
	delete(made.stacks, h)
}

// WriteLive writes how many handles are live and, if the program was started with RUSTGODEBUG=handles=1, the stacks of
// the calls of New that made them: those that made the most first. It is for people to read; the format may change.
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

// format writes a stack as the runtime does, from the caller of this package on.
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

// here is what the names of this package's functions begin with. It is not a constant, since a Go module may have a copy of this package
// under another import path.
var here = func() string {
	pc, _, _, _ := runtime.Caller(0)
	name := runtime.FuncForPC(pc).Name() // path/of/handle.init.func1
	slash := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[slash:], '.')
	return name[:slash+dot+1]
}()
