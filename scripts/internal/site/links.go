package main

import (
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	reference = regexp.MustCompile(`\s(?:href|src)="([^"]*)"`)
	anchor    = regexp.MustCompile(`\sid="([^"]*)"`)
)

// checkLinks checks that the links between the pages of a site, with their anchors, lead to a file and an element. It returns the number of links.
func checkLinks(site string) (int, error) {
	anchors := map[string]map[string]bool{}
	pages := map[string]string{}
	err := filepath.WalkDir(site, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".html" {
			return err
		}
		text, err := os.ReadFile(name)
		pages[name] = string(text)
		anchors[name] = map[string]bool{}
		for _, match := range anchor.FindAllStringSubmatch(string(text), -1) {
			anchors[name][html.UnescapeString(match[1])] = true
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	var problems []error
	count := 0
	for name, text := range pages {
		// The links of 404.html are relative to the address of the site, not to the page. They are not checked.
		if filepath.Base(name) == "404.html" {
			continue
		}
		for _, match := range reference.FindAllStringSubmatch(text, -1) {
			target, err := url.Parse(html.UnescapeString(match[1]))
			if err == nil && (target.Scheme != "" || target.Host != "") {
				continue
			}
			count++
			if err == nil {
				err = leads(site, name, target, anchors)
			}
			if err != nil {
				page, _ := filepath.Rel(site, name)
				problems = append(problems, fmt.Errorf("%s: %s: %w", page, match[1], err))
			}
		}
	}
	if count == 0 {
		problems = append(problems, errors.New("the site has no links"))
	}
	return count, errors.Join(problems...)
}

// leads returns an error if the target of a link on a page does not exist or is outside the site.
func leads(site, page string, target *url.URL, anchors map[string]map[string]bool) error {
	file := page
	if target.Path != "" {
		file = filepath.Join(filepath.Dir(page), filepath.FromSlash(target.Path))
	}
	if !strings.HasPrefix(file, site+string(filepath.Separator)) && file != site {
		return errors.New("outside the site")
	}
	info, err := os.Stat(file)
	if err != nil {
		return errors.New("no such file")
	}
	if info.IsDir() {
		file = filepath.Join(file, "index.html")
	}
	known, isPage := anchors[file]
	if info.IsDir() && !isPage {
		return errors.New("a folder without a page")
	}
	if target.Fragment != "" && isPage && !known[target.Fragment] {
		return errors.New("no such heading")
	}
	return nil
}
