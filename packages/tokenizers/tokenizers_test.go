//go:build amd64 || arm64

package tokenizers

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rustgo.dev/go/rt"
)

// open opens a tokenizer of testdata.
func open(t testing.TB, name string) *Tokenizer {
	t.Helper()
	tokenizer, err := FromFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return tokenizer
}

var names = []string{"anthropic", "bytelevel", "fallback", "unigram", "wordlevel", "wordpiece"}

// A golden is an output of the native program rust/examples/golden.rs, which calls the crate directly.
type golden struct {
	File, Kind string
	Texts      []string
	Encodings  []struct {
		IDs, Types, Mask []uint32
		Tokens           []string
		Text, Clean      string
	}
}

func goldens(t testing.TB) (list []golden) {
	t.Helper()
	data, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// encode encodes the texts with the options of the native program.
func (g *golden) encode(tokenizer *Tokenizer) ([]Encoding, error) {
	var e *Encoding
	var err error
	switch g.Kind {
	case "text":
		e, err = tokenizer.Encode(g.Texts[0])
	case "plain":
		e, err = tokenizer.Encode(g.Texts[0], WithoutSpecialTokens(), SpecialTokensAsText())
	case "pair":
		e, err = tokenizer.EncodePair(g.Texts[0], g.Texts[1])
	case "cut":
		e, err = tokenizer.EncodePair(g.Texts[0], g.Texts[1], Truncate(Truncation{MaxLength: 9, Direction: Left}))
	case "batch":
		return tokenizer.EncodeBatch(g.Texts, Pad(Padding{MultipleOf: 8, Direction: Left, ID: 3, TypeID: 2}))
	default:
		return nil, fmt.Errorf("unknown kind %q", g.Kind)
	}
	if err != nil {
		return nil, err
	}
	return []Encoding{*e}, nil
}

func TestGolden(t *testing.T) {
	tokenizers := map[string]*Tokenizer{}
	for _, name := range names {
		tokenizers[name] = open(t, name)
	}
	seen := map[string]int{}
	for _, g := range goldens(t) {
		where := fmt.Sprintf("%s, %s, %.60q", g.File, g.Kind, g.Texts)
		tokenizer := tokenizers[g.File]
		got, err := g.encode(tokenizer)
		if err != nil || len(got) != len(g.Encodings) {
			t.Fatalf("%s: %d encodings, %v", where, len(got), err)
		}
		seen[g.File+" "+g.Kind]++
		for i, want := range g.Encodings {
			e := got[i]
			if !slices.Equal(e.IDs, want.IDs) || !slices.Equal(e.TypeIDs, want.Types) || !slices.Equal(e.AttentionMask, want.Mask) || !slices.Equal(e.Tokens, want.Tokens) {
				t.Errorf("%s: %+v, not %+v", where, e, want)
			}
			for _, c := range []struct {
				skip bool
				want string
			}{{false, want.Text}, {true, want.Clean}} {
				if text, err := tokenizer.Decode(want.IDs, c.skip); err != nil || text != c.want {
					t.Errorf("%s: decoded to %q, not %q: %v", where, text, c.want, err)
				}
			}
		}
		if g.Kind == "text" {
			ids, err := tokenizer.AppendIDs([]uint32{7}, g.Texts[0], true)
			if err != nil || !slices.Equal(ids[1:], g.Encodings[0].IDs) || ids[0] != 7 {
				t.Errorf("%s: AppendIDs: %d, %v", where, ids, err)
			}
		}
	}
	for _, name := range names {
		for _, kind := range []string{"text", "plain", "pair", "cut"} {
			if seen[name+" "+kind] != 18 {
				t.Errorf("%d cases of %s %s", seen[name+" "+kind], name, kind)
			}
		}
		if seen[name+" batch"] != 1 {
			t.Errorf("no batch for %s", name)
		}
	}
}

// The test checks the masks of a padded pair. The template of BERT is [CLS] A [SEP] B [SEP].
func TestMasks(t *testing.T) {
	bert := open(t, "wordpiece")
	e, err := bert.EncodePair("the text", "a token", Pad(Padding{Length: 10, Token: "PAD"}))
	if err != nil {
		t.Fatal(err)
	}
	want := &Encoding{
		IDs:               []uint32{2, 19, 33, 3, 23, 52, 3, 0, 0, 0},
		Tokens:            []string{"[CLS]", "the", "text", "[SEP]", "a", "token", "[SEP]", "PAD", "PAD", "PAD"},
		TypeIDs:           []uint32{0, 0, 0, 0, 1, 1, 1, 0, 0, 0},
		AttentionMask:     []uint32{1, 1, 1, 1, 1, 1, 1, 0, 0, 0},
		SpecialTokensMask: []uint32{1, 0, 0, 1, 0, 0, 1, 1, 1, 1},
	}
	if !reflect.DeepEqual(e, want) {
		t.Errorf("%+v, not %+v", e, want)
	}
	batch, err := bert.EncodePairBatch([]TextPair{{"the text", "a"}, {"the", "token token token"}}, Truncate(Truncation{MaxLength: 6, Strategy: OnlySecond}), Pad(Padding{Direction: Left}))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(batch[0].Tokens, batch[1].Tokens, batch[1].SpecialTokensMask); got != "[[CLS] the text [SEP] a [SEP]] [[CLS] the [SEP] token token [SEP]] [1 0 1 0 0 1]" {
		t.Error(got)
	}
	if batch, err := bert.EncodeBatch(nil); err != nil || len(batch) != 0 {
		t.Error(batch, err)
	}
	// SpecialTokensMask does not mark a special token that occurs in the text itself.
	e, err = bert.Encode("[MASK]")
	if err != nil || !slices.Equal(e.SpecialTokensMask, []uint32{1, 0, 1}) || e.Tokens[1] != "[MASK]" {
		t.Errorf("%+v, %v", e, err)
	}
}

// Offsets count bytes of the text, if they are known.
func TestOffsets(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       string
	}{
		{"anthropic", "Hello, Häuser <EOT>x", "[[0 5] [5 6] [6 8] [8 10] [10 14] [14 15] [15 20] [20 21]]"},
		{"anthropic", "the ①", "[]"},        // NFKC changes it
		{"bytelevel", "a <|user|> b", "[]"}, // the token takes the spaces
		{"wordpiece", "the text", "[]"},     // not a byte level model
		{"bytelevel", "", "[]"},
	} {
		e, err := open(t, c.file).Encode(c.text, WithOffsets())
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(e.Offsets); got != c.want {
			t.Errorf("%s, %q: %s, not %s (%q)", c.file, c.text, got, c.want, e.Tokens)
		}
	}
	known := 0
	for _, name := range []string{"anthropic", "bytelevel"} {
		tokenizer := open(t, name)
		for _, g := range goldens(t) {
			if g.File != name || g.Kind != "text" {
				continue
			}
			e, err := tokenizer.Encode(g.Texts[0], WithOffsets(), Pad(Padding{MultipleOf: 8, Direction: Left}))
			if err != nil {
				t.Fatal(err)
			}
			if e.Offsets == nil {
				continue
			}
			known++
			var all string
			for i, o := range e.Offsets {
				part := g.Texts[0][o[0]:o[1]]
				all += part
				if e.AttentionMask[i] == 0 && o != [2]int{} {
					t.Errorf("padding at %d", o)
				}
				// A token that consists of whole characters is decoded to these characters.
				if one, err := tokenizer.Decode(e.IDs[i:i+1], false); part != "" && (err != nil || one != part && !strings.Contains(one, "\ufffd")) {
					t.Errorf("%s, %q: token %d is %q, not %q", name, g.Texts[0], i, part, one)
				}
			}
			if all != g.Texts[0] {
				t.Errorf("%s: %q, not %q", name, all, g.Texts[0])
			}
		}
	}
	if known < 25 {
		t.Errorf("known for %d texts", known)
	}
	// The offsets are right after truncation on each side, also in the second text of a pair.
	text := "The tokenizer splits a text into tokens, and the tokens have numbers."
	for _, direction := range []Direction{Right, Left} {
		e, err := open(t, "anthropic").EncodePair(text, text, WithOffsets(), Truncate(Truncation{MaxLength: 7, Direction: direction}))
		if err != nil {
			t.Fatal(err)
		}
		want := [2]int{0, len(text)}[direction]
		if first, last := e.Offsets[3], e.Offsets[6]; e.Len() != 7 || direction == Right && (e.Offsets[0][0] != want || first[0] != want) || direction == Left && (last[1] != want || e.Offsets[2][1] != want) {
			t.Errorf("%v of %v", e.Offsets, e.Tokens)
		}
	}
}

