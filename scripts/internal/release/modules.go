package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/zip"
)

// modules writes the files of each published module to the folder modules, in the layout of a module proxy
// (https://go.dev/ref/mod#goproxy-protocol). Then the go command reads all packages from this folder, with an empty module cache. If compile is true,
// the go command also compiles the packages.
func (r *release) modules(compile bool) error {
	for _, dir := range published {
		if err := r.module(dir); err != nil {
			return fmt.Errorf("module %s/%s: %w", domain, dir, err)
		}
	}
	return r.resolve(compile)
}

func (r *release) module(dir string) error {
	from := filepath.Join(r.tree, dir)
	name := module.Version{Path: domain + "/" + dir, Version: "v" + r.version}
	checked, err := zip.CheckDir(from)
	if err != nil {
		return err
	}
	if err := errors.Join(checked.Err(), checked.SizeError); err != nil {
		return err
	}
	for _, omitted := range checked.Omitted {
		// Modules inside the folder are not part of the module; nothing else may be missing.
		if !exists(filepath.Join(omitted.Path, "go.mod")) {
			return fmt.Errorf("%s would be left out: %w", omitted.Path, omitted.Err)
		}
	}
	var bytes int64 // of all files
	for _, file := range checked.Valid {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		bytes += info.Size()
	}

	proxy := filepath.Join(r.out, "modules", domain, dir, "@v")
	if err := os.MkdirAll(proxy, 0o755); err != nil {
		return err
	}
	archive := filepath.Join(proxy, name.Version+".zip")
	file, err := os.Create(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := zip.CreateFromDir(file, name, from); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if _, err := zip.CheckZip(name, archive); err != nil {
		return err
	}
	hash, err := dirhash.HashZip(archive, dirhash.Hash1)
	if err != nil {
		return err
	}
	info, err := os.Stat(archive)
	if err != nil {
		return err
	}
	facts, err := json.Marshal(map[string]string{"Version": name.Version, "Time": r.date})
	if err != nil {
		return err
	}
	if err := errors.Join(
		write(filepath.Join(proxy, "list"), name.Version+"\n"),
		write(filepath.Join(proxy, name.Version+".info"), string(facts)+"\n"),
		copyFile(filepath.Join(proxy, name.Version+".mod"), filepath.Join(from, "go.mod")),
	); err != nil {
		return err
	}
	r.say("module %-20s tag %s/%s: %d files, %s, zip %s (Go's limit: %s), %s", name.Path, dir, name.Version, len(checked.Valid), size(bytes),
		size(info.Size()), size(zip.MaxZipFile), hash)
	return nil
}

// resolve makes a program that requires all modules at this version, and lets the go command read their packages. The go command finds these modules
// only in the folder modules, and other modules in the ordinary module cache and by the ordinary proxy.
func (r *release) resolve(compile bool) error {
	user := filepath.Join(r.scratch, "user")
	text := "module user\n\ngo 1.24\n"
	for _, dir := range published {
		text += fmt.Sprintf("\nrequire %s/%s v%s\n", domain, dir, r.version)
	}
	imports := "package main\n\nimport (\n"
	for _, path := range []string{"go/rt", "fastcgo", "packages/regex", "packages/xxh3"} {
		imports += fmt.Sprintf("\t_ %q\n", domain+"/"+path)
	}
	if err := errors.Join(write(filepath.Join(user, "go.mod"), text), write(filepath.Join(user, "main.go"), imports+")\n\nfunc main() {}\n")); err != nil {
		return err
	}
	had, err := output(user, "go", "env", "GOMODCACHE", "GOPROXY")
	if err != nil {
		return err
	}
	cache, proxy, _ := strings.Cut(had, "\n")
	env := []string{
		"GOPROXY=file://" + filepath.Join(r.out, "modules") + ",file://" + filepath.Join(cache, "cache", "download") + "," + proxy,
		"GONOSUMDB=" + domain, "GONOPROXY=none", "GOPRIVATE=", "GOTOOLCHAIN=local",
		"GOMODCACHE=" + filepath.Join(r.scratch, "modcache"),
	}
	var patterns []string
	for _, dir := range published {
		patterns = append(patterns, domain+"/"+dir+"/...")
	}
	// The patterns also name the command check, which main.go cannot import.
	if _, err := outputOf(command(user, env, "go", append([]string{"list", "-mod=mod", "-deps", "-f", "{{.ImportPath}} {{.Module}}"}, patterns...)...)); err != nil {
		return err
	}
	if !compile {
		r.say("modules: all packages and their imports are found in the module files")
		return nil
	}
	for _, arch := range []string{"amd64", "arm64"} {
		if _, err := outputOf(command(user, append(env, "GOARCH="+arch, "CGO_ENABLED=0"), "go", append([]string{"build", "-mod=mod"}, patterns...)...)); err != nil {
			return err
		}
	}
	bin := filepath.Join(r.scratch, "bin")
	if _, err := outputOf(command(r.scratch, append(env, "GOBIN="+bin), "go", "install", domain+"/check@v"+r.version)); err != nil {
		return err
	}
	r.say("modules: all packages build for amd64 and arm64 from the module files, and go install %s/check@v%s works", domain, r.version)
	return nil
}
