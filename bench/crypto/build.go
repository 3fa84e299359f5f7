package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// A kind is a kind of column. It determines the tools that the column needs.
type kind int

const (
	pureGo  kind = iota
	native       // Rust
	cgo          // libsodium, by cgo or fastcgo
	cgoRust      // Rust, by cgo
)

type columnKind struct {
	name, title string
	kind        kind
}

// all lists all columns, in the order of the tables.
var all = []columnKind{
	{"rust", "Rust: the packages' crates", native},
	{"rust-other", "Rust: other crates", native},
	{"rust-ring", "Rust: ring", native},
	{"rust-libcrux", "Rust: libcrux", native},
	{"rust-sodium", "Rust: libsodium", native},
	{"gostd", "Go: standard library", pureGo},
	{"circl", "Go: cloudflare/circl", pureGo},
	{"filippo", "Go: filippo.io/edwards25519", pureGo},
	{"voi", "Go: curve25519-voi", pureGo},
	{"sodium-cgo", "Go: libsodium by cgo", cgo},
	{"sodium-fastcgo", "Go: libsodium by fastcgo", cgo},
	{"sodium-rustgo", "Go: libsodium by rustgo", pureGo},
	{"rust-cgo", "Go: the crates by cgo", cgoRust},
	{"rustgo", "Go: rustgo packages", pureGo},
}

// rustFlags are the compiler flags for the crates. The crates are compiled for this machine's processor, because the packages use the highest CPU
// level of the processor. The second flag lets RustCrypto's ChaCha20 use AVX-512.
const rustFlags = "RUSTFLAGS=-C target-cpu=native --cfg chacha20_avx512"

// built describes the built programs and the columns that they can measure.
type built struct {
	worker   string // the program of the columns in Go
	native   string // the program of the columns in Rust, or ""
	columns  []columnKind
	left     []string // missing tools, with the columns that need them and the way to install them
	goEnv    []string // for the go command
	goTags   string
	versions map[string]string // crates of native/Cargo.lock
}

// build builds the Go program in the folder. With withNative it also builds the Rust program and the libraries for cgo. These need cargo, and cgo
// also needs a C compiler. If a tool is missing, build leaves out the columns that need it.
func build(folder string, withNative bool) (*built, error) {
	b := &built{worker: filepath.Join(folder, "worker")}
	hasCargo := false
	if withNative {
		var err error
		if hasCargo, err = b.buildNative(); err != nil {
			return nil, err
		}
	}
	compiler := hasCompiler()
	switch {
	case !withNative:
	case !hasCargo:
		b.left = append(b.left, "Rust, and all that calls libsodium or Rust by cgo or fastcgo: no cargo; install Rust 1.95 (rustup.rs)")
	case !compiler:
		b.left = append(b.left, "cgo and fastcgo: no C compiler, no pkg-config, or CGO_ENABLED=0; install gcc and pkg-config")
	default:
		b.goTags = "native"
	}
	if err := b.goBuild(b.worker, "./cmd/worker"); err != nil {
		return nil, err
	}
	for _, c := range all {
		if c.kind == pureGo || c.kind == native && hasCargo || (c.kind == cgo || c.kind == cgoRust) && hasCargo && compiler {
			b.columns = append(b.columns, c)
		}
	}
	return b, nil
}

func (b *built) goBuild(out, pkg string) error {
	cmd := exec.Command("go", "build", "-tags", b.goTags, "-o", out, pkg)
	cmd.Env = append(os.Environ(), b.goEnv...)
	return run(cmd)
}

func run(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}

func hasCompiler() bool {
	out, err := exec.Command("go", "env", "CGO_ENABLED", "CC").Output()
	words := strings.Fields(string(out))
	if err != nil || len(words) < 2 || words[0] != "1" {
		return false
	}
	_, err = exec.LookPath(words[1])
	_, pkgConfig := exec.LookPath("pkg-config")
	return err == nil && pkgConfig == nil
}

// buildNative builds the program in Rust, the library for cgo, and libsodium. It returns false if there is no cargo.
func (b *built) buildNative() (bool, error) {
	if _, err := exec.LookPath("cargo"); err != nil {
		return false, nil
	}
	cmd := exec.Command("cargo", "build", "--release", "--locked", "--quiet", "--message-format", "json", "--target-dir", "native/target",
		"--manifest-path", "native/Cargo.toml", "-p", "crypto-worker", "-p", "crypto-capi")
	cmd.Env = append(os.Environ(), rustFlags)
	out, err := cmd.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("%w\n%s", err, exit.Stderr)
		}
		return false, fmt.Errorf("native: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		var message struct {
			Reason  string
			Package string `json:"package_id"`
			OutDir  string `json:"out_dir"`
		}
		if json.Unmarshal([]byte(line), &message) == nil && message.Reason == "build-script-executed" && strings.Contains(message.Package, "libsodium-sys-stable") {
			b.goEnv = []string{"PKG_CONFIG_PATH=" + filepath.Join(message.OutDir, "installed", "lib", "pkgconfig")}
		}
	}
	if b.goEnv == nil {
		return false, errors.New("native: cargo does not say where libsodium was built")
	}
	b.native, err = filepath.Abs("native/target/release/crypto-worker")
	if err != nil {
		return false, err
	}
	lock, err := os.ReadFile("native/Cargo.lock")
	b.versions = map[string]string{}
	for _, m := range regexp.MustCompile(`name = "(.+)"\nversion = "(.+)"`).FindAllStringSubmatch(string(lock), -1) {
		b.versions[m[1]] = m[2]
	}
	return true, err
}

// start starts the program of a column.
func (b *built) start(c columnKind, processor string) (*process, error) {
	program := b.worker
	if c.kind == native {
		program = b.native
	}
	return start(program, c.name, processor)
}
