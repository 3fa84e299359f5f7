//! The cases of `run`. The whole pipeline turns each case into a Go package. The test calls the package, and compares the results with the results of
//! the same code in a native program.
//!
//! All selected cases become packages of one Go module, and parts of one native program. Module and program are built once, because a build for each
//! case would take longer. Then each test runs the Go tests of its own case, in a separate process.

use super::krate;
use crate::common::directives::Directives;
use crate::common::{self, folder, go_command, read, scratch, stem, target, test_name, write};
use crate::harness::{self, Shared, Test};
use rayon::prelude::*;
use rustgo_cli::testing::backend::machine;
use rustgo_cli::testing::runtime::Runtime;
use rustgo_cli::testing::target::Arch;
use rustgo_cli::testing::verify;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

/// An exported function of a case: the name of the Go function, and how the native program calls the same code.
pub struct Function {
    pub package: String,
    pub go_name: String,
    pub native: Expression,
    /// For cases in assembly: the bound on the stack that the function uses, in bytes.
    pub bound: Option<u32>,
}

/// How the native program calls a function.
pub enum Expression {
    /// By evaluating this Rust expression, which computes the result from the argument `x`.
    Rust(String),
    /// By calling the assembly function whose symbol has this name.
    Symbol(String),
}

/// The parts of the native program that come from one case, or from all cases together.
#[derive(Default)]
pub struct Native {
    pub objects: Vec<std::path::PathBuf>,
    /// Lines for the section `[dependencies]` of its manifest.
    pub dependencies: String,
}

/// The linker and the emulator for arm64 cases on an amd64 machine.
const COMPILER: &str = "aarch64-linux-gnu-gcc";
const EMULATOR: &str = "qemu-aarch64-static";

/// True if the cases of this machine can run here. If not, prints the reason, or fails in CI.
fn can_run(arch: Arch) -> bool {
    if arch == Arch::Amd64 {
        return true;
    }
    let missing = [COMPILER, EMULATOR].into_iter().find(|program| Command::new(program).arg("--version").output().is_err());
    if let Some(program) = missing {
        crate::say!("skipped: the cases of arm64 are not run: no {program}: scripts/setup installs it");
        assert!(std::env::var_os("CI").is_none(), "there is no {program}: scripts/setup installs it");
    }
    missing.is_none()
}

/// A case that is ready to be run.
pub struct Made {
    pub name: String,
    pub functions: Vec<Function>,
    pub native: Native,
}

/// The state that the tests of a machine share.
struct Module {
    /// `None` if no case could be prepared.
    programs: Option<Programs>,
    /// For each case, by name: the prepared case, or the reason why it could not be prepared.
    cases: BTreeMap<String, Result<Made, String>>,
}

/// A test for each case file.
pub fn tests(arch: Arch, paths: Vec<PathBuf>) -> Vec<Test> {
    let named: Vec<(String, PathBuf)> = paths.into_iter().map(|path| (test_name(&folder(arch, "run"), &path), path)).collect();
    let chosen: Vec<PathBuf> = named.iter().filter(|(name, _)| harness::is_selected(name, false)).map(|(_, path)| path.clone()).collect();
    let module = Arc::new(Shared::new(move || module(arch, &chosen)));
    let test = |(name, path): (String, PathBuf)| {
        let module = Arc::clone(&module);
        Test::new(name, move || {
            if !can_run(arch) {
                return;
            }
            let module = module.get();
            let made = module.cases[&stem(&path)].as_ref().unwrap_or_else(|problem| panic!("{problem}"));
            let programs = module.programs.as_ref().expect("a case was made");
            let directives = Directives::parse(&path, &read(&path), &common::ASSEMBLY);
            let may_be_loose = directives.is_ok_and(|directives| directives.words("bounds").eq(["hold"]));
            programs.check(std::slice::from_ref(made), if may_be_loose { Bounds::Hold } else { Bounds::Tight });
        })
    };
    named.into_iter().map(test).collect()
}

