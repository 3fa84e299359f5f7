package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// domain is the import path that all published modules begin with.
const domain = "rustgo.dev"

// published lists the folders of the modules that are published. The import path of a module is the domain and the folder, and its tag begins with
// the folder.
var published = []string{"go", "check", "fastcgo", "packages", "packages/evm", "packages/jpeg", "packages/svg", "packages/tokenizers", "packages/xlsx"}

// licences lists the files that each module and each crate must have. pkg.go.dev shows the documentation of a module only if it has a licence.
var licences = []string{"LICENSE-APACHE", "LICENSE-MIT"}

// crate is a package in the output of cargo metadata.
type crate struct {
	Name, Version, Description, Repository, License string
	ManifestPath                                    string `json:"manifest_path"`
	Publish                                         *[]string
	Dependencies                                    []dependency
	Metadata                                        *struct{ Binstall *binstall }
}

type dependency struct {
	Name, Req  string
	Kind, Path *string
}

// isPublished reports whether the manifest lacks "publish = false".
func (c crate) isPublished() bool { return c.Publish == nil || len(*c.Publish) > 0 }

// isOwn reports whether the dependency is a crate of this repository that a build needs. A dependency that only tests need has no version, and cargo
// leaves it out of the packaged manifest.
func (d dependency) isOwn() bool { return d.Path != nil && (d.Kind == nil || *d.Kind != "dev") }

// workspace returns the crates of the workspace in tree.
func workspace(tree string) ([]crate, error) {
	text, err := output(tree, "cargo", "metadata", "--no-deps", "--offline", "--format-version", "1")
	if err != nil {
		return nil, err
	}
	var metadata struct{ Packages []crate }
	err = json.Unmarshal([]byte(text), &metadata)
	return metadata.Packages, err
}

// named returns the crate of this name.
func named(all []crate, name string) (crate, bool) {
	at := slices.IndexFunc(all, func(c crate) bool { return c.Name == name })
	if at < 0 {
		return crate{}, false
	}
	return all[at], true
}

// inOrder returns the published crates, each after its dependencies.
func inOrder(all []crate) []crate {
	var order []crate
	var add func(c crate)
	add = func(c crate) {
		if _, isDone := named(order, c.Name); isDone || !c.isPublished() {
			return
		}
		for _, d := range c.Dependencies {
			if needed, ok := named(all, d.Name); ok && d.isOwn() {
				add(needed)
			}
		}
		order = append(order, c)
	}
	for _, c := range all {
		add(c)
	}
	return order
}

// versions checks that everything has one version, and sets r.version. With isFinal the changelog must date the release.
func (r *release) versions(isFinal bool) error {
	all, err := workspace(r.tree)
	if err != nil {
		return err
	}
	tool, ok := named(all, "cargo-rustgo")
	if !ok {
		return errors.New("the workspace has no crate cargo-rustgo")
	}
	r.version = tool.Version
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if !semver.IsValid("v" + r.version) {
		add("crates/cli/Cargo.toml: %s is no version", r.version)
	}
	rt, err := os.ReadFile(filepath.Join(r.tree, "crates/rt/Cargo.toml"))
	if err != nil {
		return err
	}
	// The crate is not in the workspace, so it has a version of its own.
	if !bytes.Contains(rt, []byte("\nversion = \""+r.version+"\"\n")) {
		add("crates/rt/Cargo.toml: the version is not %s", r.version)
	}
	for _, c := range all {
		r.crateVersion(c, all, add)
	}
	action, err := os.ReadFile(filepath.Join(r.tree, "action.yml"))
	if err != nil {
		return err
	}
	if !bytes.Contains(action, []byte("\n    default: \""+r.version+"\"\n")) {
		add("action.yml: the default version is not %s", r.version)
	}
	if err := r.moduleVersions(add); err != nil {
		return err
	}
	if err := r.changelog(isFinal, add); err != nil {
		return err
	}
	if len(problems) == 0 {
		r.say("version %s: %d crates, %d modules, CHANGELOG.md", r.version, len(all)+1, len(published))
	}
	return errors.Join(problems...)
}

