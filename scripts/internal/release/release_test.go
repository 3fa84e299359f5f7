package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// tree is the release whose export all tests share.
var tree *release

func TestMain(m *testing.M) {
	os.Exit(func() int {
		root, err := filepath.Abs("../../..")
		if err != nil {
			panic(err)
		}
		scratch, err := os.MkdirTemp("", "rustgo-release.")
		if err != nil {
			panic(err)
		}
		defer removeAll(scratch)
		tree = &release{root: root, scratch: scratch}
		if err := tree.export(); err != nil {
			panic(err)
		}
		return m.Run()
	}())
}

// exported returns a release with the exported files and folders of its own for the result.
func exported(t *testing.T) *release {
	scratch := t.TempDir()
	t.Cleanup(func() { removeAll(scratch) })
	return &release{root: tree.root, tree: tree.tree, date: tree.date, out: filepath.Join(scratch, "out"), scratch: scratch, log: io.Discard}
}

// change replaces the text of an exported file, and returns a function that restores it.
func change(t *testing.T, name, text string) (restore func()) {
	t.Helper()
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	put := func(text string) {
		if err := write(name, text); err != nil {
			t.Fatal(err)
		}
	}
	put(text)
	return func() { put(string(before)) }
}

// TestRelease makes the module files and pages of the checkout, as scripts/release -check does.
func TestRelease(t *testing.T) {
	r := exported(t)
	var log bytes.Buffer
	r.log = &log
	if err := errors.Join(r.versions(false), r.modules(false), r.pages()); err != nil {
		t.Fatal(err)
	}
	for _, dir := range published {
		name := module.Version{Path: domain + "/" + dir, Version: "v" + r.version}
		proxy := filepath.Join(r.out, "modules", name.Path, "@v", name.Version)
		to := filepath.Join(r.scratch, "unzipped", dir)
		if err := zip.Unzip(to, name, proxy+".zip"); err != nil {
			t.Fatal(err)
		}
		for _, licence := range licences {
			if !exists(filepath.Join(to, licence)) {
				t.Errorf("the zip of %s has no %s", dir, licence)
			}
		}
		page, err := os.ReadFile(filepath.Join(r.out, "pages", dir, "index.html"))
		if err != nil {
			t.Fatal(err)
		}
		if want := `<meta name="go-import" content="rustgo.dev/` + dir + ` mod https://rustgo.dev/modules">`; !strings.Contains(string(page), want) {
			t.Errorf("the page of %s has no %s:\n%s", dir, want, page)
		}
		if tag := " tag " + dir + "/v" + r.version + ":"; !strings.Contains(log.String(), tag) {
			t.Errorf("no%s in\n%s", tag, log.String())
		}
	}
	// The module must have a file of each kind that a package needs: assembly, Rust source, code without assembly.
	for _, name := range []string{"regex/rustgo_amd64.s", "regex/rust/Cargo.toml", "xxh3/doc.go"} {
		if !exists(filepath.Join(r.scratch, "unzipped", "packages", name)) {
			t.Errorf("the zip of packages has no %s", name)
		}
	}
	for _, name := range []string{"go/rt", "go/handle", "packages/regex"} {
		if !exists(filepath.Join(r.out, "pages", name, "index.html")) {
			t.Errorf("no page for %s", name)
		}
	}
	if folders, err := packagesIn(filepath.Join(r.tree, "packages")); err != nil || slices.ContainsFunc(folders, func(f string) bool { return strings.HasPrefix(f, "internal") || strings.HasPrefix(f, "tests") }) {
		t.Errorf("pages for folders that nobody can import: %v, %v", folders, err)
	}
}

// TestPagesOfRepository makes the pages for modules that the go command gets by git.
func TestPagesOfRepository(t *testing.T) {
	r := exported(t)
	r.git = "https://git.example/rustgo?a&b"
	if err := r.pages(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pages/packages/regex/index.html", "pages/index.html"} {
		text, err := os.ReadFile(filepath.Join(r.out, name))
		if want := `<meta name="go-import" content="rustgo.dev git https://git.example/rustgo?a&amp;b">`; err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s has no %s: %v\n%s", name, want, err, text)
		}
	}
}

