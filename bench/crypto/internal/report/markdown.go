package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// tables are all, in the order of the page.
func (d *Data) tables() (all []*Table) {
	list := []*Table{d.singleTable(), d.sealTable("aes", "AES-256-GCM"), d.sealTable("chacha", "ChaCha20-Poly1305"), d.scaleTable("scale", "X25519 "+
		"exchanges a second", "In relation to Go's standard library with as many goroutines and processors. Threads of Rust run on all "+
		"processors."),
		d.scaleTable("scale-cpu", "X25519 exchanges in a second of processor time", "What else the machine does counts less "+
			"here."), d.latencyTable("closed", "Closed loop", "10,000 clients that ask again as soon as they are answered.")}
	for _, rate := range d.Rates {
		list = append(list, d.latencyTable(fmt.Sprint("open ", rate), fmt.Sprintf("Open loop, %s requests a second", grouped(int64(rate))), "A "+
			"request counts from the time at which it was to come."))
	}
	for _, t := range append(list, d.overheadTable(), d.chunkTable(), d.memoryTable(), d.pauseTable(), d.compileTable()) {
		if t != nil {
			all = append(all, t)
		}
	}
	return all
}

func (d *Data) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Cryptography for Go: Rust, Go, libsodium\n\n%s\n\nMade by `%s` in bench/crypto; METHOD.md there says how. index.html shows "+
		"the same with pictures.\n", d.machine(), d.Command)
	if d.Short {
		b.WriteString("\n**A short run: it shows that all works, and is no measurement.**\n")
	}
	b.WriteString("\nPackages made by rustgo, in relation to Go's standard library (1 is as fast):\n\n")
	for _, t := range d.tiles() {
		fmt.Fprintf(&b, "- %s: %s\n", t.text, t.value)
	}
	for _, t := range d.tables() {
		b.WriteString(t.markdown())
	}
	b.WriteString("\n## Left out\n\n")
	for _, left := range append(slices.Clone(d.Left), d.absent()...) {
		fmt.Fprintf(&b, "- %s\n", left)
	}
	b.WriteString("\n## Versions\n\n")
	for _, v := range d.Versions {
		fmt.Fprintf(&b, "- %s %s\n", v.Name, v.Text)
	}
	fmt.Fprintf(&b, "\n## An article's claims\n\n[%s](%s). %s\n\n| claim | article | measured here | verdict |\n|---|---|---|---|\n", articleTitle,
		articleURL, intro)
	for _, c := range d.Claims() {
		fmt.Fprintf(&b, "| %s | %s | %s. %s | **%s** |\n", c.Subject, c.Article, c.Ours, c.Why, c.Verdict)
	}
	return b.String()
}

func (t *Table) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n%s\n\n|", t.Title, t.Text)
	for _, head := range t.Head {
		fmt.Fprintf(&b, " %s |", head)
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(t.Head)-1) + "\n")
	for _, row := range t.Rows {
		b.WriteString("|")
		for _, cell := range row {
			text := cell.Text
			if cell.Detail != "" {
				text += " (" + cell.Detail + ")"
			}
			fmt.Fprintf(&b, " %s |", text)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Summary prints the ratios of the packages and the verdicts.
func (d *Data) Summary(out io.Writer) {
	fmt.Fprintln(out, "packages by rustgo in relation to Go's standard library:")
	for _, t := range d.tiles() {
		fmt.Fprintf(out, "  %-28s %s\n", t.text, t.value)
	}
	fmt.Fprintln(out, "the article's claims:")
	for _, c := range d.Claims() {
		fmt.Fprintf(out, "  %s: %s\n    article: %s\n    here: %s\n", c.Subject, c.Verdict, c.Article, c.Ours)
	}
}
