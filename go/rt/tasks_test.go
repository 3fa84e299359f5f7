//go:build amd64 || arm64

package rt

import "testing"

func TestTaskClasses(t *testing.T) {
	for stack, want := range map[uintptr]int{
		1: 0, 896 << 10: 0, 1<<20 - taskLimit - taskGuard - 2048: 0, 1 << 20: 1, 6 << 20: 6, 256 << 20: 256,
	} {
		class := taskClass(stack)
		if class != want || class >= taskClasses {
			t.Errorf("a stack of %d bytes has the class %d", stack, class)
		}
		if room := taskBytes(class) - taskGuard - taskLimit - taskAbove; room < stack {
			t.Errorf("a stack of %d bytes has room for %d", stack, room)
		}
	}
}