fn module(arch: Arch, paths: &[PathBuf]) -> Module {
    let dir = scratch(&folder(arch, "run"));
    let go_dir = dir.join("go");
    common::go_mod(&go_dir);
    let make = |path: &PathBuf| {
        let made = catch_unwind(|| match path.extension().is_some_and(|extension| extension == "s") {
            true => {
                let directives = Directives::read(path, &common::ASSEMBLY);
                let unknown = directives.words("goldens").find(|word| !super::STAGES.iter().any(|(stage, _)| stage == word));
                assert!(unknown.is_none(), "{}: no stage is called {}", path.display(), unknown.unwrap_or_default());
                assembly(arch, &stem(path), &read(path), &go_dir, &dir)
            }
            false => krate::Case::read("run", path).runnable(&go_dir),
        });
        made.map_err(|panic| harness::words(&*panic))
    };
    let made: Vec<Result<Made, String>> = paths.par_iter().map(make).collect();
    let good: Vec<&Made> = made.iter().flatten().collect();
    let programs = (!good.is_empty()).then(|| Programs::build(arch, &dir, &go_dir, &good));
    Module { programs, cases: paths.iter().map(|path| stem(path)).zip(made).collect() }
}

/// Makes a Go package and a native object from an assembly file.
pub fn assembly(arch: Arch, name: &str, text: &str, go_dir: &Path, dir: &Path) -> Made {
    let (mut functions, mut native) = (Vec::new(), Native::default());
    let made = common::lower(arch, &common::case_archive(arch, text))
        .unwrap_or_else(|failure| panic!("{name}: {}", common::failure_text(&failure)));
    let go_file = made.go.print();
    verify::verify(&[(&made.asm, machine(arch))], &made.go, &Runtime::Published, &common::go())
        .unwrap_or_else(|failure| panic!("{name}: {}", common::failure_text(&failure)));
    write(&go_dir.join(name).join(verify::GO_FILE), &go_file);
    write(&go_dir.join(name).join(made.asm.name()), &made.asm.print());
    // Makes the names of exported symbols unique, so that one program can contain all cases.
    let mut unique = text.to_owned();
    for export in common::exports(text) {
        let symbol = format!("{name}_{}", export.symbol);
        write!(unique, "\n.globl {symbol}\n.set {symbol}, {}\n", export.symbol).expect("a string takes everything");
        let (at, _) = made.object.exports.iter().find(|(_, e)| e.schema.go_name == export.go_name).expect("the export is there");
        let facts = &made.facts.exports[at];
        // A function that uses the heap needs far less stack than its bound says, so its bound is not tested.
        let bound = (facts.budget.is_none() && !made.facts.needs_heap).then_some(facts.bound);
        functions.push(Function { package: name.to_owned(), go_name: export.go_name, native: Expression::Symbol(symbol), bound });
    }
    // Other global symbols become local, because another case may use the same names.
    let unique = unique.lines().filter(|line| !line.trim_start().starts_with(".globl") || line.contains(&format!("{name}_"))).fold(
        String::new(),
        |mut text, line| {
            text.push_str(line);
            text.push('\n');
            text
        },
    );
    for (member, object) in common::objects(arch, &unique, false) {
        let path = dir.join("objects").join(format!("{name}-{member}"));
        std::fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("the folder can be made");
        std::fs::write(&path, object).expect("the scratch folder is writable");
        native.objects.push(path);
    }
    Made { name: name.to_owned(), functions, native }
}

/// The source of the native program. It prints the result of every function for every input, and the most stack that each function used.
const NATIVE: &str = r#"
#![allow(unused)]
use core::arch::asm;
use std::io::Write;

#[unsafe(no_mangle)]
extern "C" fn rustgo_panic() -> ! { std::process::abort() }

type Shim = unsafe extern "C" fn(*const u64, *mut u64);

fn call(shim: Shim, x: u64) -> u64 {
    let mut result = 0u64;
    unsafe { shim(&x, &mut result) };
    result
}

