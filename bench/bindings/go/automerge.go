//go:build linux && amd64 && cgo

package main

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	cgo "github.com/automerge/automerge-go"
	"rustgo.dev/bench/bindings/automerge"
)

var automergeLibrary = library{
	name:  "automerge",
	ways:  []string{byRustgo, byCgo},
	rows:  []string{"set 1000 numbers", "type 1000 characters", "save", "load and read", "fork, change and merge"},
	first: []string{"load and read"},
	prepare: func(way, row string) func() int {
		// Only open and create differ between the ways. All other functions here accept a document of either package.
		open := func(saved []byte) document { return rustgoDocument{must(automerge.Load(saved)), nil} }
		create := func(actor string) document { return rustgoDocument{automerge.NewDocument([]byte(actor)), nil} }
		if way == byCgo {
			open = func(saved []byte) document { return cgoDocument{must(cgo.Load(saved)), nil} }
			create = newCgoDocument
		}
		switch row {
		case "set 1000 numbers":
			return func() int { return numbers(create("first")) }
		case "type 1000 characters":
			return func() int { return len(typed(create("first")).read()) }
		case "save":
			d := open(history())
			return func() int { return len(d.save()) }
		case "load and read":
			saved := history()
			return func() int { return len(open(saved).withText().read()) }
		}
		base := open(history())
		return func() int { return forked(base) }
	},
}

// A document has the methods that the rows need, for a document of either package. Each method makes one call of the package.
type document interface {
	number(key string, value int64)
	newText() document  // the document with a new text
	withText() document // the document with its text
	splice(at, remove int, insert string)
	read() string
	commit(message string, at int64)
	fork(actor string) document
	merge(other document)
	save() []byte
	heads() []string
}

// historyFile is the environment variable that contains the name of the history file.
const historyFile = "BINDINGS_HISTORY"

// keys returns the keys that the function numbers sets.
var keys = sync.OnceValue(func() (list []string) {
	for i := range 100 {
		list = append(list, fmt.Sprintf("key %d", i))
	}
	return list
})

// numbers sets 1000 numbers under 100 keys, in one change.
func numbers(d document) int {
	for i := range 1000 {
		d.number(keys()[i%100], int64(i))
	}
	d.commit("numbers", 1)
	return len(d.heads())
}

// typed inserts 1000 characters at a position that moves now and then, in one change.
func typed(d document) document {
	d = d.newText()
	random := rand.New(rand.NewPCG(3, 4))
	at := 0
	for length := range 1000 {
		if random.IntN(20) == 0 {
			at = random.IntN(length + 1)
		}
		d.splice(at, 0, letters[length%len(letters)])
		at++
	}
	d.commit("typed", 2)
	return d
}

var letters = []string{"a", "e", "i", "ö", " ", "n", "t", "日", "s", "\n"}

// edited makes 300 changes of 20 characters and a number each.
func edited(d document) document {
	d = d.newText()
	random := rand.New(rand.NewPCG(5, 6))
	length := 0
	for change := range 300 {
		at := random.IntN(length + 1)
		for i := range 20 {
			if i%7 == 6 && at > 0 {
				at--
				length--
				d.splice(at, 1, "")
				continue
			}
			d.splice(at, 0, letters[random.IntN(len(letters))])
			at++
			length++
		}
		d.number(keys()[change%100], int64(change))
		d.commit(fmt.Sprintf("change %d", change), int64(change))
	}
	return d
}

// history is a saved document of 300 changes. The tests show that both packages save the same bytes. A process that measures its first calls reads
// the document from a file.
var history = sync.OnceValue(func() []byte {
	if file := os.Getenv(historyFile); file != "" {
		return must(os.ReadFile(file))
	}
	return edited(rustgoDocument{automerge.NewDocument([]byte("first")), nil}).save()
})

// forked changes two copies of a document and merges them.
func forked(base document) int {
	left, right := base.fork("left").withText(), base.fork("right").withText()
	for i := range 10 {
		left.splice(100+i, 0, "l")
		right.splice(200+i, 0, "r")
	}
	left.commit("left", 3)
	right.commit("right", 4)
	left.merge(right)
	return len(left.heads())
}

// A rustgoDocument is a document of the package made by rustgo.
type rustgoDocument struct {
	d    *automerge.Document
	text *automerge.Text
}

func (r rustgoDocument) number(key string, value int64) { check(r.d.PutInt(key, value)) }
func (r rustgoDocument) newText() document              { return rustgoDocument{r.d, must(r.d.PutText("text"))} }
func (r rustgoDocument) withText() document             { return rustgoDocument{r.d, must(r.d.Text("text"))} }
func (r rustgoDocument) splice(at, remove int, insert string) {
	check(r.d.Splice(r.text, at, remove, insert))
}
func (r rustgoDocument) read() string                    { return must(r.d.Contents(r.text)) }
func (r rustgoDocument) commit(message string, at int64) { r.d.Commit(message, at) }
func (r rustgoDocument) fork(actor string) document {
	return rustgoDocument{r.d.Fork([]byte(actor)), nil}
}
func (r rustgoDocument) merge(other document) { check(r.d.Merge(other.(rustgoDocument).d)) }
func (r rustgoDocument) save() []byte         { return r.d.Save() }
func (r rustgoDocument) heads() []string      { return r.d.Heads() }

// A cgoDocument is a document of github.com/automerge/automerge-go.
type cgoDocument struct {
	d    *cgo.Doc
	text *cgo.Text
}

func newCgoDocument(actor string) document {
	d := cgo.New()
	check(d.SetActorID(hex.EncodeToString([]byte(actor))))
	return cgoDocument{d, nil}
}

func (c cgoDocument) number(key string, value int64) { check(c.d.RootMap().Set(key, value)) }
func (c cgoDocument) newText() document {
	text := cgo.NewText("")
	check(c.d.RootMap().Set("text", text))
	return cgoDocument{c.d, text}
}
func (c cgoDocument) withText() document {
	return cgoDocument{c.d, must(c.d.RootMap().Get("text")).Text()}
}
func (c cgoDocument) splice(at, remove int, insert string) { check(c.text.Splice(at, remove, insert)) }
func (c cgoDocument) read() string                         { return must(c.text.Get()) }
func (c cgoDocument) commit(message string, at int64) {
	when := time.UnixMilli(at) // this package stores milliseconds; other packages store seconds
	must(c.d.Commit(message, cgo.CommitOptions{Time: &when}))
}
func (c cgoDocument) fork(actor string) document {
	d := must(c.d.Fork())
	check(d.SetActorID(hex.EncodeToString([]byte(actor))))
	return cgoDocument{d, nil}
}
func (c cgoDocument) merge(other document) { must(c.d.Merge(other.(cgoDocument).d)) }
func (c cgoDocument) save() []byte         { return c.d.Save() }
func (c cgoDocument) heads() (list []string) {
	for _, head := range c.d.Heads() {
		list = append(list, head.String())
	}
	return list
}
