package report

import (
	"fmt"
	"math"
	"strings"
)

// Claim is one of the article's, beside what was measured.
type Claim struct {
	Subject, Article, Ours, Verdict, Why string
}

const (
	held      = "held"
	notHeld   = "did not hold"
	cannotSay = "cannot be said"
)

// compared judges a ratio, where 1 is no difference and more is better for the article's winner: it holds if at least 80 % of the article's advantage was
// measured. If what is missing is within the runs' spread, and without a measurement, nothing can be said.
func compared(article, ours, spread float64) string {
	switch missing := 0.8*(article-1) - (ours - 1); {
	case math.IsNaN(ours) || missing > 0 && missing <= spread:
		return cannotSay
	case missing > 0:
		return notHeld
	}
	return held
}

// ratio returns the ratio of two columns' medians, and their spread together.
func (r *Row) ratio(a, b string) (ratio, spread float64) {
	x, sx := r.Median(a)
	y, sy := r.Median(b)
	ratio = x / y
	return ratio, ratio * math.Hypot(sx, sy)
}

// both writes two columns' medians and their ratio, the larger by the smaller.
func (d *Data) both(row *Row, a, b string) string {
	x, _ := row.Median(a)
	y, _ := row.Median(b)
	if math.IsNaN(x) || math.IsNaN(y) {
		return "not measured"
	}
	return fmt.Sprintf("Rust %s, Go by cgo %s: %.2f ×", quantity(x, row.Unit), quantity(y, row.Unit), x/y)
}

// also lists other columns' medians.
func (d *Data) also(row *Row, columns ...string) string {
	var all []string
	for _, c := range columns {
		if v, _ := row.Median(c); !math.IsNaN(v) {
			all = append(all, fmt.Sprintf("%s %s", styleOf(c).short, quantity(v, row.Unit)))
		}
	}
	if all == nil {
		return ""
	}
	return " Besides: " + strings.Join(all, ", ") + "."
}

const rustSodium, goSodium = "rust-sodium", "sodium-cgo"

// Claims are all of them. The article names libsodium for both languages, so the columns that are compared are Rust with libsodium, and Go with libsodium by cgo.
func (d *Data) Claims() []Claim {
	return []Claim{d.aesClaim(), d.exchangeClaim(), d.latencyClaim(), d.responseClaim(), d.overheadClaim(), d.memoryClaim(), d.compileClaim(),
		d.sizeClaim(), d.reuseClaim(), d.processorsClaim(), d.chunksClaim()}
}

// meanRatio is the geometric mean of the ratios of the sizes between two, and the mean of their spreads.
func (d *Data) meanRatio(table, a, b string, from, to int) (ratio, spread float64) {
	sum, n := 0.0, 0.0
	for _, x := range d.Xs(table, "reused") {
		if r, s := d.Find(table, "reused", x).ratio(a, b); x >= from && x <= to && !math.IsNaN(r) {
			sum, spread, n = sum+math.Log(r), spread+s, n+1
		}
	}
	return math.Exp(sum / n), spread / n
}

func (d *Data) aesClaim() Claim {
	c := Claim{Subject: "AES-256-GCM throughput", Article: "Rust 18.4, Go 15.1 Gbit/s: 1.22 ×", Verdict: cannotSay}
	row := d.Find("aes-seal", "reused", 16<<10)
	ratio, spread := d.meanRatio("aes-seal", goSodium, rustSodium, 4<<10, 1<<20)
	if math.IsNaN(ratio) {
		c.Ours = "not measured"
		return c
	}
	c.Verdict = compared(18.4/15.1, ratio, spread)
	gbit := func(column string) float64 { v, _ := row.Median(column); return 16 << 10 * 8 / v }
	c.Ours = fmt.Sprintf("at 16 KiB Rust %s, Go by cgo %s Gbit/s; mean of the ratios from 4 KiB to 1 MiB: %.2f ×", digits(gbit(rustSodium)),
		digits(gbit(goSodium)), ratio)
	c.Why = fmt.Sprintf("Both run the same C code; an empty call of cgo is %s %% of the time for 16 KiB, and by fastcgo it is %s Gbit/s.",
		digits(100*d.Value("single", "empty", 0, goSodium)/d.Value("aes-seal", "reused", 16<<10, goSodium)), digits(gbit("sodium-fastcgo")))
	if v := gbit("gostd"); !math.IsNaN(v) {
		c.Why += fmt.Sprintf(" Besides: Go's standard library %s", digits(v))
		if v := gbit("rustgo"); !math.IsNaN(v) {
			c.Why += fmt.Sprintf(", rustgo's package %s", digits(v))
		}
		c.Why += " Gbit/s. The article's table names no size, and its machine is another, so that its absolute figures can be neither confirmed nor refuted."
	}
	return c
}

