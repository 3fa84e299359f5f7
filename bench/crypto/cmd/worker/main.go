// Command worker measures a column in Go. It reads commands from standard input, one a line, and answers each command with a line of JSON.
// native/worker is the corresponding program for columns in Rust.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"rustgo.dev/bench/crypto/internal/column"
	"rustgo.dev/bench/crypto/internal/columns/circl"
	"rustgo.dev/bench/crypto/internal/columns/consensus"
	"rustgo.dev/bench/crypto/internal/columns/gostd"
	"rustgo.dev/bench/crypto/internal/columns/rustgo"
	"rustgo.dev/bench/crypto/internal/columns/voi"
)

// columns has the constructor of each column. Files with build tags add the columns that need cgo or a certain architecture.
var columns = map[string]func() *column.Column{
	"gostd": gostd.Column, "circl": circl.Column, "filippo": consensus.Column, "voi": voi.Column, "rustgo": rustgo.Column,
}

func main() {
	if len(os.Args) != 2 || columns[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: worker COLUMN, and commands on standard input")
		os.Exit(2)
	}
	c := columns[os.Args[1]]()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		reply, err := json.Marshal(answer(c, strings.Fields(lines.Text())))
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s\n", reply)
	}
}

type reply = map[string]any

func answer(c *column.Column, words []string) any {
	number := func(at int) int { return column.Must(strconv.Atoi(words[at])) }
	switch words[0] {
	case "info":
		versions := ""
		if c.Versions != nil {
			versions = c.Versions()
		}
		return reply{"versions": versions, "can": c.Operations()}
	case "check":
		return check(c, words[1])
	case "time":
		return reply{"ns": timed(c, words[1], number(2), words[3] == "fresh", number(4))}
	case "scale":
		return scale(c, number(1), number(2), number(3))
	case "closed":
		return closed(c, number(1), number(2))
	case "open":
		return open(c, number(1), number(2), number(3))
	case "memory":
		return memory(c, number(1))
	case "pauses":
		return pauses(c, words[1], number(2), number(3))
	case "chunks":
		return reply{"ns": chunks(c, number(1), number(2), number(3), number(4))}
	}
	panic("no command " + words[0])
}
