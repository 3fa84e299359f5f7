// Command tool measures the time and memory that rustgo itself needs, by the size of the machine code. It builds real crates of
// scripts/survey-crates, and writes a table and a picture.
//
//	make bench-tool           writes bench/results/tool.md and tool.svg
//	go run ./tool -short      in bench: the two smallest crates; prints the table only
//
// The time of a stage is the processor time of rustgo: cargo, go vet and go tool asm do not count. Other work on the machine has little influence.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image/color"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// crates are the measured crates, in ascending order of their machine code, which has about 0.1 to 8 MiB.
var crates = []string{"h3o", "lol_html", "minijinja", "automerge", "jaq-core", "wasmi", "regorus"}

// stages lists the stages whose time counts as rustgo's own, in order.
var stages = []string{"loading", "decoding", "analyzing", "lowering", "verifying"}

// measured is what scripts/survey --timings writes for a crate and a machine.
type measured struct {
	Crate, Version, Machine, Code string
	Assembly                      int64
	GoBuild                       float64
	Timings                       []struct {
		Stage                    string
		Seconds, Processor, Peak float64
	}
}

func main() {
	short := flag.Bool("short", false, "measure the two smallest crates, and write no files")
	flag.Parse()
	if err := run(*short); err != nil {
		log.Fatal(err)
	}
}

func run(short bool) error {
	names := crates
	if short {
		names = crates[:2]
	}
	dir, err := os.MkdirTemp("", "bench-tool")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "timings.json")
	survey := exec.Command("../scripts/survey", append([]string{"--machines", "amd64", "--timings", file}, names...)...)
	survey.Stdout, survey.Stderr = os.Stderr, os.Stderr
	if err := survey.Run(); err != nil {
		return fmt.Errorf("scripts/survey: %w", err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var all []measured
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	if len(all) != len(names) {
		return fmt.Errorf("scripts/survey built %d of %d crates", len(all), len(names))
	}
	page, err := table(all)
	if err != nil {
		return err
	}
	if short {
		fmt.Print(page)
		return nil
	}
	return errors.Join(os.WriteFile("results/tool.md", []byte(page), 0o666), draw(all, "results/tool.svg"))
}

// code returns the size of the crate's machine code in MiB.
func (m measured) code() (float64, error) {
	number, unit, _ := strings.Cut(m.Code, " ")
	size, err := strconv.ParseFloat(number, 64)
	switch unit {
	case "B":
		size /= 1 << 20
	case "KiB":
		size /= 1 << 10
	case "MiB":
	default:
		err = errors.Join(err, fmt.Errorf("%s: unknown unit in %q", m.Crate, m.Code))
	}
	return size, err
}

// stage returns the processor time of a stage in seconds.
func (m measured) stage(name string) float64 {
	for _, t := range m.Timings {
		if t.Stage == name {
			return t.Processor
		}
	}
	return math.NaN()
}

// own returns the processor time of all stages in the list stages, in seconds.
func (m measured) own() (sum float64) {
	for _, name := range stages {
		sum += m.stage(name)
	}
	return sum
}

// peak returns the largest amount of memory that the tool used, in MiB.
func (m measured) peak() (most float64) {
	for _, t := range m.Timings {
		most = max(most, t.Peak)
	}
	return most
}

func table(all []measured) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "# Time and memory of rustgo\n\n`make bench-tool` writes this page, on %s/%s with %d processors. It builds crates of scripts/survey-crates for amd64.\n\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	out.WriteString("Times are processor times of rustgo in seconds: cargo, `go vet` and `go tool asm` do not count. \"Own\" is the sum of the stages. " +
		"Memory is the most that rustgo used, in MiB. \".s\" is the number of bytes of assembly text for a byte of machine code. \"go build\" is the time in seconds that passes while an " +
		"importing program is built for the first time.\n\n")
	fmt.Fprintf(&out, "| crate | code, MiB | %s | own | own for 1 MiB | memory | .s | go build |\n|---|%s\n", strings.Join(stages, " | "), strings.Repeat("---:|", len(stages)+6))
	for _, m := range all {
		code, err := m.code()
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "| %s %s | %.2f", m.Crate, m.Version, code)
		for _, name := range stages {
			fmt.Fprintf(&out, " | %.2f", m.stage(name))
		}
		fmt.Fprintf(&out, " | %.1f | %.1f | %.0f | %.1f | %.1f |\n", m.own(), m.own()/code, m.peak(), float64(m.Assembly)/(code*(1<<20)), m.GoBuild)
	}
	out.WriteString("\n![Processor time and memory of rustgo by size of the machine code](tool.svg)\n")
	return out.String(), nil
}

// draw writes a picture with time and memory by size.
func draw(all []measured, file string) error {
	var times, memory plotter.XYs
	for _, m := range all {
		code, err := m.code()
		if err != nil {
			return err
		}
		times = append(times, plotter.XY{X: code, Y: m.own()})
		memory = append(memory, plotter.XY{X: code, Y: m.peak() / 100})
	}
	p := plot.New()
	p.Title.Text = "rustgo's own time and memory"
	p.X.Label.Text = "machine code, MiB"
	p.Y.Label.Text = "seconds, and memory in 100 MiB"
	p.X.Min, p.Y.Min = 0, 0
	p.Legend.Top, p.Legend.Left = true, true
	for _, series := range []struct {
		name   string
		points plotter.XYs
		color  color.Color
	}{{"processor time", times, color.RGBA{0, 90, 181, 255}}, {"memory", memory, color.RGBA{220, 50, 32, 255}}} {
		slices.SortFunc(series.points, func(a, b plotter.XY) int { return int(math.Copysign(1, a.X-b.X)) })
		line, points, err := plotter.NewLinePoints(series.points)
		if err != nil {
			return err
		}
		line.Color, points.Color = series.color, series.color
		p.Add(line, points)
		p.Legend.Add(series.name, line, points)
	}
	return p.Save(6*vg.Inch, 4*vg.Inch, file)
}
