package promises

import (
	"strings"
	"sync"
	"testing"

	"scratch/tasks_abandon"
)

// A panic that abandons the frames of a task reaches Go like a panic on the goroutine's stack. The next call uses the task's stack again.
func TestTasksAbandon(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range times(200) {
				p := panicked(t, "Index", func() { tasks_abandon.Index([]uint64{1, 2}, 2) })
				if p.Message != "index out of bounds: the len is 2 but the index is 2" || !strings.HasSuffix(p.File, "src/lib.rs") {
					t.Errorf("%+v", p)
				}
				if p := panicked(t, "Depth", func() { tasks_abandon.Depth(1 << 40) }); !strings.HasPrefix(p.Message, "rust stack budget of 896 KiB exhausted") {
					t.Errorf("%+v", p)
				}
				if tasks_abandon.Index([]uint64{1, 2}, 1) != 2 || tasks_abandon.Depth(1000) != 1000 {
					t.Error("a wrong result")
				}
			}
		})
	}
	wg.Wait()
}
