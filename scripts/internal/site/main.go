// Command site makes the documentation site. scripts/site runs it.
//
// mdBook expects all chapters below one folder, with links only between chapters. The documents are spread over the repository, and also link to
// source files. So the program copies the chapters that site/SUMMARY.md lists, and the files that they link to, to a scratch folder, and adapts the
// links of the copies. Then it runs mdBook there, and checks all links of the result.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// mdbook is the version of mdBook that the site is made for.
const mdbook = "0.5.4"

func main() {
	root := flag.String("root", ".", "the top `folder` of the checkout")
	out := flag.String("out", "", "the `folder` for the result, which is replaced [default: out/site]")
	install := flag.Bool("install", false, "only install mdBook for this user, from its source")
	flag.Parse()
	if *out == "" {
		*out = filepath.Join(*root, "out", "site")
	}
	err := error(nil)
	if *install {
		err = installBook()
	} else {
		err = site(*root, *out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func site(root, out string) error {
	program, err := findBook()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "rustgo-site.")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	chapters, err := stage(root, scratch)
	if err != nil {
		return err
	}
	made := filepath.Join(scratch, "book")
	if text, err := exec.Command(program, "build", "--dest-dir", made, scratch).CombinedOutput(); err != nil {
		return fmt.Errorf("mdbook build: %w\n%s", err, text)
	}
	links, err := checkLinks(made)
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(out), os.CopyFS(out, os.DirFS(made))); err != nil {
		return err
	}
	fmt.Printf("site: %d chapters, %d links checked, in %s\n", chapters, links, out)
	return nil
}

// bookFolder is the folder that installBook installs to.
func bookFolder() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "rustgo", "mdbook"), err
}

// findBook returns the program mdbook of the right version, which is in the search path or was installed by installBook.
func findBook() (string, error) {
	folder, err := bookFolder()
	if err != nil {
		return "", err
	}
	for _, name := range []string{"mdbook", filepath.Join(folder, "bin", "mdbook")} {
		version, err := exec.Command(name, "--version").Output()
		if err == nil && string(version) == "mdbook v"+mdbook+"\n" {
			return name, nil
		}
	}
	return "", errors.New("no mdbook " + mdbook + "; scripts/site -install installs it in some minutes")
}

func installBook() error {
	if program, err := findBook(); err == nil {
		fmt.Println("site:", program, mdbook, "is there")
		return nil
	}
	folder, err := bookFolder()
	if err != nil {
		return err
	}
	// The features that are left out let mdBook watch the sources and serve the site. mdBook runs only for seconds, so it is built without
	// optimisation, in a third of the time.
	command := exec.Command("cargo", "install", "--quiet", "--debug", "mdbook", "--locked", "--version", mdbook, "--no-default-features", "--features", "search", "--root", folder)
	command.Env = append(os.Environ(), "CARGO_PROFILE_DEV_DEBUG=0")
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	return command.Run()
}
