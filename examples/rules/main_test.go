package main

import (
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rustgo.dev/examples/rules/rules"
)

var noon = time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)

// testEngine returns the engine of a shop with known payments.
func testEngine(t *testing.T) *rules.Engine {
	engine, err := discounts(&shop{
		countries: map[string]string{"Ada": "FR", "Bob": "DE"},
		payments:  map[string][]payment{"Ada": {{480, noon.AddDate(0, 0, -20)}, {35, noon.AddDate(0, 0, -3)}}},
		now:       func() time.Time { return noon },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	return engine
}

// engineWith returns an engine with one rule, and with functions "text" and "number".
func engineWith(t *testing.T, rule string, text func(string) (string, error), number func(string, float64) (float64, error)) *rules.Engine {
	functions := rules.NewFunctions()
	defer functions.Close()
	functions.AddText("text", text)
	functions.AddNumber("number", number)
	engine := rules.NewEngine(functions)
	t.Cleanup(func() { engine.Close() })
	if err := engine.Add("only", rule); err != nil {
		t.Fatal(err)
	}
	return engine
}

func TestDiscounts(t *testing.T) {
	engine := testEngine(t)
	for _, c := range []struct {
		order
		want []string
	}{
		{order{"Ada", "olive soap", 64.9}, []string{"free shipping", "regular customer", "free sample"}},
		{order{"Ada", "towel", 50}, []string{"regular customer"}},
		{order{"Bob", "soap", 64.9}, nil},
	} {
		if got, err := engine.Matching(c.order); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, %v, want %q", c.order, got, err, c.want)
		}
	}
}

func TestManyGoroutines(t *testing.T) {
	engine := testEngine(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 50 {
				if got, err := engine.Matching(order{"Ada", "soap", 64.9}); err != nil || len(got) != 3 {
					t.Errorf("Ada: %q, %v", got, err)
				}
				if got, err := engine.Matching(order{"Bob", "soap", 64.9}); err != nil || len(got) != 0 {
					t.Errorf("Bob: %q, %v", got, err)
				}
			}
		}()
	}
	wg.Wait()
}

// The error of a Go function passes through Rust. RuleError names the rule.
func TestErrorOfAFunction(t *testing.T) {
	_, err := testEngine(t).Matching(order{"Eve", "soap", 64.9})
	var rule rules.RuleError
	if !errors.Is(err, errNoCustomer) || !errors.As(err, &rule) || rule.Rule != "free shipping" || !strings.Contains(err.Error(), "no such customer: Eve") {
		t.Error(err)
	}
	// An order below 50 needs no country. The next rule fails.
	if _, err = testEngine(t).Matching(order{"Eve", "soap", 1}); !errors.Is(err, errNoCustomer) || !errors.As(err, &rule) || rule.Rule != "regular customer" {
		t.Error(err)
	}
}

// A panic of a Go function passes through Rust to the Go caller, with the same value. The engine can be used afterwards.
func TestPanicOfAFunction(t *testing.T) {
	broken := true
	engine := engineWith(t, `{"==": [{"text": "x"}, "y"]}`, func(string) (string, error) {
		if broken {
			panic(noon)
		}
		return "y", nil
	}, zero)
	func() {
		defer func() {
			if got := recover(); got != noon {
				t.Errorf("the panic is %v", got)
			}
		}()
		engine.Matching(order{})
	}()
	broken = false
	if got, err := engine.Matching(order{}); err != nil || !slices.Equal(got, []string{"only"}) {
		t.Errorf("after the panic: %q, %v", got, err)
	}
}

// Functions get texts and numbers from the facts unchanged, and rules get the results of functions unchanged.
func TestValues(t *testing.T) {
	var text string
	var number float64
	engine := engineWith(t, `{"and": [{"==": [{"text": {"var": "text"}}, {"var": "text"}]}, {"==": [{"number": [{"var": "text"}, {"var": "number"}]}, {"var": "number"}]}]}`,
		func(got string) (string, error) {
			text = got
			return got, nil
		},
		func(got string, x float64) (float64, error) {
			if got != text {
				t.Errorf("the functions get %.20q and %.20q", text, got)
			}
			number = x
			return x, nil
		})
	for _, c := range []struct {
		Text   string  `json:"text"`
		Number float64 `json:"number"`
	}{{"", 0}, {"größe \x00 \" €", -1.5}, {strings.Repeat("x", 100_000), math.MaxFloat64}, {"1", 1 << 53}, {"tiny", math.SmallestNonzeroFloat64}} {
		if got, err := engine.Matching(c); err != nil || len(got) != 1 || text != c.Text || number != c.Number {
			t.Errorf("%.20q, %v: %q, %v; the functions got %.20q, %v", c.Text, c.Number, got, err, text, number)
		}
	}
}

// A function may use the engine that calls it.
func TestFunctionUsesTheEngine(t *testing.T) {
	var engine *rules.Engine
	calls := 0
	engine = engineWith(t, `{"text": {"var": "customer"}}`, func(customer string) (string, error) {
		if calls++; customer == "inner" {
			return "", nil // "" counts as false
		}
		names, err := engine.Matching(order{Customer: "inner"})
		if err != nil || len(names) != 0 {
			t.Errorf("within: %q, %v", names, err)
		}
		return "yes", err
	}, zero)
	if got, err := engine.Matching(order{Customer: "outer"}); err != nil || len(got) != 1 || calls != 2 {
		t.Errorf("%q, %v, %d calls", got, err, calls)
	}
}

func TestMistakes(t *testing.T) {
	for rule, want := range map[string]string{
		`{"unknown": 1}`:          "unknown",
		`{"text": 1}`:             "takes a text",
		`{"text": ["a", "b"]}`:    "takes a text",
		`{"number": "a"}`:         "takes a text and a number",
		`{"number": ["a", []]}`:   "takes a text and a number",
		`{"number": [1, "a"]}`:    "takes a text and a number",
		`{"number": ["a", null]}`: "takes a text and a number",
	} {
		engine := engineWith(t, rule, func(s string) (string, error) { return s, nil }, func(_ string, x float64) (float64, error) { return x, nil })
		if got, err := engine.Matching(order{}); got != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v, want %q", rule, got, err, want)
		}
	}
	engine := testEngine(t)
	var failed rules.RuleError
	if err := engine.Add("wrong", `{"==": [1, 1]`); !errors.As(err, &failed) || failed.Rule != "wrong" {
		t.Error(err)
	}
	if got, err := engine.Matching(order{"Ada", "towel", 1}); err != nil || !slices.Equal(got, []string{"regular customer"}) {
		t.Errorf("with a rule that was not added: %q, %v", got, err)
	}
	if _, err := engine.Matching(math.NaN()); err == nil {
		t.Error("NaN is no JSON")
	}
}

func zero(string, float64) (float64, error) { return 0, nil }