// TestWrongVersions changes one file after the other, and expects a message that names the file.
func TestWrongVersions(t *testing.T) {
	r := exported(t)
	if err := r.versions(false); err != nil {
		t.Fatal(err)
	}
	v := r.version
	for _, test := range []struct{ file, old, new, want string }{
		{"Cargo.toml", `rustgo-macro = { path = "crates/macro", version = "=` + v + `" }`, `rustgo-macro = { path = "crates/macro", version = "` + v + `" }`,
			`crates/support/Cargo.toml: it requires rustgo-macro "^` + v + `" instead of "=` + v + `"`},
		{"crates/rt/Cargo.toml", `version = "` + v + `"`, `version = "9.9.9"`, "crates/rt/Cargo.toml: the version is not " + v},
		{"crates/native/Cargo.toml", "version.workspace = true", `version = "9.9.9"`, "crates/native/Cargo.toml: version 9.9.9 instead of " + v},
		{"crates/schema/Cargo.toml", "license.workspace = true", "license.workspace = true\npublish = false",
			"crates/macro/Cargo.toml: it needs rustgo-schema, which is not published"},
		{"action.yml", `default: "` + v + `"`, `default: "9.9.9"`, "action.yml: the default version is not " + v},
		{"packages/go.mod", "rustgo.dev/go v" + v, "rustgo.dev/go v0.0.0", "packages/go.mod: it requires rustgo.dev/go v0.0.0 instead of v" + v},
		{"packages/go.mod", "=> ../go", "=> ../other", "packages/go.mod: importers ignore its directive: replace rustgo.dev/go => ../other"},
		{"go/go.mod", "go 1.24", "go 1.24\n\nrequire rustgo.dev/fixtures v0.0.0", "go/go.mod: it requires rustgo.dev/fixtures, which is not published"},
		{"fastcgo/go.mod", "module rustgo.dev/fastcgo", "module rustgo.dev/fast", "fastcgo/go.mod: module rustgo.dev/fast instead of rustgo.dev/fastcgo"},
		{"fixtures/go.mod", "rustgo.dev/packages v" + v, "rustgo.dev/packages v1.9.9", "fixtures/go.mod: it requires rustgo.dev/packages v1.9.9 instead of v" + v},
		{"check/LICENSE-MIT", "MIT", "BSD", "check/LICENSE-MIT: it is not a copy of LICENSE-MIT"},
	} {
		name := filepath.Join(r.tree, test.file)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte(test.old)) {
			t.Errorf("%s has no %q", test.file, test.old)
			continue
		}
		restore := change(t, name, strings.Replace(string(text), test.old, test.new, 1))
		if err := r.versions(false); err == nil || !slices.Contains(strings.Split(err.Error(), "\n"), test.want) {
			t.Errorf("%s with %q: %v; want %q", test.file, test.new, err, test.want)
		}
		restore()
	}
}

func TestChangelog(t *testing.T) {
	r := exported(t)
	r.version = "1.2.3"
	for _, test := range []struct {
		text           string
		isOK, isOKLast bool
	}{
		{"# Changelog\n\n## [1.2.3] - 2026-01-31\n\n- text\n", true, true},
		{"# Changelog\n\n## [1.2.3]\n", false, false},
		{"# Changelog\n\n## [1.2.4] - 2026-01-31\n\n## [1.2.3] - 2026-01-30\n", false, false},
		{"# Changelog\n\n## [Unreleased]\n\nWill be 1.2.3, the first.\n", true, false},
		{"# Changelog\n\n## [Unreleased]\n\nWill be 1.2.4.\n", false, false},
		{"# Changelog\n", false, false},
	} {
		restore := change(t, filepath.Join(r.tree, "CHANGELOG.md"), test.text)
		for _, isFinal := range []bool{false, true} {
			problems := 0
			if err := r.changelog(isFinal, func(string, ...any) { problems++ }); err != nil {
				t.Fatal(err)
			}
			if want := isFinal && test.isOKLast || !isFinal && test.isOK; (problems == 0) != want {
				t.Errorf("%q, final %v: %d problems", test.text, isFinal, problems)
			}
		}
		restore()
	}
}

// TestOrder checks that each crate is published after the crates that it needs.
func TestOrder(t *testing.T) {
	r := exported(t)
	all, err := workspace(r.tree)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, c := range inOrder(all) {
		order = append(order, c.Name)
	}
	at := func(name string) int { return slices.Index(order, name) }
	for _, pair := range [][2]string{{"rustgo-schema", "rustgo-macro"}, {"rustgo-macro", "rustgo-support"}, {"rustgo-support", "rustgo-native"}, {"rustgo-schema", "cargo-rustgo"}} {
		if at(pair[0]) < 0 || at(pair[1]) < at(pair[0]) {
			t.Errorf("%s must come before %s: %v", pair[0], pair[1], order)
		}
	}
	if at("rustgo-heap") >= 0 {
		t.Error("rustgo-heap is part of the Go module, and not to be published")
	}
}

