package main

import (
	"fmt"
	"html"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// pages writes a page for each module and each of its folders that has Go files. The go command asks for these pages
// (https://go.dev/ref/mod#vcs-find). They redirect a browser to the documentation.
func (r *release) pages() error {
	// Without a repository, the go command reads the module files of this release below the address of the pages.
	source, own := fmt.Sprintf("mod https://%s/modules", domain), ""
	if r.git != "" {
		source = "git " + r.git
		own = source
	}
	count := 0
	for _, dir := range published {
		prefix := domain + "/" + dir
		if r.git != "" {
			// The repository contains all modules, each in its folder.
			prefix = domain
		}
		folders, err := packagesIn(filepath.Join(r.tree, dir))
		if err != nil {
			return err
		}
		for _, folder := range folders {
			path := strings.TrimSuffix(domain+"/"+dir+"/"+folder, "/")
			file := filepath.Join(r.out, "pages", dir, folder, "index.html")
			if err := write(file, page(path, prefix, source, "https://pkg.go.dev/"+path)); err != nil {
				return err
			}
			count++
		}
	}
	// index.html, the page for the domain itself, redirects to the documentation site. The go command compares the page of each module in a
	// repository with this page, because the domain is the prefix of the module's path.
	if err := write(filepath.Join(r.out, "pages", "index.html"), page(domain, domain, own, "https://"+domain+"/book/")); err != nil {
		return err
	}
	r.say("pages: %d with go-import %s", count, source)
	return nil
}

// packagesIn returns the folders of a module that an importer can name, with slashes, and "" for the module's own folder.
func packagesIn(module string) ([]string, error) {
	folders := []string{""}
	err := filepath.WalkDir(module, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(module, name)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		if entry.IsDir() {
			base := entry.Name()
			isHidden := base == "internal" || base == "testdata" || strings.HasPrefix(base, "_") || strings.HasPrefix(base, ".")
			if relative != "." && (isHidden || exists(filepath.Join(name, "go.mod"))) {
				return filepath.SkipDir
			}
			return nil
		}
		folder := strings.TrimSuffix(relative[:strings.LastIndex(relative, "/")+1], "/")
		if strings.HasSuffix(relative, ".go") && !strings.HasSuffix(relative, "_test.go") && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
		return nil
	})
	slices.Sort(folders)
	return folders, err
}

// page returns an HTML page that redirects to the documentation. Unless source is "", the page has the line go-import for the go command.
func page(path, prefix, source, documentation string) string {
	path, documentation = html.EscapeString(path), html.EscapeString(documentation)
	meta := ""
	if source != "" {
		meta = fmt.Sprintf("<meta name=\"go-import\" content=\"%s %s\">\n", html.EscapeString(prefix), html.EscapeString(source))
	}
	return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + path + "</title>\n" + meta +
		"<meta http-equiv=\"refresh\" content=\"0; url=" + documentation + "\">\n</head>\n<body>\n<p>The documentation of <code>" + path +
		"</code> is at <a href=\"" + documentation + "\">" + documentation + "</a>.</p>\n</body>\n</html>\n"
}
