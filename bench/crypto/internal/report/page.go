package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// base is the column that the tables compare the other columns with.
const base = "gostd"

// A section of the page has charts, and a table with one measurement in each line.
type section struct {
	title, text string
	charts      []chart
	relative    bool // cells state how many times as fast as base a column is
	lines       []line
}

type line struct {
	name string
	row  *Row
}

// Read reads data.json in the folder.
func Read(folder string) (*Data, error) {
	text, err := os.ReadFile(filepath.Join(folder, "data.json"))
	if err != nil {
		return nil, err
	}
	d := new(Data)
	return d, json.Unmarshal(text, d)
}

// Save writes data.json to the folder, with one row in each line so that a diff shows rows.
func (d *Data) Save(folder string) error {
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	text = append(bytes.ReplaceAll(text, []byte(`{"table"`), []byte("\n{\"table\"")), '\n')
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "data.json"), text, 0o666)
}

// Write writes RESULTS.md and its charts to the folder.
func (d *Data) Write(folder string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Cryptography for Go: Rust, Go, libsodium\n\n%s\n\nMade by `%s` in bench/crypto; [the method](../../crypto/METHOD.md) describes the columns, the "+
		"measurements and the rules. [data.json](data.json) has each single measurement.\n", d.machine(), d.Command)
	if d.Short {
		b.WriteString("\n**A short run: it shows that everything works. Its figures are no measurement.**\n")
	}
	for _, note := range d.Notes {
		fmt.Fprintf(&b, "\n**%s**\n", note)
	}
	for _, s := range d.sections() {
		if text := d.markdown(s); text != "" {
			fmt.Fprintf(&b, "\n## %s\n\n%s\n", s.title, s.text)
			for _, c := range s.charts {
				fmt.Fprintf(&b, "\n![%s](%s)\n", c.title, c.file)
				if err := d.draw(c, filepath.Join(folder, c.file)); err != nil {
					return err
				}
			}
			b.WriteString(text)
		}
	}
	b.WriteString("\n## Left out\n\n")
	for _, left := range append(slices.Clone(d.Left), missing...) {
		fmt.Fprintf(&b, "- %s\n", left)
	}
	b.WriteString("\n## Versions\n\n")
	for _, v := range d.Versions {
		fmt.Fprintf(&b, "- %s %s\n", v.Name, v.Text)
	}
	fmt.Fprintf(&b, "\n## Claims of an article\n\n%s\n\n| claim | article | measured here | verdict |\n|---|---|---|---|\n", article)
	for _, c := range d.claims() {
		ours, verdict := c.rule()
		if ours == "" {
			ours, verdict = "not measured", cannotSay
		}
		fmt.Fprintf(&b, "| %s | %s | %s. %s | **%s** |\n", c.subject, c.article, ours, c.note, verdict)
	}
	return os.WriteFile(filepath.Join(folder, "RESULTS.md"), []byte(b.String()), 0o666)
}

var missing = []string{
	"There is no package for ChaCha20-Poly1305: golang.org/x/crypto is faster than every crate (the table above).",
	"libsodium by rustgo, X25519: rustgo refuses the assembly for AVX (sandy2x): “changes the stack pointer with `sub`: `sub rsp, r11`”. The column uses " +
		"libsodium's portable code.",
	"circl, filippo.io and curve25519-voi have only some of the operations; libsodium verifies no batches.",
}

func (d *Data) machine() string {
	text := fmt.Sprintf("%s, %d processors, %s, %s. Medians of %d runs; ± is half the distance between the quartiles, relative to the median. A value without ± was "+
		"measured once, or computed from medians.", d.CPU, d.CPUs, d.System, d.Began, d.Runs)
	if d.Pinned != "" {
		text += fmt.Sprintf(" Rows with one thread are pinned to %s.", d.Pinned)
	}
	return text + fmt.Sprintf(" Load average at the start: %s; other programs used %.1f %% of the processors' time. All columns agreed in %d results before the "+
		"measurements. The run took %.0f minutes.", d.Load, 100*d.Others, d.Checked, d.Minutes)
}

