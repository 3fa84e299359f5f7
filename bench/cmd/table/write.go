package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// write writes dir/README.md, with a table and a picture for each group.
func (r *results) write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# Benchmarks\n\n%s\n\nMade by `%s` in the folder bench; how, and how to read it: METHOD.md there.\n%s\n", r.machine, r.command, legend)
	charts := r.charts()
	for _, c := range charts {
		name := fileName(c.name)
		fmt.Fprintf(&text, "\n![%s](%s)\n", c.title(), name)
		if err := c.write(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	for _, g := range r.groups {
		base := g.rank()
		fmt.Fprintf(&text, "\n## %s\n\n", g.name)
		if !slices.ContainsFunc(charts, func(c *chart) bool { return slices.Contains(c.groups, g) }) {
			name := fileName(g.name)
			fmt.Fprintf(&text, "![%s](%s)\n\n", g.name, name)
			var svg strings.Builder
			g.draw(&svg)
			if err := os.WriteFile(filepath.Join(dir, name), []byte(svg.String()), 0o666); err != nil {
				return err
			}
		}
		fmt.Fprintf(&text, "| | median | ± | × |%s\n|---|--:|--:|--:|%s\n", cells(g.more()), strings.Repeat("--:|", len(g.units)-1))
		for _, w := range g.ways {
			ratio := ""
			if base > 0 {
				ratio = fmt.Sprintf("%.2f", w.median/base)
			}
			fmt.Fprintf(&text, "| %s | %s | %.0f %% | %s |%s\n", w.name, quantity(w.median, g.units[0]), spread(w.runs[g.units[0]], w.median), ratio, cells(g.moreOf(w)))
		}
	}
	for _, note := range r.notes {
		fmt.Fprintf(&text, "\n%s\n", note)
	}
	return os.WriteFile(filepath.Join(dir, "README.md"), []byte(text.String()), 0o666)
}

func fileName(group string) string {
	return strings.ToLower(strings.ReplaceAll(group, "/", "-")) + ".svg"
}

// cells joins the texts to the cells of a row in a Markdown table.
func cells(texts []string) (row string) {
	for _, text := range texts {
		row += " " + text + " |"
	}
	return row
}

// draw writes a picture with a bar for each implementation, in the order of g.ways. The lengths of the bars are proportional to the medians. The
// picture is readable on light and dark backgrounds.
func (g *group) draw(out io.Writer) {
	const row, left, bar, right = 26, 170, 380, 100 // in pixels: the height of a row, and the widths of the columns
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
		fmt.Fprintf(out, `<text x="%.2f" y="%d">%s</text>`+"\n", left+width+6, y+17, escaped(quantity(w.median, g.units[0])))
	}
	fmt.Fprintln(out, "</svg>")
}

func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text))
	return b.String()
}
