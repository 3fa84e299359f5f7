package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSite makes the site, and tests pages that only this program makes.
func TestSite(t *testing.T) {
	if _, err := findBook(); err != nil {
		t.Skip(err)
	}
	out := filepath.Join(t.TempDir(), "site")
	if err := site("../../..", out); err != nil {
		t.Fatal(err)
	}
	for name, wants := range map[string][]string{
		"index.html":                {"<title>rustgo"},
		"packages.html":             {`<a href="packages/json/index.html">json</a>`, `href="packages/zstd/index.html"`},
		"bench/results/survey.html": {"<td>adler2</td>", "tables"},
		"docs/go-packages.html":     {`href="../source/go/handle/doc.go.txt"`},
	} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Error(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s has no %s", name, want)
			}
		}
	}
	if found, err := filepath.Glob(filepath.Join(out, "searchindex*.js")); err != nil || len(found) == 0 {
		t.Errorf("the site has no search index: %v", err)
	}
}

// TestStage prepares the chapters, which needs no mdBook.
func TestStage(t *testing.T) {
	book := t.TempDir()
	count, err := stage("../../..", book)
	if err != nil {
		t.Fatal(err)
	}
	documents, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	readmes, err := filepath.Glob("../../../packages/*/README.md")
	if err != nil {
		t.Fatal(err)
	}
	results, err := filepath.Glob("../../../bench/results/*.md")
	if err != nil {
		t.Fatal(err)
	}
	// Each document, each package and each page of results has a chapter.
	for _, document := range append(append(documents, readmes...), results...) {
		name := inBook(strings.TrimPrefix(filepath.ToSlash(document), "../../../"))
		if _, err := os.Stat(filepath.Join(book, "src", name)); err != nil {
			t.Errorf("site/SUMMARY.md has no %s", document)
		}
	}
	if count < len(documents)+len(readmes)+len(results) {
		t.Errorf("%d chapters", count)
	}
}

func TestLinksInText(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"README.md", "docs/a.md", "docs/b.md", "docs/pic.svg", "code/main.go", "packages/x/README.md"} {
		if err := write(filepath.Join(root, name), name); err != nil {
			t.Fatal(err)
		}
	}
	s := &staging{root: root, src: t.TempDir(), copied: map[string]string{}, chapters: map[string]string{
		"README.md": "index.md", "docs/a.md": "docs/a.md", "docs/b.md": "docs/b.md", "packages/x/README.md": "packages/x/index.md",
	}}
	for _, test := range []struct{ from, text, want string }{
		{"docs/a.md", "see [b](b.md#part) and [top](../README.md)", "see [b](b.md#part) and [top](../index.md)"},
		{"docs/a.md", "[x](../packages/x) [x](../packages/x/README.md#api)", "[x](../packages/x/index.md) [x](../packages/x/index.md#api)"},
		{"README.md", "[code](code/main.go) [all](code)", "[code](source/code/main.go.txt) [all](source/code/files.txt)"},
		{"docs/a.md", "![pic](pic.svg)", "![pic](../source/docs/pic.svg)"},
		{"docs/a.md", "`m[i](README.md)` [`b`](b.md)", "`m[i](README.md)` [`b`](b.md)"},
		{"README.md", "```go\nm[i](docs/a.md)\n```\n[a](docs/a.md)", "```go\nm[i](docs/a.md)\n```\n[a](docs/a.md)"},
		{"README.md", "[out](https://example.com/README.md) [here](#x)", "[out](https://example.com/README.md) [here](#x)"},
	} {
		if got, err := s.adapt(test.from, test.text); err != nil || got != test.want {
			t.Errorf("%s: %q: %q, %v; want %q", test.from, test.text, got, err, test.want)
		}
	}
	for _, text := range []string{"[none](none.md)", "[out](../../secret)"} {
		if got, err := s.adapt("docs/a.md", text); err == nil {
			t.Errorf("%q gives %q and no error", text, got)
		}
	}
}

func TestCheckLinks(t *testing.T) {
	for _, test := range []struct{ link, want string }{
		{"b.html", ""},
		{"b.html#part", ""},
		{"#top", ""},
		{"d/", ""},
		{"https://example.com/none", ""},
		{"b.html#none", "a.html: b.html#none: no such heading"},
		{"#none", "a.html: #none: no such heading"},
		{"c.html", "a.html: c.html: no such file"},
		{"../a.html", "a.html: ../a.html: outside the site"},
		{"e", "a.html: e: a folder without a page"},
	} {
		site := t.TempDir()
		if err := errors.Join(
			write(filepath.Join(site, "a.html"), `<h1 id="top"> <a href="`+test.link+`"> <a href="b.html">`),
			write(filepath.Join(site, "b.html"), `<h2 id="part">`),
			write(filepath.Join(site, "d", "index.html"), ""),
			write(filepath.Join(site, "e", "file"), ""),
		); err != nil {
			t.Fatal(err)
		}
		if _, err := checkLinks(site); fmt.Sprint(err) != test.want && (err != nil || test.want != "") {
			t.Errorf("%s: %v; want %q", test.link, err, test.want)
		}
	}
	if _, err := checkLinks(t.TempDir()); err == nil {
		t.Error("a site without links gives no error")
	}
}

// TestTables clicks on the heads of a table, and types into its field, in a browser.
func TestTables(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
		}
	}
	if browser == "" {
		t.Skip("no chromium")
	}
	script, err := os.ReadFile("../../../site/tables.js")
	if err != nil {
		t.Fatal(err)
	}
	rows := ""
	for i := range 30 {
		unit := "KiB"
		if i%2 == 1 {
			unit = "MiB"
		}
		rows += fmt.Sprintf("<tr><td>crate%d</td><td>%d.5 %s / 1 B</td></tr>", i, 40-i, unit)
	}
	rows += "<tr><td>empty</td><td></td></tr>"
	page := filepath.Join(t.TempDir(), "page.html")
	text := "<!DOCTYPE html><meta charset=utf-8><main><table><thead><tr><th>name</th><th>size</th></tr></thead><tbody>" + rows + "</tbody></table></main><p id=out></p><script>" +
		string(script) + `
		const names = () => [...document.querySelectorAll("tbody tr")].filter(r => !r.hidden).map(r => r.cells[0].textContent);
		const heads = document.querySelectorAll("button.sort");
		const log = [];
		const note = () => log.push(names()[0], names().at(-1), names().length);
		heads[1].click(); note();
		heads[1].click(); note();
		heads[0].click(); note();
		const field = document.querySelector("input.rows");
		field.value = "CRATE29"; field.dispatchEvent(new Event("input")); note();
		document.getElementById("out").textContent = log.join(" ");
		</script>`
	if err := write(page, text); err != nil {
		t.Fatal(err)
	}
	made, err := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+page).Output()
	if err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(`<p id="out">(.*)</p>`).FindStringSubmatch(string(made))
	// By size: 12.5 KiB is the least and 39.5 MiB the largest; the empty cell is last both times. By name: crate2 comes before crate10.
	if want := "crate28 empty 31 crate1 empty 31 crate0 empty 31 crate29 crate29 1"; got == nil || got[1] != want {
		t.Errorf("%q, want %q", got, want)
	}
}
