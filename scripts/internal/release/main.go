// Command release makes everything that a release consists of, except the upload. scripts/release runs it.
//
// The stages run in this order, each in a file of its own:
//
//	versions.go   one version number in all crates, modules and the changelog
//	modules.go    the zip files of the Go modules, and a build of all their packages from these files
//	pages.go      the pages that tell the go command where the modules are
//	crates.go     the crates' packages, and a Go package made with the packaged tool and the packaged libraries
//	programs.go   the archives with the tool for each system
//
// With -check only the first three run. They take seconds and compile nothing.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// release holds the settings and results that the stages share.
type release struct {
	// root is the top folder of the checkout, tree the top folder of an export of its files.
	root, tree string
	// out is the folder that receives the result, scratch a folder that is removed at the end.
	out, scratch string
	// version is the version without "v", date the time of the commit.
	version, date string
	// git is the address of the git repository; it may be empty.
	git string
	// targets lists the systems to make the tool for, as Rust target triples.
	targets []string
	log     io.Writer
}

// say prints one line about what was done.
func (r *release) say(format string, args ...any) { fmt.Fprintf(r.log, format+"\n", args...) }

func main() {
	root := flag.String("root", ".", "the top `folder` of the checkout")
	out := flag.String("out", "", "the `folder` for the result; it must not exist [default: out/release]")
	check := flag.Bool("check", false, "compile nothing: check versions and module files only")
	rehearsal := flag.Bool("rehearsal", false, "allow uncommitted changes and a changelog without the date of the release")
	git := flag.String("git", "", "the `address` of the git repository, for the pages of the modules")
	targets := flag.String("targets", "", "the `triples` of the systems to make the tool for, with commas [default: all known]")
	flag.Parse()
	if *out == "" {
		*out = filepath.Join(*root, "out", "release")
	}
	r := &release{root: *root, out: *out, git: *git, log: os.Stdout}
	if r.targets = known; *targets != "" {
		r.targets = strings.Split(*targets, ",")
	}
	if err := r.run(*check, *rehearsal); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func (r *release) run(check, rehearsal bool) (err error) {
	if r.root, err = filepath.Abs(r.root); err != nil {
		return err
	}
	if r.scratch, err = os.MkdirTemp("", "rustgo-release."); err != nil {
		return err
	}
	defer removeAll(r.scratch)
	if check {
		r.out = filepath.Join(r.scratch, "out")
	} else if r.out, err = filepath.Abs(r.out); err != nil {
		return err
	}
	if _, err := os.Stat(r.out); err == nil {
		return fmt.Errorf("%s exists; remove it or choose another folder by -out", r.out)
	}
	if !check && !rehearsal {
		if err := r.committed(); err != nil {
			return err
		}
	}
	if err := r.export(); err != nil {
		return err
	}
	if err := r.versions(!check && !rehearsal); err != nil {
		return err
	}
	if err := r.modules(!check); err != nil {
		return err
	}
	if err := r.pages(); err != nil {
		return err
	}
	if check {
		return nil
	}
	if err := r.crates(); err != nil {
		return err
	}
	if err := r.programs(); err != nil {
		return err
	}
	return r.finish()
}

// committed returns an error if the checkout differs from its commit.
func (r *release) committed() error {
	changes, err := output(r.root, "git", "status", "--porcelain")
	if err == nil && changes != "" {
		err = fmt.Errorf("uncommitted changes; commit them, or try with -rehearsal:\n%s", changes)
	}
	return err
}

// export copies the files that git does not ignore, with their present contents, because a checkout also contains results of builds.
func (r *release) export() error {
	r.tree = filepath.Join(r.scratch, "tree")
	list, err := output(r.root, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return err
	}
	for _, name := range strings.Split(strings.TrimSuffix(list, "\x00"), "\x00") {
		err := copyFile(filepath.Join(r.tree, name), filepath.Join(r.root, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	r.date, err = output(r.root, "git", "log", "-1", "--format=%cd", "--date=format-local:%Y-%m-%dT%H:%M:%SZ")
	return err
}
