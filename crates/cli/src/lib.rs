//! rustgo: turns a Rust crate into an ordinary Go package.
//!
//! ```text
//! Request ─compile→ Archive ─load→ Object ─decode→ Program ─analyze→ Facts ─┬─lower→ goasm::File ─┐
//!                                                   exports (schema) ───────┴─bind→  gosrc::File ─┴─verify→ Verified ─write→ files
//! ```
//!
//! Each stage borrows what earlier ones made and returns a new value. Only this file calls stages; a stage sees the
//! result types of those before it. Everything may use [`ids`], [`diag`], [`target`], [`goasm`] and [`gosrc`]; machine
//! code is understood in [`arch`] alone.

pub mod analyze;
pub mod arch;
pub mod args;
pub mod bind;
pub mod compile;
pub mod config;
pub mod decode;
pub mod diag;
pub mod doctor;
pub mod entry;
pub mod goasm;
pub mod goobj;
pub mod gosrc;
pub mod ids;
pub mod inspect;
pub mod load;
pub mod lower;
pub mod process;
pub mod progress;
pub mod target;
pub mod toolchain;
pub mod verify;
pub mod write;

use analyze::{Facts, Limits};
use args::Command;
use config::Request;
use decode::Program;
use diag::Result;
use load::Object;
use lower::Signature;
use progress::Progress;
use target::{Arch, show_size};
use verify::Verified;

/// Run a command on a request.
///
/// # Errors
/// Everything that is refused, with its reasons; nothing has been written then.
pub fn run(command: &Command, request: &Request, progress: &Progress) -> Result<()> {
    match command {
        Command::Build(_) => {
            let made = make(request, progress)?;
            let written = write::write(&request.out, &made.verified.files)?;
            progress.done(&made.summary(request, &written));
        }
        Command::Check(args) => {
            let made = make(request, progress)?;
            if args.locked {
                write::compare(&request.out, &made.verified.files)?;
            }
            progress.done(&format!("{} is well: {}", made.crate_name, made.size()));
        }
        Command::Verify(_) => {
            let made = make(request, progress)?;
            write::compare(&request.out, &made.verified.files)?;
            progress.done(&format!("{} holds what the source gives, byte for byte: {}", request.out.display(), made.size()));
        }
        Command::Inspect(args) => {
            let archive = compile::compile(request, Arch::Amd64, progress)?;
            let object = load::load(&archive.path, Arch::Amd64, &|name| archive.display_path(name))?;
            let program = decode::decode(&object, &arch::x86_64::X86_64);
            let facts = analyze::analyze(&object, &program, &arch::x86_64::X86_64, Limits { max_stack: u64::MAX })?;
            inspect::inspect(
                &inspect::Subject { object: &object, program: &program, facts: &facts, machine: &arch::x86_64::X86_64 },
                args,
            )?;
        }
        // It needs no request and has been run before one was made.
        Command::Doctor(_) => {}
    }
    Ok(())
}

/// What the pipeline made, proved and not yet written.
struct Made {
    crate_name: String,
    verified: Verified,
    functions: usize,
    deepest: u32,
}

/// The pipeline up to the proof, one line a stage.
fn make(request: &Request, progress: &Progress) -> Result<Made> {
    let machine = &arch::x86_64::X86_64;
    let go = toolchain::Go::find(&request.go)?;
    let archive = compile::compile(request, Arch::Amd64, progress)?;
    let object = stage(progress, "loading", || load::load(&archive.path, Arch::Amd64, &|name| archive.display_path(name)))?;
    let program = stage(progress, "decoding", || decode::decode(&object, machine));
    let facts = stage(progress, "analyzing", || analyze::analyze(&object, &program, machine, Limits { max_stack: request.max_stack }))?;
    let header = header(request, &archive, &facts);
    let signatures = object.exports.iter().map(|e| signature(&e.schema)).collect::<Vec<_>>();
    let asm = stage(progress, "lowering", || lower::lower(&object, &program, &facts, machine, &signatures, header.clone()))?;
    let go_file = bind::bind(object.exports.iter().map(|e| &e.schema), options(request, &object, &facts, header))?;
    let verified = stage(progress, "verifying", || verify::verify(&asm, &go_file.print(), &go))?;
    report(progress, &object, &program, &facts);
    let deepest = facts.exports.iter().map(|e| e.bound).max().unwrap_or(0);
    Ok(Made { crate_name: archive.crate_name.clone(), verified, functions: facts.emitted.len(), deepest })
}

