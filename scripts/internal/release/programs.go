package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

// known lists the systems that a release should have the tool for, as Rust target triples.
var known = []string{
	"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-apple-darwin", "aarch64-apple-darwin", "x86_64-pc-windows-msvc",
	"x86_64-pc-windows-gnu",
}

// names are the two names of the tool: rustgo, and cargo-rustgo, which cargo runs for `cargo rustgo`.
var names = []string{"rustgo", "cargo-rustgo"}

// foreign names, for a system other than this one, the linker and the program that runs programs of that system. The tool for another system without
// an entry must be built on a machine with that system.
var foreign = map[string]struct{ linker, runner string }{
	"x86_64-unknown-linux-gnu":  {"x86_64-linux-gnu-gcc", "qemu-x86_64-static"},
	"aarch64-unknown-linux-gnu": {"aarch64-linux-gnu-gcc", "qemu-aarch64-static"},
	"x86_64-pc-windows-gnu":     {"x86_64-w64-mingw32-gcc", "wine"},
}

// binstall is what cargo binstall reads in the manifest of the tool.
type binstall struct {
	URL       string `json:"pkg-url"`
	Format    string `json:"pkg-fmt"`
	Folder    string `json:"bin-dir"`
	Overrides map[string]struct {
		Format string `json:"pkg-fmt"`
	}
}

// archive returns the address of the archive for a target, and the name of a program in it, as cargo binstall derives them.
func (b *binstall) archive(c crate, target, program string) (url, inner string) {
	format := b.Format
	if other, ok := b.Overrides[target]; ok {
		format = other.Format
	}
	suffix, extension := map[string]string{"tgz": ".tgz", "zip": ".zip"}[format], ""
	if isWindows(target) {
		extension = ".exe"
	}
	fill := strings.NewReplacer("{ repo }", c.Repository, "{ version }", c.Version, "{ target }", target, "{ archive-suffix }", suffix,
		"{ bin }", program, "{ binary-ext }", extension)
	return fill.Replace(b.URL), fill.Replace(b.Folder)
}

func isWindows(target string) bool { return strings.Contains(target, "-windows-") }

// programs makes the archive with the tool for each system that this machine can build for, in the folder releases/download/vVERSION. For each other
// system it prints why there is no archive.
func (r *release) programs() error {
	all, err := workspace(r.tree)
	if err != nil {
		return err
	}
	tool, _ := named(all, "cargo-rustgo")
	host, err := hostTriple()
	if err != nil {
		return err
	}
	if err := r.makePages(); err != nil {
		return err
	}
	for _, target := range r.targets {
		programs, err := r.program(target, host)
		var missing unavailable
		if errors.As(err, &missing) {
			r.say("tool for %s: NOT MADE: %s", target, missing)
			continue
		}
		if err != nil {
			return err
		}
		if err := r.pack(tool, target, programs); err != nil {
			return err
		}
	}
	return nil
}

// shells maps each shell to the name of the file with its completions.
var shells = map[string]string{"bash": "rustgo.bash", "zsh": "_rustgo", "fish": "rustgo.fish", "powershell": "rustgo.ps1"}

// shared returns the folder with the files that all archives have: man and completions.
func (r *release) shared() string { return filepath.Join(r.scratch, "shared") }

