// Command chart draws the geometric means of ../RESULTS.md: the time of each package divided by the time of packages/regex. It reads the tables
// that bench/regex has printed, so it needs no new measurement.
//
//	go run ./chart        in bench/regex; writes ../results/regex.svg
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
)

func main() {
	text, err := os.ReadFile("RESULTS.md")
	if err != nil {
		log.Fatal(err)
	}
	picture, err := draw(string(text))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("../results/regex.svg", picture, 0o666); err != nil {
		log.Fatal(err)
	}
}

// means reads the table of the results whose first cell is the given text. It returns the names of the implementations, and for each
// implementation the geometric mean of its times divided by the times of packages/regex.
func means(results, table string) (ways []string, ratios []float64, err error) {
	_, rest, found := strings.Cut(results, "\n| "+table+" | operation |")
	head, rest, _ := strings.Cut(rest, "\n")
	_, last, complete := strings.Cut(rest, "\n| geometric mean |")
	if !found || !complete {
		return nil, nil, fmt.Errorf("there is no complete table %q", table)
	}
	last, _, _ = strings.Cut(last, "\n")
	// In head, the first two cells are the number of matches and the time of packages/regex, whose ratio to itself is 1.
	ways, ratios = []string{"rustgo"}, []float64{1}
	names, numbers := strings.Split(head, "|"), strings.Split(last, "|")
	if len(names) != len(numbers)-1 {
		return nil, nil, fmt.Errorf("table %q: %d names, %d means", table, len(names), len(numbers)-1)
	}
	for i, name := range names[2 : len(names)-1] {
		ratio, err := strconv.ParseFloat(strings.TrimSpace(numbers[i+3]), 64)
		if err != nil {
			return nil, nil, fmt.Errorf("table %q: %w", table, err)
		}
		ways, ratios = append(ways, strings.TrimSpace(name)), append(ratios, ratio)
	}
	return ways, ratios, nil
}

// labels gives the names under which the picture shows the implementations.
var labels = map[string]string{
	"rustgo": "packages/regex", "regexp": "Go's regexp", "grafana": "grafana/regexp", "go-re2": "go-re2", "coregex": "coregex",
	"Rust": "the crate, called by Rust",
}

// draw returns an SVG picture with a bar for each implementation. The colours can be read on light and dark backgrounds.
func draw(results string) ([]byte, error) {
	const row, title, left, bar, right = 24, 26, 190, 380, 70 // in pixels
	var body bytes.Buffer
	y, scale := 0, 0.0
	for _, table := range []struct{ name, title string }{
		{"long", "time on texts of half a megabyte, packages/regex = 1"}, {"short", "time on texts of 8 to 60 bytes, packages/regex = 1"},
	} {
		ways, ratios, err := means(results, table.name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&body, `<text x="%d" y="%d" font-weight="bold">%s</text>`+"\n", left, y+18, table.title)
		y += title
		for _, ratio := range ratios {
			scale = max(scale, ratio)
		}
		for i, way := range ways {
			label, known := labels[way]
			if !known {
				return nil, fmt.Errorf("%s has no label", way)
			}
			colour := "#8a94a6"
			if way == "rustgo" {
				colour = "#ce6a2b"
			}
			width := bar * ratios[i] / scale
			fmt.Fprintf(&body, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", left-8, y+16, label)
			fmt.Fprintf(&body, `<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", left, y, width, row-4, colour)
			fmt.Fprintf(&body, `<text x="%.1f" y="%d">%.3g</text>`+"\n", left+width+6, y+16, ratios[i])
			y += row
		}
		y += row / 2
	}
	var picture bytes.Buffer
	fmt.Fprintf(&picture, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="13" fill="#888">`+"\n", left+bar+right, y)
	picture.Write(body.Bytes())
	picture.WriteString("</svg>\n")
	return picture.Bytes(), nil
}
