package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// generated is the name of the chapter that gallery makes.
const generated = "packages.md"

var (
	// link matches the end of an inline link or image: its target, without a title.
	link = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	// entry matches a line of SUMMARY.md.
	entry = regexp.MustCompile(`^(\s*(?:- )?\[[^\]]+\]\()([^)]+)\)$`)
)

// staging is the state of stage.
type staging struct {
	root, src string
	// chapters maps the name of each chapter, relative to the root and with slashes, to its name in the book.
	chapters map[string]string
	// copied maps files that are not chapters to their names in the book.
	copied map[string]string
}

// stage writes mdBook's input to the folder book, and returns the number of chapters.
func stage(root, book string) (int, error) {
	s := &staging{root: root, src: filepath.Join(book, "src"), chapters: map[string]string{}, copied: map[string]string{}}
	for _, name := range []string{"book.toml", "site.css", "tables.js"} {
		if err := s.copy(filepath.Join("site", name), filepath.Join(book, name)); err != nil {
			return 0, err
		}
	}
	if err := s.summary(); err != nil {
		return 0, err
	}
	for _, name := range sortedKeys(s.chapters) {
		if name == "site/"+generated {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return 0, err
		}
		changed, err := s.adapt(name, string(text))
		if err != nil {
			return 0, err
		}
		if err := write(filepath.Join(s.src, s.chapters[name]), changed); err != nil {
			return 0, err
		}
	}
	text, err := s.gallery()
	if err != nil {
		return 0, err
	}
	return len(s.chapters), write(filepath.Join(s.src, generated), text)
}

// inBook returns the name of a chapter in the book. A README.md becomes index.md. From index.md mdBook makes index.html, the page that a server sends
// for the address of a folder.
func inBook(name string) string {
	if path.Base(name) == "README.md" {
		return path.Join(path.Dir(name), "index.md")
	}
	return name
}

// summary reads site/SUMMARY.md and writes it with the names of the chapters in the book.
func (s *staging) summary() error {
	text, err := os.ReadFile(filepath.Join(s.root, "site", "SUMMARY.md"))
	if err != nil {
		return err
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		match := entry.FindStringSubmatch(line)
		if match == nil {
			if strings.Contains(line, "](") {
				return fmt.Errorf("site/SUMMARY.md:%d: %s", i+1, line)
			}
			continue
		}
		name := path.Join("site", match[2])
		s.chapters[name] = strings.TrimPrefix(inBook(name), "site/")
		lines[i] = match[1] + s.chapters[name] + ")"
	}
	return write(filepath.Join(s.src, "SUMMARY.md"), strings.Join(lines, "\n"))
}

// adapt returns the text of the file called name, with links that are right in the book.
func (s *staging) adapt(name, text string) (string, error) {
	return s.adaptFor(name, s.chapters[name], text)
}

// adaptFor is like adapt, for a text that is copied from the file called name to another chapter.
func (s *staging) adaptFor(name, chapter, text string) (string, error) {
	var problems []error
	change := func(prose string) string {
		return link.ReplaceAllStringFunc(prose, func(found string) string {
			target, err := s.target(name, link.FindStringSubmatch(found)[1])
			if err != nil {
				problems = append(problems, fmt.Errorf("%s: %w", name, err))
				return found
			}
			if target == "" {
				return found
			}
			to, anchor, _ := strings.Cut(target, "#")
			relative, err := filepath.Rel(filepath.Dir(chapter), to)
			if err != nil {
				problems = append(problems, err)
			}
			if anchor != "" {
				relative += "#" + anchor
			}
			return "](" + filepath.ToSlash(relative) + ")"
		})
	}
	var out strings.Builder
	inCode := false
	for _, line := range strings.SplitAfter(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inCode = !inCode
			out.WriteString(line)
			continue
		}
		if inCode {
			out.WriteString(line)
			continue
		}
		// Text between backquotes is code. Code may look like a link, and the text of a link may contain code.
		out.WriteString(changeProse(line, change))
	}
	return out.String(), errors.Join(problems...)
}

