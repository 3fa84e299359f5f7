// Proxy makes a folder that the go command can use as a module proxy (https://go.dev/ref/mod#goproxy-protocol). The proxy has version v0.1.0 of each
// module in the folders that the arguments name.
package main

import (
	"archive/zip"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
)

const version = "v0.1.0"

func main() {
	for _, module := range os.Args[2:] {
		path, dir, _ := strings.Cut(module, "=")
		if err := publish(filepath.Join(os.Args[1], path, "@v"), path, dir); err != nil {
			log.Fatal(err)
		}
	}
}

func publish(to, path, dir string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"list":            version + "\n",
		version + ".info": `{"Version":"` + version + `","Time":"2026-01-01T00:00:00Z"}`,
		version + ".mod":  string(mod),
	} {
		if err := os.WriteFile(filepath.Join(to, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	file, err := os.Create(filepath.Join(to, version+".zip"))
	if err != nil {
		return err
	}
	defer file.Close()
	archive := zip.NewWriter(file)
	add := func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		inner, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		w, err := archive.Create(path + "@" + version + "/" + filepath.ToSlash(inner))
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	}
	if err := filepath.WalkDir(dir, add); err != nil {
		return err
	}
	return archive.Close()
}
