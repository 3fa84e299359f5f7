package main

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"rustgo.dev/examples/templates/jinja"
)

func TestRender(t *testing.T) {
	environment := jinja.NewEnvironment(load)
	environment.AddFunction("euros", euros)
	environment.AddFunction("year", func(...any) (any, error) { return 2026, nil })
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			text, err := environment.Render("order.txt", map[string]any{"customer": "Ada", "items": []item{{"pencil", 120}, {"paper", 499}}})
			if err != nil || !strings.Contains(text, "- paper: 4.99 €\n") || !strings.Contains(text, "In all 6.19 €.") {
				t.Errorf("%v\n%s", err, text)
			}
		}()
	}
	wg.Wait()
	_, err := environment.Render("order.txt", map[string]any{"items": []any{map[string]any{"cents": "many"}}})
	if !errors.Is(err, errNoAmount) {
		t.Error(err)
	}
	if _, err := environment.Render("none.txt", nil); err == nil || !strings.Contains(err.Error(), "template not found") {
		t.Error(err)
	}
}
