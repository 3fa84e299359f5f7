package json_test

import (
	"bytes"
	stdlib "encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"rustgo.dev/go/rt"
	"rustgo.dev/packages/internal/buildinfo"
	"rustgo.dev/packages/internal/panictest"
	"rustgo.dev/packages/json"
)

// texts covers the kinds of texts in JSONTestSuite: texts that every implementation must accept, texts that it must refuse, and texts that it may
// accept or refuse.
var texts = []string{
	// Every implementation must accept these texts.
	`[[]   ]`, `[""]`, `[]`, `["a"]`, `[false]`, `[null, 1, "1", {}]`, `[null]`, "[1\n]", ` [1]`, `[1,null,null,null,2]`, `[2] `,
	`[123e65]`, `[0e+1]`, `[0e1]`, `[ 4]`, `[-0.000000000000000000000000000000000000000000000000000000000000000000000000000000001]`, `[20e1]`, `[-0]`,
	`[-123]`, `[-1]`, `[1E22]`, `[1E-2]`, `[1E+2]`, `[123e45]`, `[123.456e78]`, `[1e-2]`, `[1e+2]`, `[123]`, `[123.456789]`,
	`{"asd":"sdf", "dfg":"fgh"}`, `{"asd":"sdf"}`, `{"a":"b","a":"c"}`, `{"a":"b","a":"b"}`, `{}`, `{"":0}`, `{"foo\u0000bar": 42}`,
	`{ "min": -1.0e+28, "max": 1.0e+28 }`, `{"x":[{"id": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}], "id": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}`,
	`{"a":[]}`, `{"title":"\u041f\u043e\u043b\u0442\u043e\u0440\u0430 \u0417\u0435\u043c\u043b\u0435\u043a\u043e\u043f\u0430" }`, "{\n\"a\": \"b\"\n}",
	`["\u0060\u012a\u12AB"]`, `["\uD801\udc37"]`, `["\ud83d\ude39\ud83d\udc8d"]`, `["\"\\\/\b\f\n\r\t"]`, `["\\u0000"]`, `["\""]`, `["a/*b*/c/*d//e"]`,
	`["\\a"]`, `["\\n"]`, `["\u0012"]`, `["\uFFFF"]`, `["asd"]`, `[ "asd"]`, `["\uDBFF\uDFFF"]`, `["new\u00A0line"]`, "[\"\U0010ffff\"]", "[\"\uffff\"]",
	`["\u0000"]`, `["\u002c"]`, `["π"]`, `["𛿿"]`, `["asd "]`, `" "`, `["\uD834\uDd1e"]`, `["\u0821"]`, `["\u0123"]`, "[\"\u2028\"]", "[\"\u2029\"]",
	`["\u0061\u30af\u30EA\u30b9"]`, "[\"new\u00a0line\"]", "[\"\x7f\"]", `["\uA66D"]`, `["⍂㈴⍂"]`, `["€𝄞"]`, `false`, `42`, `-0.1`, `null`, `"asd"`, `true`, `""`, "[\"a\"]\n", `[true]`, ` [] `,
	// Every implementation must refuse these texts.
	`[1 true]`, `["": 1]`, `[""],`, `[,1]`, `[1,,2]`, `["x",,]`, `["x"]]`, `["",]`, `["x"`, `[x`, `[3[4]]`, `[1:2]`, `[,]`, `[-]`, `[   , ""]`, "[\"a\",\n4\n,1,",
	`[1,]`, `[1,,]`, `["a`, `[*]`, `[1`, `[{}`, `[fals]`, `[nul]`, `[tru]`, "123\x00", `[++1234]`, `[+1]`, `[+Inf]`, `[-01]`, `[-1.0.]`, `[-2.]`, `[-NaN]`, `[.-1]`,
	`[.2e-3]`, `[0.1.2]`, `[0.3e+]`, `[0.3e]`, `[0.e1]`, `[0E]`, `[0E+]`, `[0e]`, `[0e+]`, `[1.0e+]`, `[1.0e-]`, `[1.0e]`, `[1 000.0]`, `[1eE2]`, `[2.e+3]`, `[2.e-3]`,
	`[2.e3]`, `[9.e+]`, `[Inf]`, `[NaN]`, `[１]`, `[1+2]`, `[0x1]`, `[0x42]`, `[Infinity]`, `[0e+-1]`, `[-123.123foo]`, `[-Infinity]`, `[-foo]`, `[- 1]`, `[-012]`,
	`[-.123]`, `[-1x]`, `[1ea]`, `[1.]`, `[.123]`, `[1.2a-3]`, `[1.8011670033376514H-308]`, `[012]`, `["x", truth]`, `{[: "x"}`, `{"x", null}`, `{"x"::"b"}`,
	`{🇨🇭}`, `{"a":"a" 123}`, `{key: 'value'}`, `{"a" b}`, `{:"b"}`, `{"a"`, `{"a":`, `{"a" "b"}`, `{1:1}`, `{9999E9999:1}`, `{null:null,null:null}`, `{"id":0,,,,,}`,
	`{'a':0}`, `{"id":0,}`, `{"a":"b"}/**/`, `{"a":"b"}/**//`, `{"a":"b"}//`, `{"a":"b",,"c":"d"}`, `{a: "b"}`, `{"a":"a`, `{ "foo" : "bar", "a" }`, `{"a":"b"}#`,
	` `, `["\uD800\"]`, `["\uD800\u"]`, `["\uD800\u1"]`, `["\uD800\u1x"]`, `[é]`, "[\"\\\x00\"]", `["\x00"]`, `["\\\"]`, `["\	"]`, `["\🌀"]`, `["\"]`, `["\u00A"]`,
	`["\uD834\uDd"]`, `["\a"]`, `["\uqqqq"]`, `[\u0020"asd"]`, `[\n]`, `"`, `['single quote']`, `abc`, `["\`, "[\"a\x00a\"]", "[\"new\nline\"]", "[\"\t\"]",
	`"\UA66D"`, `""x`, "[\u2060]", "\ufeff", `<.>`, `[<null>]`, `[1]x`, `[1]]`, `["asd]`, `aå`, `[True]`, `1]`, `{"x": true,`, `[][]`, `]`, "\xef\xbb{}", `å`, `[`, `{"":`,
	`2@`, `{}}`, `{"":[{"":`, `{"a":/*comment*/"b"}`, `{"a": true} "x"`, `['`, `[,`, `[{`, `["a`, `["a"`, `{`, `{]`, `{,`, `{[`, `{"a`, `{'a'`, `["\{["\{["\{["\{`, `*`,
	`{"a":"b"}#{}`, `[\u000A""]`, `[1`, `[ false, nul`, `[ true, fals`, `[ false, tru`, `{"asd":"asd"`, `å`, `[\f]`, "\u2060", "\ufeff", "",
	strings.Repeat("[", 100000), strings.Repeat(`[{"":`, 50000),
	// Implementations may accept or refuse these texts. encoding/json and this package agree on them.
	`[0.4e00669999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999969999999006]`,
	`[-1e+9999]`, `[1.5e+9999]`, `[-123123e100000]`, `[123123e100000]`, `[123e-10000000]`, `[-123123123123123123123123123123]`, `[100000000000000000000]`,
	`["\uD800"]`, `["\uDADA"]`, `["\uD888\u1234"]`, `["\uD800\uD800\n"]`, `["\uDd1ea"]`, `["\ud800abc"]`, `["\udc00"]`, "\ufeff{}",
	strings.Repeat("[", 500) + strings.Repeat("]", 500),
}