/// The number of bytes of stack that a call writes to, including its return address. The stack below is filled with a pattern, then searched for
/// the lowest changed byte. SP is a multiple of 64 at the call, so the function needs no bytes to align SP.
fn depth(shim: Shim, x: u64) -> u64 {
    let mut result = 0u64;
    let lowest: u64;
    unsafe {
        asm!(
            "mov r12, rsp",
            "and rsp, -64",
            "mov r13, rsp",
            "lea rcx, [rsp - 131072]",
            "mov rax, 0x5a5a5a5a5a5a5a5a",
            "2: mov [rcx], rax",
            "add rcx, 8",
            "cmp rcx, rsp",
            "jb 2b",
            "call r14",
            "lea rcx, [rsp - 131072]",
            "mov rax, 0x5a5a5a5a5a5a5a5a",
            "3: cmp [rcx], rax",
            "jne 4f",
            "add rcx, 8",
            "jmp 3b",
            "4: mov rax, r13",
            "sub rax, rcx",
            "mov rsp, r12",
            in("r14") shim,
            inout("rdi") &raw const x => _,
            inout("rsi") &raw mut result => _,
            out("r12") _, out("r13") _, out("r15") _,
            out("rax") lowest,
            clobber_abi("C"),
        );
    }
    lowest
}

fn inputs() -> Vec<u64> {
    let mut inputs: Vec<u64> = (0..300).collect();
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..300 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        // Avoid -1 and -2, for which a case may panic (functions `…_panics` must panic for -1).
        inputs.push(random >> (random & 31) & !(1 << 63));
    }
    inputs
}
"#;

/// The Go test. It reads the native program's lines and compares them with the results in Go. The variable PACKAGES lists the packages to call.
const GO_TEST: &str = r#"
// The packages that are not called.
var others = map[string]bool{}

func init() {
	packages := strings.Split(os.Getenv("PACKAGES"), ",")
	for name := range functions {
		if name, _, _ := strings.Cut(name, "."); !slices.Contains(packages, name) {
			others[name] = true
		}
	}
	maps.DeleteFunc(functions, func(name string, _ func(uint64) uint64) bool {
		name, _, _ = strings.Cut(name, ".")
		return others[name]
	})
}

