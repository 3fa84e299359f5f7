package schedule_test

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"weak"

	"rustgo.dev/go/handle"
	"rustgo.dev/packages/internal/caught"
	"rustgo.dev/packages/schedule"
)

// planned is what a plain list knows of a task.
type planned struct {
	at     int64
	task   *schedule.Task
	ticket schedule.Ticket
}

// TestQueue compares a queue with a plain list, in random operations.
func TestQueue(t *testing.T) {
	live := handle.Len()
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	for round := range rounds {
		random := rand.New(rand.NewPCG(uint64(round), 1))
		var queue schedule.Queue
		var list, gone []planned
		for range 400 {
			switch k := random.IntN(10); {
			case k < 5:
				// Of few times, so that several tasks are due at one, and of all.
				at := int64(random.IntN(20))
				if k == 0 {
					at = random.Int64() - random.Int64()
				}
				p := planned{at: at, task: new(schedule.Task)}
				p.ticket = queue.Add(time.Unix(0, at), p.task)
				list = append(list, p)
			case k < 7 && len(list) > 0:
				i := random.IntN(len(list))
				if !queue.Cancel(list[i].ticket) {
					t.Fatalf("task %d of %d cannot be cancelled", i, len(list))
				}
				gone = append(gone, list[i])
				list = slices.Delete(list, i, i+1)
			case k < 8 && len(gone) > 0:
				if queue.Cancel(gone[random.IntN(len(gone))].ticket) {
					t.Fatal("a task is cancelled that is not in the queue")
				}
			default:
				task, at, ok := queue.Next()
				if !ok {
					if len(list) > 0 || task != nil {
						t.Fatalf("the queue says it is empty, with %d tasks in it", len(list))
					}
					continue
				}
				i := slices.IndexFunc(list, func(p planned) bool { return p.task == task })
				if i < 0 || list[i].at != at.UnixNano() {
					t.Fatalf("a task due at %v comes, which is not in the list or not due then", at)
				}
				first := slices.MinFunc(list, func(p, q planned) int { return cmp.Compare(p.at, q.at) })
				if list[i].at > first.at {
					t.Fatalf("a task due at %d comes before one due at %d", list[i].at, first.at)
				}
				gone = append(gone, list[i])
				list = slices.Delete(list, i, i+1)
			}
			if queue.Len() != len(list) {
				t.Fatalf("%d tasks are in the queue, want %d", queue.Len(), len(list))
			}
		}
		for queue.Len() > 0 {
			queue.Next()
		}
	}
	if got := handle.Len(); got != live {
		t.Errorf("%d handles are live, %d were before", got, live)
	}
}

// TestNumbers passes numbers through Rust that are no handles, and gets the same ones back: to Rust they are numbers.
func TestNumbers(t *testing.T) {
	numbers := []handle.Of[*schedule.Task]{1, math.MaxInt64, 1 << 63, math.MaxUint64, 0xfedcba9876543210, 1}
	due, tasks := make([]int64, len(numbers)), make([]handle.Of[*schedule.Task], len(numbers))
	for i, number := range numbers {
		schedule.Push(due[:i+1], tasks[:i+1], math.MinInt64+int64(i), number)
	}
	if schedule.Remove(due, tasks, 2) {
		t.Error("removed a number that is not there")
	}
	if !schedule.Remove(due, tasks, 1<<63) || tasks[len(tasks)-1] != 0 || due[len(due)-1] != 0 {
		t.Error("not removed: 1 << 63")
	}
	due, tasks = due[:len(due)-1], tasks[:len(tasks)-1]
	for i, number := range numbers {
		if number == 1<<63 {
			continue
		}
		got, at := schedule.Pop(due, tasks)
		if got != number || at != math.MinInt64+int64(i) {
			t.Errorf("got %#x at %d, want %#x", uint64(got), at, uint64(number))
		}
		due, tasks = due[:len(due)-1], tasks[:len(tasks)-1]
	}
	if got, at := schedule.Pop(due, tasks); got != 0 || at != 0 {
		t.Errorf("got %#x at %d of an empty heap", uint64(got), at)
	}
	if got, at := schedule.Pop(nil, nil); got != 0 || at != 0 {
		t.Errorf("got %#x at %d of nil", uint64(got), at)
	}
}

// TestValuesStayAlive leaves nothing of some tasks but the numbers in Rust's heap, and collects garbage.
func TestValuesStayAlive(t *testing.T) {
	const n = 100
	var queue schedule.Queue
	var tickets [n]schedule.Ticket
	var pointers [n]weak.Pointer[schedule.Task]
	done := make([]int, 0, n)
	for i := range n {
		task := &schedule.Task{Do: func() { done = append(done, i) }}
		tickets[i], pointers[i] = queue.Add(time.Unix(int64(i), 0), task), weak.Make(task)
	}
	for i := 0; i < n; i += 2 {
		queue.Cancel(tickets[i])
	}
	for range 3 {
		runtime.GC()
	}
	for i := range n {
		if alive := pointers[i].Value() != nil; alive != (i%2 == 1) {
			t.Errorf("task %d: alive is %v", i, alive)
		}
	}
	for {
		task, _, ok := queue.Next()
		if !ok {
			break
		}
		task.Do()
	}
	if len(done) != n/2 || !slices.IsSorted(done) || done[0] != 1 {
		t.Errorf("done: %v", done)
	}
	runtime.GC()
	for i := range n {
		if pointers[i].Value() != nil {
			t.Errorf("task %d is still alive", i)
		}
	}
}

