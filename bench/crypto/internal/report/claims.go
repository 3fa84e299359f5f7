package report

import (
	"fmt"
	"math"
	"strings"
)

const article = "[Benchmark: Rust 1.83 vs. Go 1.24 for Cryptographic Operations with Libsodium 1.0.19]" +
	"(https://dev.to/johalputt/benchmark-rust-183-vs-go-124-for-cryptographic-operations-with-libsodium-1019-kik). Its machine, by its own account: 16 cores and 32 threads " +
	"of an AMD EPYC 9654 without turbo, libsodium compiled with -O3 -march=native. Its table has one figure for each language, but neither sizes nor programs. The columns " +
	"compared are libsodium in Rust and libsodium in Go by cgo, where the claim names no other. All verdicts are computed from the data."

// A claim is a statement of the article that is compared with the measurements. The function rule returns the measured values and the verdict. The
// values are "" if something was not measured.
type claim struct {
	subject, article string
	rule             func() (ours, verdict string)
	note             string
}

const (
	held      = "held"
	notHeld   = "did not hold"
	cannotSay = "cannot be said"

	rust, cgo = "rust-sodium", "sodium-cgo"
)

func (d *Data) claims() []claim {
	var aes []*Row
	for _, x := range []int{16 << 10, 4 << 10, 64 << 10, 256 << 10, 1 << 20} {
		aes = append(aes, d.find("aes-seal", "reused", x))
	}
	exchanges, clock := d.find("scale", d.CPUs, d.CPUs), "by the clock"
	if d.Others > 0.05 { // the share of processor time that other programs used
		exchanges, clock = d.find("scale-cpu", d.CPUs, d.CPUs), "in a second of processor time"
	}
	return []claim{
		{"AES-256-GCM throughput", "Rust 18.4, Go 15.1 Gbit/s: 1.22 ×", ratioRule(18.4/15.1, cgo, rust, aes...),
			"Times for 16 KiB; the ratio is the geometric mean from 4 KiB to 1 MiB. The article names no size"},
		{"X25519 exchanges a second", "Rust 1,020,000, Go 832,000 with 16 cores: 1.23 ×", ratioRule(1020.0/832, rust, cgo, exchanges),
			fmt.Sprintf("Measured %s with %d processors; the rule judges only the ratio", clock, d.CPUs)},
		{"Ed25519 signing, p99 with 10,000 requests: the call", "Rust 14.2, Go 10.9 µs: 1.30 ×, Go is faster",
			ratioRule(14.2/10.9, rust, cgo, d.find("closed", "service p99", 10000)), "From the library's entry to its return, in the closed loop"},
		{"Ed25519 signing, p99 with 10,000 requests: the client's waiting time", "Rust 14.2, Go 10.9 µs", d.waitingRule,
			"If 10,000 requests wait all the time and each takes 14.2 µs from question to answer, 704 million are answered a second (Little's law). No machine of 16 cores " +
				"signs so fast: the article measured calls, not requests"},
		{"FFI overhead", "Rust 2.1 %, Go 10.3 % (the table does not say of what)", d.overheadRule, "An empty call as a share of the operation"},
		{"Memory of 1,000 simultaneous operations", "Rust 14.8, Go 13.0 MB: 1.14 ×, Go takes less", ratioRule(14.8/13.0, rust, cgo, d.find("memory", "rss", 1000)),
			"Resident memory beyond the idle process; an operation keeps a key, an AEAD's state and 2 KiB. The article does not define an operation"},
		{"Compile time, clean", "Rust 42, Go 0.8 s: 53 ×", ratioRule(42/0.8, rust, cgo, d.find("compile", "clean", 0)),
			"Rust's time includes libsodium, which its crate compiles from C; for cgo libsodium is already compiled"},
		{"Size of the stripped program", "Rust 3.2, Go 12.7 MB: 3.97 ×, Rust's is smaller", ratioRule(12.7/3.2, cgo, rust, d.find("size", "stripped", 0)),
			"The program does nothing else"},
		{"Advice: reuse buffers", "saves 15 to 20 %", d.reuseRule, "The saving depends on the size"},
		{"Advice: GOMAXPROCS equal to the physical cores", "best throughput", d.processorsRule,
			"This is Go's default where no container limits the processors. Processors that share a core are not told apart"},
		{"Advice: one large payload in parallel, goroutines or rayon", "rayon (no figure)", d.chunksRule, "The same crate encrypts in both"},
	}
}

// ratioRule compares the measured ratio a/b with the claimed ratio, which is more than 1. The claim holds if at least 80 % of the claimed advantage
// was measured. If the missing part is within the spread, the verdict is cannotSay. For several rows the rule uses the geometric mean of the ratios
// and the mean of the spreads.
func ratioRule(claimed float64, a, b string, rows ...*Row) func() (string, string) {
	return func() (string, string) {
		sum, spread, n := 0.0, 0.0, 0.0
		for _, row := range rows {
			if r, s := row.ratio(a, b); !math.IsNaN(r) {
				sum, spread, n = sum+math.Log(r), spread+s, n+1
			}
		}
		if n == 0 || math.IsNaN(rows[0].value(a)) {
			return "", ""
		}
		ratio, spread, verdict := math.Exp(sum/n), spread/n, held
		if missing := 0.8*(claimed-1) - (ratio - 1); missing > spread {
			verdict = notHeld
		} else if missing > 0 {
			verdict = cannotSay
		}
		return fmt.Sprintf("%s; ratio %.2f ± %.2f", rows[0].both(), ratio, spread), verdict
	}
}