func TestResults(t *testing.T) {
	file, err := os.Open(os.Getenv("WANT"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	count, wrong := 0, map[string]int{}
	for lines.Scan() {
		if name, _, _ := strings.Cut(lines.Text(), "."); others[name] {
			continue
		}
		var name string
		var x, want uint64
		if _, err := fmt.Sscan(lines.Text(), &name, &x, &want); err != nil {
			t.Fatal(lines.Text(), err)
		}
		count++
		f := functions[name]
		if f == nil {
			t.Fatal("no function ", name)
		}
		if got := f(x); got != want && wrong[name] < 3 {
			wrong[name]++
			t.Errorf("%s(%d) = %d, natively %d", name, x, got, want)
		}
	}
	if count < 600 {
		t.Fatal("only ", count, " results")
	}
}

// Results are the same on stacks that must grow at the call, while another goroutine walks and frees stacks. One call at a time, because some cases
// keep state in statics.
func TestOnSmallStacks(t *testing.T) {
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	for name, f := range functions {
		want := f(12345)
		for range 20 {
			got := make(chan uint64)
			go func() { got <- f(12345) }()
			if got := <-got; got != want {
				t.Errorf("%s: %d on a fresh stack, %d before", name, got, want)
			}
		}
	}
	close(stop)
	<-stopped
}

// Results and panic messages do not depend on the alignment of the caller's frame: on amd64 Go's stack pointer is any multiple of 8.
func TestOnEitherAlignment(t *testing.T) {
	a, b := narrow(remainder, 0), wide(remainder, 0)
	if runtime.GOARCH == "amd64" && a+b != 8 || runtime.GOARCH == "arm64" && a+b != 0 {
		t.Fatalf("SP is %d past a multiple of 16 in one frame and %d in the other", a, b)
	}
	for name, f := range functions {
		if a, b := narrow(f, 12345), wide(f, 12345); a != b {
			t.Errorf("%s gives %d in one frame and %d in the other", name, a, b)
		}
		if strings.HasSuffix(name, "Panics") {
			said := func(call func(func(uint64) uint64, uint64) uint64) (said string) {
				defer func() { said = fmt.Sprint(recover()) }()
				call(f, 1<<64-1)
				return
			}
			if a, b := said(narrow), said(wide); a != b {
				t.Errorf("%s says %q in one frame and %q in the other", name, a, b)
			} else if strings.Contains(a, " bytes off") && !strings.Contains(a, "0 bytes off") {
				t.Errorf("%s says %q", name, a)
			}
		}
	}
}

//go:noinline
func narrow(f func(uint64) uint64, x uint64) uint64 {
	var room [3]uint64
	touch(&room[x%3])
	return f(x) + room[x%2]
}

//go:noinline
func wide(f func(uint64) uint64, x uint64) uint64 {
	var room [4]uint64
	touch(&room[x%4])
	return f(x) + room[x%2]
}

//go:noinline
func touch(*uint64) {}

// A deferred Go function runs while the panicking Rust frames are still on the stack. It makes the stack grow, and so move. Afterwards the panic
// must still be recoverable.
func TestPanicsOnSmallStacks(t *testing.T) {
	for name, f := range functions {
		if !strings.HasSuffix(name, "Panics") {
			continue
		}
		done := make(chan any)
		for range 20 {
			go func() {
				defer func() { done <- recover() }()
				defer func() { deep(100) }()
				f(1<<64 - 1)
			}()
			if <-done == nil {
				t.Errorf("%s did not panic", name)
			}
		}
	}
}

// A fault in Rust is recovered ten thousand times. The deferred function makes the stack grow under the faulting frame, and writes pointers while
// the collector runs. The next call on that thread is not affected.
func TestFaults(t *testing.T) {
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	for name, f := range functions {
		if !strings.HasSuffix(name, "Faults") {
			continue
		}
		want := f(5)
		for n := range 10000 {
			done := make(chan any)
			go func() {
				var kept [8]*[]byte
				defer func() {
					fault := recover()
					if got := f(5); got != want {
						fault = fmt.Sprintf("after a fault %d instead of %d", got, want)
					}
					done <- fault
				}()
				defer func() {
					deep(n % 100)
					for i := range kept {
						kept[i] = new([]byte)
					}
					all := kept
					keep(&all)
				}()
				f(1<<64 - 1)
			}()
			if got := fmt.Sprint(<-done); !strings.Contains(got, "nil pointer dereference") {
				t.Fatalf("%s: %s", name, got)
			}
		}
	}
	close(stop)
	<-stopped
}

var sink [8]*[]byte

//go:noinline
func keep(pointers *[8]*[]byte) { sink = *pointers }

//go:noinline
func deep(n int) (sum byte) {
	var room [1024]byte
	room[n] = byte(n)
	if n > 0 {
		sum = deep(n - 1)
	}
	return sum + room[n]
}
"#;

/// How strictly the stack bounds are tested.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Bounds {
    /// The bounds hold, and the functions nearly reach them.
    Tight,
    /// The bounds hold. They may be much larger than the use, because the deepest path may never run.
    Hold,
}

/// The Go program and the native program's results.
pub struct Programs {
    arch: Arch,
    /// The path of the Go test program.
    go: PathBuf,
    /// The path of the native program's results.
    want: PathBuf,
    /// The stack that native calls used, as the native program prints it.
    stacks: String,
}

impl Programs {
    /// Builds both programs, and runs the native program.
    pub fn build(arch: Arch, dir: &Path, go_dir: &Path, cases: &[impl std::borrow::Borrow<Made>]) -> Programs {
        let made = || cases.iter().map(std::borrow::Borrow::borrow);
        let functions: Vec<&Function> = made().flat_map(|made| &made.functions).collect();
        let native = Native {
            objects: made().flat_map(|made| made.native.objects.iter().cloned()).collect(),
            dependencies: made().map(|made| made.native.dependencies.as_str()).collect(),
        };
        let output = match arch {
            Arch::Amd64 => program_in_rust(dir, &functions, &native),
            Arch::Arm64 => program_in_c(dir, &functions, &native),
        };
        let want = dir.join("want.txt");
        std::fs::write(&want, &output.stdout).expect("the scratch folder is writable");

        let mut test = String::from("package scratch\n\nimport (\n");
        for package in ["bufio", "fmt", "maps", "os", "runtime", "slices", "strings", "testing"] {
            writeln!(test, "\t\"{package}\"").unwrap();
        }
        made().for_each(|Made { name, .. }| writeln!(test, "\t{name} \"scratch/{name}\"").unwrap());
        test.push_str(")\n\nvar functions = map[string]func(uint64) uint64{\n");
        functions.iter().for_each(|f| writeln!(test, "\t\"{0}.{1}\": {0}.{1},", f.package, f.go_name).unwrap());
        write(&go_dir.join("run_test.go"), &format!("{test}}}\n{GO_TEST}"));
        write(
            &go_dir.join("sp.go"),
            "package scratch\n\n// What SP is past a multiple of 16 where it is called.\nfunc remainder(uint64) uint64\n",
        );
        write(
            &go_dir.join("sp_amd64.s"),
            "TEXT ·remainder(SB), 4, $0-16\n\tLEAQ x+0(FP), AX\n\tANDQ $15, AX\n\tMOVQ AX, ret+8(FP)\n\tRET\n",
        );
        write(&go_dir.join("sp_arm64.s"), "TEXT ·remainder(SB), 4, $0-16\n\tMOVD RSP, R0\n\tAND $15, R0\n\tMOVD R0, ret+8(FP)\n\tRET\n");
        let go = dir.join("go.test");
        let mut build = go_command(arch, go_dir);
        if arch == Arch::Arm64 {
            build.env("CGO_ENABLED", "0");
        }
        // Remove the program of an earlier run, so that it cannot be mistaken for this one.
        let _ = std::fs::remove_file(&go);
        succeed("the build of the Go tests", build.args(["test", "-c", "-o"]).arg(&go).arg("."));
        Programs { arch, go, want, stacks: String::from_utf8_lossy(&output.stderr).into_owned() }
    }

    /// Runs the Go tests of these cases, and checks the stack that the native calls used.
    pub fn check(&self, cases: &[Made], bounds: Bounds) {
        cases.iter().for_each(|made| stacks(&made.functions, &self.stacks, bounds));
        let packages: Vec<&str> = cases.iter().map(|made| made.name.as_str()).collect();
        let mut go = match self.arch {
            Arch::Amd64 => Command::new(&self.go),
            Arch::Arm64 => Command::new(EMULATOR),
        };
        if self.arch == Arch::Arm64 {
            go.arg(&self.go);
        }
        go.arg("-test.timeout=10m").env("WANT", &self.want).env("PACKAGES", packages.join(","));
        succeed("the Go tests", &mut go);
    }
}

/// Builds and runs the native program for amd64; returns its output.
fn program_in_rust(dir: &Path, functions: &[&Function], native: &Native) -> Output {
    let mut main = format!("{NATIVE}\nfn main() {{\n    let mut out = std::io::BufWriter::new(std::io::stdout().lock());\n");
    for Function { package, go_name, native, bound } in functions {
        let expression = match native {
            Expression::Rust(expression) => expression.clone(),
            Expression::Symbol(symbol) => {
                writeln!(main, "    unsafe extern \"C\" {{ fn {symbol}(x: *const u64, result: *mut u64); }}").unwrap();
                format!("call({symbol}, x)")
            }
        };
        writeln!(main, "    for x in inputs() {{ writeln!(out, \"{package}.{go_name} {{x}} {{}}\", {expression}).unwrap(); }}").unwrap();
        if let (Some(_), Expression::Symbol(symbol)) = (bound, native) {
            writeln!(main, "    eprintln!(\"{package}.{go_name} {{}}\", inputs().into_iter().map(|x| depth({symbol}, x)).max().unwrap());")
                .unwrap();
        }
    }
    main.push_str("}\n");
    let krate = dir.join("native");
    // All native programs share a target folder, in which cargo distinguishes packages by name.
    let program_name = format!("native-{}", stem(dir));
    write(&krate.join("src/main.rs"), &main);
    let mut arguments = String::new();
    for object in &native.objects {
        writeln!(
            arguments,
            "    println!(\"cargo::rustc-link-arg={}\");\n    println!(\"cargo::rerun-if-changed={0}\");",
            object.display()
        )
        .unwrap();
    }
    write(&krate.join("build.rs"), &format!("fn main() {{\n{arguments}}}\n"));
    let manifest = format!(
        "[package]\nname = \"{program_name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n{}\n[profile.release]\noverflow-checks = false\n\n[workspace]\n",
        native.dependencies
    );
    write(&krate.join("Cargo.toml"), &manifest);
    krate::lock(&krate);
    let mut build = krate::cargo(&krate);
    succeed("the native program", build.args(["build", "--release", "--quiet", "--offline"]));
    succeed("the native program", &mut Command::new(target(0).join("release").join(&program_name)))
}

/// Builds the program that calls the arm64 cases without rustgo, and runs it under the emulator; returns its output. All arm64 cases are assembly,
/// so a C program can call them.
fn program_in_c(dir: &Path, functions: &[&Function], native: &Native) -> Output {
    let mut source = include_str!("native.c").to_owned();
    let mut main = String::new();
    for Function { package, go_name, native, bound } in functions {
        let Expression::Symbol(symbol) = native else { panic!("{package}.{go_name} is not assembly") };
        writeln!(source, "Shim {symbol};").unwrap();
        writeln!(main, "\tshow(\"{package}.{go_name}\", {symbol}, {});", u8::from(bound.is_some())).unwrap();
    }
    write!(source, "int main(void) {{\n\tmake_inputs();\n{main}}}\n").unwrap();
    write(&dir.join("native.c"), &source);
    let program = dir.join("native");
    let mut compiler = Command::new(COMPILER);
    compiler.args(["-O1", "-static", "-Werror", "-o"]).arg(&program).arg(dir.join("native.c")).args(&native.objects);
    succeed("the compiler of the native program", &mut compiler);
    succeed("the native program", Command::new(EMULATOR).arg(program))
}

/// Asserts that no function used more stack than its bound. With [`Bounds::Tight`], also asserts that no bound is much larger than the used stack.
fn stacks(functions: &[Function], measured: &str, bounds: Bounds) {
    // A bound may exceed the native use for three reasons: an entry needs up to 56 bytes to align SP, which a native call does not; the bound
    // includes a whole red zone; and if the function can panic, the bound includes the stack of the panic exit.
    const SLACK: u32 = 64 + 128 + 256;
    let mut wrong = String::new();
    for function in functions {
        let Some(bound) = function.bound else { continue };
        let name = format!("{}.{}", function.package, function.go_name);
        let depth = measured.lines().find_map(|line| line.strip_prefix(&name)?.trim().parse::<u32>().ok());
        match depth {
            // The measured depth is a multiple of 8.
            Some(depth) if depth > bound.next_multiple_of(8) => {
                writeln!(wrong, "{name} used {depth} bytes of stack; the bound is {bound}").unwrap()
            }
            Some(depth) if depth + SLACK < bound && bounds == Bounds::Tight => {
                writeln!(wrong, "{name} used {depth} bytes of stack; the bound {bound} is loose").unwrap()
            }
            Some(_) => {}
            None => writeln!(wrong, "{name} was not measured").unwrap(),
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

pub fn succeed(what: &str, command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{what} cannot be run: {error}"));
    assert!(
        output.status.success(),
        "{what} failed:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}