func (d *Data) exchangeClaim() Claim {
	c := Claim{Subject: "X25519 exchanges a second", Article: "Rust 1,020,000, Go 832,000 with 16 cores: 1.23 ×", Verdict: cannotSay}
	row, cpu := d.Find("scale", fmt.Sprint(d.CPUs), d.CPUs), d.Find("scale-cpu", fmt.Sprint(d.CPUs), d.CPUs)
	inTime, spreadInTime := cpu.ratio(rustSodium, goSodium)
	ratio, spread := row.ratio(rustSodium, goSodium)
	if math.IsNaN(ratio) || math.IsNaN(inTime) {
		c.Ours = "not measured"
		return c
	}
	c.Ours = fmt.Sprintf("%s ± %.0f %%, with %d threads or goroutines on %d processors; in a second of processor time %.2f × ± %.0f %%",
		d.both(row, rustSodium, goSodium), 100*spread, d.CPUs, d.CPUs, inTime, 100*spreadInTime)
	judged := "by the clock"
	if d.Others > 0.05 { // others use the machine as well
		ratio, spread, judged = inTime, spreadInTime, "of processor time"
	}
	c.Verdict = compared(1020.0/832, ratio, spread)
	if d.CPUs < 16 {
		x, _ := cpu.Median(rustSodium)
		y, _ := cpu.Median(goSodium)
		c.Verdict = "the ratio " + c.Verdict + "; 16 cores: " + cannotSay
		c.Why = fmt.Sprintf("This machine has %d processors. Of one, in a second: article 63,750 and 52,000, here %s and %s. The ratio %s is judged. "+
			"Go's scheduler may give a goroutine's processor away when a call of cgo lasts 20 µs, and an exchange lasts longer; it does not see "+
			"calls of fastcgo.", d.CPUs, grouped(int64(x)), grouped(int64(y)), judged)
	}
	c.Why += d.also(row, "sodium-fastcgo", "gostd", "rust", "rustgo")
	return c
}

func (d *Data) latencyClaim() Claim {
	c := Claim{Subject: "Ed25519 signing, p99 with 10,000 requests: the call itself", Article: "Rust 14.2, Go 10.9 µs: 1.30 ×, Go is faster",
		Ours: "not measured", Verdict: cannotSay}
	row := d.Find("closed", "service p99", 10000)
	ratio, spread := row.ratio(rustSodium, goSodium)
	if math.IsNaN(ratio) {
		return c
	}
	c.Verdict = compared(14.2/10.9, ratio, spread)
	c.Ours = d.both(row, rustSodium, goSodium)
	c.Why = "From the call of the library to its return, in the closed loop." + d.also(row, "gostd", "rust", "rustgo")
	return c
}

func (d *Data) responseClaim() Claim {
	c := Claim{Subject: "The same, as what a client waits for", Article: "Rust 14.2, Go 10.9 µs", Ours: "not measured", Verdict: cannotSay}
	row := d.Find("closed", "response p99", 10000)
	x, _ := row.Median(rustSodium)
	y, _ := row.Median(goSodium)
	if math.IsNaN(x) || math.IsNaN(y) {
		return c
	}
	c.Verdict = notHeld
	if x < 2*14.2e3 && y < 2*10.9e3 {
		c.Verdict = held
	}
	c.Ours = d.both(row, rustSodium, goSodium)
	c.Why = "If 10,000 requests wait all the time and one takes 14.2 µs from question to answer, 704 million are answered a second (Little's law): " +
		"no machine of 16 cores signs so fast. The article has measured calls, not requests. Whom the queue lets wait differs: a task of tokio that yields " +
		"comes back when its thread has nothing else to do, so that few wait very long, a goroutine at the end of all." + d.also(row, "gostd", "rust", "rustgo")
	if len(d.Rates) > 0 {
		open := d.Find(fmt.Sprint("open ", d.Rates[0]), "response p99", 10000)
		c.Why += fmt.Sprintf(" In the open loop with %s requests a second: %s.", grouped(int64(d.Rates[0])), d.both(open, rustSodium, goSodium))
	}
	return c
}

// overheads are the works that an empty call is compared with.
var overheads = []struct {
	name, table, group string
	x                  int
}{
	{"AES-256-GCM, 16 B", "aes-seal", "reused", 16}, {"AES-256-GCM, 64 B", "aes-seal", "reused", 64}, {"AES-256-GCM, 1 KiB", "aes-seal", "reused",
		1 << 10},
	{"AES-256-GCM, 16 KiB", "aes-seal", "reused", 16 << 10}, {"X25519", "single", "x25519", 0}, {"Ed25519 sign", "single", "sign", 0}, {"Ed25519 " +
		"verify", "single", "verify", 0},
	{"ML-KEM-768 encapsulate", "single", "encaps", 0},
}

