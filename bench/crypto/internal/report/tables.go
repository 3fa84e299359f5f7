package report

import (
	"fmt"
	"math"
	"slices"
)

// Table is what is written as HTML and as Markdown.
type Table struct {
	Title, Text string
	Head        []string
	Rows        [][]Cell
}

// Cell is a ratio or a quantity, and how good it is: from -1 to 1, or not a number.
type Cell struct {
	Text, Detail string
	Good         float64
}

func plain(text string) Cell { return Cell{Text: text, Good: math.NaN()} }

// ratios is a table of rows, as ratios to a base: how many times as fast a column is.
func (d *Data) ratios(title, text string, base string, rows []*Row, names []string) *Table {
	present := d.In(rows...)
	if len(present) == 0 {
		return nil
	}
	t := &Table{Title: title, Text: text, Head: []string{"", styleOf(base).short}}
	for _, c := range present {
		if c != base {
			t.Head = append(t.Head, styleOf(c).short)
		}
	}
	for i, row := range rows {
		if row == nil {
			continue
		}
		reference, spread := row.Median(base)
		cells := []Cell{plain(names[i]), plain("–")}
		if !math.IsNaN(reference) {
			cells[1] = Cell{Text: quantity(reference, row.Unit), Detail: fmt.Sprintf("± %.0f %%", 100*spread), Good: math.NaN()}
		}
		for _, c := range present {
			if c == base {
				continue
			}
			v, spread := row.Median(c)
			cell := plain("–")
			if !math.IsNaN(v) {
				ratio := reference / v
				if row.Unit == "/s" {
					ratio = v / reference
				}
				cell = Cell{Text: fmt.Sprintf("%s ×", digits(ratio)), Detail: fmt.Sprintf("%s ± %.0f %%", quantity(v, row.Unit), 100*spread),
					Good: math.Max(-1, math.Min(1, math.Log2(ratio)/2))}
				if math.IsNaN(ratio) {
					cell = Cell{Text: quantity(v, row.Unit), Detail: fmt.Sprintf("± %.0f %%", 100*spread), Good: math.NaN()}
				}
			}
			cells = append(cells, cell)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// spreadOf is what stands below a median.
func spreadOf(spread float64, runs int) string {
	if runs == 1 {
		return "1 run"
	}
	return fmt.Sprintf("± %.0f %%, %d runs", 100*spread, runs)
}

// values is a table of columns, one a line, with their medians in several rows.
func (d *Data) values(title, text string, rows []*Row, names []string) *Table {
	t := &Table{Title: title, Text: text, Head: append([]string{""}, names...)}
	for _, c := range d.In(rows...) {
		cells := []Cell{plain(styleOf(c).short)}
		for _, row := range rows {
			v, spread := row.Median(c)
			cell := plain("–")
			if !math.IsNaN(v) {
				cell = Cell{Text: quantity(v, row.Unit), Detail: spreadOf(spread, len(row.Values[c])), Good: math.NaN()}
			}
			cells = append(cells, cell)
		}
		t.Rows = append(t.Rows, cells)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

const base = "gostd"

func (d *Data) singleTable() *Table {
	var rows []*Row
	var names []string
	for _, o := range []string{"x25519", "sign", "verify", "batch", "keygen", "encaps", "decaps"} {
		rows, names = append(rows, d.Find("single", o, 0)), append(names, operationTitles[o])
	}
	return d.ratios("One operation, one thread", "How many times as fast as Go's standard library; the second number is the time.", base, rows, names)
}

func (d *Data) sealTable(table, title string) *Table {
	var rows []*Row
	var names []string
	for _, x := range d.Xs(table+"-seal", "reused") {
		rows, names = append(rows, d.Find(table+"-seal", "reused", x)), append(names, "seal "+bytesSize(x))
	}
	for _, x := range d.Xs(table+"-open", "reused") {
		rows, names = append(rows, d.Find(table+"-open", "reused", x)), append(names, "open "+bytesSize(x))
	}
	for _, x := range []int{64, 16 << 10, 16 << 20} {
		rows, names = append(rows, d.Find(table+"-seal", "fresh", x)), append(names, "seal "+bytesSize(x)+", new buffer")
	}
	return d.ratios(title, "How many times as fast as Go's; the second number is the time.", base, rows, names)
}

// sameCode is the column in Rust that runs the same code natively.
var sameCode = map[string]string{"sodium-cgo": "rust-sodium", "sodium-fastcgo": "rust-sodium", "sodium-rustgo": "rust-sodium", "rust-cgo": "rust",
	"rustgo": "rust"}

func (d *Data) overheadTable() *Table {
	columns := slices.DeleteFunc(d.In(d.Find("single", "empty", 0)), func(c string) bool { return c == "rust-other" })
	t := &Table{Title: "What a call costs", Text: "An empty call by itself, and as a share of the work. That of rustgo is an entry with a frame; " +
		"what it does besides (arguments that overlap, an object in use) is in the next two columns: " +
		"the time of a work beyond that of the same code in Rust, with all that Go's interface asks for, such as a new slice for a signature."}
	t.Head = []string{"", "empty call", "more than native, AES-256-GCM, 64 B", "more than native, sign"}
	for _, o := range overheads {
		t.Head = append(t.Head, o.name)
	}
	for _, c := range columns {
		v, spread := d.Find("single", "empty", 0).Median(c)
		cells := []Cell{plain(styleOf(c).short), {Text: quantity(v, "ns"), Detail: fmt.Sprintf("± %.0f %%", 100*spread), Good: math.NaN()}}
		for _, work := range []struct {
			table, group string
			x            int
		}{{"aes-seal", "reused", 64}, {"single", "sign", 0}} {
			row := d.Find(work.table, work.group, work.x)
			x, sx := row.Median(c)
			y, sy := row.Median(sameCode[c])
			cell := plain("–")
			if more := x - y; !math.IsNaN(more) {
				cell = Cell{Text: quantity(more, "ns"), Detail: "± " + quantity(math.Hypot(x*sx, y*sy), "ns"), Good: math.NaN()}
			}
			cells = append(cells, cell)
		}
		for i := range overheads {
			share := d.overhead(i, c)
			if math.IsNaN(share) {
				cells = append(cells, plain("–"))
				continue
			}
			cells = append(cells, Cell{Text: digits(share) + " %", Good: math.Max(-1, -share/20)})
		}
		t.Rows = append(t.Rows, cells)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

func (d *Data) latencyTable(table, title, text string) *Table {
	var rows []*Row
	var names []string
	for _, group := range []string{"service", "response"} {
		for _, q := range []string{"p50", "p99", "p99.9", "max"} {
			rows, names = append(rows, d.Find(table, group+" "+q, 10000)), append(names, map[string]string{"service": "call ",
				"response": "request "}[group]+q)
		}
	}
	if table == "closed" {
		rows, names = append(rows, d.Find(table, "rate", 10000)), append(names, "signatures a second")
	}
	return d.values(title, text, rows, names)
}

func (d *Data) scaleTable(table, title, text string) *Table {
	var rows []*Row
	var names []string
	for _, processors := range slices.Compact([]int{1, d.CPUs, 2 * d.CPUs}) {
		for _, x := range d.Xs(table, fmt.Sprint(processors)) {
			rows, names = append(rows, d.Find(table, fmt.Sprint(processors), x)), append(names, fmt.Sprintf("%d goroutines, GOMAXPROCS %d", x,
				processors))
		}
	}
	return d.ratios(title, text, base, rows, names)
}

func (d *Data) chunkTable() *Table {
	var rows []*Row
	var names []string
	for _, chunk := range []int{16 << 10, 64 << 10, 1 << 20} {
		for _, x := range d.Xs("chunks", fmt.Sprint(chunk)) {
			rows, names = append(rows, d.Find("chunks", fmt.Sprint(chunk), x)), append(names, fmt.Sprintf("%s, %d workers", bytesSize(chunk), x))
		}
	}
	return d.ratios(fmt.Sprintf("%s of AES-256-GCM in chunks", bytesSize(d.Payload)), "How many times as fast as Go's standard library. Rust's "+
		"workers are rayon's, Go's are goroutines.", base, rows, names)
}

func (d *Data) memoryTable() *Table {
	return d.values("Memory of operations at the same time", "Resident memory beyond that of the idle process, and what Go's heap and stacks have "+
		"in use. The last column is the idle process: all columns in Go are one program. Code that rustgo has translated runs on the "+
		"goroutine's stack, which grows to what the function may need; cgo has a stack of its own for each thread that is in a call.",
		[]*Row{d.Find("memory", "rss", 1000), d.Find("memory", "heap", 1000), d.Find("memory", "rss", 10000), d.Find("memory", "heap", 10000),
			d.Find("memory", "base", 1000)},
		[]string{"1,000: RSS", "1,000: Go heap", "10,000: RSS", "10,000: Go heap", "idle"})
}

func (d *Data) pauseTable() *Table {
	var rows []*Row
	var names []string
	add := func(group string, x int, name string) {
		rows = append(rows, d.Find("pauses", group, x), d.Find("collections", group, x))
		names = append(names, name+": stop", "collection")
	}
	add("sign", 256, "sign")
	for _, x := range []int{16 << 10, 1 << 20, 16 << 20} {
		add("seal", x, "seal "+bytesSize(x))
	}
	return d.values("What the garbage collector sees", "Longest stop of the world, and longest collection, while every processor makes calls and "+
		"another goroutine collects all the time; medians of the runs' longest. "+
		"A stop waits for the end of each call that cannot be preempted: of fastcgo, and of rustgo unless it is blocking. It is the upper bound of "+
		"a bucket of the runtime's histogram.", rows, names)
}

func (d *Data) compileTable() *Table {
	return d.values("Compile time and size", "Of a program that uses AES-256-GCM, X25519 and Ed25519 once. Clean: all but the languages' standard "+
		"libraries is compiled, after the download. Incremental: a line of the main program is changed.",
		[]*Row{d.Find("compile", "clean", 0), d.Find("compile", "incremental", 0), d.Find("size", "stripped", 0)}, []string{"clean", "incremental",
			"stripped program"})
}
