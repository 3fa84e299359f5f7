package report

import (
	_ "embed"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed page.css
var css string

//go:embed page.js
var script string

// Write makes RESULTS.md and index.html in the folder.
func (d *Data) Write(folder string) error {
	if err := os.WriteFile(filepath.Join(folder, "RESULTS.md"), []byte(d.markdown()), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "index.html"), []byte(d.page()), 0o666)
}

// tile is a ratio at the head of the page.
type tile struct{ value, text string }

// tiles are what rustgo's packages are in relation to Go's standard library.
func (d *Data) tiles() (all []tile) {
	add := func(table, group string, x int, text string) {
		if ratio, _ := d.Find(table, group, x).ratio("gostd", "rustgo"); !math.IsNaN(ratio) {
			all = append(all, tile{digits(ratio) + " ×", text})
		}
	}
	add("aes-seal", "reused", 16<<10, "AES-256-GCM, 16 KiB")
	add("aes-seal", "reused", 64, "AES-256-GCM, 64 bytes")
	add("single", "x25519", 0, "X25519 exchange")
	add("single", "sign", 0, "Ed25519 signature")
	add("single", "verify", 0, "Ed25519 verification")
	add("single", "encaps", 0, "ML-KEM-768 encapsulation")
	add("single", "decaps", 0, "ML-KEM-768 decapsulation")
	return all
}

func (d *Data) machine() string {
	text := fmt.Sprintf("%s, %d processors, %s, %s. %d runs; the medians count, ± is half of what lies between the quartiles.", d.CPU, d.CPUs,
		d.System, d.Began, d.Runs)
	if d.Pinned != "" {
		text += fmt.Sprintf(" Rows with one thread are tied to %s.", d.Pinned)
	}
	return text + fmt.Sprintf(" Load average at the beginning %s; other programs took %.1f %% of the processors' time. %d results were compared "+
		"before: all columns agree. It took %.0f minutes.",
		d.Load, 100*d.Others, d.Checked, d.Minutes)
}