func TestAgainstEncodingJSON(t *testing.T) {
	for i, text := range texts {
		if !testing.Short() || i%10 == 0 {
			compare(t, []byte(text))
		}
	}
}

// rounds returns the number of repetitions in a test: n, or fewer with -short, because package fixtures/step single-steps such a run.
func rounds(n int) int {
	if testing.Short() {
		return n / 50
	}
	return n
}

// compare compares the results of this package with the results of encoding/json.
func compare(t *testing.T, data []byte) {
	t.Helper()
	valid := json.Valid(data)
	err := json.Check(data)
	var wrong json.SyntaxError
	switch {
	case valid != (err == nil):
		t.Fatalf("%.100q: valid is %v, and the error %v", data, valid, err)
	case err != nil && (!errors.As(err, &wrong) || wrong.Line < 1 || wrong.Column < 0 || wrong.Reason == ""):
		t.Fatalf("%.100q: error %#v", data, err)
	}
	if want := stdlib.Valid(data) && utf8.Valid(data); valid != want {
		// encoding/json always limits the depth of nesting. In this package only Parse and AppendIndent do.
		if depth := bytes.Count(data, []byte("[")) + bytes.Count(data, []byte("{")); depth <= 10000 || !valid {
			t.Fatalf("%.100q: valid is %v (%v), want %v", data, valid, err, want)
		}
		return
	}
	compact, err1 := json.AppendCompact([]byte("x"), data)
	indented, err2 := json.AppendIndent([]byte("x"), data, "\t")
	doc, err3 := json.Parse(data)
	whole, ok := json.Get(data, "")
	if !valid {
		if err1 != err && !errors.Is(err1, err) || !errors.Is(err2, err) || string(compact) != "x" || string(indented) != "x" {
			t.Fatalf("%.100q: %q, %v; %q, %v", data, compact, err1, indented, err2)
		}
		if err3 == nil || doc != nil || ok || whole != nil {
			t.Fatalf("%.100q is invalid, but Parse gives a document or Get gives %q", data, whole)
		}
		return
	}
	var want bytes.Buffer
	stdlib.Compact(&want, data)
	if err1 != nil || string(compact) != "x"+want.String() {
		t.Fatalf("%.100q: compact: %q, %v, want %q", data, compact, err1, want.Bytes())
	}
	want.Reset()
	stdlib.Indent(&want, bytes.TrimSpace(data), "", "\t")
	if err2 != nil || string(indented) != "x"+want.String() {
		t.Fatalf("%.100q: indented: %q, %v, want %q", data, indented, err2, want.Bytes())
	}
	if !ok || !bytes.Equal(whole, bytes.TrimSpace(data)) {
		t.Fatalf("%.100q: the whole is %q, %v", data, whole, ok)
	}
	var value, back any
	err4 := stdlib.Unmarshal(data, &value)
	if err3 != nil {
		if err4 == nil && !bytes.Contains(data, []byte(`\u`)) && bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) < 128 {
			t.Fatalf("%.100q: %v", data, err3)
		}
		return
	}
	if err4 != nil {
		t.Fatalf("%.100q: parsed, and Go's package says %v", data, err4)
	}
	if err := stdlib.Unmarshal([]byte(doc.String()), &back); err != nil || !reflect.DeepEqual(value, back) {
		t.Fatalf("%.100q: the document is %.100q (%v)", data, doc, err)
	}
	walk(t, data, doc, "", value)
}

