package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// report prints the results of the run, writes them to the page if it has a file, and fails if a result is wrong.
func report(crates []*crate, only bool, results page, began time.Time) error {
	slowest(crates)
	var calls, panics int
	var wrong []string
	for _, machine := range machines {
		verdicts := map[string]int{}
		for _, c := range crates {
			r := c.results[machine]
			verdicts[verdict(r)]++
			calls += r.Calls
			panics += r.Panics
			if r.Verdict != "" && r.Verdict != "same" {
				wrong = append(wrong, fmt.Sprintf("%s %s: %s", c.name, machine, r.Difference))
			} else if only && r.Reasons != nil {
				wrong = append(wrong, fmt.Sprintf("%s %s: %q", c.name, machine, r.Reasons))
			}
		}
		var counts []string
		for _, name := range sortedKeys(verdicts) {
			counts = append(counts, fmt.Sprintf("%d %s", verdicts[name], name))
		}
		fmt.Fprintf(os.Stderr, "%s: %s\n", machine, strings.Join(counts, ", "))
	}
	fmt.Fprintf(os.Stderr, "%d crates, %d calls, %d of them panics, in %.0f s\n", len(crates), calls, panics, time.Since(began).Seconds())
	if !only {
		fmt.Println(table(crates))
	}
	if results.file != "" {
		if err := document(results, crates, calls, panics); err != nil {
			return err
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("wrong:\n%s", strings.Join(wrong, "\n"))
	}
	return nil
}

func verdict(r *result) string {
	if r.Reasons != nil {
		return "refused"
	}
	return r.Verdict
}

func sortedKeys(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// slowest prints the five crates for which the tool's own stages took longest.
func slowest(crates []*crate) {
	type entry struct {
		seconds float64
		text    string
	}
	var found []entry
	for _, c := range crates {
		for _, machine := range machines {
			total := 0.0
			for _, seconds := range c.results[machine].Stages {
				total += seconds
			}
			found = append(found, entry{total, fmt.Sprintf("%s %s: %v", c.name, machine, c.results[machine].Stages)})
		}
	}
	slices.SortFunc(found, func(a, b entry) int { return cmp.Compare(b.seconds, a.seconds) })
	for _, entry := range found[:min(5, len(found))] {
		fmt.Fprintf(os.Stderr, "%6.1f s %s\n", entry.seconds, entry.text)
	}
}

func table(crates []*crate) string {
	rows := []string{"| crate | version | | " + strings.Join(machines, " | ") + " | functions | code | stack | note |", strings.Repeat("|---", 7+len(machines)) + "|"}
	for _, c := range crates {
		var notes, cells, functions, code, stack []string
		if c.budget {
			notes = append(notes, "a stated budget of stack")
		}
		if len(c.features) > 0 {
			notes = append(notes, "with "+strings.Join(c.features, ", "))
		}
		same := len(machines) > 1
		for _, machine := range machines {
			r := c.results[machine]
			cells = append(cells, verdict(r))
			functions, code, stack = append(functions, or(r.Functions)), append(code, or(r.Code)), append(stack, or(r.Stack))
			same = same && r.Reasons != nil && slices.Equal(r.Reasons, c.results[machines[0]].Reasons)
		}
		for i, machine := range machines {
			r := c.results[machine]
			if r.Reasons == nil || same && i > 0 {
				continue
			}
			if same {
				machine = "both"
			}
			note := machine + ": " + r.Reasons[0]
			if more := len(r.Reasons) - 1; more > 0 {
				note += fmt.Sprintf(" (and %d more)", more)
			}
			notes = append(notes, note)
		}
		std := "no_std"
		if c.std {
			std = "std"
		}
		row := append([]string{c.name, c.version, std}, cells...)
		for _, numbers := range [][]string{functions, code, stack} {
			row = append(row, strings.Join(numbers, " / "))
		}
		row = append(row, strings.ReplaceAll(strings.Join(notes, "; "), "|", `\|`))
		rows = append(rows, "| "+strings.Join(row, " | ")+" |")
	}
	return strings.Join(rows, "\n")
}

func or(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// thousands formats 1234567 as 1,234,567.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func document(p page, crates []*crate, calls, panics int) error {
	accepted, std := map[string]int{}, 0
	for _, c := range crates {
		if c.std {
			std++
		}
		for _, machine := range machines {
			if c.results[machine].Verdict == "same" {
				accepted[machine]++
			}
		}
	}
	rustcArm64 := []string{"rustc", "+" + arm64Toolchain}
	if strings.Contains(arm64Toolchain, "/") {
		rustcArm64 = []string{filepath.Join(arm64Toolchain, "bin/rustc")}
	}
	version := func(args ...string) string {
		words := strings.Fields(run(command{args: append(args, "--version")}).stdout)
		if len(words) < 2 {
			return "unknown"
		}
		return words[1]
	}
	return write(filepath.Join(root, p.file), fmt.Sprintf(`# %s

rustgo accepts %d of %d %s for amd64, and %d for arm64; %d of them link std. Each crate is tried with one
function that uses it ([scripts/survey-crates](../../scripts/survey-crates)). `+"`%s`"+` generates this page again. This page is from
%s with rustc %s for amd64 and %s for arm64.

- *same*: the crate was built, proved, and called from Go with fixed and random inputs, and with space for the result that is too short. Each result
  and each panic, with its message, equalled the result of the same code run natively on amd64. A second round left no more memory allocated than the first one.
  arm64 runs under qemu. These were %s calls; %s of them panicked.
- *refused*: the end of the row gives cargo's or the tool's own reason, the first one if there are several.
- *with heap*, *libm*: features of rustgo-support that the crate needs ([std.md](../../docs/std.md)).

Functions, code (bytes of machine code) and stack (the deepest proven bound) count the whole package for amd64 / arm64, including the
code that formats panic messages.

%s
`, p.title, accepted["amd64"], len(crates), p.kind, accepted["arm64"], std, p.command, strings.TrimSpace(run(command{args: []string{tool, "--version"}}).stdout),
		version("rustc"), version(rustcArm64...), thousands(calls), thousands(panics), table(crates)))
}
