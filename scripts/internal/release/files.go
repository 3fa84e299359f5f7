package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

// output runs a command in a folder and returns what it prints, without the last newline.
func output(dir, name string, args ...string) (string, error) {
	return outputOf(command(dir, nil, name, args...))
}

// command returns a command whose environment has env in addition.
func command(dir string, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	// Git prints the time of the commit in UTC.
	cmd.Env = append(os.Environ(), append([]string{"TZ=UTC", "GOWORK=off", "GOFLAGS="}, env...)...)
	return cmd
}

func outputOf(cmd *exec.Cmd) (string, error) {
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", strings.Join(cmd.Args, " "), err, complaints.Bytes(), text)
	}
	return strings.TrimSuffix(string(text), "\n"), nil
}

// copyFile copies a file with its mode, and makes the folders above it.
func copyFile(to, from string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return writeMode(to, data, info.Mode().Perm())
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func write(name string, data string) error { return writeMode(name, []byte(data), 0o644) }

func writeMode(name string, data []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, mode)
}

// removeAll removes a folder. Go's module cache has folders without the permission to write.
func removeAll(dir string) {
	filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			os.Chmod(name, 0o755)
		}
		return nil
	})
	os.RemoveAll(dir)
}

// sums returns a line with the SHA-256 sum of each file below dir, sorted by name, as sha256sum --check reads them.
func sums(dir string) (string, error) {
	var lines []string
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(dir, name)
		lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), filepath.ToSlash(relative)))
		return err
	})
	sort.Slice(lines, func(a, b int) bool { return lines[a][64:] < lines[b][64:] })
	return strings.Join(lines, ""), err
}

// size prints a number of bytes.
func size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%.0f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}