func (r *Row) both() string {
	return fmt.Sprintf("Rust %s, Go by cgo %s", quantity(r.value(rust), r.Unit), quantity(r.value(cgo), r.Unit))
}

// waitingRule judges the claim about the client's waiting time. The claim holds if both times are less than twice the claimed times.
func (d *Data) waitingRule() (ours, verdict string) {
	row := d.find("closed", "response p99", 10000)
	x, y := row.value(rust), row.value(cgo)
	if math.IsNaN(x) || math.IsNaN(y) {
		return "", ""
	}
	if verdict = notHeld; x < 2*14.2e3 && y < 2*10.9e3 {
		verdict = held
	}
	return row.both(), verdict
}

// overheadRule judges the claim about FFI overhead for each operation. The claim holds for an operation if the overhead in Rust and the overhead in
// Go are both within a factor of 1.5 of the claimed ones.
func (d *Data) overheadRule() (ours, verdict string) {
	near := func(v, claimed float64) bool { return v > claimed/1.5 && v < claimed*1.5 }
	empty := d.find("single", "empty", 0)
	var shares, holds []string
	for _, w := range d.works() {
		x, y := 100*empty.value(rust)/w.row.value(rust), 100*empty.value(cgo)/w.row.value(cgo)
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		shares = append(shares, fmt.Sprintf("%s %s and %s %%", w.name, digits(x), digits(y)))
		if near(x, 2.1) && near(y, 10.3) {
			holds = append(holds, w.name)
		}
	}
	if verdict = notHeld; holds != nil {
		verdict = "held for " + strings.Join(holds, ", ")
	}
	return strings.Join(shares, "; "), verdict
}

// reuseRule judges the advice to reuse buffers. The advice holds if reuse saves 15 to 20 % for at least half of all pairs of a size and a column.
func (d *Data) reuseRule() (ours, verdict string) {
	low, high, within, all := math.Inf(1), math.Inf(-1), 0, 0
	for _, column := range []string{cgo, "gostd", "rustgo", rust} {
		for _, x := range d.xs("aes-seal", "fresh") {
			saved := 100 * (1 - d.find("aes-seal", "reused", x).value(column)/d.find("aes-seal", "fresh", x).value(column))
			if isMissing(saved) {
				continue
			}
			low, high, all = min(low, saved), max(high, saved), all+1
			if saved >= 15 && saved <= 20 {
				within++
			}
		}
	}
	if all == 0 {
		return "", ""
	}
	if verdict = notHeld; 2*within >= all {
		verdict = held
	}
	return fmt.Sprintf("AES-256-GCM saves %.0f to %.0f %%; %d of %d sizes and columns save 15 to 20 %%", low, high, within, all), verdict
}

// processorsRule judges the advice for GOMAXPROCS. The advice holds if 16 goroutines are fastest with d.CPUs processors. It does not hold if 1 or
// 2*d.CPUs processors are faster by more than the spread.
func (d *Data) processorsRule() (ours, verdict string) {
	one := d.find("scale", 1, 16).value(cgo)
	same, spread := d.find("scale", d.CPUs, 16).median(cgo)
	twice, spreadTwice := d.find("scale", 2*d.CPUs, 16).median(cgo)
	if math.IsNaN(same) || math.IsNaN(twice) || d.CPUs == 1 {
		return "", ""
	}
	within := math.Hypot(spread, spreadTwice)
	switch other := max(one, twice); {
	case same >= other:
		verdict = held
	case same < (1-within)*other:
		verdict = notHeld
	default:
		verdict = cannotSay
	}
	return fmt.Sprintf("libsodium by cgo, 16 goroutines: %s a second with 1, %s with %d, %s with %d; spread %.0f %%", digits(one), digits(same), d.CPUs, digits(twice),
		2*d.CPUs, 100*within), verdict
}

// chunksRule compares rayon with goroutines. Its verdict names the faster of the two if the difference is more than the spread.
func (d *Data) chunksRule() (ours, verdict string) {
	row := d.find("chunks", 64<<10, d.CPUs)
	ratio, spread := row.ratio("rustgo", "rust")
	if math.IsNaN(ratio) {
		return "", ""
	}
	switch {
	case ratio > 1+spread:
		verdict = "rayon is faster"
	case ratio < 1-spread:
		verdict = "goroutines are faster"
	default:
		verdict = cannotSay
	}
	speed := func(column string) string { return quantity(float64(d.Payload)/row.value(column)*1e9, "B/s") }
	return fmt.Sprintf("%s in chunks of 64 KiB, %d workers: rayon %s, goroutines by rustgo %s, by cgo %s; rayon takes %.2f of the time by rustgo ± %.0f %%", size(d.Payload),
		d.CPUs, speed("rust"), speed("rustgo"), speed("rust-cgo"), 1/ratio, 100*spread), verdict
}