// markdown returns the section's table, or "" if nothing was measured. The columns keep the order of the data, except that base comes first.
func (d *Data) markdown(s section) string {
	var columns []Item
	for _, c := range d.Columns {
		switch {
		case !slices.ContainsFunc(s.lines, func(l line) bool { return l.row != nil && len(l.row.Values[c.Name]) > 0 }):
		case s.relative && c.Name == base:
			columns = slices.Insert(columns, 0, c)
		default:
			columns = append(columns, c)
		}
	}
	if columns == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n| |")
	for _, c := range columns {
		fmt.Fprintf(&b, " %s |", c.Text)
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(columns)) + "\n")
	for _, l := range s.lines {
		if l.row == nil {
			continue
		}
		fmt.Fprintf(&b, "| %s |", l.name)
		for _, c := range columns {
			cell := l.row.cell(c.Name)
			ratio, _ := l.row.ratio(base, c.Name)
			if l.row.Unit == "/s" { // here a higher value is better
				ratio = 1 / ratio
			}
			if s.relative && c.Name != base && !math.IsNaN(ratio) {
				cell = fmt.Sprintf("%s × (%s)", digits(ratio), cell)
			}
			fmt.Fprintf(&b, " %s |", cell)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// cell formats the median of a column with its spread.
func (r *Row) cell(column string) string {
	median, spread := r.median(column)
	text := quantity(median, r.Unit)
	if len(r.Values[column]) > 1 {
		text += fmt.Sprintf(" ± %.0f %%", 100*spread)
	}
	return text
}

var operations = map[string]string{
	"x25519": "X25519 exchange", "sign": "Ed25519 sign", "verify": "Ed25519 verify", "batch": "Ed25519 verify, in a batch of 64",
	"keygen": "ML-KEM-768 keys from a seed", "encaps": "ML-KEM-768 encapsulate", "decaps": "ML-KEM-768 decapsulate",
}

// sections returns all sections, in the order of the page.
func (d *Data) sections() []section {
	const times = "How many times as fast as Go's standard library, and the time."
	var single []line
	for _, o := range []string{"x25519", "sign", "verify", "batch", "keygen", "encaps", "decaps"} {
		single = append(single, line{operations[o], d.find("single", o, 0)})
	}
	all := []section{
		{"One operation, one thread", times, nil, true, single},
		d.aead("AES-256-GCM", "aes", times),
		d.aead("ChaCha20-Poly1305", "chacha", times+" The packages' crates: RustCrypto; other crates: graviola; ring is BoringSSL's assembly, which is the limit."),
		{"X25519 exchanges a second", "By the clock, relative to Go's standard library with as many goroutines and processors. In Rust, threads run on all processors.",
			[]chart{d.scaling()}, true, d.scale("scale")},
		{"X25519 exchanges in a second of processor time", "Other programs disturb processor time less than the clock.", nil, true, d.scale("scale-cpu")},
		d.latency("closed", "Closed loop: 10,000 clients that sign", "Each client asks again as soon as it has the answer. A call lasts from the library's entry to its "+
			"return; a request lasts from question to answer, including the queue."),
	}
	for _, rate := range d.Rates {
		all = append(all, d.latency(fmt.Sprint("open ", rate), fmt.Sprintf("Open loop: %s requests a second", digits(float64(rate))),
			"10,000 goroutines or tasks of tokio wait for requests to sign. A request counts from its intended time."))
	}
	var chunks, pauses []line
	for _, chunk := range []int{16 << 10, 64 << 10, 1 << 20} {
		for _, workers := range d.xs("chunks", chunk) {
			chunks = append(chunks, line{fmt.Sprintf("chunks of %s, workers: %d", size(chunk), workers), d.find("chunks", chunk, workers)})
		}
	}
	for _, table := range []string{"pauses", "collections"} {
		name := map[string]string{"pauses": "stop", "collections": "collection"}[table]
		pauses = append(pauses, line{name + ", sign", d.find(table, "sign", 256)})
		for _, x := range d.xs(table, "seal") {
			pauses = append(pauses, line{name + ", seal " + size(x), d.find(table, "seal", x)})
		}
	}
	return append(all,
		section{"The cost of a call", "An empty call, the time beyond the same code in Rust, and the empty call as a share of the operation. The empty call of rustgo is " +
			"an entry with a frame; the time beyond Rust includes rustgo's checks of arguments and what Go's interface needs, such as a new slice for a signature.",
			nil, false, d.overhead()},
		section{size(d.Payload) + " of AES-256-GCM in chunks", times + " A stream of chunks (STREAM: prefix, number, last). Rust's workers are rayon's, Go's are goroutines.",
			nil, true, chunks},
		section{"Memory of simultaneous operations", "Resident memory beyond the idle process, and the memory in use by Go's heap and stacks. Translated code runs on the " +
			"goroutine's stack, which grows to the code's stack bound; cgo has one stack for each thread in a call. All columns in Go are one program.",
			nil, false, []line{{"1,000: resident", d.find("memory", "rss", 1000)}, {"1,000: Go's heap and stacks", d.find("memory", "heap", 1000)},
				{"10,000: resident", d.find("memory", "rss", 10000)}, {"10,000: Go's heap and stacks", d.find("memory", "heap", 10000)},
				{"idle process", d.find("memory", "base", 1000)}}},
		section{"The garbage collector", "The longest stop of the world and the longest collection while every processor makes calls and another goroutine collects all the " +
			"time. A stop waits for each call that cannot be preempted: calls by fastcgo, and by rustgo unless the call is blocking. A stop is the upper bound of a bucket " +
			"of the runtime's histogram.", nil, false, pauses},
		section{"Compile time and size", "A program that uses AES-256-GCM, X25519 and Ed25519 once. Clean: everything except the languages' standard libraries is compiled; " +
			"sources are already downloaded. Incremental: one line of the main function is changed.", nil, false,
			[]line{{"clean", d.find("compile", "clean", 0)}, {"incremental", d.find("compile", "incremental", 0)}, {"stripped program", d.find("size", "stripped", 0)}}})
}

func (d *Data) aead(title, cipher, text string) section {
	s := section{title, text, []chart{d.throughput(cipher, title)}, true, nil}
	for _, part := range []struct{ table, group, name string }{
		{"-seal", "reused", "seal %s"}, {"-open", "reused", "open %s"}, {"-seal", "fresh", "seal %s, new buffer"},
	} {
		for _, x := range d.xs(cipher+part.table, part.group) {
			s.lines = append(s.lines, line{fmt.Sprintf(part.name, size(x)), d.find(cipher+part.table, part.group, x)})
		}
	}
	return s
}

func (d *Data) scale(table string) (lines []line) {
	for _, processors := range slices.Compact([]int{1, d.CPUs, 2 * d.CPUs}) {
		for _, x := range d.xs(table, processors) {
			lines = append(lines, line{fmt.Sprintf("goroutines: %d, GOMAXPROCS: %d", x, processors), d.find(table, processors, x)})
		}
	}
	return lines
}

func (d *Data) latency(table, title, text string) section {
	s := section{title, text, []chart{d.distribution(table, title)}, false, nil}
	for _, part := range []struct{ group, name string }{{"service", "call"}, {"response", "request"}} {
		for _, q := range []string{"p50", "p99", "p99.9", "max"} {
			s.lines = append(s.lines, line{part.name + " " + q, d.find(table, part.group+" "+q, 10000)})
		}
	}
	if table == "closed" { // in an open loop the rate is an input, not a result
		s.lines = append(s.lines, line{"signatures a second", d.find(table, "rate", 10000)})
	}
	return s
}

// native names, for each column in Go, the column in Rust that runs the same code.
var native = map[string]string{"sodium-cgo": "rust-sodium", "sodium-fastcgo": "rust-sodium", "sodium-rustgo": "rust-sodium", "rust-cgo": "rust", "rustgo": "rust"}

// works returns the operations whose time is compared with the time of an empty call.
func (d *Data) works() (works []line) {
	for _, x := range []int{16, 64, 1 << 10, 16 << 10} {
		works = append(works, line{"AES-256-GCM " + size(x), d.find("aes-seal", "reused", x)})
	}
	for _, o := range []string{"x25519", "sign", "verify", "encaps"} {
		works = append(works, line{operations[o], d.find("single", o, 0)})
	}
	return works
}

// overhead computes the rows of the table of overheads from the medians of other rows.
func (d *Data) overhead() []line {
	empty := d.find("single", "empty", 0)
	derived := func(unit string, value func(column string) float64) *Row {
		row := &Row{Unit: unit, Values: map[string][]float64{}}
		for _, c := range d.Columns {
			if v := value(c.Name); !math.IsNaN(v) && !math.IsNaN(empty.value(c.Name)) {
				row.Values[c.Name] = []float64{v}
			}
		}
		return row
	}
	lines := []line{{"empty call", empty}}
	works := d.works()
	for _, w := range []line{works[1], works[5]} { // AES-256-GCM of 64 bytes, and a signature
		lines = append(lines, line{"beyond Rust, " + w.name, derived("ns", func(c string) float64 { return w.row.value(c) - w.row.value(native[c]) })})
	}
	for _, w := range works {
		lines = append(lines, line{"share of " + w.name, derived("%", func(c string) float64 { return 100 * empty.value(c) / w.row.value(c) })})
	}
	return lines
}
