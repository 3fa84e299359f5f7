package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/bytedance/sonic"
	"github.com/tidwall/gjson"
	"github.com/valyala/fastjson"

	"rustgo.dev/bench/internal/processor"
	rustjson "rustgo.dev/packages/json"
)

// BenchmarkJSON checks a text of 150 kB, removes its white space, parses it to a tree of values, and finds a value near its end without a tree.
// Each implementation uses the functions of its own package, and the trees of the packages differ.
func BenchmarkJSON(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("[")
	for i := range 2000 {
		fmt.Fprintf(&text, "{\"id\": %d, \"name\": \"item %x\", \"tags\": [\"a\", \"b\\n\"], \"price\": %d.%02d},\n", i, i*7919, i%300, i%100)
	}
	text.WriteString("null]")
	src := text.Bytes()
	run := func(name string, call func() error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			worked := processor.Time()
			for range b.N {
				if err := call(); err != nil {
					b.Fatal(err)
				}
			}
			processor.Report(b, processor.Time()-worked, b.N)
		})
	}
	valid := func(name string, valid func([]byte) bool) {
		run("valid/"+name, func() error {
			if !valid(src) {
				return fmt.Errorf("the text is not valid")
			}
			return nil
		})
	}
	valid("rustgo", rustjson.Valid)
	valid("Go-encoding-json", json.Valid)
	valid("Go-gjson", gjson.ValidBytes)
	valid("Go-fastjson", func(src []byte) bool { return fastjson.ValidateBytes(src) == nil })
	valid("Go-sonic", sonic.Valid)

	dst, buffer := make([]byte, 0, len(src)), bytes.NewBuffer(make([]byte, 0, len(src)))
	run("compact/rustgo", func() (err error) {
		dst, err = rustjson.AppendCompact(dst[:0], src)
		return err
	})
	run("compact/Go-encoding-json", func() error {
		buffer.Reset()
		return json.Compact(buffer, src)
	})

	run("parse/rustgo", func() error {
		_, err := rustjson.Parse(src)
		return err
	})
	run("parse/Go-encoding-json", func() error {
		var value any
		return json.Unmarshal(src, &value)
	})
	run("parse/Go-sonic", func() error {
		var value any
		return sonic.Unmarshal(src, &value)
	})
	var parser fastjson.Parser
	run("parse/Go-fastjson", func() error {
		_, err := parser.ParseBytes(src)
		return err
	})

	get := func(name string, get func() string) {
		run("get/"+name, func() error {
			if got := get(); got != `"item f18c41"` && got != "item f18c41" {
				return fmt.Errorf("found %s", got)
			}
			return nil
		})
	}
	get("rustgo", func() string {
		value, _ := rustjson.Get(src, "/1999/name")
		return string(value)
	})
	get("Go-gjson", func() string { return gjson.GetBytes(src, "1999.name").String() })
	get("Go-sonic", func() string {
		value, _ := sonic.Get(src, 1999, "name")
		name, _ := value.String()
		return name
	})
}
