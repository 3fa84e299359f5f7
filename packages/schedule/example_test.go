package schedule_test

import (
	"fmt"
	"time"

	"rustgo.dev/packages/schedule"
)

func ExampleQueue() {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	task := func(what string) *schedule.Task {
		return &schedule.Task{Do: func() { fmt.Println(what) }}
	}
	queue := schedule.NewQueue()
	queue.Add(start.Add(3*time.Hour), task("lunch"))
	queue.Add(start.Add(time.Hour), task("coffee"))
	meeting := queue.Add(start.Add(2*time.Hour), task("meeting"))
	queue.Cancel(meeting)
	for {
		task, at, ok := queue.Next()
		if !ok {
			break
		}
		fmt.Print(at.UTC().Format(time.Kitchen), " ")
		task.Do()
	}
	// Output:
	// 1:00AM coffee
	// 3:00AM lunch
}