// walk compares each value of a document.
func walk(t *testing.T, data []byte, doc *json.Document, pointer string, value any) {
	t.Helper()
	kind, length := json.KindNull, -1
	switch value := value.(type) {
	case bool:
		kind = json.KindBool
		if got, ok := doc.Bool(pointer); got != value || !ok {
			t.Errorf("%.100q at %q: %v, %v, want %v", data, pointer, got, ok, value)
		}
	case float64:
		kind = json.KindNumber
		if got, ok := doc.Float64(pointer); got != value || !ok {
			t.Errorf("%.100q at %q: %v, %v, want %v", data, pointer, got, ok, value)
		}
	case string:
		kind = json.KindString
		if got, ok := doc.Text(pointer); got != value || !ok {
			t.Errorf("%.100q at %q: %q, %v, want %q", data, pointer, got, ok, value)
		}
	case []any:
		kind, length = json.KindArray, len(value)
		for i, element := range value {
			walk(t, data, doc, fmt.Sprintf("%s/%d", pointer, i), element)
		}
	case map[string]any:
		kind, length = json.KindObject, len(value)
		var keys []string
		for key, member := range value {
			keys = append(keys, key)
			walk(t, data, doc, pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key), member)
		}
		slices.Sort(keys)
		if got := slices.Sorted(doc.Keys(pointer)); !slices.Equal(got, keys) {
			t.Errorf("%.100q at %q: names %q, want %q", data, pointer, got, keys)
		}
	}
	if got := doc.Kind(pointer); got != kind {
		t.Errorf("%.100q at %q: %v, want %v", data, pointer, got, kind)
	}
	if got, ok := doc.Len(pointer); ok != (length >= 0) || ok && got != length {
		t.Errorf("%.100q at %q: length %d, %v, want %d", data, pointer, got, ok, length)
	}
	part, ok := json.Get(data, pointer)
	raw, ok2 := doc.Raw(pointer)
	var a, b any
	err, err2 := stdlib.Unmarshal(part, &a), stdlib.Unmarshal([]byte(raw), &b)
	if !ok || !ok2 || err != nil || err2 != nil || !reflect.DeepEqual(a, value) || !reflect.DeepEqual(b, value) {
		t.Errorf("%.100q at %q: %q, %v (%v), and %q, %v (%v)", data, pointer, part, ok, err, raw, ok2, err2)
	}
	var want bytes.Buffer
	if stdlib.Compact(&want, part); raw != want.String() {
		t.Errorf("%.100q at %q: raw %q, want %q", data, pointer, raw, want.Bytes())
	}
}