func TestVocabulary(t *testing.T) {
	for name, want := range map[string]int{"anthropic": 65000, "wordlevel": 82} {
		if n := open(t, name).VocabSize(); n != want {
			t.Errorf("%s: %d tokens, not %d", name, n, want)
		}
	}
	for _, name := range names {
		tokenizer := open(t, name)
		n := tokenizer.VocabSize()
		for id := range uint32(n) {
			token, ok := tokenizer.IDToToken(id)
			if !ok {
				t.Fatalf("%s has no token %d", name, id)
			}
			if got, ok := tokenizer.TokenToID(token); !ok || got != id {
				t.Errorf("%s: token %d is %q, which is %d, %v", name, id, token, got, ok)
			}
		}
		if token, ok := tokenizer.IDToToken(1 << 31); ok {
			t.Errorf("%s: %q", name, token)
		}
		for _, token := range []string{"no such token", "\xff", ""} {
			if id, ok := tokenizer.TokenToID(token); ok {
				t.Errorf("%s: %q is %d", name, token, id)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	is := func(what string, err, want error) {
		t.Helper()
		var e *Error
		if !errors.Is(err, want) || want != ErrClosed && (!errors.As(err, &e) || e.Text == "") {
			t.Errorf("%s: %v, not %v", what, err, want)
		}
	}
	for _, file := range []string{
		"", "{", "null", "[]", `{"version":"1.0"}`, "\xff", `{"model":{}}`, `{"model":{"type":"Strange"}}`, strings.Repeat("[", 100_000),
		strings.Repeat(`{"model":`, 100_000), `{"model":{"type":"WordLevel","vocab":{"a":-1},"unk_token":"a"}}`,
		`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}}`,
	} {
		_, err := FromBytes([]byte(file))
		is(fmt.Sprintf("%.40q", file), err, ErrFormat)
	}
	level := func(more string) []byte {
		return []byte(`{"version":"1.0",` + more + `"model":{"type":"WordLevel","vocab":{"a":0,"b":1},"unk_token":"a"}}`)
	}
	if _, err := FromBytes(level("")); err != nil {
		t.Fatal(err)
	}
	// This expression is refused, because the crate has no special code for it.
	_, err := FromBytes(level(`"pre_tokenizer":{"type":"Split","pattern":{"Regex":"[ab]+"},"behavior":"Isolated","invert":false},`))
	is("expression", err, ErrFormat)
	for _, file := range []string{
		`{"model":{"type":"WordLevel","vocab":{"a":16777216},"unk_token":"a"}}`, `{"model":{"type":"WordLevel","vocab":{"a":99999999999},"unk_token":"a"}}`,
		`{"added_tokens":[{"id":2000000000,"content":"b"}],"model":{"type":"WordLevel","vocab":{"a":0},"unk_token":"a"}}`,
	} {
		_, err = FromBytes([]byte(file))
		is(file, err, ErrLength)
	}
	// The length of the last one is below the limit only until it is rounded up.
	for _, length := range []string{`1000000000},"direction":"Right","pad_to_multiple_of":null`, `16777216},"direction":"Right","pad_to_multiple_of":16777215`} {
		_, err = FromBytes(level(`"padding":{"strategy":{"Fixed":` + length + `,"pad_id":0,"pad_type_id":0,"pad_token":"a"},`))
		is("padding", err, ErrLength)
	}

	bert := open(t, "wordpiece")
	for _, text := range []string{"\xff", "a\xed\xa0\x80", "abc\xe2\x82"} {
		_, err = bert.Encode(text)
		is(text, err, ErrUTF8)
		_, err = bert.EncodePair("", text)
		is(text, err, ErrUTF8)
		ids, err := bert.AppendIDs([]uint32{1}, text, true)
		is(text, err, ErrUTF8)
		if !slices.Equal(ids, []uint32{1}) {
			t.Errorf("%d after an error", ids)
		}
	}
	_, err = bert.Encode("the text of a token", Truncate(Truncation{MaxLength: 4, Strategy: OnlySecond}))
	is("OnlySecond without a second text", err, ErrTruncation)
	for _, option := range []Option{
		Truncate(Truncation{MaxLength: -1}), Truncate(Truncation{Strategy: 3}), Truncate(Truncation{Direction: 2}), Pad(Padding{Length: -1}), Pad(Padding{MultipleOf: -1}),
		Pad(Padding{Direction: 2}), Pad(Padding{Length: MaxLength + 1}), Pad(Padding{MultipleOf: MaxLength + 1}),
	} {
		_, err = bert.Encode("text", option)
		is("option", err, ErrLength)
	}
	if text, err := bert.Decode([]uint32{19, 1 << 31, 33}, false); err != nil || text != "the text" {
		t.Errorf("%q, %v", text, err)
	}

	if err := bert.Close(); err != nil {
		t.Error(err)
	}
	is("second Close", bert.Close(), ErrClosed)
	_, err = bert.Encode("text")
	is("Encode", err, ErrClosed)
	_, err = bert.AppendIDs(nil, "text", false)
	is("AppendIDs", err, ErrClosed)
	_, err = bert.Decode(nil, false)
	is("Decode", err, ErrClosed)
	if _, ok := bert.IDToToken(0); ok || bert.VocabSize() != 0 {
		t.Error("a closed tokenizer has tokens")
	}
}

// A text that needs more memory than the limit is an error, and does no harm. (A file may end the process: std's BTreeMap aborts if its root cannot grow.)
func TestMemoryLimit(t *testing.T) {
	tokenizer := open(t, "wordpiece")
	text := strings.Repeat("the text of a token ", 400_000)
	defer rt.SetMemoryLimit(math.MaxUint64)
	for live := uint64(math.MaxUint64); rt.HeapLive() < live; { // tokenizers of other tests
		live = rt.HeapLive()
		for range 5 {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}
	rt.FreeMemory()
	rt.SetMemoryLimit(rt.HeapLive() + 4<<20)
	if ids, err := tokenizer.AppendIDs([]uint32{1}, text, true); !errors.Is(err, ErrPanic) || len(ids) != 1 {
		t.Errorf("%d ids, %v", len(ids), err)
	}
	if _, err := tokenizer.Encode(text); !errors.Is(err, ErrPanic) {
		t.Error(err)
	}
	rt.SetMemoryLimit(math.MaxUint64)
	if e, err := tokenizer.Encode("the text"); err != nil || e.Len() != 4 {
		t.Errorf("%+v, %v", e, err)
	}
}

// TestGoroutines shares tokenizers between goroutines, and closes one while others use it.
func TestGoroutines(t *testing.T) {
	list := goldens(t)
	tokenizers := map[string]*Tokenizer{}
	for _, name := range names {
		tokenizers[name] = open(t, name)
	}
	closed := open(t, "unigram")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(1, uint64(i)))
			for n := range 300 {
				g := list[r.IntN(len(list))]
				got, err := g.encode(tokenizers[g.File])
				if err != nil {
					t.Error(err)
					return
				}
				for j, want := range g.Encodings {
					if !slices.Equal(got[j].IDs, want.IDs) {
						t.Errorf("%s, %s, %.60q: %d, not %d", g.File, g.Kind, g.Texts, got[j].IDs, want.IDs)
						return
					}
				}
				if id, ok := tokenizers["wordpiece"].TokenToID("the"); !ok || id != 19 {
					t.Errorf("the is %d", id)
				}
				if _, err := closed.AppendIDs(nil, "a text", true); err != nil && !errors.Is(err, ErrClosed) {
					t.Error(err)
				}
				if i == 0 && n == 100 {
					if err := closed.Close(); err != nil {
						t.Error(err)
					}
				}
			}
		}()
	}
	wg.Wait()
}

func TestAppendIDsDoesNotAllocate(t *testing.T) {
	if rt.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, name := range names {
		tokenizer := open(t, name)
		ids := make([]uint32, 0, 1000)
		text := strings.Repeat("The tokenizer splits a text into tokens. ", 10)
		allocations := testing.AllocsPerRun(100, func() {
			var err error
			if ids, err = tokenizer.AppendIDs(ids[:0], text, true); err != nil {
				t.Fatal(err)
			}
		})
		if allocations != 0 || len(ids) < 50 {
			t.Errorf("%s: %v allocations for %d ids", name, allocations, len(ids))
		}
	}
}

// For a text of a megabyte, the package uses the entry for long calls.
func TestLongText(t *testing.T) {
	text := strings.Repeat("The tokenizer splits a text into tokens, 12 of them.\n", 20_000)
	for _, name := range []string{"anthropic", "bytelevel"} {
		tokenizer := open(t, name)
		ids, err := tokenizer.AppendIDs(nil, text, true)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tokenizer.Decode(ids, false); err != nil || got != text {
			t.Errorf("%s: %d bytes, not %d: %v", name, len(got), len(text), err)
		}
		e, err := tokenizer.Encode(text)
		if err != nil || !slices.Equal(e.IDs, ids) {
			t.Errorf("%s: %d ids, not %d: %v", name, len(e.IDs), len(ids), err)
		}
	}
}
