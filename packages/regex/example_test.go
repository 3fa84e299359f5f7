//go:build amd64 || arm64

package regex_test

import (
	"fmt"

	"rustgo.dev/packages/regex"
)

func Example() {
	mail := regex.MustCompile(`(?P<user>[\w.]+)@(?P<host>[\w.]+\w)`)
	text := "Write to ann@example.com, or to joe.b@example.org."
	fmt.Println(mail.FindString(text))
	fmt.Printf("%q\n", mail.FindStringSubmatch(text))
	fmt.Println(mail.ReplaceAllString(text, "${user} at ${host}"))
	// Output:
	// ann@example.com
	// ["ann@example.com" "ann" "example.com"]
	// Write to ann at example.com, or to joe.b at example.org.
}

func ExampleSet() {
	set := regex.MustCompileSet(`\berror\b`, `timeout`, `user=\w+`)
	for _, line := range []string{"error: timeout", "login user=ann", "ok"} {
		fmt.Println(set.MatchesString(line))
	}
	// Output:
	// [0 1]
	// [2]
	// []
}

func ExampleRegexp_AppendAllIndex() {
	words := regex.MustCompile(`\w+`)
	var room [64]int
	for _, line := range []string{"one two", "three"} {
		found := words.AppendAllIndex(room[:0], []byte(line), -1)
		for ; len(found) > 0; found = found[2:] {
			fmt.Println(line[found[0]:found[1]])
		}
	}
	// Output:
	// one
	// two
	// three
}
