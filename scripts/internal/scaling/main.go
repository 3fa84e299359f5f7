// Command scaling measures how much time and memory the rustgo tool itself needs. scripts/scaling runs it.
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// body is the source of a function with loops, a jump table, divisions that can panic and bounds checks. Each value of N makes a different
// function.
//
//go:embed body.rs
var body string

var (
	sizes  = []int{75, 150, 300, 600, 1200}
	stages = []string{"loading", "decoding", "analyzing", "lowering", "verifying"}
)

func main() {
	root := flag.String("root", ".", "the top `folder` of the checkout")
	tool := flag.String("rustgo", "", "the `tool` [default: target/release/rustgo]")
	toolchain := flag.String("arm64", os.Getenv("RUSTGO_ARM64_TOOLCHAIN"), "the `toolchain` for arm64, rustup's name or a folder")
	flag.Parse()
	if *tool == "" {
		*tool = filepath.Join(*root, "target/release/rustgo")
	}
	if err := scaling(*root, *tool, *toolchain, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "scaling:", err)
		os.Exit(1)
	}
}

func scaling(root, tool, toolchain string, crates []string) error {
	first := "functions"
	if len(crates) > 0 {
		first = "crate"
	}
	fmt.Printf("%12s %8s", first, "code KiB")
	for _, stage := range stages {
		fmt.Printf(" %9s", stage)
	}
	fmt.Printf(" %8s %10s %8s\n", "all ms", "own ms/KiB", "peak MiB")
	for _, crate := range crates {
		if !filepath.IsAbs(crate) {
			crate = filepath.Join(root, crate)
		}
		args := []string{"check", "--crate", crate, "--verbose"}
		if toolchain != "" {
			args = append(args, "--toolchain", "arm64="+toolchain)
		}
		if err := row(filepath.Base(filepath.Dir(crate)), tool, args); err != nil {
			return err
		}
	}
	if len(crates) > 0 {
		return nil
	}
	for _, count := range sizes {
		if err := generated(root, tool, count); err != nil {
			return err
		}
	}
	return nil
}

// generated prints the row of a generated crate with count functions.
func generated(root, tool string, count int) error {
	folder, err := os.MkdirTemp("", "rustgo-scaling.")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	manifest := fmt.Sprintf("[package]\nname = \"scaling\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nrustgo-support = { path = %q }\n",
		filepath.Join(root, "crates/support"))
	var calls strings.Builder
	for i := range count {
		fmt.Fprintf(&calls, " a ^= f::<%d>(x, d);", i*2654435761%1000003+3)
	}
	source := body + "#[rustgo::export]\npub fn run(x: &mut [u64; 16], d: &[u8]) -> u64 { let mut a = 0;" + calls.String() + " a }\n"
	if err := os.Mkdir(filepath.Join(folder, "src"), 0o755); err != nil {
		return err
	}
	for name, text := range map[string]string{"Cargo.toml": manifest, "src/lib.rs": source} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return row(strconv.Itoa(count), tool, []string{"check", "--crate", folder, "--arch", "amd64", "--out", folder + "/go", "--package", "scaling", "--verbose"})
}

var (
	stageLine = regexp.MustCompile(`rustgo: (\w+)(?: for \w+)? \((\d+) ms\)`)
	sizeLine  = regexp.MustCompile(`([\d.]+) ([KM])iB of code`)
)

// row runs the tool twice, so that cargo has no work in the second run, and prints the time and memory of the second run.
func row(name, tool string, args []string) error {
	if _, _, err := measure(tool, args); err != nil {
		return err
	}
	text, peak, err := measure(tool, args)
	if err != nil {
		return err
	}
	took := map[string]int{}
	all := 0
	for _, m := range stageLine.FindAllStringSubmatch(text, -1) {
		ms, err := strconv.Atoi(m[2])
		if err != nil {
			return err
		}
		took[m[1]] += ms
	}
	code := 0.0
	for _, m := range sizeLine.FindAllStringSubmatch(text, -1) {
		size, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return err
		}
		if m[2] == "M" {
			size *= 1024
		}
		code += size
	}
	if code == 0 {
		return fmt.Errorf("%s: the tool states no size of the code:\n%s", name, text)
	}
	fmt.Printf("%12s %8.0f", name, code)
	for _, stage := range stages {
		fmt.Printf(" %9d", took[stage])
		all += took[stage]
	}
	fmt.Printf(" %8d %10.2f %8.0f\n", all, float64(all-took["verifying"])/code, peak)
	return nil
}

// measure runs the tool, and returns its standard error and the peak of its memory in MiB.
func measure(tool string, args []string) (string, float64, error) {
	cmd := exec.Command(tool, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return "", 0, err
	}
	ended := make(chan struct{})
	peak := make(chan float64)
	go func() {
		most := 0.0
		ticker := time.NewTicker(2 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				peak <- most
				return
			case <-ticker.C:
				most = max(most, resident(cmd.Process.Pid))
			}
		}
	}()
	err := cmd.Wait()
	close(ended)
	most := <-peak
	if err != nil {
		return "", 0, fmt.Errorf("%w\n%s", err, stderr.String())
	}
	return stderr.String(), most, nil
}

// resident returns the memory of a process and of all processes that it started, in MiB. Shared pages count for each process.
func resident(pid int) float64 {
	total := 0
	pids := []int{pid}
	for len(pids) > 0 {
		folder := fmt.Sprintf("/proc/%d", pids[0])
		pids = pids[1:]
		statm, err := os.ReadFile(folder + "/statm")
		if err != nil {
			continue // the process has ended
		}
		if fields := strings.Fields(string(statm)); len(fields) > 1 {
			pages, _ := strconv.Atoi(fields[1]) // cannot fail, because the kernel writes numbers
			total += pages * os.Getpagesize()
		}
		tasks, _ := filepath.Glob(folder + "/task/*/children") // cannot fail, because the pattern is well formed
		for _, task := range tasks {
			children, err := os.ReadFile(task)
			if err != nil {
				continue // the thread has ended
			}
			for _, child := range strings.Fields(string(children)) {
				pid, _ := strconv.Atoi(child)
				pids = append(pids, pid)
			}
		}
	}
	return float64(total) / (1 << 20)
}