// A name with half of a surrogate pair becomes the same name as in encoding/json, and does not hide other names.
func TestLoneSurrogates(t *testing.T) {
	data := []byte(`{"\ud800": 1, "\udc00\ud800": 2, "b": 3}`)
	for pointer, want := range map[string]string{"/\ufffd": "1", "/\ufffd\ufffd": "2", "/b": "3"} {
		if got, ok := json.Get(data, pointer); string(got) != want || !ok {
			t.Errorf("%q: %q, %v, want %s", pointer, got, ok, want)
		}
	}
}

// A pointer may have any number of parts, and the time of Get is proportional to the length of the text.
func TestLongPointers(t *testing.T) {
	for _, depth := range []int{126, 127, 128, 129, 10000} {
		data := []byte(strings.Repeat("[", depth) + "7" + strings.Repeat("]", depth))
		pointer := strings.Repeat("/0", depth)
		if got, ok := json.Get(data, pointer); string(got) != "7" || !ok {
			t.Errorf("%d parts: %.20q, %v", depth, got, ok)
		}
		if got, ok := json.Get(data, pointer+"/0"); ok {
			t.Errorf("%d parts and one more: %.20q", depth, got)
		}
	}
}

// A tilde in a pointer is followed by 0 or 1 (RFC 6901, section 3).
func TestWrongPointers(t *testing.T) {
	data := []byte(`{"m~n": 1, "~": 2, "x": {"~2": 3}}`)
	doc, err := json.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, pointer := range []string{"/m~n", "/~", "/x/~2", "m~0n"} {
		value, ok := json.Get(data, pointer)
		raw, ok2 := doc.Raw(pointer)
		if ok || ok2 || doc.Kind(pointer) != json.KindMissing {
			t.Errorf("%q: %q, %q, %v", pointer, value, raw, doc.Kind(pointer))
		}
	}
	if n, ok := doc.Int64("/x/~02"); n != 3 || !ok {
		t.Error(n, ok)
	}
}