fn stage<T>(progress: &Progress, name: &str, work: impl FnOnce() -> T) -> T {
    let _running = progress.stage(name);
    work()
}

/// The first lines of both files: the command, the tools, and what went in.
fn header(request: &Request, archive: &compile::Archive, facts: &Facts) -> Vec<String> {
    let mut lines = vec![gosrc::generated_line("rustgo build"), String::new()];
    lines.push(format!("rustgo {}, {}, {}", env!("CARGO_PKG_VERSION"), archive.rustc_version, request.cpu.rustc()));
    lines.push(format!("{} {}", archive.crate_name, archive.digest));
    lines.push(format!("linked: {}", archive.packages.iter().map(|p| format!("{} {}", p.name, p.version)).collect::<Vec<_>>().join(", ")));
    for (symbol, why) in &facts.unavailable {
        lines.push(format!("not carried, for the text of a panic only: {symbol}: {why}"));
    }
    lines
}

/// What the entry in assembly must agree on with the Go declaration.
fn signature(export: &rustgo_schema::Export) -> Signature {
    use rustgo_schema::Type;
    let names = bind::go_names(export);
    let first_word = |name: &str, ty: &Type| match ty {
        Type::Slice { .. } | Type::String => format!("{name}_base"),
        Type::Array { .. } => format!("{name}_0"),
        _ => name.to_owned(),
    };
    Signature {
        name: export.go_name.clone(),
        declaration: bind::declaration(export),
        first_argument: export.params.first().map(|p| first_word(&names.params[0], &p.ty)),
        first_result: export.results.first().map(|r| (first_word(&bind::go_result_name(export, 0), &r.ty), r.offset)),
        size: export.frame_size,
    }
}

fn options(request: &Request, _object: &Object, facts: &Facts, header: Vec<String>) -> bind::Options {
    let rt = gosrc::Import { path: "rustgo.dev/go/rt".into(), name: Some("_".into()) };
    bind::Options {
        header,
        package: request.go_package.clone(),
        package_doc: request.package_doc.clone().unwrap_or_default(),
        arches: vec![Arch::Amd64],
        // A package that cannot panic imports nothing at all.
        imports: if facts.needs_rt() { vec![rt] } else { Vec::new() },
        extra: Vec::new(),
    }
}

/// Details for `--verbose`.
fn report(progress: &Progress, object: &Object, program: &Program, facts: &Facts) {
    for (export, what) in object.exports.iter().zip(&facts.exports) {
        let kind = if what.fused { "fused" } else { "framed" };
        progress.detail(&format!("{}: {kind}, stack {} bytes, panics: {}", export.schema.go_name, what.bound, what.can_panic));
    }
    let instructions: usize = program.codes.values().flatten().map(|c| c.insts.len()).sum();
    progress.detail(&format!("{} functions loaded, {} carried, {instructions} instructions", object.functions.len(), facts.emitted.len()));
    for (symbol, why) in &facts.unavailable {
        progress.detail(&format!("not carried (only the text of a panic could need it): {symbol}: {why}"));
    }
}

impl Made {
    fn size(&self) -> String {
        format!(
            "{} functions, {} of code, {} of data, deepest stack {}",
            self.functions,
            show_size(self.verified.code_size),
            show_size(self.verified.data_size),
            show_size(u64::from(self.deepest))
        )
    }

    fn summary(&self, request: &Request, written: &write::Written) -> String {
        let out = request.out.display();
        match written.written.len() {
            0 => format!("{out} is up to date ({})", self.size()),
            1 => format!("wrote {} to {out} ({})", written.written[0], self.size()),
            n => format!("wrote {n} files to {out} ({})", self.size()),
        }
    }
}
