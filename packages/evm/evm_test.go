package evm

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// decode returns the bytes that a text of hexadecimal digits stands for.
func decode(t testing.TB, text string) []byte {
	t.Helper()
	code, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// codes returns the codes in testdata by name.
func codes(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/*.hex")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	found := map[string][]byte{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found[strings.TrimSuffix(filepath.Base(file), ".hex")] = decode(t, string(text))
	}
	return found
}

// The examples and tests of the crate, and of its binding to Go, have the same expectations.
func TestExpectations(t *testing.T) {
	list := codes(t)
	for name, want := range map[string][]Function{
		"readme": {
			{Selector: Selector{0x21, 0x25, 0xb6, 0x5b}, Offset: 52, Arguments: []string{"uint32", "address", "uint224"}, Mutability: Pure},
			{Selector: Selector{0xb6, 0x9e, 0xf8, 0xa8}, Offset: 68, Mutability: Pure},
		},
		"go-test":   {{Selector: Selector{0xfa, 0xe7, 0xab, 0x82}, Offset: 42, Arguments: []string{"uint32"}, Mutability: Pure}},
		"functions": {{Selector: Selector{0x11, 0x22, 0x33, 0x44}, Offset: 16, Mutability: Payable}},
		"metadata":  nil,
	} {
		if got, err := Functions(list[name]); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v, not %v", name, got, err, want)
		}
	}
	atEnd := decode(t, "60003560e01c631122334414600f575b6004351515")
	if got, err := Functions(atEnd); err != nil || len(got) != 1 || !slices.Equal(got[0].Arguments, []string{"bool"}) {
		t.Errorf("%v, %v", got, err)
	}

	reader := []Selector{{0x12, 0x34, 0x56, 0x78}}
	writer := []Selector{{0x11, 0x22, 0x33, 0x44}}
	one := Slot{31: 1}
	for name, want := range map[string][]Variable{
		"storage-test":      {{Type: "uint256", Reads: reader}, {Type: "uint256", Reads: reader, Transient: true}},
		"functions":         {{Slot: one, Type: "uint256", Writes: writer}},
		"transient-storage": {{Slot: one, Type: "uint256", Writes: writer, Transient: true}},
	} {
		if got, err := Storage(list[name]); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v, not %v", name, got, err, want)
		}
	}

	solc := decode(t, "6000a164736f6c634300081a000a")
	if m, err := ReadMetadata(solc); err != nil || !reflect.DeepEqual(m, &Metadata{2, 10, []Entry{{"solc", []byte{0, 8, 26}}}}) || m.Solc() != "0.8.26" {
		t.Errorf("%v, %v", m, err)
	}
	got, err := Disassemble([]byte{0xb0, 0xb1, 0x01})
	if want := []Instruction{{Offset: 0, Name: "?"}, {Offset: 1, Name: "?"}, {Offset: 2, Name: "ADD"}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	graph, err := ControlFlow(list["go-test"])
	if err != nil || len(graph) == 0 || graph[0].Exit != ExitBranch {
		t.Errorf("%v, %v", graph, err)
	}
	if blocks, err := BasicBlocks(list["go-test"]); err != nil || len(blocks) == 0 {
		t.Errorf("%v, %v", blocks, err)
	}
}

// The functions of an ERC20 token are known.
func TestERC20(t *testing.T) {
	found, err := Functions(codes(t)["ERC20"])
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		got = append(got, f.String())
	}
	want := []string{
		"0x06fdde03() view",                              // name
		"0x095ea7b3(address,uint256) nonpayable",         // approve
		"0x18160ddd() view",                              // totalSupply
		"0x23b872dd(address,address,uint256) nonpayable", // transferFrom
		"0x313ce567() pure",                              // decimals
		"0x39509351(address,uint256) nonpayable",         // increaseAllowance
		"0x70a08231(address) view",                       // balanceOf
		"0x95d89b41() view",                              // symbol
		"0xa457c2d7(address,uint256) nonpayable",         // decreaseAllowance
		"0xa9059cbb(address,uint256) nonpayable",         // transfer
		"0xdd62ed3e(address,address) view",               // allowance
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	variables, err := Storage(codes(t)["ERC20"])
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, v := range variables {
		types = append(types, v.Type)
	}
	if want := []string{"mapping(address => uint256)", "mapping(address => mapping(address => uint256))", "uint256", "string", "string"}; !slices.Equal(types, want) {
		t.Errorf("%q, not %q", types, want)
	}
}

// join returns the texts of the elements, with commas between them.
func join[T any](list []T, text func(T) string) string {
	texts := make([]string, len(list))
	for i, element := range list {
		texts[i] = text(element)
	}
	return strings.Join(texts, ",")
}

// The following functions return the results for a code in the form that rust/examples/golden.rs prints.

func functionLines(t testing.TB, code []byte) string {
	t.Helper()
	var lines strings.Builder
	found, err := Functions(code)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		dispatch := "abi"
		if f.Fallback {
			dispatch = "fallback"
		}
		fmt.Fprintf(&lines, "%v %d %s %v %s\n", f.Selector, f.Offset, dispatch, f.Mutability, strings.Join(f.Arguments, ","))
	}
	return lines.String()
}

func storageLines(t testing.TB, code []byte) string {
	t.Helper()
	var lines strings.Builder
	found, err := Storage(code)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range found {
		kind := "permanent"
		if v.Transient {
			kind = "transient"
		}
		fmt.Fprintf(&lines, "%s %v %d %s [%s] [%s]\n", kind, v.Slot, v.Offset, v.Type, join(v.Reads, Selector.String), join(v.Writes, Selector.String))
	}
	return lines.String()
}

func metadataLines(t testing.TB, code []byte) string {
	t.Helper()
	m, err := ReadMetadata(code)
	if err != nil {
		if !errors.Is(err, ErrNoMetadata) {
			t.Fatal(err)
		}
		return ""
	}
	lines := fmt.Sprintln(m.Offset, m.Length)
	for _, e := range m.Entries {
		switch v := e.Value.(type) {
		case string:
			lines += fmt.Sprintln(e.Key, "text", v)
		case []byte:
			lines += fmt.Sprintln(e.Key, "bytes", hex.EncodeToString(v))
		case int64:
			lines += fmt.Sprintln(e.Key, "number", v)
		case bool:
			lines += fmt.Sprintln(e.Key, "bool", v)
		case CBOR:
			lines += fmt.Sprintln(e.Key, "cbor", hex.EncodeToString(v))
		default:
			t.Errorf("%s has a value of type %T", e.Key, v)
		}
	}
	return lines
}

func instructionLines(t testing.TB, code []byte) string {
	t.Helper()
	var lines strings.Builder
	found, err := Disassemble(code)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range found {
		fmt.Fprintf(&lines, "%d %s\n", i.Offset, strings.Replace(i.String(), " 0x", " ", 1))
	}
	return lines.String()
}

func blockLines(t testing.TB, code []byte) string {
	t.Helper()
	var lines strings.Builder
	found, err := BasicBlocks(code)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range found {
		fmt.Fprintln(&lines, b.Start, b.End)
	}
	return lines.String()
}

func graphLines(t testing.TB, code []byte) string {
	t.Helper()
	var lines strings.Builder
	graph, err := ControlFlow(code)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range graph {
		fmt.Fprint(&lines, b.Start, " ", b.End, " ", b.Exit)
		switch b.Exit {
		case ExitJump, ExitBranch:
			fmt.Fprint(&lines, " ", b.To[0])
		case ExitDynamicJump, ExitDynamicBranch:
			fmt.Fprint(&lines, " ", join(b.Paths, func(p Path) string {
				return fmt.Sprint(strings.ReplaceAll(join(p.Blocks, func(n int) string { return fmt.Sprint(n) }), ",", "<"), ">", p.To)
			}))
		}
		if b.Else >= 0 {
			fmt.Fprint(&lines, " else ", b.Else)
		}
		fmt.Fprintln(&lines)
	}
	return lines.String()
}

// sum returns the FNV-1a hash of a text.
func sum(text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	return fmt.Sprintf("%016x", h.Sum64())
}

// random is the linear congruential generator of golden.rs.
type random uint64

func (r *random) below(n int) int {
	*r = *r*6364136223846793005 + 1442695040888963407
	return int(uint64(*r>>33) % uint64(n))
}

// damaged returns the codes that golden.rs makes of a code.
func damaged(code []byte) (list [][]byte) {
	r := random(1)
	for range 16 {
		code := bytes.Clone(code)
		for range r.below(8) + 1 {
			at := r.below(len(code))
			code[at] = byte(r.below(256))
		}
		list = append(list, code[:len(code)-r.below(len(code))/2])
	}
	return list
}

// A native program has made golden.txt with the crate's own functions.
func TestGolden(t *testing.T) {
	text, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, section := range strings.Split(string(text), "\n\n") {
		title, lines, _ := strings.Cut(section, "\n")
		if title != "" {
			sections[title] = strings.TrimSuffix(lines, "\n")
		}
	}
	list := codes(t)
	if len(sections) != 7*len(list) {
		t.Errorf("%d sections for %d codes", len(sections), len(list))
	}
	for name, code := range list {
		t.Run(name, func(t *testing.T) {
			check := func(what, got string) {
				t.Helper()
				if want, ok := sections[name+" "+what]; !ok || strings.TrimSuffix(got, "\n") != want {
					t.Errorf("%s:\n%s\nnot\n%s", what, got, want)
				}
			}
			check("functions", functionLines(t, code))
			check("metadata", metadataLines(t, code))
			check("instructions", sum(instructionLines(t, code)))
			check("blocks", sum(blockLines(t, code)))
			check("graph", sum(graphLines(t, code)))
			if testing.Short() && len(code) > 3000 {
				return
			}
			check("storage", storageLines(t, code))
			var lines strings.Builder
			for _, code := range damaged(code) {
				storage := "-"
				if len(code) < 1000 {
					storage = sum(storageLines(t, code))
				}
				fmt.Fprintln(&lines, sum(functionLines(t, code)), sum(graphLines(t, code)), storage)
			}
			check("damaged", lines.String())
		})
	}
}

// properties checks what holds for the results of any code. Storage is left out if withStorage is false.
func properties(t *testing.T, code []byte, withStorage bool) {
	t.Helper()
	kept := bytes.Clone(code)
	functions, err := Functions(code)
	if err != nil {
		t.Fatal(err)
	}
	var selectors []Selector
	for _, f := range functions {
		selectors = append(selectors, f.Selector)
		if f.Offset < 0 || f.Offset > len(code) {
			t.Errorf("%v begins at %d of %d bytes", f, f.Offset, len(code))
		}
		if f.Mutability != Pure && f.Mutability != View && f.Mutability != NonPayable && f.Mutability != Payable {
			t.Errorf("%v has no mutability", f)
		}
		if slices.Contains(f.Arguments, "") {
			t.Errorf("%v has an argument without a type", f)
		}
	}
	if !slices.IsSortedFunc(selectors, compareSelectors) || len(slices.Compact(slices.Clone(selectors))) != len(selectors) {
		t.Errorf("the selectors are not in order: %v", selectors)
	}
	if got, err := Selectors(code); err != nil || !slices.Equal(got, selectors) {
		t.Errorf("Selectors: %v, %v, not %v", got, err, selectors)
	}
	bare, err := Functions(code, NoArguments, NoMutability)
	if err != nil || len(bare) != len(functions) {
		t.Errorf("%d functions without arguments instead of %d, %v", len(bare), len(functions), err)
	}
	for i, f := range bare {
		if want := (Function{Selector: functions[i].Selector, Offset: functions[i].Offset, Fallback: functions[i].Fallback}); !reflect.DeepEqual(f, want) {
			t.Errorf("%+v, not %+v", f, want)
		}
	}

	instructions, err := Disassemble(code)
	if err != nil {
		t.Fatal(err)
	}
	begins := map[int]string{}
	at := 0
	for _, i := range instructions {
		if i.Offset != at || !bytes.Equal(i.Argument, code[at+1:at+1+len(i.Argument)]) {
			t.Fatalf("%v is at %d, not %d", i, i.Offset, at)
		}
		begins[at] = i.Name
		at += 1 + len(i.Argument)
	}
	if rest := len(code) - at; rest < 0 || rest > 32 || rest > 0 && (code[at] < 0x60 || code[at] > 0x7f || rest >= 2+int(code[at]-0x60)) {
		t.Errorf("the instructions end at %d of %d bytes", at, len(code))
	}

	blocks, err := BasicBlocks(code)
	if err != nil {
		t.Fatal(err)
	}
	ends := map[int]int{}
	last := -1
	for _, b := range blocks {
		empty := len(instructions) == 0 && b == Range{} // a PUSH without all its bytes
		if b.Start <= last || b.End < b.Start || (begins[b.Start] == "" || begins[b.End] == "") && !empty {
			t.Fatalf("block %v after %d", b, last)
		}
		last = b.End
		ends[b.Start] = b.End
	}
	graph, err := ControlFlow(code)
	if err != nil {
		t.Fatal(err)
	}
	inGraph := map[int]bool{}
	for _, b := range graph {
		inGraph[b.Start] = true
		if end, ok := ends[b.Start]; !ok || end != b.End {
			t.Errorf("%v is not a basic block", b.Range)
		}
	}
	for _, b := range graph {
		branch := b.Exit == ExitBranch || b.Exit == ExitDynamicBranch
		if branch != (b.Else >= 0) || b.Exit == ExitBranch && !inGraph[b.Else] {
			t.Errorf("%+v: no block follows", b)
		}
		if n := len(b.To); (b.Exit == ExitJump || b.Exit == ExitBranch) && n != 1 || b.Exit <= ExitFailure && n+len(b.Paths) != 0 {
			t.Errorf("%+v has %d targets", b, n)
		}
		if !slices.IsSorted(b.To) || len(slices.Compact(slices.Clone(b.To))) != len(b.To) {
			t.Errorf("%+v: the targets are not in order", b)
		}
		for _, to := range b.To {
			if !inGraph[to] && b.Exit != ExitDynamicBranch && begins[to] == "JUMPDEST" {
				t.Errorf("%+v leads to %d, which is not in the graph", b, to)
			}
		}
		for _, p := range b.Paths {
			if len(p.Blocks) == 0 || p.Blocks[0] != b.Start || p.To != -1 && !slices.Contains(b.To, p.To) {
				t.Errorf("%+v has the path %v", b, p)
			}
		}
	}

	if m, err := ReadMetadata(code); err == nil {
		if m.Offset+m.Length+2 != len(code) {
			t.Errorf("%+v in %d bytes", m, len(code))
		}
	} else if !errors.Is(err, ErrNoMetadata) {
		t.Error(err)
	}
	if withStorage {
		variables, err := Storage(code)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range variables {
			if i > 0 && compareVariables(variables[i-1], v) >= 0 {
				t.Errorf("%v is not before %v", variables[i-1], v)
			}
			if v.Offset < 0 || v.Offset > 63 || v.Type == "" {
				t.Errorf("%+v", v)
			}
			for _, list := range [][]Selector{v.Reads, v.Writes} {
				for _, s := range list {
					if !slices.Contains(selectors, s) {
						t.Errorf("%v uses %v, and is no function", s, v)
					}
				}
				if !slices.IsSortedFunc(list, compareSelectors) {
					t.Errorf("%v", list)
				}
			}
		}
	}
	if !bytes.Equal(code, kept) {
		t.Error("the code has changed")
	}
}

func compareSelectors(a, b Selector) int { return bytes.Compare(a[:], b[:]) }

func compareVariables(a, b Variable) int {
	if a.Transient != b.Transient {
		if b.Transient {
			return -1
		}
		return 1
	}
	if n := bytes.Compare(a.Slot[:], b.Slot[:]); n != 0 {
		return n
	}
	return a.Offset - b.Offset
}

func TestProperties(t *testing.T) {
	for name, code := range codes(t) {
		t.Run(name, func(t *testing.T) {
			properties(t, code, len(code) < 3000)
			if testing.Short() {
				return
			}
			for _, code := range damaged(code) {
				properties(t, code, len(code) < 1000)
			}
		})
	}
	n := 400
	if testing.Short() {
		n = 40
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		code := make([]byte, r.IntN(300))
		for i := range code {
			code[i] = byte(r.Uint32())
		}
		properties(t, code, true)
	}
}

// Code without functions, code that is cut off, and long code.
func TestUnusualCode(t *testing.T) {
	properties(t, nil, true)
	for _, code := range [][]byte{nil, {}, {0xfe}, {0x60}, {0x7f, 1}, decode(t, "ef0100"+strings.Repeat("11", 20)), []byte("0x6080604052")} {
		properties(t, code, true)
		if found, err := Functions(code); found != nil || err != nil {
			t.Errorf("%x: %v, %v", code, found, err)
		}
		if found, err := Selectors(code); found != nil || err != nil {
			t.Errorf("%x: %v, %v", code, found, err)
		}
		if m, err := ReadMetadata(code); m != nil || !errors.Is(err, ErrNoMetadata) {
			t.Errorf("%x: %v, %v", code, m, err)
		}
	}
	for n := range codes(t)["readme"] {
		properties(t, codes(t)["readme"][:n], true)
	}

	long := make([]byte, MaxCode+1)
	for i, call := range []func([]byte) error{
		func(code []byte) error { _, err := Selectors(code); return err },
		func(code []byte) error { _, err := Functions(code); return err },
		func(code []byte) error { _, err := Storage(code); return err },
		func(code []byte) error { _, err := Disassemble(code); return err },
		func(code []byte) error { _, err := BasicBlocks(code); return err },
		func(code []byte) error { _, err := ControlFlow(code); return err },
		func(code []byte) error { _, err := ReadMetadata(code); return err },
	} {
		var e *Error
		if err := call(long); !errors.As(err, &e) || e.Err != ErrTooLarge || e.Error() != "evm: too large: 1048577 bytes" {
			t.Errorf("call %d: %v", i, err)
		}
		if err := call(long[:MaxCode]); err != nil && !errors.Is(err, ErrNoMetadata) {
			t.Errorf("call %d: %v", i, err)
		}
	}
}

// The crate's tests have the same expectations for metadata.
func TestMetadata(t *testing.T) {
	for _, c := range []struct {
		cbor string
		want []Entry
	}{
		{"a6617362686961692061624201026166f561788201026173612100", nil}, // a byte follows the map
		{"a66173626869616920616242010261 66f5 6178820102 61736121", []Entry{
			{"s", "hi"}, {"i", int64(-1)}, {"b", []byte{1, 2}}, {"f", true}, {"x", CBOR{0x82, 1, 2}}, {"s", "!"},
		}},
		{"a201 6178 616b 02", []Entry{{"k", int64(2)}}},
		{"a16169 1b0020000000000000", []Entry{{"i", CBOR{0x1b, 0, 0x20, 0, 0, 0, 0, 0, 0}}}},
		{"bf636b65795f4101420203ff64746578747f61616162ffff", []Entry{{"key", []byte{1, 2, 3}}, {"text", "ab"}}},
		{"a0", nil},
		{"8101", nil},
	} {
		cbor := decode(t, c.cbor)
		code := append(append([]byte{0x60, 0}, cbor...), byte(len(cbor)>>8), byte(len(cbor)))
		m, err := ReadMetadata(code)
		if c.want == nil && c.cbor != "a0" {
			if !errors.Is(err, ErrNoMetadata) {
				t.Errorf("%s: %v, %v", c.cbor, m, err)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(m, &Metadata{2, len(cbor), c.want}) {
			t.Errorf("%s: %v, %v", c.cbor, m, err)
		}
	}
	m := &Metadata{Entries: []Entry{{"solc", "0.8.26-nightly"}, {"solc", []byte{0, 8, 1}}}}
	if m.Solc() != "0.8.26-nightly" || m.Get("none") != nil || (&Metadata{}).Solc() != "" || (&Metadata{Entries: []Entry{{"solc", []byte{1}}}}).Solc() != "" {
		t.Error(m.Solc())
	}
	for name, code := range codes(t) {
		if m, err := ReadMetadata(code); strings.HasPrefix(name, "ERC") && (err != nil || m.Solc() != "0.8.13") {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
}

func TestTexts(t *testing.T) {
	f := Function{Selector: Selector{0xa9, 5, 0x9c, 0xbb}, Arguments: []string{"address", "uint256"}}
	if got := f.String(); got != "0xa9059cbb(address,uint256)" {
		t.Error(got)
	}
	type record struct {
		Selector   Selector
		Mutability Mutability
		Slot       Slot
	}
	want := record{f.Selector, View, Slot{31: 0xab}}
	text, err := json.Marshal(want)
	if err != nil || string(text) != `{"Selector":"0xa9059cbb","Mutability":"view","Slot":"0x`+strings.Repeat("00", 31)+`ab"}` {
		t.Errorf("%s, %v", text, err)
	}
	var got record
	if err := json.Unmarshal(text, &got); err != nil || got != want {
		t.Errorf("%v, %v", got, err)
	}
	s := want.Selector
	if err := s.UnmarshalText([]byte("01020304")); err != nil || s != (Selector{1, 2, 3, 4}) {
		t.Error(s, err)
	}
	for _, text := range []string{"", "0x", "0x010203", "0x0102030405", "0x0102030", "01020x04"} {
		if err := s.UnmarshalText([]byte(text)); err == nil || s != (Selector{1, 2, 3, 4}) {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	}
	i := Instruction{Name: "PUSH1", Argument: []byte{0x80}}
	if i.String() != "PUSH1 0x80" || ExitDynamicJump.String() != "dynamic jump" || Exit(9).String() != "Exit(9)" {
		t.Error(i, ExitDynamicJump, Exit(9))
	}
	for _, m := range []Mutability{Pure, View, NonPayable, Payable} {
		if !slices.Contains(mutabilities[:], m) || m.String() != string(m) {
			t.Error(m)
		}
	}
	defer func() {
		if value := recover(); value != "evm: no option 9" {
			t.Error(value)
		}
	}()
	Functions(nil, Option(9))
}

// Several goroutines analyse all codes at the same time.
func TestGoroutines(t *testing.T) {
	list := codes(t)
	want := map[string]string{}
	for name, code := range list {
		want[name] = functionLines(t, code) + graphLines(t, code)
	}
	rounds := 10
	if testing.Short() {
		rounds = 1
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range rounds {
				for name, code := range list {
					if got := functionLines(t, code) + graphLines(t, code); got != want[name] {
						t.Errorf("%s: %s, not %s", name, got, want[name])
					}
				}
			}
		}()
	}
	wg.Wait()
}

// dispatcher returns code that calls body, which begins at the returned offset, for the selector 0x11223344.
func dispatcher() (code []byte, offset int) {
	code, _ = hex.DecodeString("5f3560e01c80631122334414601057005b")
	return code, len(code)
}

// The crate follows arguments in arguments to any depth, by recursion. The gas of a run allows 5,500 levels, for which the stack suffices.
func TestDeepArguments(t *testing.T) {
	levels := 5540
	if testing.Short() || translated {
		levels = 100
	}
	code, _ := dispatcher()
	code = append(code, 0x60, 4, 0x35) // CALLDATALOAD of 4
	for range levels {
		code = append(code, 0x60, 4, 0x01, 0x35) // ADD 4, CALLDATALOAD
	}
	found, err := Functions(append(code, 0))
	if err != nil || len(found) != 1 || len(found[0].Arguments) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	if text := found[0].Arguments[0]; text != "bytes" && len(text) < levels {
		t.Errorf("%.100s", text)
	}
}

// The crate follows a path back over 256 blocks, by recursion.
func TestLongPaths(t *testing.T) {
	for length, resolved := range map[int]bool{100: true, 250: true, 300: false, 5000: false} {
		code := append([]byte{0x61, byte((length + 4) >> 8), byte(length + 4)}, bytes.Repeat([]byte{0x5b}, length)...)
		code = append(code, 0x56, 0x5b, 0x00) // JUMP to the JUMPDEST at length+4
		graph, err := ControlFlow(code)
		if err != nil || len(graph) < length {
			t.Fatalf("%d blocks: %d, %v", length, len(graph), err)
		}
		last := graph[length] // the first block has no JUMPDEST
		if want := (Range{length + 2, length + 3}); last.Range != want {
			t.Errorf("%d blocks: %v, not %v", length, last.Range, want)
		}
		if resolved && (last.Exit != ExitJump || !slices.Equal(last.To, []int{length + 4})) || !resolved && (last.Exit != ExitDynamicJump || last.To != nil) {
			t.Errorf("%d blocks: %+v", length, last)
		}
	}
}