func (d *Data) page() string {
	var b strings.Builder
	out := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	out("<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>Cryptography for "+
		"Go: Rust, Go, libsodium</title>\n<style>\n%s</style>\n<main>\n", css)
	out("<h1>Cryptography for Go: Rust, Go, libsodium</h1>\n<p class=\"soft\">The same work by native Rust, by Go's own packages, by libsodium "+
		"through cgo, fastcgo and rustgo, and by Rust crates that rustgo has made Go packages of. "+
		"Lines of one colour are one library; the dashes say how it is called. Point at a name to see it alone.</p>\n<p "+
		"class=\"meta\">%s</p>\n", escape(d.machine()))
	if d.Short {
		out("<p class=\"meta\"><b>A short run: it shows that all works, and is no measurement.</b></p>\n")
	}
	if tiles := d.tiles(); tiles != nil {
		out("<p class=\"soft\">Packages made by rustgo, in relation to Go's standard library (1 is as fast):</p>\n<div class=\"tiles\">")
		for _, t := range tiles {
			out("<div class=\"tile\"><b>%s</b><span>%s</span></div>", t.value, escape(t.text))
		}
		out("</div>\n")
	}
	table := func(t *Table) {
		if t != nil {
			b.WriteString(t.html())
		}
	}
	section := func(title, text string) { out("<h2>%s</h2>\n<p class=\"soft\">%s</p>\n", escape(title), escape(text)) }

	section("Encryption", "Go's call for a text in one buffer and its ciphertext in another. Processor time, so that what else the machine does "+
		"counts little.")
	b.WriteString(d.throughput("aes-seal", "AES-256-GCM", ""))
	b.WriteString(d.throughput("chacha-seal", "ChaCha20-Poly1305", " Same crates: RustCrypto; other: graviola."))
	out("<p>%s</p>\n", escape(d.noChaCha()))
	out("<details><summary>The figures</summary>")
	table(d.sealTable("aes", "AES-256-GCM"))
	table(d.sealTable("chacha", "ChaCha20-Poly1305"))
	out("</details>\n")
	b.WriteString(d.fresh("aes-seal", "What a new buffer costs: AES-256-GCM"))

	section("Keys and signatures", "One operation at a time. An exchange is from the bytes of a public key to the shared secret; encapsulation "+
		"begins with the bytes of a key.")
	table(d.singleTable())
	b.WriteString(`<div class="grid">`)
	for _, o := range []string{"x25519", "sign", "verify", "batch", "encaps", "decaps"} {
		b.WriteString(d.simple(operationTitles[o], "time, each; shorter is faster", "single", o, 0, false))
	}
	b.WriteString("</div>\n")
	b.WriteString(d.scaling())
	out("<details><summary>The figures, and other values of GOMAXPROCS</summary>")
	table(d.scaleTable("scale", "X25519 exchanges a second", "In relation to Go's standard library with as many goroutines and processors. Threads "+
		"of Rust run on all processors."))
	table(d.scaleTable("scale-cpu", "X25519 exchanges in a second of processor time", "What else the machine does counts less here. A loss shows "+
		"with more goroutines if they hinder each other."))
	out("</details>\n")

	section("Latency with 10,000 requests to sign", "Closed loop: 10,000 clients ask, and ask again as soon as they are answered. A request waits "+
		"for its turn behind the others, so that what a client sees is the queue. "+
		"Open loop: requests come at random times fixed beforehand, and each counts from its own, also if the program could not begin it in time "+
		"(no coordinated omission). Goroutines here, tasks of tokio in Rust. The charts show which share of requests is done after which time, "+
		"with as much room for 99 to 99.9 % as for 0 to 90 %.")
	b.WriteString(d.distribution("closed", "service", "Closed loop: the call alone", "From the call of the library to its return. A preempted "+
		"goroutine or thread counts as it is."))
	b.WriteString(d.distribution("closed", "response", "Closed loop: what a client waits for", "From question to answer: 10,000 requests take "+
		"turns on the processors. The scheduler decides who waits how long."))
	table(d.latencyTable("closed", "Closed loop", "10,000 clients."))
	for _, rate := range d.Rates {
		name := fmt.Sprint("open ", rate)
		b.WriteString(d.distribution(name, "response", fmt.Sprintf("Open loop: %s requests a second", grouped(int64(rate))), "From the time at "+
			"which the request was to come, to its answer. 10,000 goroutines or tasks wait for requests."))
		out("<details><summary>The figures</summary>")
		table(d.latencyTable(name, fmt.Sprintf("Open loop, %s requests a second", grouped(int64(rate))), "From the intended time."))
		out("</details>\n")
	}

	section("What a call costs", "The price of the border between Go and the code that does the work.")
	b.WriteString(`<div class="grid">` + d.simple("An empty call", "a function that does nothing; shorter is faster", "single", "empty", 0,
		false) + "</div>\n")
	table(d.overheadTable())

	section("A large payload, in parallel", "Chunks of an AEAD stream (STREAM: a nonce of prefix, number and last), by goroutines, and by rayon in "+
		"Rust.")
	b.WriteString(`<div class="grid">`)
	for _, chunk := range []int{16 << 10, 64 << 10, 1 << 20} {
		b.WriteString(d.chunked(chunk))
	}
	b.WriteString("</div>\n<details><summary>The figures</summary>")
	table(d.chunkTable())
	out("</details>\n")

	section("Memory, garbage collection, compilers", "What does not show in throughput.")
	b.WriteString(`<div class="grid">`)
	b.WriteString(d.simple("Memory of 1,000 operations", "resident, beyond the idle process; shorter is less", "memory", "rss", 1000, false))
	b.WriteString(d.simple("Memory of 10,000 operations", "resident, beyond the idle process; shorter is less", "memory", "rss", 10000, false))
	b.WriteString(d.simple("Longest stop of the world, short calls", "while 16 KiB are sealed all the time", "pauses", "seal", 16<<10, false))
	b.WriteString(d.simple("Longest stop of the world, long calls", "while 16 MiB are sealed all the time", "pauses", "seal", 16<<20, false))
	b.WriteString(d.simple("Compile time, clean", "shorter is faster", "compile", "clean", 0, false))
	b.WriteString(d.simple("Compile time, incremental", "shorter is faster", "compile", "incremental", 0, false))
	b.WriteString(d.simple("Stripped program", "shorter is smaller", "size", "stripped", 0, false))
	b.WriteString("</div>\n")
	table(d.memoryTable())
	table(d.pauseTable())
	table(d.compileTable())

	section("Left out", "What this run could not do, and what other columns do not have.")
	out("<ul class=\"soft\">")
	for _, left := range append(slices.Clone(d.Left), d.absent()...) {
		out("<li>%s</li>", escape(left))
	}
	out("</ul>\n<h2>Versions</h2>\n<ul class=\"versions\">")
	for _, v := range d.Versions {
		out("<li>%s %s</li>", escape(v.Name), escape(v.Text))
	}
	out("</ul>\n<p class=\"meta\">Made by <code>%s</code> in bench/crypto; METHOD.md there says how. All figures: data.json.</p>\n",
		escape(d.Command))

	out("<h2>An article's claims</h2>\n<p class=\"soft\"><a href=\"%s\">%s</a>. %s</p>\n", articleURL, escape(articleTitle), escape(intro))
	out("<div class=\"scroll\"><table class=\"claims\"><tr><th>claim</th><th>article</th><th>measured here</th><th>verdict</th></tr>\n")
	for _, c := range d.Claims() {
		class := "open"
		if strings.Contains(c.Verdict, notHeld) {
			class = "not"
		} else if strings.HasPrefix(c.Verdict, held) {
			class = "held"
		}
		out("<tr><td>%s</td><td>%s</td><td>%s<small>%s</small></td><td class=\"verdict %s\">%s</td></tr>\n", escape(c.Subject), escape(c.Article),
			escape(c.Ours), escape(c.Why), class, escape(c.Verdict))
	}
	out("</table></div>\n</main>\n<script>\n%s</script>\n</html>\n", script)
	return b.String()
}

