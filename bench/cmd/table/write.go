package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// write makes dir/README.md, with a table and a picture for each group.
func (r *results) write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# Benchmarks\n\n%s\n\nMade by `make bench RESULTS=1`; how, and how to read it: [METHOD.md](../METHOD.md).\n%s\n", r.machine, legend)
	for _, g := range r.groups {
		base := g.rank()
		picture := strings.ToLower(strings.ReplaceAll(g.name, "/", "-")) + ".svg"
		fmt.Fprintf(&text, "\n## %s\n\n![%s](%s)\n\n| | time | ± | × |\n|---|--:|--:|--:|\n", g.name, g.name, picture)
		for _, w := range g.ways {
			ratio := ""
			if base > 0 {
				ratio = fmt.Sprintf("%.2f", w.median/base)
			}
			fmt.Fprintf(&text, "| %s | %s | %.0f %% | %s |\n", w.name, duration(w.median), spread(w.ns, w.median), ratio)
		}
		var svg strings.Builder
		g.draw(&svg)
		if err := os.WriteFile(filepath.Join(dir, picture), []byte(svg.String()), 0o666); err != nil {
			return err
		}
	}
	for _, note := range r.notes {
		fmt.Fprintf(&text, "\n%s\n", note)
	}
	return os.WriteFile(filepath.Join(dir, "README.md"), []byte(text.String()), 0o666)
}

// draw writes a picture with a bar for each way, in the order of ways, as long as its median is. It can be read on a light
// and on a dark ground.
func (g *group) draw(out io.Writer) {
	const row, left, bar, right = 26, 170, 380, 100 // pixels: a row's height, and the columns
	longest := 0.0
	for _, w := range g.ways {
		longest = max(longest, w.median)
	}
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="13" fill="#888">`+"\n", left+bar+right, row*len(g.ways)+8)
	for i, w := range g.ways {
		colour := "#8a94a6"
		if strings.HasPrefix(w.name, "rustgo") {
			colour = "#ce6a2b"
		}
		y := row*i + 4
		width := bar * w.median / longest
		fmt.Fprintf(out, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", left-8, y+17, escaped(w.name))
		fmt.Fprintf(out, `<rect x="%d" y="%d" width="%.2f" height="%d" fill="%s"/>`+"\n", left, y, width, row-4, colour)
		fmt.Fprintf(out, `<text x="%.2f" y="%d">%s</text>`+"\n", left+width+6, y+17, duration(w.median))
	}
	fmt.Fprintln(out, "</svg>")
}

func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text))
	return b.String()
}