// overhead is how much of the time of the work an empty call is.
func (d *Data) overhead(i int, column string) float64 {
	o := overheads[i]
	return 100 * d.Value("single", "empty", 0, column) / d.Value(o.table, o.group, o.x, column)
}

func (d *Data) overheadClaim() Claim {
	c := Claim{Subject: "FFI overhead", Article: "Rust 2.1 %, Go 10.3 % (of what, the table does not say)", Ours: "not measured", Verdict: cannotSay}
	near := func(v, claim float64) bool { return v > claim/1.5 && v < claim*1.5 }
	var both, rust, cgo, parts []string
	for i, o := range overheads {
		x, y := d.overhead(i, rustSodium), d.overhead(i, goSodium)
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s: %s %%, %s %%", o.name, digits(x), digits(y)))
		if near(x, 2.1) {
			rust = append(rust, o.name)
		}
		if near(y, 10.3) {
			cgo = append(cgo, o.name)
		}
		if near(x, 2.1) && near(y, 10.3) {
			both = append(both, o.name)
		}
	}
	if parts == nil {
		return c
	}
	c.Ours = "Rust, Go by cgo: " + strings.Join(parts, "; ")
	c.Verdict = notHeld
	if both != nil {
		c.Verdict = "held for " + strings.Join(both, ", ")
	}
	list := func(names []string) string {
		if names == nil {
			return "no work"
		}
		return strings.Join(names, ", ")
	}
	c.Why = fmt.Sprintf("Within a factor of 1.5, 2.1 %% is right for %s, and 10.3 %% for %s. Without the work a percentage says nothing: an empty "+
		"call takes Rust %s, cgo %s", list(rust), list(cgo),
		quantity(d.Value("single", "empty", 0, rustSodium), "ns"), quantity(d.Value("single", "empty", 0, goSodium), "ns"))
	for _, column := range []string{"sodium-fastcgo", "rustgo"} {
		if v := d.Value("single", "empty", 0, column); !math.IsNaN(v) {
			c.Why += fmt.Sprintf(", %s %s", strings.TrimPrefix(styleOf(column).short, "libsodium, "), quantity(v, "ns"))
		}
	}
	c.Why += "."
	return c
}

func (d *Data) memoryClaim() Claim {
	c := Claim{Subject: "Memory of 1,000 operations at the same time", Article: "Rust 14.8, Go 13.0 MB: 1.14 ×, Go takes less", Ours: "not " +
		"measured", Verdict: cannotSay}
	row := d.Find("memory", "rss", 1000)
	ratio, spread := row.ratio(rustSodium, goSodium)
	if math.IsNaN(ratio) {
		return c
	}
	c.Verdict = compared(14.8/13.0, ratio, spread)
	c.Ours = d.both(row, rustSodium, goSodium)
	c.Why = "Resident memory beyond that of the idle process; an operation keeps a key, an AEAD's state and 2 KiB. The article's table does not " +
		"say what an operation is, and whether the process counts: an idle one has "
	base := d.Find("memory", "base", 1000)
	x, _ := base.Median(rustSodium)
	y, _ := base.Median(goSodium)
	c.Why += fmt.Sprintf("%s (Rust) and %s (Go, all columns in one program)", quantity(x, "B"), quantity(y, "B")) + "." + d.also(row, "gostd",
		"rust", "rustgo")
	return c
}

func (d *Data) compileClaim() Claim {
	c := Claim{Subject: "Compile time", Article: "Rust 42, Go 0.8 s: 53 ×", Ours: "not measured in this run", Verdict: cannotSay}
	row := d.Find("compile", "clean", 0)
	ratio, spread := row.ratio(rustSodium, goSodium)
	if math.IsNaN(ratio) {
		return c
	}
	c.Verdict = compared(42/0.8, ratio, spread)
	c.Ours = "clean: " + d.both(row, rustSodium, goSodium)
	if c.Verdict == held {
		c.Verdict = "held, with the build of libsodium in Rust's time"
	}
	c.Why = "Rust's includes libsodium, which its crate compiles from C; for Go it is there. Incremental: " + d.both(d.Find("compile",
		"incremental", 0), rustSodium, goSodium) + "." + d.also(row, "gostd", "rust", "rust-cgo", "rustgo")
	return c
}