// The article whose claims are judged.
const (
	articleTitle = "Benchmark: Rust 1.83 vs. Go 1.24 for Cryptographic Operations with Libsodium 1.0.19"
	articleURL   = "https://dev.to/johalputt/benchmark-rust-183-vs-go-124-for-cryptographic-operations-with-libsodium-1019-kik"
)

const intro = "Its machine by its own account: 16 cores and 32 threads of an AMD EPYC 9654 without turbo, libsodium compiled with -O3 -march=native. Its table gives a figure " +
	"for each language and neither sizes nor programs. A ratio is held if at least 80 % of the advantage that it claims was measured here; if what " +
	"is missing is within the spread, nothing can be said. All verdicts are computed from the run's data."

// noChaCha says why there is no package for ChaCha20-Poly1305: how fast the crates are beside Go's, called by Rust itself.
func (d *Data) noChaCha() string {
	row := d.Find("chacha-seal", "reused", 16<<10)
	var parts []string
	for _, c := range []struct{ column, crate string }{
		{"rust", "RustCrypto"}, {"rust-other", "graviola"}, {"rust-libcrux", "libcrux"}, {"rust-ring", "ring (BoringSSL's assembly, not Rust: the limit)"},
	} {
		if ratio, _ := row.ratio("gostd", c.column); !math.IsNaN(ratio) {
			v, _ := row.Median(c.column)
			parts = append(parts, fmt.Sprintf("%s %s, %s ×", c.crate, quantity(16<<10/v*1e9, "B/s"), digits(ratio)))
		}
	}
	if parts == nil {
		return "There is no package for ChaCha20-Poly1305; this run has no columns in Rust that show why."
	}
	v, _ := row.Median("gostd")
	return fmt.Sprintf("There is no package for ChaCha20-Poly1305: of 16 KiB golang.org/x/crypto seals %s, and the crates, called by Rust itself: %s.",
		quantity(16<<10/v*1e9, "B/s"), strings.Join(parts, "; "))
}

// absent is what columns do not have.
func (d *Data) absent() []string { return append([]string{d.noChaCha()}, lacking...) }

var lacking = []string{
	"libsodium by rustgo, X25519: without the assembly for AVX (sandy2x), which rustgo refuses: \u201cchanges the stack pointer with `sub`: `sub " +
		"rsp, r11`\u201d. The library's portable code is used.",
	"circl, filippo.io and curve25519-voi have some of the operations only; libsodium verifies no batches.",
}

func (t *Table) html() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<h3>%s</h3>\n<p class=\"meta\">%s</p>\n<div class=\"scroll\"><table><tr>", escape(t.Title), escape(t.Text))
	for _, head := range t.Head {
		fmt.Fprintf(&b, "<th>%s</th>", escape(head))
	}
	b.WriteString("</tr>\n")
	for _, row := range t.Rows {
		b.WriteString("<tr>")
		for _, cell := range row {
			ground := ""
			if cell.Good > 0.03 {
				ground = fmt.Sprintf(` style="background:rgba(var(--good),%.2f)"`, 0.5*cell.Good)
			} else if cell.Good < -0.03 {
				ground = fmt.Sprintf(` style="background:rgba(var(--bad),%.2f)"`, -0.5*cell.Good)
			}
			detail := ""
			if cell.Detail != "" {
				detail = "<small>" + escape(cell.Detail) + "</small>"
			}
			fmt.Fprintf(&b, "<td%s>%s%s</td>", ground, escape(cell.Text), detail)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table></div>\n")
	return b.String()
}
