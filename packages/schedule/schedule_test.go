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
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"weak"

	"rustgo.dev/go/handle"
	"rustgo.dev/go/rt"
	"rustgo.dev/packages/internal/panictest"
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
		rounds = 3
	}
	for round := range rounds {
		random := rand.New(rand.NewPCG(uint64(round), 1))
		queue := schedule.NewQueue()
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
	numbers := []handle.Of[*schedule.Task]{1, math.MaxInt64, 1 << 63, math.MaxUint64, 0xfedcba9876543210}
	queue := schedule.NewQueue()
	for i, number := range numbers {
		queue.Push(math.MinInt64+int64(i), number)
	}
	if queue.Remove(2) {
		t.Error("removed a number that is not there")
	}
	if !queue.Remove(1<<63) || queue.Remove(1<<63) {
		t.Error("not removed once: 1 << 63")
	}
	queue.Push(math.MaxInt64, 1) // it is moved
	for i, want := range []int{1, 3, 4, 0} {
		number, at, ok := queue.Pop()
		due := math.MinInt64 + int64(want)
		if i == 3 {
			due = math.MaxInt64
		}
		if number != numbers[want] || at != due || !ok {
			t.Errorf("got %#x at %d, %v, want %#x at %d", uint64(number), at, ok, uint64(numbers[want]), due)
		}
	}
	if got, at, ok := queue.Pop(); got != 0 || at != 0 || ok {
		t.Errorf("got %#x at %d, %v of an empty queue", uint64(got), at, ok)
	}
}

// TestValuesStayAlive leaves nothing of some tasks but the numbers in Rust's heap, and collects garbage.
func TestValuesStayAlive(t *testing.T) {
	const n = 100
	queue := schedule.NewQueue()
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
	queue := schedule.NewQueue()
	queue.Push(1, h)
	h.Delete()
	h, _, _ = queue.Pop()
	var invalid handle.InvalidError
	if err := panicOf(func() { h.Value() }); !errors.As(err, &invalid) || invalid != handle.InvalidError(h) {
		t.Errorf("a deleted handle: %v", err)
	}
	// The programmer's word is checked when the value is asked for.
	other := handle.New(7)
	defer other.Delete()
	queue.Push(1, handle.Of[*schedule.Task](other))
	h, _, _ = queue.Pop()
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
	for _, c := range []struct {
		call    func()
		message string
	}{
		{func() { schedule.NewQueue().Push(1, 0) }, "zero handle passed for parameter task"},
		{func() { schedule.NewQueue().Remove(0) }, "zero handle passed for parameter task"},
		{func() { new(schedule.Queue).Len() }, "Queue.Len: the Queue was not made by a constructor"},
		{func() { (*schedule.Queue)(nil).Pop() }, "Queue.Pop: nil *Queue"},
	} {
		if got := panictest.Message(c.call); got != c.message {
			t.Errorf("got panic %q, want %q", got, c.message)
		}
	}
	if schedule.NewQueue().Cancel(0) {
		t.Error("the zero ticket stands for a task")
	}
}

// TestOrder has tasks that are due at one time come as they were added.
func TestOrder(t *testing.T) {
	queue := schedule.NewQueue()
	if at, ok := queue.Due(); ok {
		t.Errorf("an empty queue is due at %v", at)
	}
	var done []int
	for i := range 100 {
		queue.Add(time.Unix(int64(i%2), 0), &schedule.Task{Do: func() { done = append(done, i) }})
	}
	if at, ok := queue.Due(); !ok || at.Unix() != 0 {
		t.Errorf("due at %v, %v", at, ok)
	}
	for task, _, ok := queue.Next(); ok; task, _, ok = queue.Next() {
		task.Do()
	}
	for i, n := range done {
		if want := i%50*2 + i/50; n != want {
			t.Fatalf("task %d came where %d was due", n, want)
		}
	}
}

// TestClear empties queues, which are freed then, with nothing left behind.
func TestClear(t *testing.T) {
	live := handle.Len()
	runtime.LockOSThread() // each thread keeps the keys of its hash tables
	defer runtime.UnlockOSThread()
	settle := func() uint64 {
		least := rt.HeapLive()
		for range 50 {
			runtime.GC()
			time.Sleep(2 * time.Millisecond)
			least = min(least, rt.HeapLive())
		}
		return least
	}
	schedule.NewQueue()
	before := settle()
	for range 3 {
		queue := schedule.NewQueue()
		for i := range 100 {
			queue.Add(time.Unix(int64(i), 0), new(schedule.Task))
		}
		queue.Clear()
		if queue.Len() != 0 {
			t.Fatal("a cleared queue is not empty")
		}
	}
	if got := handle.Len(); got != live {
		t.Errorf("%d handles are live, %d were before", got, live)
	}
	if after := settle(); after > before {
		t.Errorf("%d bytes are left behind", after-before)
	}
}

// TestInUse has a second goroutine use a queue.
func TestInUse(t *testing.T) {
	queue := schedule.NewQueue()
	rounds := 20000
	if testing.Short() {
		rounds = 50
	}
	var inUse atomic.Int64
	var wait sync.WaitGroup
	for range 4 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range rounds {
				switch message := panictest.Message(func() { queue.Push(int64(i), 1) }); message {
				case "":
				case "Queue.Push: the Queue is in use by another call":
					inUse.Add(1)
				default:
					t.Error(message)
				}
			}
		}()
	}
	wait.Wait()
	if queue.Len() != 1 {
		t.Errorf("%d tasks", queue.Len())
	}
	t.Logf("%d calls found the queue in use", inUse.Load())
}

func TestAllocations(t *testing.T) {
	h := handle.NewOf(new(schedule.Task))
	defer h.Delete()
	queue := schedule.NewQueue()
	if n := testing.AllocsPerRun(100, func() {
		queue.Push(3, h)
		if got, at, ok := queue.Pop(); got != h || at != 3 || !ok {
			t.Errorf("got %#x at %d", uint64(got), at)
		}
	}); n != 0 {
		t.Errorf("Push and Pop allocate %v times", n)
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
	if len(want) != 8 {
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
	queue := schedule.NewQueue()
	for i := range 1000 {
		queue.Push(rand.Int64(), handle.Of[*schedule.Task](i+1))
	}
	b.ReportAllocs()
	for range b.N {
		task, at, _ := queue.Pop()
		queue.Push(at+rand.Int64N(1<<32), task)
	}
}

func BenchmarkCancel(b *testing.B) {
	queue := schedule.NewQueue()
	for i := range 100000 {
		queue.Push(rand.Int64(), handle.Of[*schedule.Task](i+1))
	}
	b.ResetTimer()
	for i := range b.N {
		task := handle.Of[*schedule.Task](i%100000 + 1)
		queue.Remove(task)
		queue.Push(rand.Int64(), task)
	}
}