func (r *release) crateVersion(c crate, all []crate, add func(string, ...any)) {
	place, _ := filepath.Rel(r.tree, c.ManifestPath)
	if c.Version != r.version {
		add("%s: version %s instead of %s", place, c.Version, r.version)
	}
	if !c.isPublished() {
		return
	}
	// crates.io refuses a crate without a description or a license.
	if c.Description == "" || c.License == "" {
		add("%s: no description or no license", place)
	}
	for _, d := range c.Dependencies {
		if !d.isOwn() {
			continue
		}
		// The crates share records whose form changes between versions. So each crate requires the others in exactly its own version.
		if d.Req != "="+r.version {
			add("%s: it requires %s %q instead of \"=%s\"", place, d.Name, d.Req, r.version)
		}
		if needed, ok := named(all, d.Name); !ok || !needed.isPublished() {
			add("%s: it needs %s, which is not published", place, d.Name)
		}
	}
}

// moduleVersions checks the go.mod files of published modules, and the requirements in all other go.mod files of the tree.
func (r *release) moduleVersions(add func(string, ...any)) error {
	for _, dir := range published {
		for _, licence := range licences {
			own, err := os.ReadFile(filepath.Join(r.tree, dir, licence))
			top, topErr := os.ReadFile(filepath.Join(r.tree, licence))
			if topErr != nil {
				return topErr
			}
			if err != nil || !bytes.Equal(own, top) {
				add("%s/%s: it is not a copy of %s", dir, licence, licence)
			}
		}
	}
	return filepath.WalkDir(r.tree, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "go.mod" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		place, _ := filepath.Rel(r.tree, name)
		file, err := modfile.Parse(place, text, nil)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(place))
		isPublished := slices.Contains(published, dir)
		if isPublished && file.Module.Mod.Path != domain+"/"+dir {
			add("%s: module %s instead of %s/%s", place, file.Module.Mod.Path, domain, dir)
		}
		for _, require := range file.Require {
			folder, isOurs := strings.CutPrefix(require.Mod.Path, domain+"/")
			switch {
			case isOurs && slices.Contains(published, folder) && require.Mod.Version != "v"+r.version:
				add("%s: it requires %s %s instead of v%s", place, require.Mod.Path, require.Mod.Version, r.version)
			case isOurs && isPublished && !slices.Contains(published, folder):
				add("%s: it requires %s, which is not published", place, require.Mod.Path)
			}
		}
		for _, replace := range file.Replace {
			// Importers of a published module ignore its replace directives. So it may replace only published modules, each by its own folder in
			// this tree: importers get the same code as the version that the module requires.
			folder, isOurs := strings.CutPrefix(replace.Old.Path, domain+"/")
			if isPublished && !(isOurs && slices.Contains(published, folder) && path.Join(dir, replace.New.Path) == folder) {
				add("%s: importers ignore its directive: replace %s => %s", place, replace.Old.Path, replace.New.Path)
			}
		}
		return nil
	})
}

var heading = regexp.MustCompile(`(?m)^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$`)

// changelog checks the first heading of CHANGELOG.md. Before the release it is "Unreleased", and the next line of text names the version.
func (r *release) changelog(isFinal bool, add func(string, ...any)) error {
	text, err := os.ReadFile(filepath.Join(r.tree, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	at := heading.FindSubmatchIndex(text)
	if at == nil {
		add("CHANGELOG.md: no heading like ## [%s] - 2026-01-31", r.version)
		return nil
	}
	name, isDated := string(text[at[2]:at[3]]), at[4] >= 0
	first, _, _ := strings.Cut(strings.TrimSpace(string(text[at[1]:])), "\n")
	switch {
	case name == r.version && isDated:
	case name == "Unreleased" && isFinal:
		add("CHANGELOG.md: the first heading is [Unreleased]; name and date the version: ## [%s] - 2026-01-31", r.version)
	case name == "Unreleased" && strings.HasPrefix(first, "Will be "+r.version):
	default:
		add("CHANGELOG.md: the first heading is %q followed by %q; it must name version %s and its date, or be [Unreleased] followed by \"Will be %s\"",
			text[at[0]:at[1]], first, r.version, r.version)
	}
	return nil
}