// makePages lets the tool write its manual pages and completions.
func (r *release) makePages() error {
	if _, err := output(r.scratch, r.tool(), "man", filepath.Join(r.shared(), "man")); err != nil {
		return err
	}
	for shell, name := range shells {
		script, err := output(r.scratch, r.tool(), "completions", shell)
		if err == nil {
			err = write(filepath.Join(r.shared(), "completions", name), script+"\n")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unavailable is the reason why this machine cannot make the tool for a system.
type unavailable string

func (u unavailable) Error() string { return string(u) }

func hostTriple() (string, error) {
	text, err := output(".", "rustc", "-vV")
	_, rest, _ := strings.Cut(text, "\nhost: ")
	host, _, _ := strings.Cut(rest, "\n")
	return host, err
}

// program builds the tool for a target from the package, and returns the folder with the programs.
func (r *release) program(target, host string) (string, error) {
	if target == host {
		return filepath.Join(r.target(), "release"), nil
	}
	std, err := output(".", "rustc", "--print", "target-libdir", "--target", target)
	if err != nil {
		return "", err
	}
	tools, ok := foreign[target]
	switch {
	case !ok:
		return "", unavailable("linking for it needs a machine of its kind: run scripts/release -targets " + target + " there")
	case !exists(std):
		return "", unavailable("this Rust toolchain has no standard library for it: rustup target add " + target)
	}
	if _, err := exec.LookPath(tools.linker); err != nil {
		return "", unavailable("no linker " + tools.linker)
	}
	manifest := filepath.Join(r.unpacked(), "cargo-rustgo-"+r.version, "Cargo.toml")
	variable := strings.ToUpper(strings.ReplaceAll(target, "-", "_"))
	build := command(r.unpacked(), []string{"CARGO_TARGET_" + variable + "_LINKER=" + tools.linker}, "cargo", "build", "--release", "--quiet",
		"--target", target, "--target-dir", r.target(), "--manifest-path", manifest)
	if _, err := outputOf(build); err != nil {
		return "", err
	}
	folder := filepath.Join(r.target(), target, "release")
	if _, err := exec.LookPath(tools.runner); err != nil {
		r.say("tool for %s: not run, because there is no %s", target, tools.runner)
		return folder, nil
	}
	env := []string{"QEMU_LD_PREFIX=/usr/aarch64-linux-gnu"}
	version, err := outputOf(command(r.scratch, env, tools.runner, filepath.Join(folder, program("rustgo", target)), "--version"))
	if err == nil && !strings.HasPrefix(version, "rustgo "+r.version) {
		err = fmt.Errorf("the tool for %s calls itself %q", target, version)
	}
	return folder, err
}

// program returns the file name of a program.
func program(name, target string) string {
	if isWindows(target) {
		name += ".exe"
	}
	return name
}

// pack writes the archive for a target to the place where cargo binstall looks for it.
func (r *release) pack(tool crate, target, folder string) error {
	if tool.Metadata == nil || tool.Metadata.Binstall == nil {
		return errors.New("crates/cli/Cargo.toml has no [package.metadata.binstall]")
	}
	when, err := time.Parse(time.RFC3339, r.date)
	if err != nil {
		return err
	}
	var files []packed
	url := ""
	for _, name := range names {
		var inner string
		url, inner = tool.Metadata.Binstall.archive(tool, target, name)
		files = append(files, packed{inner, filepath.Join(folder, program(name, target)), 0o755})
	}
	path, ok := strings.CutPrefix(url, tool.Repository+"/")
	if !ok || strings.ContainsAny(path, "{}") {
		return fmt.Errorf("crates/cli/Cargo.toml: the address %s of the archive for %s is not below %s", url, target, tool.Repository)
	}
	inside := filepath.ToSlash(filepath.Dir(files[0].name)) + "/"
	for _, name := range append([]string{"README.md"}, licences...) {
		files = append(files, packed{inside + name, filepath.Join(r.tree, name), 0o644})
	}
	for _, kind := range []string{"man", "completions"} {
		entries, err := os.ReadDir(filepath.Join(r.shared(), kind))
		if err != nil {
			return err
		}
		for _, entry := range entries {
			files = append(files, packed{inside + kind + "/" + entry.Name(), filepath.Join(r.shared(), kind, entry.Name()), 0o644})
		}
	}
	file := filepath.Join(r.out, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	writeArchive := writeTar
	if strings.HasSuffix(file, ".zip") {
		writeArchive = writeZip
	}
	if err := writeArchive(file, files, when); err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	r.say("tool for %s: %s, %s%s", target, path, size(info.Size()), needs(files[0].from))
	return nil
}

// needs returns a phrase with the oldest version of glibc that a program for Linux can use, or "" if the program needs no version.
func needs(program string) string {
	file, err := elf.Open(program)
	if err != nil {
		return ""
	}
	defer file.Close()
	symbols, err := file.ImportedSymbols()
	if err != nil {
		return ""
	}
	newest := ""
	for _, symbol := range symbols {
		if version, ok := strings.CutPrefix(symbol.Version, "GLIBC_"); ok && semver.Compare("v"+version, "v"+newest) > 0 {
			newest = version
		}
	}
	if newest == "" {
		return ""
	}
	return ", needs glibc " + newest
}

// packed is a file of an archive: its name in the archive, the file that it is a copy of, and its mode.
type packed struct {
	name, from string
	mode       os.FileMode
}

// writeTar writes a compressed tar file that depends only on the files and the time.
func writeTar(file string, files []packed, when time.Time) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer out.Close()
	compressed := gzip.NewWriter(out)
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		data, err := os.ReadFile(f.from)
		if err != nil {
			return err
		}
		if err := archive.WriteHeader(&tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(data)), ModTime: when, Format: tar.FormatUSTAR}); err != nil {
			return err
		}
		if _, err := archive.Write(data); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), compressed.Close(), out.Close())
}

func writeZip(file string, files []packed, when time.Time) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer out.Close()
	archive := zip.NewWriter(out)
	for _, f := range files {
		data, err := os.Open(f.from)
		if err != nil {
			return err
		}
		defer data.Close()
		w, err := archive.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: when})
		if err != nil {
			return err
		}
		if _, err := io.Copy(w, data); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), out.Close())
}