// TestDeleted has Rust give back a handle that Go has deleted, and one of another type.
func TestDeleted(t *testing.T) {
	h := handle.NewOf(new(schedule.Task))
	due, tasks := []int64{0}, []handle.Of[*schedule.Task]{0}
	schedule.Push(due, tasks, 1, h)
	h.Delete()
	h, _ = schedule.Pop(due, tasks)
	var invalid handle.InvalidError
	if err := panicOf(func() { h.Value() }); !errors.As(err, &invalid) || invalid != handle.InvalidError(h) {
		t.Errorf("a deleted handle: %v", err)
	}
	// The programmer's word is checked when the value is asked for.
	other := handle.New(7)
	defer other.Delete()
	schedule.Push(due, tasks, 1, handle.Of[*schedule.Task](other))
	h, _ = schedule.Pop(due, tasks)
	var assertion *runtime.TypeAssertionError
	if err := panicOf(func() { h.Value() }); !errors.As(err, &assertion) {
		t.Errorf("a handle of an int: %v", err)
	}
}

func panicOf(f func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	f()
	return nil
}

func TestPanics(t *testing.T) {
	two, one := []int64{0, 0}, make([]handle.Of[*schedule.Task], 1)
	for _, c := range []struct {
		call    func()
		message string
	}{
		{func() { schedule.Push(two, one, 1, 0) }, "zero handle passed for parameter task"},
		{func() { schedule.Remove(two, one, 0) }, "zero handle passed for parameter task"},
		{func() { schedule.Push(two, one, 1, 1) }, "due and tasks are not of the same length"},
		{func() { schedule.Pop(two, one) }, "due and tasks are not of the same length"},
		{func() { schedule.Push(nil, nil, 1, 1) }, "due and tasks have no room for one more"},
	} {
		if got := caught.Message(c.call); got != c.message {
			t.Errorf("got panic %q, want %q", got, c.message)
		}
	}
	if two[0] != 0 || two[1] != 0 || one[0] != 0 {
		t.Error("a call that panics has written")
	}
}

func TestAllocations(t *testing.T) {
	h := handle.NewOf(new(schedule.Task))
	defer h.Delete()
	if n := testing.AllocsPerRun(100, func() {
		due, tasks := [4]int64{}, [4]handle.Of[*schedule.Task]{}
		for i := range due {
			schedule.Push(due[:i+1], tasks[:i+1], -int64(i), h)
		}
		if got, at := schedule.Pop(due[:], tasks[:]); got != h || at != -3 {
			t.Errorf("got %#x at %d", uint64(got), at)
		}
	}); n != 0 {
		t.Errorf("a heap on the stack allocates %v times", n)
	}
}

// TestWrongHandles has Go's compiler refuse what is not a handle of a task.
func TestWrongHandles(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go command is not found, which compiles testdata/wrong: put it on the PATH")
	}
	file, err := os.Open("testdata/wrong/wrong.go")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	want := map[int]string{}
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		if _, message, ok := strings.Cut(lines.Text(), "// ERROR "); ok {
			want[n] = message
		}
	}
	if len(want) != 9 {
		t.Fatalf("%d lines are to be refused", len(want))
	}
	out, err := exec.Command(goTool, "build", "-gcflags=-e", "./testdata/wrong").CombinedOutput()
	if err == nil {
		t.Fatal("testdata/wrong compiles")
	}
	for line := range strings.Lines(string(out)) {
		var n, column int
		_, at, ok := strings.Cut(strings.TrimSpace(line), "wrong.go:")
		if !ok {
			continue
		}
		if _, err := fmt.Sscanf(at, "%d:%d:", &n, &column); err != nil {
			t.Errorf("not understood: %s", line)
		}
		if message, ok := want[n]; !ok || !strings.Contains(at, message) {
			t.Errorf("got %s, want %q", at, message)
		}
		delete(want, n)
	}
	for n, message := range want {
		t.Errorf("line %d is not refused, want %q", n, message)
	}
}

func BenchmarkPushPop(b *testing.B) {
	due, tasks := make([]int64, 1000), make([]handle.Of[*schedule.Task], 1000)
	for i := range due {
		schedule.Push(due[:i+1], tasks[:i+1], rand.Int64(), 1)
	}
	for range b.N {
		task, at := schedule.Pop(due, tasks)
		schedule.Push(due, tasks, at+rand.Int64N(1<<32), task)
	}
}
