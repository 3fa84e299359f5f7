// Command crypto compares ways to do cryptography in Go and in Rust: the packages made by rustgo, the standard library, other packages, libsodium
// called by cgo, by fastcgo and by rustgo, and the Rust crates without Go. METHOD.md describes the measurements. The command writes data.json,
// RESULTS.md and charts.
//
//	go run . [-short] [-runs N] [-out DIR]
//	go run . -render [-out DIR]      makes tables and charts from data.json
package main

import (
	"bufio"
	"debug/buildinfo"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"rustgo.dev/bench/crypto/internal/report"
)

func main() {
	isShort := flag.Bool("short", false, "few runs and rows, to see that everything works")
	runs := flag.Int("runs", 10, "runs of each row in each column")
	out := flag.String("out", "../results/crypto", "the folder of the results")
	render := flag.Bool("render", false, "measure nothing: make tables and charts from the data in the folder")
	flag.Parse()
	if flag.NArg() > 0 || *runs < 1 {
		fmt.Fprintln(os.Stderr, "usage: crypto [-short] [-runs N] [-out DIR] [-render]")
		os.Exit(2)
	}
	var data *report.Data
	var err error
	if *render {
		data, err = report.Read(*out)
	} else {
		sc := full(*runs)
		if *isShort {
			sc = short()
		}
		if data, err = compare(sc, *isShort); err == nil {
			err = data.Save(*out)
		}
	}
	if err == nil {
		err = data.Write(*out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "crypto: error:", err)
		os.Exit(1)
	}
	fmt.Println("written:", filepath.Join(*out, "RESULTS.md"))
}

// compare builds all programs, checks that all columns agree, and measures.
func compare(sc scope, isShort bool) (*report.Data, error) {
	folder, err := os.MkdirTemp("", "rustgo-crypto-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	fmt.Fprintln(os.Stderr, "build")
	b, err := build(folder, true)
	if err != nil {
		return nil, err
	}
	s := newSession(b, sc)
	s.Short = isShort
	if isShort {
		s.Left = append(s.Left, "compile times and sizes: a short run leaves them out")
	}
	for _, left := range s.Left {
		fmt.Fprintln(os.Stderr, "left out:", left)
	}
	start, busy, own := time.Now(), busyTime(), ownTime()
	if err := s.begin(); err != nil {
		return nil, err
	}
	for _, v := range s.Versions {
		fmt.Fprintln(os.Stderr, " ", v.Name, v.Text)
	}
	if s.Checked, err = agree(s.free); err != nil {
		return nil, fmt.Errorf("the columns do not agree: %w", err)
	}
	fmt.Fprintf(os.Stderr, "%d results compared: all columns agree\n", s.Checked)
	if err := s.measure(); err != nil {
		return nil, err
	}
	s.end()
	elapsed := time.Since(start)
	if busy, own := busyTime()-busy, ownTime()-own; busy > 0 {
		s.Others = max(0, (busy-own).Seconds()/elapsed.Seconds()/float64(s.CPUs))
	}
	if err := s.compile(folder); err != nil {
		return nil, err
	}
	s.Minutes = time.Since(start).Minutes()
	return s.Data, nil
}

// newSession records the machine and the versions.
func newSession(b *built, sc scope) *session {
	s := &session{built: b, scope: sc, Data: &report.Data{
		Began: time.Now().UTC().Format("2006-01-02 15:04 UTC"), Runs: sc.runs, Command: strings.TrimSpace("go run . " + strings.Join(os.Args[1:], " ")),
		CPU: processor(), CPUs: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH, Rates: []int{10000 * runtime.NumCPU(), 25000 * runtime.NumCPU()},
		Payload: sc.payload, Left: b.left, Versions: versions(b),
	}}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		s.Load = strings.Join(strings.Fields(string(load))[:3], " ")
	}
	if _, err := exec.LookPath("taskset"); err == nil {
		s.processor = strconv.Itoa(runtime.NumCPU() - 1)
		s.Pinned = "processor " + s.processor
	} else {
		s.Left = append(s.Left, "pinned processors: no taskset; install util-linux")
	}
	return s
}

// processor returns the name of the processor.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// busyTime returns the busy time of all processors since the machine started. It includes the time that a hypervisor gave to other machines.
func busyTime() (busy time.Duration) {
	file, err := os.Open("/proc/stat")
	if err != nil {
		return 0
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Scan()
	for i, field := range strings.Fields(lines.Text()) {
		if ticks, err := strconv.Atoi(field); err == nil && i != 4 && i != 5 && i < 9 { // 4 is idle, 5 waits for disks, 9 and 10 are part of 1 and 2
			busy += time.Duration(ticks) * 10 * time.Millisecond
		}
	}
	return busy
}

// ownTime returns the processor time of this process and of its child processes that have ended.
func ownTime() (own time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if syscall.Getrusage(who, &usage) == nil {
			own += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		}
	}
	return own
}

// versions returns the versions of all compared packages and crates.
func versions(b *built) (all []report.Item) {
	add := func(name, version string) {
		if version != "" {
			all = append(all, report.Item{Name: name, Text: version})
		}
	}
	tool := func(name string, args ...string) string {
		out, err := exec.Command(name, args...).Output()
		if err != nil {
			return ""
		}
		line, _, _ := strings.Cut(string(out), "\n")
		return line
	}
	add("Go", strings.TrimPrefix(runtime.Version(), "go"))
	add("rustc", strings.TrimPrefix(tool("rustc", "--version"), "rustc "))
	add("C compiler", tool("cc", "--version"))
	for _, crate := range []string{"graviola", "aes-gcm", "ed25519-dalek", "curve25519-dalek", "x25519-dalek", "libcrux-ml-kem",
		"chacha20poly1305", "libcrux-chacha20poly1305", "ring", "libsodium-sys-stable", "rayon", "tokio"} {
		add("crate "+crate, b.versions[crate])
	}
	info, err := buildinfo.ReadFile(b.worker)
	if err != nil {
		fmt.Fprintln(os.Stderr, "crypto:", err)
		return all
	}
	for _, dep := range info.Deps {
		if !strings.HasPrefix(dep.Path, "rustgo.dev/") && dep.Version != "v0.0.0" && !strings.HasSuffix(dep.Path, "/sys") && !strings.HasSuffix(dep.Path, "/text") {
			add(dep.Path, dep.Version)
		}
	}
	return all
}
