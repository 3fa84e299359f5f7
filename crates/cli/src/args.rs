//! The command line as the user wrote it. [`crate::config`] makes a request from it. No other module uses clap's types.

pub mod pages;
mod trust;

pub use trust::{AuditArgs, VerifyArgs};

use crate::request::Panics;
use crate::target::{Arch, Level, parse_size};
use crate::toolchain::choice::Choice;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  rustgo get semver                          a Go module from a published crate
  rustgo new --module github.com/you/hash hash
  rustgo build --crate edwards25519/rust --out edwards25519
  //go:generate rustgo build --crate rust    with out = \"..\" in Cargo.toml
  rustgo check --locked --crate rust         in CI: are the files up to date?
  rustgo inspect --graph | dot -Tsvg -o calls.svg   the call graph (Graphviz)
  rustgo inspect --levels                    what newer processors would bring
  rustgo survey regex                        would this crate go through?
  rustgo audit --db advisory-db              are advisories known about it?
  rustgo verify example.com/hash@v1.2.0      is it what its source gives?

The crate's Cargo.toml may hold what would be repeated on every command line
(which wins):
  [package.metadata.rustgo]
  out = \"..\"               # relative to the crate
  package = \"edwards25519\"
  arch = [\"amd64\", \"arm64\"]
  cpu = [\"x86-64\", \"x86-64-v3\"] # the best that the machine has
  max-stack = \"4m\"
  runtime = \"internal/rustgo\"   # relative to the Go module
  features = [\"std\"]
  panic = \"abandon\"             # run no destructors: docs/std.md
  threads = \"none\"              # starting a thread fails: docs/std.md
  fallback = \"wasm\"             # for other processors (or \"own\"): docs/guide.md
  allow = [\"event-listener\"]      # relies on destructors: docs/safety.md
  with-tests = true
  with-tests-skip = [\"Now\"]      # gives something else each time

Environment:
  RUSTGO_TOOLCHAIN         what --toolchain says where it is not given
  CARGO, RUSTC             what to run for cargo and rustc without --toolchain
  NO_COLOR                 no colours
  RUSTGO_CACHE             the folder for compiled standard libraries, in place
                           of rustgo in the system's folder for caches
  RUSTFLAGS                not used, nor are rustflags of cargo's configuration:
                           the code must be the same on every machine

Exit codes:
  0  done
  1  refused, or failed: the reason is printed, and nothing was written
  2  wrong usage
  130  interrupted";

/// Turns a Rust crate into an ordinary Go package: no cgo, no C compiler, no shared library
///
/// The crate's machine code is analysed, emitted as Go assembly, and proved. Go's runtime grows its stack, unwinds it, profiles it and recovers
/// its panics. Importers of the package need only Go.
#[derive(Debug, Parser)]
#[command(name = "rustgo", version, after_help = EXAMPLES, max_term_width = 120, disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub output: OutputArgs,
    /// The toolchain that the user named as `+NAME` before the command, as for rustup.
    #[arg(skip)]
    pub toolchain: Option<Choice>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make a new folder with a Rust crate, the Go package made from it, and their tests
    New(NewArgs),
    /// Make a Go module from a crate: propose a wrapper for its public API, build it, and say what is left out
    Get(GetArgs),
    /// Make the wrapper of `rustgo get` anew, for another version of the crate, and show how the Go API changes
    Update(UpdateArgs),
    /// Compile, analyse, prove, and write the Go files
    Build(BuildArgs),
    /// Build, and run go test, whenever a source file is saved
    Dev(DevArgs),
    /// Compile, analyse and prove, but write nothing; --locked compares the files in the output folder
    Check(CheckArgs),
    /// Build the program that runs the exports natively, for the tests of --with-tests, and print its path
    Native(BuildArgs),
    /// Show the functions, calls, stack and assembly of the crate on one architecture
    Inspect(InspectArgs),
    /// Tell which public functions of a crate would go through, and why the others would not
    Survey(SurveyArgs),
    /// List the Rust crates in packages or programs, and the security advisories about them
    Audit(AuditArgs),
    /// Make the packages of a published module again, and compare every generated file
    Verify(VerifyArgs),
    /// Show which tools are installed, which are missing, and how to get them
    Doctor(DoctorArgs),
    /// Print the completions of a shell: rustgo completions bash > ~/.local/share/bash-completion/completions/rustgo
    Completions(CompletionsArgs),
    /// Write the manual pages to a new folder
    #[command(hide = true)]
    Man(ManArgs),
}

/// The default of `--go`.
const DEFAULT_GO: &str = "go";

#[derive(Clone, Debug, Default, Args)]
pub struct BuildArgs {
    /// The crate: the folder that holds its Cargo.toml
    #[arg(long = "crate", value_name = "DIR", default_value = ".")]
    pub krate: PathBuf,
    /// The folder of the Go package, made if it is missing
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The Go package's name [default: that of the Go files in the output folder, or the folder's]
    #[arg(long, value_name = "NAME")]
    pub package: Option<String>,
    /// Architectures, separated by commas [default: amd64, and arm64 if the toolchain can build for it]
    #[arg(long, value_name = "ARCH", value_delimiter = ',')]
    pub arch: Vec<Arch>,
    /// The CPU level that the package requires: x86-64, x86-64-v2, x86-64-v3, x86-64-v3+crypto, x86-64-v4 or x86-64-v4+crypto; for arm64
    /// armv8-a, armv8-a+lse or armv8-a+lse+crypto. With several, separated by commas, the package has code for each and uses the highest that
    /// the CPU supports [default: x86-64, armv8-a]
    #[arg(long, value_name = "LEVEL", value_delimiter = ',')]
    pub cpu: Vec<Level>,
    /// The most stack that an export may need, e.g. 64k or 4m, at most 256m; a stated stack budget raises it for its export [default: 1m]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_stack: Option<u64>,
    /// The way in which panics leave the Rust code: unwind runs destructors, abandon runs none and makes a smaller package [default: unwind if the
    /// crate links std]
    #[arg(long, value_name = "WAY")]
    pub panic: Option<Panics>,
    /// Copy the Go packages that the package imports (rt, handle) into this folder of its own Go module, e.g. internal/rustgo: importers then
    /// need no other module [default: import rustgo.dev/go]
    #[arg(long, value_name = "DIR")]
    pub runtime: Option<String>,
    /// Make a variant for tests: rt.Watch sees each call that is not blocking. Do not commit it. (`rustgo dev` builds when files change)
    #[arg(long)]
    pub watch: bool,
    /// Also write rustgo_native_test.go, a test that compares the package with the same Rust code run natively
    #[arg(long)]
    pub with_tests: bool,
    /// Cargo features of the crate, separated by commas
    #[arg(long, short = 'F', value_name = "FEATURES", value_delimiter = ',')]
    pub features: Vec<String>,
    /// All features of the crate
    #[arg(long)]
    pub all_features: bool,
    /// Without the crate's default features
    #[arg(long)]
    pub no_default_features: bool,
    /// The toolchain to compile with: its name in rustup, or a folder with bin/rustc. With ARCH= before it, for that architecture only.
    /// `rustgo +NAME …` means the same
    #[arg(long, value_name = "[ARCH=]NAME|DIR", value_delimiter = ',')]
    pub toolchain: Vec<Choice>,
    /// The go command
    #[arg(long, value_name = "GO", default_value = DEFAULT_GO)]
    pub go: OsString,
    /// Do not let cargo use the network
    #[arg(long)]
    pub offline: bool,
    /// Let cargo fail if Cargo.lock would change
    #[arg(long)]
    pub locked_deps: bool,
}

#[derive(Clone, Debug, Default, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub build: BuildArgs,
    /// Fail if the files in the output folder differ from what the source gives
    #[arg(long)]
    pub locked: bool,
}

#[derive(Clone, Debug, Default, Args)]
#[command(
    mut_arg("package", |arg| arg.hide(true)),
    mut_arg("runtime", |arg| arg.hide(true)),
    mut_arg("watch", |arg| arg.hide(true)),
    mut_arg("with_tests", |arg| arg.hide(true)),
    mut_arg("go", |arg| arg.hide(true))
)]
pub struct InspectArgs {
    #[command(flatten)]
    pub build: BuildArgs,
    /// The assembly of one function, by its Go name or the end of its Rust path
    #[arg(long, value_name = "FUNC", conflicts_with = "graph")]
    pub asm: Option<String>,
    /// The call graph in the DOT language, which Graphviz draws: rustgo inspect --graph | dot -Tsvg -o calls.svg
    #[arg(long, value_name = "dot", num_args = 0..=1, default_missing_value = "dot", value_parser = graph_format)]
    pub graph: Option<GraphFormat>,
    /// Compare CPU levels: the ones that --cpu or Cargo.toml names, if there are several, else all
    #[arg(long, conflicts_with_all = ["asm", "graph"])]
    pub levels: bool,
    /// The refused functions as JSON: messages, machine code and relocations, no source text; for a report about a limit of rustgo
    #[arg(long, conflicts_with_all = ["asm", "graph", "levels"])]
    pub refused: bool,
    /// Write to this file instead of the standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  rustgo survey semver                       every public function of the newest version
  rustgo survey regex@1.11.1 Regex::new Regex::is_match
  rustgo survey image --no-default-features --features png,jpeg
  rustgo survey ../mycrate

The exit code is 0 if every function (or every named one) goes through, otherwise 1.")]
pub struct SurveyArgs {
    /// A published crate, as NAME or NAME@VERSION, or the folder of a crate, as ./DIR
    #[arg(value_name = "CRATE[@VERSION]|DIR")]
    pub krate: String,
    /// Only these functions, by their paths or the ends of their paths [default: every public function that is not generic]
    #[arg(value_name = "FUNCTION")]
    pub functions: Vec<String>,
    /// Cargo features of the crate, separated by commas
    #[arg(long, short = 'F', value_name = "FEATURES", value_delimiter = ',')]
    pub features: Vec<String>,
    /// Without the crate's default features
    #[arg(long)]
    pub no_default_features: bool,
    /// The architecture
    #[arg(long, value_name = "ARCH", default_value = "amd64")]
    pub arch: Arch,
    /// The CPU level [default: the lowest]
    #[arg(long, value_name = "LEVEL")]
    pub cpu: Option<Level>,
    /// The toolchain to compile with, as for build
    #[arg(long, value_name = "[ARCH=]NAME|DIR", value_delimiter = ',')]
    pub toolchain: Vec<Choice>,
    /// Crates that rely on destructors and are else refused, separated by commas
    #[arg(long, value_name = "CRATE", value_delimiter = ',')]
    pub allow: Vec<String>,
    /// Keep the scratch crate in this folder: a second survey then compiles less
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,
    /// Do not let cargo use the network
    #[arg(long)]
    pub offline: bool,
}

/// The options that `get` and `update` have in common.
#[derive(Clone, Debug, Default, Args)]
pub struct WrapArgs {
    /// Architectures, separated by commas [default: amd64, and arm64 if the toolchain can build for it]
    #[arg(long, value_name = "ARCH", value_delimiter = ',')]
    pub arch: Vec<Arch>,
    /// The toolchain to compile with, as for build
    #[arg(long, value_name = "[ARCH=]NAME|DIR", value_delimiter = ',')]
    pub toolchain: Vec<Choice>,
    /// The go command
    #[arg(long, value_name = "GO", default_value = DEFAULT_GO)]
    pub go: OsString,
    /// Do not let cargo use the network
    #[arg(long)]
    pub offline: bool,
}

#[derive(Clone, Debug, Default, Args)]
#[command(after_help = "\
Examples:
  rustgo get semver                          the newest version, in ./semver
  rustgo get semver@1.0.27 versions --module github.com/you/versions
  rustgo get image --no-default-features --features png
  rustgo get --path ../mycrate mymodule

The wrapper is a proposal: rust/src/lib.rs is yours to edit, and
rustgo build --crate rust builds it. README.md in the module lists what is
exported, and what is left out and why.")]
pub struct GetArgs {
    /// A published crate, as NAME or NAME@VERSION, or the folder of a crate, as ./DIR; with --path the folder to make
    #[arg(value_name = "CRATE[@VERSION]", required_unless_present = "path")]
    pub krate: Option<String>,
    /// The folder to make [default: the crate's name]
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// The folder of a crate on this machine, in place of a published one
    #[arg(long, value_name = "DIR")]
    pub path: Option<PathBuf>,
    /// The Go module's path [default: example.com/NAME; inside a Go module, the package becomes part of that module]
    #[arg(long, value_name = "PATH")]
    pub module: Option<String>,
    /// The name of the Go package [default: the folder's]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Cargo features of the crate, separated by commas
    #[arg(long, short = 'F', value_name = "FEATURES", value_delimiter = ',')]
    pub features: Vec<String>,
    /// Without the crate's default features
    #[arg(long)]
    pub no_default_features: bool,
    #[command(flatten)]
    pub wrap: WrapArgs,
}

#[derive(Clone, Debug, Default, Args)]
pub struct UpdateArgs {
    /// The crate and its new version, as CRATE@VERSION [default: the newest version of the module's crate]
    #[arg(value_name = "CRATE[@VERSION]")]
    pub krate: Option<String>,
    /// The folder of the module or package that `rustgo get` has made
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub module: PathBuf,
    /// Show what would change, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub wrap: WrapArgs,
}

#[derive(Clone, Debug, Args)]
pub struct NewArgs {
    /// The folder to make
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Wrap this crate: the same as rustgo get CRATE DIR
    #[arg(long, value_name = "CRATE[@VERSION]")]
    pub wrap: Option<String>,
    /// The Go module's path [default: example.com/NAME; inside a Go module, the package becomes part of that module]
    #[arg(long, value_name = "PATH")]
    pub module: Option<String>,
    /// The name of the Go package and of the crate [default: the folder's]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  rustgo dev --crate rust                    go test ./... after each build
  rustgo dev --crate rust --arch amd64 -- -run TestParse .

A changed file of the crate, or of a dependency in a local folder, starts a
build and then go test. A changed file elsewhere in the Go module starts go
test. Errors are shown, and the next change starts again. Ctrl-C ends.

This is not rustgo build --watch, which makes a package whose long calls
rt.Watch reports.")]
pub struct DevArgs {
    #[command(flatten)]
    pub build: BuildArgs,
    /// The arguments of go test [default: ./...]
    #[arg(last = true, value_name = "ARGUMENT")]
    pub test: Vec<OsString>,
}

#[derive(Clone, Debug, Args)]
pub struct DoctorArgs {
    /// The go command
    #[arg(long, value_name = "GO", default_value = "go")]
    pub go: OsString,
    /// The toolchain to look at, as for build
    #[arg(long, value_name = "[ARCH=]NAME|DIR", value_delimiter = ',')]
    pub toolchain: Vec<Choice>,
}

#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

#[derive(Clone, Debug, Args)]
pub struct ManArgs {
    /// The folder to make
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphFormat {
    Dot,
}

fn graph_format(name: &str) -> Result<GraphFormat, String> {
    match name {
        "dot" => Ok(GraphFormat::Dot),
        _ => Err(format!("the graph is written as DOT only; Graphviz draws it: rustgo inspect --graph | dot -T{name} -o calls.{name}")),
    }
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Messages")]
pub struct OutputArgs {
    /// The form of messages: text; one JSON object a line; or text and, on stdout, annotations for GitHub Actions
    #[arg(long, value_name = "FORMAT", default_value = "human", global = true)]
    pub message_format: MessageFormat,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub color: Color,
    /// Report each stage
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Print at the end the time of each stage, and on Linux the processor time and memory of rustgo itself
    #[arg(long, global = true, conflicts_with = "quiet")]
    pub timings: bool,
    /// Print no notes and no final line; results and errors remain
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    #[default]
    Human,
    Json,
    #[value(name = "github")]
    GitHub,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// Parses the command line. clap returns the texts of `--help` and `--version` as errors whose exit code is 0.
pub fn parse(mut args: Vec<OsString>) -> Result<Cli, clap::Error> {
    let mut toolchain = None;
    if let Some(name) = args.get(1).and_then(|arg| arg.to_str()).and_then(|arg| arg.strip_prefix('+')) {
        let wrong = |problem| clap::Error::raw(clap::error::ErrorKind::ValueValidation, format!("+{name}: {problem}\n"));
        toolchain = Some(name.parse().map_err(wrong)?);
        args.remove(1);
    }
    let mut cli = Cli::try_parse_from(args)?;
    if let Command::Inspect(args) = &cli.command
        && let Some(option) = args.without_effect()
    {
        let message = format!("inspect does not take {option}\n");
        return Err(clap::Error::raw(clap::error::ErrorKind::ArgumentConflict, message));
    }
    cli.toolchain = toolchain;
    Ok(cli)
}

impl InspectArgs {
    /// Returns the first option of the command line that has no effect in `rustgo inspect`, if there is one. The help of `inspect` hides these
    /// options, except `--max-stack`.
    fn without_effect(&self) -> Option<&'static str> {
        let BuildArgs { package, runtime, watch, with_tests, max_stack, go, .. } = &self.build;
        let is_limited = self.levels || self.refused;
        let given = [
            ("--package", package.is_some()),
            ("--runtime", runtime.is_some()),
            ("--watch", *watch),
            ("--with-tests", *with_tests),
            ("--go", go != DEFAULT_GO),
            ("--max-stack without --levels or --refused", max_stack.is_some() && !is_limited),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }
}

impl NewArgs {
    /// Returns the arguments of `get` for `--wrap`.
    pub fn as_get(&self) -> Option<GetArgs> {
        let wrap = WrapArgs { go: DEFAULT_GO.into(), ..WrapArgs::default() };
        self.wrap.as_ref().map(|krate| GetArgs {
            krate: Some(krate.clone()),
            dir: Some(self.dir.clone()),
            module: self.module.clone(),
            name: self.name.clone(),
            wrap,
            ..GetArgs::default()
        })
    }
}

impl Command {
    /// Returns the options of a command that builds the crate, including the toolchain of `+NAME`. None for other commands.
    pub fn build_args(&self, plus_toolchain: Option<&Choice>) -> Option<BuildArgs> {
        let args = match self {
            Command::Build(args) | Command::Native(args) => args,
            Command::Check(args) => &args.build,
            Command::Dev(args) => &args.build,
            Command::Inspect(args) => &args.build,
            _ => return None,
        };
        // For each architecture the last choice applies.
        let toolchain = plus_toolchain.into_iter().chain(&args.toolchain).cloned().collect();
        Some(BuildArgs { toolchain, ..args.clone() })
    }

    /// Returns how the command uses the output folder (the folder of the Go package).
    pub fn goes_to(&self) -> Output {
        match self {
            Command::Build(_) | Command::Dev(_) => Output::Written,
            Command::Verify(_) => Output::Compared,
            Command::Check(args) if args.locked => Output::Compared,
            Command::Get(_) | Command::Update(_) => Output::Written,
            Command::Inspect(_) | Command::Native(_) => Output::Shown,
            Command::Check(_)
            | Command::Doctor(_)
            | Command::New(_)
            | Command::Survey(_)
            | Command::Audit(_)
            | Command::Completions(_)
            | Command::Man(_) => Output::Ignored,
        }
    }
}

/// The way in which a command uses the output folder, the folder of the Go package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    Ignored,
    /// The command does not use the folder, and works only on the first architecture in the request.
    Shown,
    /// The files in the folder are compared with the generated files.
    Compared,
    Written,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse_line(line: &str) -> Result<Cli, clap::Error> {
        parse(line.split_whitespace().map(OsString::from).collect())
    }

    #[test]
    fn clap_finds_no_contradiction() {
        Cli::command().debug_assert();
    }

    #[test]
    fn lists_may_have_commas() {
        let cli =
            parse_line("rustgo +1.90 build --crate rust --arch amd64,arm64 -F a,b --max-stack 1m --toolchain arm64=1.96,/rust").unwrap();
        let args = cli.command.build_args(cli.toolchain.as_ref()).unwrap();
        assert_eq!(args.arch, [Arch::Amd64, Arch::Arm64]);
        assert_eq!(args.features, ["a", "b"]);
        assert_eq!(args.max_stack, Some(1 << 20));
        assert_eq!(args.toolchain, ["1.90", "arm64=1.96", "/rust"].map(|text| text.parse::<Choice>().unwrap()));
    }

    #[test]
    fn wrong_usage_ends_with_two() {
        for line in [
            "rustgo",
            "rustgo frobnicate",
            "rustgo build --arch mips",
            "rustgo build --cpu native",
            "rustgo build -v -q",
            "rustgo build --timings -q",
            "rustgo + build",
        ] {
            assert_eq!(parse_line(line).unwrap_err().exit_code(), 2, "{line}");
        }
        for line in ["rustgo --help", "rustgo build --help", "rustgo --version"] {
            assert_eq!(parse_line(line).unwrap_err().exit_code(), 0, "{line}");
        }
    }

    #[test]
    fn graphs_are_dot_only() {
        for line in ["rustgo inspect --graph", "rustgo inspect --graph dot", "rustgo inspect --graph -o calls.dot"] {
            let Command::Inspect(args) = parse_line(line).unwrap().command else { panic!("{line}") };
            assert_eq!(args.graph, Some(GraphFormat::Dot), "{line}");
        }
        let refused = parse_line("rustgo inspect --graph svg").unwrap_err();
        assert!(refused.exit_code() == 2 && refused.to_string().contains("dot -Tsvg -o calls.svg"), "{refused}");
    }

    #[test]
    fn inspect_refuses_options_without_effect() {
        let help = parse_line("rustgo inspect --help").unwrap_err().to_string();
        for (option, value) in [("--package", " a"), ("--runtime", " a"), ("--watch", ""), ("--with-tests", ""), ("--go", " go1")] {
            for more in ["", " --levels", " --refused", " --graph"] {
                let refused = parse_line(&format!("rustgo inspect {option}{value}{more}")).unwrap_err();
                assert!(refused.exit_code() == 2 && refused.to_string().contains(&format!("does not take {option}")), "{refused}");
            }
            assert!(!help.contains(&format!("{option} ")) && !help.contains(&format!("{option}\n")), "{option} is in\n{help}");
            assert!(parse_line(&format!("rustgo build {option}{value}")).is_ok(), "{option}");
        }
        assert!(parse_line("rustgo inspect --max-stack 1m").is_err());
        for line in ["rustgo inspect --max-stack 1m --levels", "rustgo inspect --max-stack 1m --refused", "rustgo inspect --out a"] {
            assert!(parse_line(line).is_ok(), "{line}");
        }
        assert!(help.contains("--max-stack") && help.contains("--crate"), "{help}");
    }

    #[test]
    fn help_names_examples_and_exit_codes() {
        let help = parse_line("rustgo --help").unwrap_err().to_string();
        for part in ["Examples:", "Exit codes:", "[package.metadata.rustgo]", "doctor"] {
            assert!(help.contains(part), "{part} is missing in\n{help}");
        }
        // clap breaks longer lines and drops their indentation.
        let long: Vec<&str> = EXAMPLES.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{long:?}");
    }
}
