// Command rules decides which discounts an order gets. The rules are JSON. The Rust crate datalogic-rs evaluates the rules, which can call Go
// functions.
package main

//go:generate rustgo build --crate rust

import (
	"errors"
	"fmt"
	"os"
	"time"

	"rustgo.dev/examples/rules/rules"
)

// shop holds the data that the rules query. A real program would query a database.
type shop struct {
	countries map[string]string
	payments  map[string][]payment
	now       func() time.Time
}

type payment struct {
	euros float64
	at    time.Time
}

var errNoCustomer = errors.New("no such customer")

// country returns the country of a customer.
func (s *shop) country(customer string) (string, error) {
	country, ok := s.countries[customer]
	if !ok {
		return "", fmt.Errorf("%w: %s", errNoCustomer, customer)
	}
	return country, nil
}

// spent returns how many euros a customer has paid in the given number of days before now.
func (s *shop) spent(customer string, days float64) (float64, error) {
	if _, err := s.country(customer); err != nil {
		return 0, err
	}
	since := s.now().Add(-time.Duration(days * 24 * float64(time.Hour)))
	sum := 0.0
	for _, p := range s.payments[customer] {
		if p.at.After(since) {
			sum += p.euros
		}
	}
	return sum, nil
}

// order holds the facts about an order. A rule refers to a fact by its JSON name.
type order struct {
	Customer string  `json:"customer"`
	Item     string  `json:"item"`
	Total    float64 `json:"total"`
}

// discounts returns an engine with all rules. The rules can call the functions of the shop.
func discounts(s *shop) (*rules.Engine, error) {
	functions := rules.NewFunctions()
	defer functions.Close()
	functions.AddText("country", s.country)
	functions.AddNumber("spent", s.spent)
	engine := rules.NewEngine(functions)
	for _, rule := range []struct{ name, condition string }{
		{"free shipping", `{"and": [{">": [{"var": "total"}, 50]}, {"==": [{"country": {"var": "customer"}}, "FR"]}]}`},
		{"regular customer", `{">=": [{"spent": [{"var": "customer"}, 30]}, 500]}`},
		{"free sample", `{"and": [{"in": ["soap", {"var": "item"}]}, {">": [{"spent": [{"var": "customer"}, 7]}, 20]}]}`},
	} {
		if err := engine.Add(rule.name, rule.condition); err != nil {
			engine.Close()
			return nil, err
		}
	}
	return engine, nil
}

// run prints the discounts of an order.
func run() error {
	now := time.Now()
	engine, err := discounts(&shop{
		countries: map[string]string{"Ada": "FR", "Bob": "DE"},
		payments:  map[string][]payment{"Ada": {{480, now.AddDate(0, 0, -20)}, {35, now.AddDate(0, 0, -3)}}},
		now:       time.Now,
	})
	if err != nil {
		return err
	}
	defer engine.Close()
	names, err := engine.Matching(order{Customer: "Ada", Item: "olive soap", Total: 64.9})
	if err != nil {
		return err
	}
	fmt.Printf("%q\n", names)
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
