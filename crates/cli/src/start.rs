//! The common part of the programs `rustgo` and `cargo-rustgo`: reads the command line, runs the command, and reports the outcome.

use crate::args::{self, Cli, Color, Command, MessageFormat, OutputArgs, pages};
use crate::compile::wrapper;
use crate::config;
use crate::dev;
use crate::diag::render::Style;
use crate::diag::render::github::Folders;
use crate::diag::{Diagnostic, ErrorCode, Failure};
use crate::doctor;
use crate::process::{self, INTERRUPTED_EXIT};
use crate::progress::{Manner, Progress};
use crate::{scaffold, write};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the program. The first of `args` is the program's name. Returns the exit code: 0 for success, 1 if refused or failed, 2 for wrong usage,
/// 130 if interrupted.
pub fn main(args: Vec<OsString>) -> ExitCode {
    if let Some(dir) = std::env::var_os(wrapper::VARIABLE) {
        return wrapper::run(&dir, args.get(1..).unwrap_or_default());
    }
    let cli = match args::parse(args) {
        Ok(cli) => cli,
        Err(error) => {
            // Ignore an error: if the message cannot be printed, the exit code still shows the kind of error.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    process::catch_interrupts();
    let style = style(&cli.output);
    let progress = Progress::new(manner(&cli.output), style).with_timings(cli.output.timings);
    let result = run(&cli, &progress, style);
    if !matches!(result, Err(Ended { failure: Failure::Interrupted, .. })) {
        progress.show_timings();
    }
    match result {
        Ok(code) => code,
        Err(Ended { failure: Failure::Refused(reasons), folders }) => {
            progress.refuse(&reasons, folders.as_ref());
            ExitCode::FAILURE
        }
        Err(Ended { failure: Failure::Reported(reason), .. }) => {
            progress.reported(&reason);
            ExitCode::FAILURE
        }
        Err(Ended { failure: Failure::Interrupted, .. }) => ExitCode::from(INTERRUPTED_EXIT),
    }
}

/// A failure, and the folders of the request if there was one.
struct Ended {
    failure: Failure,
    folders: Option<Folders>,
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Ended {
        Ended { failure, folders: None }
    }
}

fn run(cli: &Cli, progress: &Progress, style: Style) -> std::result::Result<ExitCode, Ended> {
    if let Command::Doctor(args) = &cli.command {
        let report = doctor::examine(args, cli.toolchain.as_ref())?;
        let text = if progress.manner() == Manner::Json { report.json() } else { report.human(stdout_style(style)) };
        let _ = std::io::stdout().lock().write_all(text.as_bytes());
        return Ok(if report.is_well() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if let Command::Completions(args) = &cli.command {
        let _ = std::io::stdout().lock().write_all(&pages::completions(args));
        return Ok(ExitCode::SUCCESS);
    }
    if let Command::Man(args) = &cli.command {
        if args.dir.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
            let message = format!("the folder {} contains files", args.dir.display());
            return Err(Failure::from(Diagnostic::new(ErrorCode::Output, message).hint("name a folder that is missing or empty")).into());
        }
        let manual = pages::manual()
            .map_err(|error| Failure::from(Diagnostic::new(ErrorCode::Output, format!("the manual cannot be made: {error}"))))?;
        write::make_tree(&args.dir, &manual)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Command::Get(args) = &cli.command {
        crate::wrapping::get(args, cli, progress)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Command::Update(args) = &cli.command {
        crate::wrapping::update(args, cli, progress)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Command::Dev(args) = &cli.command {
        dev::dev(args, cli, &program(), progress)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Command::New(args) = &cli.command {
        if let Some(args) = args.as_get() {
            crate::wrapping::get(&args, cli, progress)?;
            return Ok(ExitCode::SUCCESS);
        }
        scaffold::scaffold(args, cli.toolchain.as_ref(), progress)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Command::Survey(args) = &cli.command {
        let (text, accepted) = crate::survey_crate(args, cli, progress, stdout_style(style))?;
        let _ = std::io::stdout().lock().write_all(text.as_bytes());
        return Ok(if accepted { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if let Command::Audit(args) = &cli.command {
        let audit = crate::audit_packages(args, cli, progress)?;
        let text = if progress.manner() == Manner::Json { audit.json() } else { audit.human(stdout_style(style)) };
        let _ = std::io::stdout().lock().write_all(text.as_bytes());
        return Ok(if audit.is_well() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if let Command::Verify(args) = &cli.command {
        let (text, is_well) = crate::verify_module(args, cli, progress, stdout_style(style))?;
        let _ = std::io::stdout().lock().write_all(text.as_bytes());
        return Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let build = cli.command.build_args(cli.toolchain.as_ref()).unwrap_or_default();
    let request = config::resolve(&build, &cli.output, cli.command.goes_to(), program())?;
    // inspect and native use only the first architecture, so they print no note about the other architectures.
    if let Some(note) = request.note.as_ref().filter(|_| !matches!(cli.command, Command::Inspect(_) | Command::Native(_))) {
        progress.note(note);
    }
    match crate::run(&cli.command, &request, progress) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(failure) => Err(Ended { failure, folders: Some(folders(&request.out)) }),
    }
}

/// Returns the folders that annotations need. The environment variable `GITHUB_WORKSPACE` names the top of the checkout.
fn folders(package: &Path) -> Folders {
    let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let workspace = std::env::var_os("GITHUB_WORKSPACE").map_or_else(|| PathBuf::from("."), PathBuf::from);
    Folders { package: canonical(package), workspace: canonical(&workspace) }
}

/// Returns the path of this program, which cargo runs in place of rustc. If the path is unknown, returns the name `rustgo`, for which cargo searches
/// PATH.
pub fn program() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| "rustgo".into())
}

fn manner(output: &OutputArgs) -> Manner {
    match output {
        OutputArgs { message_format: MessageFormat::Json, .. } => Manner::Json,
        OutputArgs { message_format: MessageFormat::GitHub, .. } => Manner::GitHub,
        OutputArgs { quiet: true, .. } => Manner::Quiet,
        OutputArgs { verbose: true, .. } => Manner::Verbose,
        _ if std::io::stderr().is_terminal() => Manner::Terminal,
        _ => Manner::Plain,
    }
}

/// Returns the style for messages. Without `--color`, anstream chooses the style from the stream and the environment (`NO_COLOR`, `CLICOLOR`).
fn style(output: &OutputArgs) -> Style {
    match output.color {
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
        Color::Auto => {}
    }
    match anstream::AutoStream::choice(&std::io::stderr()) {
        anstream::ColorChoice::Never => Style::Plain,
        _ => Style::Colored,
    }
}

fn stdout_style(stderr: Style) -> Style {
    match anstream::AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => Style::Plain,
        _ if stderr == Style::Plain && !std::io::stdout().is_terminal() => Style::Plain,
        _ => Style::Colored,
    }
}