func (d *Data) sizeClaim() Claim {
	c := Claim{Subject: "Size of the stripped program", Article: "Rust 3.2, Go 12.7 MB: 3.97 ×, Rust's is smaller", Ours: "not measured",
		Verdict: cannotSay}
	row := d.Find("size", "stripped", 0)
	ratio, spread := row.ratio(goSodium, rustSodium)
	if math.IsNaN(ratio) {
		return c
	}
	c.Verdict = compared(12.7/3.2, ratio, spread)
	c.Ours = d.both(row, rustSodium, goSodium)
	c.Why = "Of a program that does nothing else. The ratio here is Rust's by Go's; the article's is the inverse." + d.also(row, "gostd", "rust",
		"rust-cgo", "rustgo")
	return c
}

func (d *Data) reuseClaim() Claim {
	c := Claim{Subject: "Advice: use buffers again", Article: "saves 15 to 20 %", Ours: "not measured", Verdict: cannotSay}
	var parts []string
	inside, all := 0, 0
	for _, column := range []string{goSodium, "gostd", "rustgo", rustSodium} {
		low, high, count := math.Inf(1), 0.0, 0
		for _, x := range d.Xs("aes-seal", "fresh") {
			v := 100 * (1 - d.Value("aes-seal", "reused", x, column)/d.Value("aes-seal", "fresh", x, column))
			if math.IsNaN(v) {
				continue
			}
			low, high = min(low, v), max(high, v)
			all, count = all+1, count+1
			if v >= 15 && v <= 20 {
				inside++
			}
		}
		if count > 0 {
			parts = append(parts, fmt.Sprintf("%s %.0f to %.0f %%", styleOf(column).short, low, high))
		}
	}
	if parts == nil {
		return c
	}
	c.Verdict = notHeld
	if 2*inside >= all {
		c.Verdict = held
	}
	c.Ours = "AES-256-GCM, by size: " + strings.Join(parts, "; ")
	c.Why = fmt.Sprintf("%d of %d cases lie between 15 and 20 %%. What is saved depends on the size: the allocator, zeroing and the collector "+
		"against the work.", inside, all)
	return c
}

func (d *Data) processorsClaim() Claim {
	c := Claim{Subject: "Advice: GOMAXPROCS equal to the physical cores", Article: "best throughput", Ours: "not measured", Verdict: cannotSay}
	best := func(processors int) (perSecond, spread float64) {
		return d.Find("scale", fmt.Sprint(processors), 16).Median(goSodium)
	}
	one, _ := best(1)
	same, spread := best(d.CPUs)
	twice, spreadTwice := best(2 * d.CPUs)
	if math.IsNaN(same) || math.IsNaN(twice) || d.CPUs == 1 {
		return c
	}
	within := math.Hypot(spread, spreadTwice)
	switch other := max(one, twice); {
	case same >= other:
		c.Verdict = held
	case same < (1-within)*other:
		c.Verdict = notHeld
	}
	c.Ours = fmt.Sprintf("libsodium by cgo, 16 goroutines: %s a second with 1, %s with %d, %s with %d", grouped(int64(one)), grouped(int64(same)),
		d.CPUs, grouped(int64(twice)), 2*d.CPUs)
	c.Why = fmt.Sprintf("It is Go's default where no container limits it. Processors that share a core are not told apart here. Differences within "+
		"the spread, %.0f %%, are none.", 100*within)
	return c
}

func (d *Data) chunksClaim() Claim {
	c := Claim{Subject: "Advice: one large payload in parallel, goroutines or rayon", Article: "rayon (no figure)", Ours: "not measured",
		Verdict: cannotSay}
	row := d.Find("chunks", fmt.Sprint(64<<10), d.CPUs)
	x, _ := row.Median("rust")
	y, _ := row.Median("rustgo")
	z, _ := row.Median("rust-cgo")
	ratio, spread := row.ratio("rustgo", "rust")
	if math.IsNaN(x) || math.IsNaN(y) {
		return c
	}
	speed := func(v float64) string { return quantity(float64(d.Payload)/v*1e9, "B/s") }
	c.Ours = fmt.Sprintf("%s in chunks of 64 KiB, %d workers: rayon %s, goroutines %s (rustgo), %s (same crates by cgo)", bytesSize(d.Payload),
		d.CPUs, speed(x), speed(y), speed(z))
	switch {
	case ratio > 1+spread:
		c.Verdict = "rayon is faster"
	case ratio < 1-spread:
		c.Verdict = "goroutines are faster"
	}
	c.Why = fmt.Sprintf("The same crate seals in both. Rayon takes %.2f of the time of goroutines, ± %.0f %%.", 1/ratio, 100*spread)
	return c
}
