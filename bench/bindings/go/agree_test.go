//go:build linux && amd64 && cgo

package main

import (
	"bytes"
	"encoding/hex"
	"image"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	cgo "github.com/automerge/automerge-go"
	wasm "github.com/cdump/evmole/go"
	"rustgo.dev/bench/bindings/automerge"
	"rustgo.dev/bench/bindings/evmole"
	"rustgo.dev/bench/bindings/resvg"
	"rustgo.dev/bench/internal/pictures"
)

// TestPixels checks that both packages of one version of resvg draw the same pixels, and that the PNG file has these pixels.
func TestPixels(t *testing.T) {
	for name, svg := range pictures.SVG {
		ours, theirs := rustgoPixels(svg), cgoPixels(svg)
		if ours.Rect != theirs.Rect || !bytes.Equal(ours.Pix, theirs.Pix) {
			t.Errorf("%s: the pixels differ: %v", name, compare(ours, theirs))
		}
		if slices.Max(ours.Pix) == 0 {
			t.Errorf("%s is empty", name)
		}
		if d := compare(decode(rustgoPNG(svg)), ours); d.greatest > 1 {
			t.Errorf("%s: the PNG file has other pixels: %v", name, d)
		}
	}
}

// TestTextIsDrawn checks that the font is found: with an unknown font, the picture has other pixels.
func TestTextIsDrawn(t *testing.T) {
	svg := pictures.SVG["chart"]
	without := bytes.ReplaceAll(svg, []byte(`font-family="Go"`), []byte(`font-family="None"`))
	for name, draw := range map[string]func([]byte) *image.RGBA{byRustgo: rustgoPixels, byCgo: cgoPixels,
		byWazero: func(svg []byte) *image.RGBA { return decode(wazeroPNG(svg)) }} {
		if compare(draw(svg), draw(without)).pixels == 0 {
			t.Errorf("%s draws no texts", name)
		}
	}
}

// TestBrokenPictures checks that both packages refuse input that is not a picture.
func TestBrokenPictures(t *testing.T) {
	for _, svg := range []string{"", "<svg", `<svg xmlns="http://www.w3.org/2000/svg" width="0" height="1"/>`, "\xff"} {
		_, err := cgoRenderer().Render([]byte(svg))
		if _, _, _, ok := resvg.Render([]byte(svg)); ok || err == nil {
			t.Errorf("%q: %v, %v", svg, ok, err)
		}
	}
}

// bothDocuments returns empty documents of both packages.
func bothDocuments() (ours, theirs document) {
	return rustgoDocument{automerge.NewDocument([]byte("first")), nil}, newCgoDocument("first")
}

// TestDocumentsAreTheSame checks that the same edits give the same bytes and the same hashes in both packages.
func TestDocumentsAreTheSame(t *testing.T) {
	for name, edit := range map[string]func(document) document{
		"numbers": func(d document) document { numbers(d); return d }, "typed": typed, "edited": edited,
	} {
		ours, theirs := bothDocuments()
		ours, theirs = edit(ours), edit(theirs)
		if !bytes.Equal(ours.save(), theirs.save()) {
			t.Errorf("%s: the saved documents differ", name)
		}
		if !slices.Equal(ours.heads(), theirs.heads()) {
			t.Errorf("%s: %v and %v", name, ours.heads(), theirs.heads())
		}
	}
}

// TestExchange checks that each package reads and changes what the other has saved, and that both merge the changes to the same document.
func TestExchange(t *testing.T) {
	ours, theirs := bothDocuments()
	ours, theirs = edited(ours), edited(theirs)
	read := document(rustgoDocument{must(automerge.Load(theirs.save())), nil}).withText()
	readByThem := document(cgoDocument{must(cgo.Load(ours.save())), nil}).withText()
	if read.read() != theirs.read() || readByThem.read() != ours.read() || len(ours.read()) < 1000 {
		t.Fatal("a text changed on the way")
	}
	left, right := read.fork("left").withText(), readByThem.fork("right").withText()
	left.splice(3, 2, "größe")
	left.number("left", 7)
	left.commit("left", 5)
	right.splice(4, 1, "日本")
	right.commit("right", 6)
	leftSaved, rightSaved := left.save(), right.save()
	left.merge(rustgoDocument{must(automerge.Load(rightSaved)), nil})
	right.merge(cgoDocument{must(cgo.Load(leftSaved)), nil})
	if left.read() != right.read() || !strings.Contains(left.read(), "größe") || !strings.Contains(left.read(), "日本") {
		t.Error("the merged texts differ")
	}
	heads, headsOfTheirs := left.heads(), right.heads()
	slices.Sort(heads)
	slices.Sort(headsOfTheirs)
	if len(heads) != 2 || !slices.Equal(heads, headsOfTheirs) {
		t.Errorf("%v and %v", heads, headsOfTheirs)
	}
	if a, b := forked(read), forked(readByThem); a != 2 || b != 2 {
		t.Errorf("%d and %d heads", a, b)
	}
}