// Numbers and strings keep their spelling.
func TestNumbersAsWritten(t *testing.T) {
	if _, err := json.Parse([]byte(`[9007199254740993.0, -0, -0.0, 1E400e-0, 1]`)); err == nil {
		t.Fatal("a number with two exponents is accepted")
	}
	doc, err := json.Parse([]byte(`[9007199254740993.0, -0, -0.0, 1E2, "\u0041", 12345678901234567890123]`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := doc.String(), `[9007199254740993.0,-0,-0.0,1E2,"\u0041",12345678901234567890123]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for pointer, want := range map[string]bool{"/0": false, "/1": true, "/2": false, "/3": false, "/5": false} {
		if n, ok := doc.Int64(pointer); n != 0 || ok != want {
			t.Errorf("%s: %d, %v", pointer, n, ok)
		}
	}
}

// The time of Int64 does not depend on the length of the text, unless the text has the integer -0.
func TestInt64OfZeros(t *testing.T) {
	n := rounds(20000)
	for _, number := range []string{"0.0", "-0.0"} {
		doc, err := json.Parse([]byte("[" + strings.Repeat(`{"id": `+number+`, "day": "2026-01-01"},`, n) + "1]"))
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for i := range n {
			if _, ok := doc.Int64(fmt.Sprintf("/%d/id", i)); ok {
				t.Fatal(i)
			}
		}
		if d := time.Since(began); d > 5*time.Second { // an earlier version took 26 s; now it takes 10 ms
			t.Errorf("%s: %v", number, d)
		}
	}
	for _, text := range []string{"-0", "[-0]", "[1, -0 ]", `{"a": -0}`, "[-0\n, -1]"} {
		doc, err := json.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, pointer := range []string{"", "/0", "/1", "/a"} {
			if raw, _ := doc.Raw(pointer); raw == "-0" {
				if n, ok := doc.Int64(pointer); n != 0 || !ok {
					t.Errorf("%q at %q: %d, %v", text, pointer, n, ok)
				}
			}
		}
	}
}

// The length of an indented text grows with the square of its depth, so AppendIndent has the limit of encoding/json.
func TestDeepIndent(t *testing.T) {
	for _, pair := range []string{"[]", `{"a":}`} {
		for depth, want := range map[int]bool{10000: true, 10001: false, 40000: false} {
			open, closing := pair[:len(pair)-1], pair[len(pair)-1:]
			text := []byte("[\n" + strings.Repeat(open, depth-1) + "1" + strings.Repeat(closing, depth-1) + "]")
			got, err := json.AppendIndent([]byte("x"), text, "")
			if (err == nil) != want {
				t.Errorf("%d %s: %v", depth, pair, err)
			}
			var wrong json.SyntaxError
			if column := 9999*len(open) + 1; !want && (string(got) != "x" || !errors.As(err, &wrong) || wrong.Line != 2 || wrong.Column != column) {
				t.Errorf("%d %s: %d bytes, %v", depth, pair, len(got), err)
			}
			if json.Check(text) != nil {
				t.Errorf("%d %s: refused by Check", depth, pair)
			}
		}
	}
}

// Arguments need not be UTF-8.
func TestInvalidUTF8(t *testing.T) {
	text := []byte(`{"a": 1, "\ufffd": 2}`)
	doc, err := json.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	const pointer = "/\xff"
	value, ok := json.Get(text, pointer)
	raw, ok2 := doc.Raw(pointer)
	_, ok3 := doc.Text(pointer)
	_, ok4 := doc.Float64(pointer)
	_, ok5 := doc.Int64(pointer)
	_, ok6 := doc.Bool(pointer)
	_, ok7 := doc.Len(pointer)
	if ok || ok2 || ok3 || ok4 || ok5 || ok6 || ok7 || doc.Kind(pointer) != json.KindMissing {
		t.Errorf("%s, %s, %v", value, raw, doc.Kind(pointer))
	}
	for key := range doc.Keys(pointer) {
		t.Error(key)
	}
	if got, err := json.AppendIndent(nil, []byte("[1]"), "\xff"); string(got) != "[\n\xff1\n]" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// Any name can be a part of a pointer.
func TestEscapeName(t *testing.T) {
	doc, err := json.Parse([]byte(`{"": 0, "a/b": 1, "~": 2, "~1": 3, "/~01": 4, "c": 5}`))
	if err != nil {
		t.Fatal(err)
	}
	i := int64(0)
	for name := range doc.Keys("") {
		if n, ok := doc.Int64("/" + json.EscapeName(name)); n != i || !ok {
			t.Errorf("%q: %d, %v", name, n, ok)
		}
		i++
	}
	if got := json.EscapeName("a/b~c"); got != "a~1b~0c" {
		t.Error(got)
	}
}

func TestOverlap(t *testing.T) {
	src := []byte(`{ "a" : 1 }`)
	for name, call := range map[string]func(){
		"AppendCompact": func() { json.AppendCompact(src[:0], src) },
		"AppendIndent":  func() { json.AppendIndent(src[:2], src[2:], " ") },
	} {
		if message := panictest.Message(call); message == "" {
			t.Errorf("%s: dst and src overlap, and there is no panic", name)
		}
	}
	if string(src) != `{ "a" : 1 }` {
		t.Errorf("%s", src)
	}
}

func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
		message      string
	}{
		{"", 1, 0, "json: EOF while parsing a value at line 1 column 0"},
		{"[1,\n 2,\n x]", 3, 2, "json: expected value at line 3 column 2"},
		{"{\"a\": 1,\n  }", 2, 3, "json: key must be a string at line 2 column 3"},
		{"[\"a\xff\"]", 1, 4, "json: invalid UTF-8 at line 1 column 4"},
		{"[1]\n\n]", 3, 1, "json: trailing characters at line 3 column 1"},
	} {
		err := json.Check([]byte(c.text))
		var wrong json.SyntaxError
		if !errors.As(err, &wrong) || wrong.Line != c.line || wrong.Column != c.column || err.Error() != c.message {
			t.Errorf("%q: %+v, %v, want %d:%d %s", c.text, wrong, err, c.line, c.column, c.message)
		}
		if !errors.Is(err, json.SyntaxError{Line: c.line, Column: c.column, Reason: wrong.Reason}) || errors.Is(err, json.SyntaxError{Line: 99}) {
			t.Errorf("%q: errors.Is is wrong for %v", c.text, err)
		}
	}
	deep := []byte(strings.Repeat("[", 200) + strings.Repeat("]", 200))
	if _, err := json.Parse(deep); err == nil || err.Error() != "json: recursion limit exceeded at line 1 column 128" {
		t.Errorf("%v", err)
	}
	if _, err := json.Parse([]byte(`["\ud800"]`)); err == nil || json.Check([]byte(`["\ud800"]`)) != nil {
		t.Errorf("%v", err)
	}
}

func TestDocument(t *testing.T) {
	doc, err := json.Parse([]byte(`{"z": [1, 2.5, -3, 18446744073709551615], "a": {"": true, "b/c": null}, "text": "ä\n"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Collect(doc.Keys("")); !slices.Equal(got, []string{"z", "a", "text"}) {
		t.Errorf("%q", got)
	}
	for range doc.Keys("") { // the loop must be able to end early
		break
	}
	if n, ok := doc.Int64("/z/2"); n != -3 || !ok {
		t.Error(n, ok)
	}
	for _, pointer := range []string{"/z/1", "/z/3", "/z/4", "/a"} {
		if n, ok := doc.Int64(pointer); ok {
			t.Errorf("%s: %d", pointer, n)
		}
	}
	for _, pointer := range []string{"x", "/zz", "/z/-", "/z/01", "/z/0/0", "/text/0"} {
		if kind := doc.Kind(pointer); kind != json.KindMissing {
			t.Errorf("%s: %v", pointer, kind)
		}
		if raw, ok := doc.Raw(pointer); ok {
			t.Errorf("%s: %s", pointer, raw)
		}
	}
	if kind := doc.Kind("/a/b~1c"); kind != json.KindNull || kind.String() != "Null" {
		t.Error(kind)
	}
	want := `{"z":[1,2.5,-3,18446744073709551615],"a":{"":true,"b/c":null},"text":"ä\n"}`
	if got := doc.Clone().String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The deepest possible document is written, copied and freed, starting on a small stack.
func TestDeepDocument(t *testing.T) {
	for _, pair := range []string{"[]", `{"a":}`} {
		open, closing := pair[:len(pair)-1], pair[len(pair)-1:]
		text := strings.Repeat(open, 127) + "1" + strings.Repeat(closing, 127)
		done := make(chan string)
		go func() {
			doc, err := json.Parse([]byte(text))
			if err != nil {
				done <- err.Error()
				return
			}
			done <- doc.Clone().String()
		}()
		if got := <-done; got != text {
			t.Errorf("got %s", got)
		}
	}
	for range 5 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

// Many goroutines read one document. The texts that they read stay valid after the document is freed.
func TestSharedDocument(t *testing.T) {
	doc, err := json.Parse([]byte(`{"texts": ["one", "two", "three"]}`))
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	var kept [8]string
	for g := range kept {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for n := range rounds(1000) {
				kept[g], _ = doc.Text(fmt.Sprintf("/texts/%d", (g+n)%3))
			}
		}()
	}
	wait.Wait()
	before := rt.HeapLive()
	doc = nil
	for try := 0; rt.HeapLive() >= before && try < 1000; try++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if rt.HeapLive() >= before {
		t.Error("the document is not freed")
	}
	for g, text := range kept {
		if want := []string{"one", "two", "three"}[(g+rounds(1000)-1)%3]; text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
}

// Documents are freed when they are unreachable.
func TestHeap(t *testing.T) {
	// The test stays on one thread, because each thread keeps keys for its hash tables in the Rust heap.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// settle collects garbage for some rounds, and returns the smallest number of live bytes that it sees. It stops early if at most enough bytes
	// are live.
	settle := func(rounds int, enough uint64) uint64 {
		live := rt.HeapLive()
		for n := 0; n < rounds && live > enough; n++ {
			runtime.GC()
			time.Sleep(2 * time.Millisecond)
			live = min(live, rt.HeapLive())
		}
		return live
	}
	big := []byte("[" + strings.Repeat(`{"name": "a text that is not short", "list": [1, 2, 3]},`, 500) + "null]")
	json.Parse(big)
	json.Check(big[1:])
	before := settle(50, 0)
	for range 20 {
		doc, err := json.Parse(big)
		if err != nil {
			t.Fatal(err)
		}
		doc.Clone().Raw("/3")
		for range doc.Keys("/0") {
			break
		}
		json.Parse(big[:len(big)-1])
		json.AppendIndent(nil, big, "  ")
	}
	if rt.HeapLive() == before {
		t.Error("HeapLive does not count the documents")
	}
	if after := settle(5000, before); after > before {
		t.Errorf("%d bytes of Rust memory are not freed", after-before)
	}
}

func TestAllocations(t *testing.T) {
	if !buildinfo.Optimised() {
		t.Skip("more escapes in a program that is not optimised")
	}
	text := []byte(`{"users": [{"name": "Ada", "age": 36}]}`)
	doc, err := json.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // objects of other tests get their cleanups now, not during the measurement
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	dst := make([]byte, 0, 1000)
	for name, call := range map[string]func(){
		"Valid":         func() { json.Valid(text) },
		"Check":         func() { json.Check(text) },
		"Get":           func() { json.Get(text, "/users/0/name") },
		"AppendCompact": func() { json.AppendCompact(dst, text) },
		"AppendIndent":  func() { json.AppendIndent(dst, text, "\t") },
		"Float64":       func() { doc.Float64("/users/0/age") },
	} {
		if n := testing.AllocsPerRun(100, call); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
	if n := testing.AllocsPerRun(100, func() { doc.Text("/users/0/name") }); n > 1 {
		t.Errorf("Text allocates %v times", n)
	}
}

func FuzzAgainstEncodingJSON(f *testing.F) {
	for _, text := range texts {
		if len(text) < 1000 {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 10000 {
			compare(t, data)
		}
	})
}

// The random texts consist of pieces that are often valid.
func TestRandom(t *testing.T) {
	pieces := []string{`{`, `}`, `[`, `]`, `,`, `:`, `"a"`, `"b\n"`, `"\u00e4"`, `1`, `-2.5`, `1e3`, `true`, `null`, ` `, "\n", `"ä"`, `0`, `"`, `\`}
	r := rand.New(rand.NewPCG(1, 2))
	var value func(depth int) string
	value = func(depth int) string {
		switch k := r.IntN(10); {
		case depth > 0 && k < 3:
			list := make([]string, r.IntN(4))
			for i := range list {
				list[i] = value(depth - 1)
			}
			return "[" + strings.Join(list, ", ") + "]"
		case depth > 0 && k < 6:
			list := make([]string, r.IntN(4))
			for i := range list {
				list[i] = pieces[6+r.IntN(3)] + ": " + value(depth-1)
			}
			return "{" + strings.Join(list, ",\n") + "}"
		default:
			return pieces[6+r.IntN(8)]
		}
	}
	for range rounds(2000) {
		text := value(4)
		if r.IntN(2) == 0 {
			at := r.IntN(len(text) + 1)
			text = text[:at] + pieces[r.IntN(len(pieces))] + text[min(len(text), at+r.IntN(2)):]
		}
		compare(t, []byte(text))
	}
}

func ExampleCheck() {
	err := json.Check([]byte("{\n  \"name\": \"Ada\",\n  \"age\": 36,\n}"))
	fmt.Println(err)
	var wrong json.SyntaxError
	if errors.As(err, &wrong) {
		fmt.Println("line", wrong.Line)
	}
	// Output:
	// json: key must be a string at line 4 column 1
	// line 4
}

func ExampleGet() {
	text := []byte(`{"users": [{"name": "Ada"}, {"name": "Grace"}]}`)
	value, ok := json.Get(text, "/users/1/name")
	fmt.Printf("%s %v\n", value, ok)
	// Output: "Grace" true
}

func ExampleAppendIndent() {
	text, err := json.AppendIndent(nil, []byte(`{"a":[1,2.50],"b":{}}`), "  ")
	fmt.Printf("%s %v\n", text, err)
	// Output:
	// {
	//   "a": [
	//     1,
	//     2.50
	//   ],
	//   "b": {}
	// } <nil>
}

func ExampleParse() {
	doc, err := json.Parse([]byte(`{"name": "Ada", "born": 1815, "languages": ["en", "fr"]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	name, _ := doc.Text("/name")
	born, _ := doc.Int64("/born")
	n, _ := doc.Len("/languages")
	fmt.Println(name, born, n, doc.Kind("/died"))
	for key := range doc.Keys("") {
		fmt.Println(key)
	}
	// Output:
	// Ada 1815 2 Missing
	// name
	// born
	// languages
}

var benchmarkText = func() []byte {
	var b bytes.Buffer
	b.WriteString("[")
	for i := range 2000 {
		fmt.Fprintf(&b, "{\"id\": %d, \"name\": \"item %x\", \"tags\": [\"a\", \"b\\n\"], \"price\": %d.%02d},\n", i, i*7919, i%300, i%100)
	}
	b.WriteString("null]")
	return b.Bytes()
}()

func benchmark(b *testing.B, call func()) {
	b.SetBytes(int64(len(benchmarkText)))
	b.ReportAllocs()
	for range b.N {
		call()
	}
}

func BenchmarkValid(b *testing.B) {
	b.Run("rustgo", func(b *testing.B) { benchmark(b, func() { json.Valid(benchmarkText) }) })
	b.Run("encoding-json", func(b *testing.B) { benchmark(b, func() { stdlib.Valid(benchmarkText) }) })
}

func BenchmarkCompact(b *testing.B) {
	var dst []byte
	b.Run("rustgo", func(b *testing.B) { benchmark(b, func() { dst, _ = json.AppendCompact(dst[:0], benchmarkText) }) })
	var out bytes.Buffer
	b.Run("encoding-json", func(b *testing.B) { benchmark(b, func() { out.Reset(); stdlib.Compact(&out, benchmarkText) }) })
}

func BenchmarkParse(b *testing.B) {
	b.Run("rustgo", func(b *testing.B) { benchmark(b, func() { json.Parse(benchmarkText) }) })
	b.Run("encoding-json", func(b *testing.B) {
		benchmark(b, func() {
			var value any
			stdlib.Unmarshal(benchmarkText, &value)
		})
	})
}

func BenchmarkGet(b *testing.B) {
	benchmark(b, func() { json.Get(benchmarkText, "/1999/name") })
}
