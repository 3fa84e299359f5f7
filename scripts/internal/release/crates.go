package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// maxCrate is the size in bytes of the largest package that crates.io accepts.
const maxCrate = 10 << 20

// crates makes the packages of the published crates, in the folder crates. It builds each crate from its own package and the packages of the other
// crates. Then the packaged tool makes a Go package with the packaged libraries, and go test tests this Go package.
func (r *release) crates() error {
	all, err := workspace(r.tree)
	if err != nil {
		return err
	}
	order := inOrder(all)
	for _, c := range order {
		if err := r.complete(c); err != nil {
			return err
		}
	}
	if err := r.history(); err != nil {
		return err
	}
	target := filepath.Join(r.scratch, "target")
	args := []string{"package", "--quiet", "--no-verify", "--allow-dirty", "--target-dir", target}
	for _, c := range order {
		args = append(args, "--package", c.Name)
	}
	if _, err := output(r.tree, "cargo", args...); err != nil {
		return err
	}

	unpacked := r.unpacked()
	if err := os.RemoveAll(unpacked); err != nil {
		return err
	}
	patches := "[patch.crates-io]\n"
	for _, c := range order {
		name := c.Name + "-" + r.version
		file := filepath.Join(r.out, "crates", name+".crate")
		if err := copyFile(file, filepath.Join(target, "package", name+".crate")); err != nil {
			return err
		}
		if err := os.MkdirAll(unpacked, 0o755); err != nil {
			return err
		}
		if _, err := output(unpacked, "tar", "-xzmf", file); err != nil {
			return err
		}
		if err := r.crateFiles(file, filepath.Join(unpacked, name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		patches += fmt.Sprintf("%s = { path = %q }\n", c.Name, filepath.Join(unpacked, name))
	}
	// The crates are not published yet. So these patches direct cargo from the versions in the manifests to the folders with the packages.
	if err := write(filepath.Join(unpacked, ".cargo", "config.toml"), patches); err != nil {
		return err
	}
	for _, c := range order {
		if err := r.buildPackaged(c); err != nil {
			return err
		}
	}
	return r.useTool()
}

// unpacked returns the folder with the contents of the packages. The folder is the same in each run, because cargo keeps the outputs of build
// scripts, and these contain the folder's name. All files in a package have the same fixed time, so cargo would not notice that a file has changed.
// So tar -m gives the unpacked files the present time.
func (r *release) unpacked() string { return filepath.Join(r.target(), "unpacked") }

// target returns cargo's folder for results, which is kept between releases. Ordinary builds use another folder, because they make another tool: a
// tool that is built from its package does not know the repository.
func (r *release) target() string {
	target := os.Getenv("CARGO_TARGET_DIR")
	if target == "" {
		target = filepath.Join(r.root, "target")
	}
	return filepath.Join(target, "packaged")
}

// complete adds what a crate's package needs to the crate's folder in the export, because a package contains only files of this folder. Each crate
// gets the licences. The tool also gets the sources of the Go module (crates/cli/build.rs), and its manifest the release profile of the workspace.
func (r *release) complete(c crate) error {
	dir := filepath.Dir(c.ManifestPath)
	for _, licence := range licences {
		if err := copyFile(filepath.Join(dir, licence), filepath.Join(r.tree, licence)); err != nil {
			return err
		}
	}
	if c.Name != "cargo-rustgo" {
		return nil
	}
	sources, err := os.ReadFile(filepath.Join(dir, "src", "runtime", "sources.rs"))
	if err != nil {
		return err
	}
	files := included(string(sources))
	if len(files) == 0 {
		return errors.New("src/runtime/sources.rs includes no files")
	}
	for _, file := range files {
		if err := copyFile(filepath.Join(dir, "runtime", file), filepath.Join(r.tree, "go", file)); err != nil {
			return err
		}
	}
	top, err := os.ReadFile(filepath.Join(r.tree, "Cargo.toml"))
	if err != nil {
		return err
	}
	profile := regexp.MustCompile(`(?s)\n\[profile\.release\].*?(\n\[|$)`).FindSubmatch(append(top, '\n'))
	if profile == nil {
		return errors.New("Cargo.toml has no [profile.release]")
	}
	manifest, err := os.ReadFile(c.ManifestPath)
	if err != nil {
		return err
	}
	return write(c.ManifestPath, string(manifest)+strings.TrimSuffix(string(profile[0]), "\n["))
}

var (
	fileList = regexp.MustCompile(`(?s)files!\("([^"]+)":(.*?)\)`)
	fileName = regexp.MustCompile(`"([^"]+)"`)
)

// included returns the files of the Go module that the tool contains, from the lists in its source: files!("rt": "a.go", "b.s").
func included(source string) []string {
	var files []string
	for _, list := range fileList.FindAllStringSubmatch(source, -1) {
		for _, name := range fileName.FindAllStringSubmatch(list[2], -1) {
			files = append(files, list[1]+"/"+name[1])
		}
	}
	return files
}

// history gives the export the history of the checkout, so that cargo can note the commit in the packages.
func (r *release) history() error {
	clone := filepath.Join(r.scratch, "clone")
	if _, err := output(r.root, "git", "clone", "--quiet", "--shared", "--no-checkout", ".", clone); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(clone, ".git"), filepath.Join(r.tree, ".git")); err != nil {
		return err
	}
	_, err := output(r.tree, "git", "reset", "--quiet")
	return err
}

// crateFiles checks a package and the folder with its contents.
func (r *release) crateFiles(file, dir string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.Size() > maxCrate {
		return fmt.Errorf("%s is too large for crates.io, whose limit is %s", size(info.Size()), size(maxCrate))
	}
	for _, licence := range licences {
		if !exists(filepath.Join(dir, licence)) {
			return fmt.Errorf("no %s", licence)
		}
	}
	if strings.HasPrefix(filepath.Base(dir), "cargo-rustgo-") {
		manifest, err := os.ReadFile(filepath.Join(dir, "Cargo.toml"))
		if err != nil {
			return err
		}
		// An arithmetic overflow must end the tool, also when the tool was installed from crates.io.
		if !strings.Contains(string(manifest), "overflow-checks = true") {
			return errors.New("the manifest has no overflow-checks")
		}
		if !exists(filepath.Join(dir, "Cargo.lock")) {
			return errors.New("no Cargo.lock, which cargo install --locked needs")
		}
	}
	r.say("crate %s: %s (limit of crates.io: %s)", filepath.Base(dir), size(info.Size()), size(maxCrate))
	return nil
}

// buildPackaged builds a crate from the contents of its package.
func (r *release) buildPackaged(c crate) error {
	dir := filepath.Join(r.unpacked(), c.Name+"-"+r.version)
	lock := filepath.Join(dir, "Cargo.lock")
	before, err := os.ReadFile(lock)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	args := []string{"build", "--release", "--quiet", "--target-dir", r.target(), "--manifest-path", filepath.Join(dir, "Cargo.toml")}
	if _, err := output(r.unpacked(), "cargo", args...); err != nil {
		return err
	}
	if c.Name == "cargo-rustgo" {
		after, err := os.ReadFile(lock)
		if err != nil {
			return err
		}
		if was, is := locked(string(before)), locked(string(after)); !slices.Equal(was, is) {
			return fmt.Errorf("%s: Cargo.lock in the package is stale: it has %v, and the build has %v", c.Name, was, is)
		}
	}
	r.say("crate %s-%s: builds from its package", c.Name, r.version)
	return nil
}

// locked returns the names and versions in a Cargo.lock, except the unused patches, which cargo lists at the end.
func locked(lock string) []string {
	lock, _, _ = strings.Cut(lock, "\n[[patch.unused]]\n")
	var all []string
	for _, entry := range regexp.MustCompile(`(?m)^name = "(.*)"\nversion = "(.*)"$`).FindAllStringSubmatch(lock, -1) {
		all = append(all, entry[1]+" "+entry[2])
	}
	slices.Sort(all)
	return all
}

// tool returns the path of the tool that was built from its package.
func (r *release) tool() string {
	name := "rustgo"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(r.target(), "release", name)
}

// useTool makes a new module with the tool, builds it with the packaged libraries, and tests it, native calls included.
func (r *release) useTool() error {
	version, err := output(r.unpacked(), r.tool(), "--version")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(version, "rustgo "+r.version) {
		return fmt.Errorf("the packaged tool calls itself %q instead of version %s", version, r.version)
	}
	module := filepath.Join(r.unpacked(), "fresh")
	if _, err := output(r.unpacked(), r.tool(), "new", "--quiet", "--module", "example.com/fresh", module); err != nil {
		return err
	}
	manifest, err := os.ReadFile(filepath.Join(module, "rust", "Cargo.toml"))
	if err != nil {
		return err
	}
	if want := fmt.Sprintf("rustgo-support = \"=%s\"", r.version); !strings.Contains(string(manifest), want) {
		return fmt.Errorf("the packaged tool makes a crate without %s:\n%s", want, manifest)
	}
	build := command(module, []string{"CARGO_TARGET_DIR=" + filepath.Join(r.target(), "fresh")}, r.tool(), "build", "--quiet", "--crate", "rust", "--arch", runtime.GOARCH)
	if _, err := outputOf(build); err != nil {
		return err
	}
	for _, args := range [][]string{{"vet", "./..."}, {"test", "./..."}} {
		if _, err := output(module, "go", args...); err != nil {
			return err
		}
	}
	r.say("tool: the packaged tool makes a module with the packaged libraries, and go test passes")
	return nil
}
