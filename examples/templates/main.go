// Command templates renders a mail with minijinja, a Rust crate. The templates are files that are embedded in the program, and a Go function formats
// amounts.
package main

//go:generate rustgo build --crate rust

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"rustgo.dev/examples/templates/jinja"
)

//go:embed mails
var mails embed.FS

// load returns the text of a template, and whether the template exists.
func load(name string) (string, bool, error) {
	text, err := mails.ReadFile("mails/" + name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	return string(text), err == nil, err
}

// errNoAmount is the error of euros if it is not called with one number.
var errNoAmount = errors.New("euros takes one number")

// euros formats a number of cents.
func euros(arguments ...any) (any, error) {
	if len(arguments) != 1 {
		return nil, errNoAmount
	}
	cents, ok := arguments[0].(float64)
	if !ok {
		return nil, errNoAmount
	}
	return fmt.Sprintf("%.2f €", cents/100), nil
}

type item struct {
	Name  string `json:"name"`
	Cents int    `json:"cents"`
}

func main() {
	environment := jinja.NewEnvironment(load)
	defer environment.Close()
	environment.AddFunction("euros", euros)
	environment.AddFunction("year", func(...any) (any, error) { return time.Now().Year(), nil })
	text, err := environment.Render("order.txt", map[string]any{
		"customer": "Ada",
		"items":    []item{{"pencil", 120}, {"paper", 499}},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(text)
}