// changeProse applies change to a line with its inline code replaced by marks, and puts the code back.
func changeProse(line string, change func(string) string) string {
	parts := strings.Split(line, "`")
	if len(parts)%2 == 0 {
		// An odd number of backquotes: code that spans lines.
		return change(line)
	}
	var codes []string
	for i := 1; i < len(parts); i += 2 {
		codes = append(codes, parts[i])
		parts[i] = "\x00"
	}
	changed := strings.Split(change(strings.Join(parts, "`")), "\x00")
	var out strings.Builder
	for i, part := range changed {
		out.WriteString(part)
		if i < len(codes) {
			out.WriteString(codes[i])
		}
	}
	return out.String()
}

// target returns the name in the book of the file that the link to, in the file called name, refers to. It returns "" if the link stays as it is. A
// file that is not a chapter is copied to the book.
func (s *staging) target(name, to string) (string, error) {
	if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") || strings.HasPrefix(to, "#") {
		return "", nil
	}
	file, anchor, _ := strings.Cut(to, "#")
	full := path.Join(path.Dir(name), file)
	if anchor != "" {
		anchor = "#" + anchor
	}
	if chapter, ok := s.chapters[full]; ok {
		return chapter + anchor, nil
	}
	if chapter, ok := s.chapters[path.Join(full, "README.md")]; ok {
		return chapter + anchor, nil
	}
	if copied, ok := s.copied[full]; ok {
		return copied, nil
	}
	info, err := os.Stat(filepath.Join(s.root, full))
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(full, "../") {
		return "", fmt.Errorf("%s is outside the repository", to)
	}
	copied := path.Join("source", full)
	switch {
	case path.Ext(full) == ".svg" || path.Ext(full) == ".json":
		err = s.copy(full, filepath.Join(s.src, copied))
	case info.IsDir():
		copied += "/files.txt"
		err = s.listing(full, filepath.Join(s.src, copied))
	default:
		// A browser shows a file with this ending. It would download a file with another ending.
		copied += ".txt"
		err = s.copy(full, filepath.Join(s.src, copied))
	}
	s.copied[full] = copied
	return copied, err
}

func (s *staging) copy(from, to string) error {
	text, err := os.ReadFile(filepath.Join(s.root, from))
	if err != nil {
		return err
	}
	return write(to, string(text))
}

// listing writes the names of the files in a folder.
func (s *staging) listing(from, to string) error {
	entries, err := os.ReadDir(filepath.Join(s.root, from))
	if err != nil {
		return err
	}
	text := from + "\n\n"
	for _, entry := range entries {
		if entry.Name() != "target" {
			text += entry.Name() + "\n"
		}
	}
	return write(to, text)
}

// gallery returns a chapter with the name and the first paragraph of each package's README.
func (s *staging) gallery() (string, error) {
	text := "# Packages\n\nEach package is a Rust crate that rustgo turned into Go code. Most are in the Go module `rustgo.dev/packages`; evm, jpeg, svg, tokenizers and xlsx are modules of their own. They need neither cgo nor a C compiler.\n\n<div class=\"gallery\">\n"
	for _, name := range sortedKeys(s.chapters) {
		if path.Dir(path.Dir(name)) != "packages" {
			continue
		}
		readme, err := os.ReadFile(filepath.Join(s.root, name))
		if err != nil {
			return "", err
		}
		title, rest, ok := strings.Cut(strings.TrimPrefix(string(readme), "# "), "\n\n")
		paragraph, _, _ := strings.Cut(rest, "\n\n")
		if !ok || strings.Contains(title, "\n") || paragraph == "" {
			return "", fmt.Errorf("%s does not begin with a heading and a paragraph", name)
		}
		if before, ok := strings.CutSuffix(paragraph, ":"); ok {
			paragraph = before + "." // Code follows in the README.
		}
		adapted, err := s.adaptFor(name, generated, paragraph)
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf("<div>\n\n**[%s](%s)**\n\n%s\n\n</div>\n", title, s.chapters[name], adapted)
	}
	return text + "</div>\n", nil
}

func write(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