// TestAllKinds checks that a document with each kind of value is loaded and saved without loss.
func TestAllKinds(t *testing.T) {
	d := cgo.New()
	root := d.RootMap()
	for key, value := range map[string]any{"null": nil, "bool": true, "string": "größe", "bytes": []byte{0, 255}, "int": int64(-5), "uint": uint64(1 << 63),
		"float": 0.25, "time": time.UnixMilli(1234), "counter": cgo.NewCounter(9), "text": cgo.NewText("日本"), "list": []any{int64(1), "two"}} {
		check(root.Set(key, value))
	}
	must(d.Commit("all kinds"))
	saved := d.Save()
	ours := must(automerge.Load(saved))
	if !bytes.Equal(ours.Save(), saved) {
		t.Error("the saved documents differ")
	}
	if n, ok := ours.Int("int"); n != -5 || !ok {
		t.Errorf("int is %d, %v", n, ok)
	}
	for key, want := range map[string]string{"null": "Null", "bool": "Boolean(true)", "string": `Str("größe")`, "bytes": "Bytes([0, 255])",
		"uint": "Uint(9223372036854775808)", "float": "F64(0.25)", "time": "Timestamp(1234)"} {
		if got, ok := ours.Value(key); got != want || !ok {
			t.Errorf("%s is %s, %v", key, got, ok)
		}
	}
	if got := must(ours.Contents(must(ours.Text("text")))); got != "日本" {
		t.Errorf("text is %q", got)
	}
	check(ours.PutString("string", "by rustgo"))
	ours.Commit("string", 1)
	again := must(cgo.Load(ours.Save()))
	if got := must(again.RootMap().Get("string")).Str(); got != "by rustgo" {
		t.Errorf("string is %q", got)
	}
	if got := must(again.RootMap().Get("list")).List().Len(); got != 2 {
		t.Errorf("list has %d values", got)
	}
	if ours.Changes() != 2 {
		t.Errorf("%d changes", ours.Changes())
	}
}

// TestDamagedDocuments checks that both packages refuse the same documents.
func TestDamagedDocuments(t *testing.T) {
	saved := history()
	for at := 0; at < len(saved); at += 1 + len(saved)/200 {
		damaged := bytes.Clone(saved)
		damaged[at] ^= 0x10
		_, ours := automerge.Load(damaged)
		_, theirs := cgo.Load(damaged)
		if (ours == nil) != (theirs == nil) {
			t.Errorf("byte %d: %v, %v", at, ours, theirs)
		}
	}
}

// TestFunctions checks that both packages find the same functions, at the same places, with the same arguments and state mutability.
func TestFunctions(t *testing.T) {
	for _, name := range contractNames {
		code := contract(name)
		for length := range []int{0, 1, 2} {
			code := code[:len(code)>>length]
			found := wazeroContract(code, wasm.Options{Selectors: true, Arguments: true, StateMutability: true}).Functions
			selectors, offsets, arguments, mutability, fallback := evmole.Functions(code)
			if length == 0 && len(found) < 10 {
				t.Errorf("%s has %d functions", name, len(found))
			}
			if len(found) != len(selectors) {
				t.Errorf("%s: %d and %d functions", name, len(selectors), len(found))
				continue
			}
			for i, f := range found {
				got := []any{hex.EncodeToString(selectors[i][:]), int(offsets[i]), arguments[i], mutability[i], fallback[i]}
				want := []any{f.Selector, f.BytecodeOffset, text(f.Arguments), text(f.StateMutability), f.Dispatch == wasm.SelectorDispatchFallback}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %v and %v", name, got, want)
				}
			}
			if !slices.Equal(evmole.Selectors(code), selectors) {
				t.Errorf("%s: Selectors and Functions differ", name)
			}
		}
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