// TestCrateFiles checks that the package of the tool has the licences and each file that its source includes.
func TestCrateFiles(t *testing.T) {
	r := exported(t)
	all, err := workspace(r.tree)
	if err != nil {
		t.Fatal(err)
	}
	tool, _ := named(all, "cargo-rustgo")
	defer change(t, tool.ManifestPath, read(t, tool.ManifestPath))()
	if err := r.complete(tool); err != nil {
		t.Fatal(err)
	}
	listed, err := output(r.tree, "cargo", "package", "--list", "--allow-dirty", "--offline", "--target-dir", filepath.Join(r.scratch, "target"), "--package", tool.Name)
	if err != nil {
		t.Fatal(err)
	}
	files := strings.Split(filepath.ToSlash(listed), "\n")
	dir := filepath.Dir(tool.ManifestPath)
	wanted := append([]string{"Cargo.lock", "README.md", "build.rs"}, licences...)
	sources := included(read(t, filepath.Join(dir, "src/runtime/sources.rs")))
	for _, file := range sources {
		wanted = append(wanted, "runtime/"+file)
	}
	if len(sources) < 50 || !slices.Contains(sources, "rt/translated/doc.go") {
		t.Errorf("the tool includes %v", sources)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, ".rs") || strings.HasSuffix(file, "tests.rs") || strings.Contains(file, "/tests/") {
			continue
		}
		for _, match := range regexp.MustCompile(`include_str!\("([^"\\]+)"\)`).FindAllStringSubmatch(read(t, filepath.Join(dir, file)), -1) {
			wanted = append(wanted, path.Join(path.Dir(file), match[1]))
		}
	}
	for _, file := range wanted {
		if !slices.Contains(files, file) {
			t.Errorf("the package of the tool has no %s", file)
		}
	}
	if !strings.Contains(read(t, tool.ManifestPath), "\n[profile.release]\n") || !strings.Contains(read(t, tool.ManifestPath), "\noverflow-checks = true\n") {
		t.Error("the manifest has no profile")
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLocked(t *testing.T) {
	got := locked("version = 4\n\n[[package]]\nname = \"b\"\nversion = \"2.0.0\"\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"x\"\n\n" +
		"[[patch.unused]]\nname = \"c\"\nversion = \"3.0.0\"\n")
	if want := []string{"a 1.0.0", "b 2.0.0"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestArchives makes archives, and checks their names and that they depend only on the files.
func TestArchives(t *testing.T) {
	r := exported(t)
	if err := r.versions(false); err != nil {
		t.Fatal(err)
	}
	all, err := workspace(r.tree)
	if err != nil {
		t.Fatal(err)
	}
	tool, _ := named(all, "cargo-rustgo")
	r.date = "2026-01-31T00:00:00Z"
	programs := t.TempDir()
	for _, name := range []string{"man/rustgo.1", "completions/_rustgo"} {
		if err := write(filepath.Join(r.shared(), name), name); err != nil {
			t.Fatal(err)
		}
	}
	for _, target := range known {
		for _, name := range names {
			if err := write(filepath.Join(programs, program(name, target)), "text of "+name); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.pack(tool, target, programs); err != nil {
			t.Fatal(err)
		}
		ending := ".tgz"
		if isWindows(target) {
			ending = ".zip"
		}
		file := filepath.Join(r.out, "releases/download/v"+r.version, "rustgo-"+target+ending)
		first, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		if err := os.Chtimes(filepath.Join(programs, program("rustgo", target)), now, now); err != nil {
			t.Fatal(err)
		}
		if err := r.pack(tool, target, programs); err != nil {
			t.Fatal(err)
		}
		if second, err := os.ReadFile(file); err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s differs the second time: %v", file, err)
		}
	}
	listed, err := outputOf(command(r.out, nil, "tar", "-tzf", filepath.Join("releases/download/v"+r.version, "rustgo-"+known[0]+".tgz")))
	if want := []string{"rustgo", "cargo-rustgo", "README.md", "LICENSE-APACHE", "LICENSE-MIT", "man/rustgo.1", "completions/_rustgo"}; err == nil {
		for i, name := range want {
			want[i] = "rustgo-" + known[0] + "/" + name
		}
		if got := strings.Split(listed, "\n"); !slices.Equal(got, want) {
			t.Errorf("the archive has %v, want %v", got, want)
		}
	} else {
		t.Error(err)
	}
	text, err := sums(r.out)
	if lines := strings.Count(text, "\n"); err != nil || lines != len(known) {
		t.Errorf("%d sums of %d files: %v", lines, len(known), err)
	}
}

// TestExport checks that the export has the files of the checkout without the results of builds.
func TestExport(t *testing.T) {
	r := exported(t)
	if _, err := os.Stat(filepath.Join(r.tree, "crates/cli/src/main.rs")); err != nil {
		t.Error(err)
	}
	err := filepath.WalkDir(r.tree, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == "target" {
			t.Errorf("%s is in the export", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
