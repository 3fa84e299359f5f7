//! rustgo turns a Rust crate into an ordinary Go package. This file runs the stages of the work one after the other (the pipeline).
//!
//! ```text
//! Request ─compile→ Archive ─load→ Object ─decode→ Program ─analyze→ Facts ─┬─lower→ goasm::File ─┐
//!                                    └────────────→ api::Package ───────────┴─bind→  gosrc::File ─┴─verify→ Verified ─write→ files
//! ```
//!
//! The stages up to `goasm::File` run once for each target ([`target_code`]). Then the levels of each architecture are [joined](levels::join) into
//! one assembly file. The packages of all targets must [agree](api::agree), because one Go file declares the functions of all targets. Before
//! anything is written, the other files of the output folder are checked: Go must accept the package as a whole ([`neighbours`]).
//!
//! A stage borrows earlier results and returns a new value. Only this file calls stages, and [`commands`] for commands that write no package; a stage
//! uses only the result types of earlier stages. Every module may use [`activity`], [`ids`], [`diag`], [`target`], [`goasm`] and [`gosrc`]. Only [`arch`] understands machine code.
//!
//! The modules are private, so that the compiler reports unused code. The programs `rustgo` and `cargo-rustgo` call [`main`]; the integration
//! tests use [`testing`].

#![allow(rustdoc::private_intra_doc_links, reason = "only contributors read it, with --document-private-items")]

mod abi;
mod activity;
mod analyze;
mod api;
mod arch;
mod args;
mod audit;
mod backend;
mod bind;
mod code;
mod commands;
mod compile;
mod config;
mod decode;
mod dev;
mod diag;
mod doctor;
mod exits;
mod fallback;
mod get;
mod goasm;
mod goobj;
mod gosrc;
mod ids;
mod inspect;
mod levels;
mod load;
mod lower;
mod manifest;
mod marker;
mod neighbours;
mod options;
mod origin;
mod process;
mod product;
mod progress;
mod provenance;
mod rebuild;
mod report;
mod request;
mod runtime;
mod scaffold;
mod start;
mod survey;
mod target;
#[doc(hidden)]
pub mod testing;
mod toolchain;
mod usage;
mod verify;
mod wrapping;
mod write;

use commands::{audit_packages, survey_crate, verify_module};
pub use start::main;

use analyze::{Facts, Limits};
use api::Package;
use args::Command;
use compile::Archive;
use decode::Program;
use diag::Result;
use load::Object;
use marker::Marker;
use origin::{Inputs, Origin};
use product::{ArchCode, ArchSummary, Product, TargetCode, Varying};
use progress::Progress;
use provenance::Provenance;
use request::Request;
use runtime::Library;
use std::collections::BTreeSet;
use target::{Arch, Level, Target};
use toolchain::Go;
use verify::Verified;
use write::Folder;

/// Runs all stages up to verify. Returns every file of the package; nothing is written yet.
fn build(request: &Request, progress: &Progress) -> Result<Product> {
    let go = Go::find(&request.go)?;
    let parts = each_target(request, progress)?;
    report::stack_budgets(&parts, progress);
    report::missing_tasks(&parts, progress);
    let all =
        |of: fn(&Varying) -> &BTreeSet<String>| parts.iter().flat_map(|part| of(&part.varying).iter().cloned()).collect::<BTreeSet<_>>();
    let (mut unrepeatable, keyed) = (all(|varying| &varying.unrepeatable), all(|varying| &varying.keyed));
    if !request.skips_unrepeatable {
        unrepeatable.clear();
    }
    let package = api::agree(&parts.iter().map(|part| (part.asm.target, &part.package)).collect::<Vec<_>>())?;
    levels::refuse_tasks(&parts.iter().map(|part| part.asm.target).collect::<Vec<_>>(), &package)?;
    let bind_options = options::bind_options(request, &parts);
    let go_file = bind::bind(&package, bind_options.clone())?;
    let translated = match request.is_translated() {
        true => Some(translated(request, &package, &bind_options, &go, progress)?),
        false => None,
    };
    let crate_name = parts.first().map(|part| part.crate_name.clone()).unwrap_or_default();
    let with_libm = parts.iter().any(|part| part.with_libm);
    let mut provenance = Provenance::new(request, &parts, &gosrc::generated_line(origin::command(request.watch)));
    let mut arches = join_levels(request, parts, progress);
    arches.iter_mut().for_each(|arch| arch.asm.has_fallback = request.is_translated());
    let asm_files: Vec<(&goasm::File, &dyn verify::Prover)> = arches.iter().map(|arch| (&arch.asm, arch.machine as _)).collect();
    let verified = stage(progress, "verifying", || verify::verify(&asm_files, &go_file, &request.runtime, &go))?;
    if request.out_is_named {
        let notes = neighbours::clashes(&request.out, verified.files.keys(), &go_file, &package, &request.arches(), &go)?;
        notes.iter().for_each(|note| progress.note(note));
    }
    let mut libraries = options::imported(&request.runtime, &go_file);
    if translated.is_some() {
        libraries.extend([Library::Rt, Library::Translated].into_iter().filter(|library| !libraries.contains(library)).collect::<Vec<_>>());
    }
    let Verified { mut files, sizes } = verified;
    if request.with_tests && !package.has_routines() {
        libraries.push(Library::NativeTest);
        let mut test_options = options::test_options(request, with_libm);
        test_options.skip.extend(unrepeatable.iter().cloned());
        test_options.random_keys = keyed.into_iter().filter(|name| !test_options.skip.contains(name)).collect();
        files.insert(bind::TESTS_FILE.into(), bind::tests_file(&package, &test_options)?.into_bytes());
    }
    if is_unsupported_elsewhere(request, &package, &go)? {
        let arches: Vec<&str> = request.arches().into_iter().map(Arch::goarch).collect();
        let text = bind::unsupported_file(&request.go_package, &arches, fallback::refuse(&package).is_ok());
        files.insert(bind::UNSUPPORTED_FILE.into(), text.into_bytes());
    }
    let mut folders = request.runtime.folders(&libraries);
    if let Some(translated) = translated {
        provenance.add_translated(&translated.inputs);
        files.insert(bind::TRANSLATED_FILE.into(), translated.declarations.into_bytes());
        folders.insert(0, translated.wasm);
    }
    folders.insert(0, Folder { dir: request.out.clone(), shown: String::new(), files });
    let summaries: Vec<ArchSummary> = arches.into_iter().map(|arch| arch.summary).collect();
    provenance.add_sizes(&sizes, &summaries);
    provenance.add_skipped(&unrepeatable);
    provenance.add_files(&folders, |folder| folder.dir == request.out || folder.shown == options::WASM_SHOWN);
    folders[0].files.insert(provenance::FILE.into(), provenance.text().into_bytes());
    Ok(Product { crate_name, folders, unrepeatable, sizes, summaries })
}

/// Returns true if neither rustgo nor the author provides code for processors without assembly. A Go build for such a processor must then fail with a
/// message. Returns false for the run-time package `rt` (the package with routines), which Go builds for every processor.
fn is_unsupported_elsewhere(request: &Request, package: &Package, go: &Go) -> Result<bool> {
    let is_left_to_us = request.fallback.is_none() && !package.has_routines();
    Ok(is_left_to_us && !(request.out_is_named && neighbours::serve_other_processors(&request.out, &request.arches(), go)?))
}

/// The package's code for processors without assembly.
struct TranslatedCode {
    /// The Go file with the package's declarations.
    declarations: String,
    /// The folder of the translated crate.
    wasm: Folder,
    inputs: Inputs,
}

/// Runs the stages that make the package's code for processors without assembly: compile for WebAssembly, translate to Go, and bind.
fn translated(request: &Request, package: &Package, native: &bind::Options, go: &Go, progress: &Progress) -> Result<TranslatedCode> {
    fallback::refuse(package)?;
    let import_path = options::translated_package(request)?;
    fallback::require_wasm2go(go, request.cargo.offline)?;
    let module = {
        let _running = progress.unannounced_stage("compiling for WebAssembly");
        compile::wasm::compile(request, progress)?
    };
    let shims = fallback::shims(&module.bytes, package)?;
    let package = package.clone().without_tasks();
    let inputs = Inputs {
        rustc: module.rustc_version,
        commit: module.rustc_commit,
        digest: format!("sha256:{}", provenance::sha256(&module.bytes)),
        packages: module.packages,
        unwinds: false,
    };
    let file = bind::bind(&package, options::translated_options(request, native, &import_path, shims, &inputs))?;
    let text = stage(progress, "translating", || {
        fallback::translate(&module.bytes, options::WASM_PACKAGE, &options::fallback_build(request), go, request.cargo.offline)
    })?;
    let dir = options::WASM_FOLDER.split('/').fold(request.out.clone(), |dir, name| dir.join(name));
    let files = [(format!("{}.go", options::WASM_PACKAGE), text.into_bytes())].into();
    Ok(TranslatedCode { declarations: file.print(), wasm: Folder { dir, shown: options::WASM_SHOWN.to_owned(), files }, inputs })
}

/// Returns the code of every target.
fn each_target(request: &Request, progress: &Progress) -> Result<Vec<TargetCode>> {
    let mut parts: Vec<TargetCode> = Vec::new();
    for &target in &request.targets {
        // The levels of an architecture share code, so if the preceding level has libm, this level gets libm in its first run.
        let with_libm = parts.last().is_some_and(|before| before.asm.target.arch == target.arch && before.with_libm);
        parts.push(target_code(request, target, with_libm, progress)?);
    }
    Ok(parts)
}

/// The results of the stages up to the analysis of one target.
struct Analyzed {
    archive: Archive,
    object: Object,
    program: Program,
    facts: Facts,
    /// True if rustgo has added libm.
    with_libm: bool,
}

/// Runs the stages up to the analysis. `name` turns the name of a stage into the text that the user sees.
///
/// The code may need a function of C's math.h that no object defines. Then the stages run again with libm, the feature of rustgo-support that adds
/// these functions. A crate that needs no such function is compiled once, without libm. If `with_libm` is true, the stages run only once, with libm.
fn analyzed(
    (request, target): (&Request, Target),
    with_libm: bool,
    limits: Limits,
    progress: &Progress,
    name: &dyn Fn(&str) -> String,
) -> Result<Analyzed> {
    let machine = backend::machine(target.arch);
    let attempt = |request: &Request, with_libm| {
        let archive = {
            let _running = progress.unannounced_stage(name("compiling"));
            compile::compile(request, target, progress)?
        };
        let display = |name: &str| archive.display_path(name);
        let mut object = stage(progress, name("loading"), || load::load(&archive.path, archive.target, &display, kind(&archive)))?;
        if !object.twice.is_empty() {
            progress.note(&format!(
                "both C code and rustgo's C library define {}: C code calls its own function, but Rust code gets the library's; if Rust code calls it, rename it in C",
                object.twice.join(", ")
            ));
        }
        let abandoning = object.exports.values().filter(|export| export.schema.abandons);
        archive.reliant.refuse_abandoning(abandoning.map(|export| export.schema.rust_path.as_str()))?;
        object.ends_process = !archive.reliant.others.is_empty();
        let program = stage(progress, name("decoding"), || decode::decode(&object, machine));
        let facts = stage(progress, name("analyzing"), || analyze::analyze(&object, &program, machine, limits))?;
        Ok(Analyzed { archive, object, program, facts, with_libm })
    };
    let Some(adding) = request.with_libm() else { return attempt(request, false) };
    match with_libm {
        true => attempt(&adding, true),
        false => {
            let analyzed = attempt(request, false)?;
            if !analyze::needs_mathematics(&analyzed.facts.refused) {
                return Ok(analyzed);
            }
            progress.note("the crate calls functions of C's mathematics: building again with the crate libm");
            attempt(&adding, true)
        }
    }
}

/// Runs the stages that make the code for one target: one processor level of one architecture.
fn target_code(request: &Request, target: Target, with_libm: bool, progress: &Progress) -> Result<TargetCode> {
    let machine = backend::machine(target.arch);
    // Messages name the target only if the request has several targets.
    let several = request.targets.len() > 1;
    let shown = request.shown(target);
    let name = |stage: &str| if several { format!("{stage} for {shown}") } else { stage.to_owned() };
    let named = |failure| if several { report::name_target(failure, &shown) } else { failure };
    let limits = Limits { max_stack: request.max_stack, above_roots: None };
    let Analyzed { archive, object, program, facts, with_libm } =
        analyzed((request, target), with_libm, limits, progress, &name).map_err(named)?;
    let origin = Origin::new(&archive, &facts, object.files.values().map(String::as_str));
    let header = origin::header(&[&origin], request.watch);
    let package = if request.watch { package(&object).watched() } else { package(&object) };
    // The package with routines (functions that generated code calls) is `rt` itself, so its symbols need no prefix.
    let rt = if package.has_routines() { String::new() } else { request.runtime.symbols() };
    let asm =
        stage(progress, name("lowering"), || lower::lower(&object, &program, &facts, machine, &package, &rt, header)).map_err(named)?;
    report::target_details(progress, &package, &object, &program, &facts, &asm);
    let instructions = program.codes.values().flatten().map(|code| code.insts.len()).sum();
    let varying = if request.with_tests { report::varying(&package, &object, &facts) } else { Varying::default() };
    Ok(TargetCode { machine, crate_name: archive.crate_name.clone(), origin, package, facts, asm, instructions, varying, with_libm })
}

/// Joins the code of each architecture's levels. Returns one assembly file for each architecture. In `parts`, the targets of an architecture are
/// consecutive, the lowest level first.
fn join_levels(request: &Request, parts: Vec<TargetCode>, progress: &Progress) -> Vec<ArchCode> {
    let rt = request.runtime.symbols();
    let mut joined = Vec::new();
    let mut parts = parts.into_iter().peekable();
    while let Some(first) = parts.next() {
        let (machine, arch) = (first.machine, first.asm.target.arch);
        let mut group = vec![first];
        while let Some(next) = parts.next_if(|next| next.asm.target.arch == arch) {
            group.push(next);
        }
        let deepest = group.iter().flat_map(|part| part.facts.exports.values()).map(|export| export.bound).max().unwrap_or(0);
        let functions = group[0].facts.emitted.len();
        let targets: Vec<Level> = group.iter().map(|part| part.asm.target.level).collect();
        let inputs: Vec<&Inputs> = group.iter().map(|part| &part.origin.inputs).collect();
        let mark = Marker::new(&request.go_package, arch.goarch(), &targets, &inputs);
        let (mut asm, levels) = match group.len() {
            1 => (group.remove(0).asm, Vec::new()),
            _ => stage(progress, format!("joining the levels of {arch}"), || {
                let header = origin::header(&group.iter().map(|part| &part.origin).collect::<Vec<_>>(), request.watch);
                let files: Vec<(Level, goasm::File)> = group.into_iter().map(|part| (part.asm.target.level, part.asm)).collect();
                levels::join(&files, header, machine, &rt)
            }),
        };
        mark.attach(&mut asm, |symbol| machine.address_of(symbol));
        let functions = functions + levels.iter().skip(1).map(|own| own.functions).sum::<usize>();
        levels.iter().skip(1).for_each(|own| report::level_details(progress, own));
        joined.push(ArchCode { machine, asm, summary: ArchSummary { functions, deepest, levels } });
    }
    joined
}

/// Returns the options with which the archive was compiled, in the form that the loader needs.
fn kind(archive: &Archive) -> load::Kind {
    load::Kind { unwinds: archive.unwinds, no_threads: archive.no_threads, allows_spawn: archive.allows_spawn }
}

/// Returns the description of an object's exports as Go code sees them.
fn package(object: &Object) -> Package {
    Package { no_threads: object.no_threads, ..Package::new(object.exports.values(), &object.constants) }
}

fn stage<T>(progress: &Progress, name: impl Into<String>, work: impl FnOnce() -> T) -> T {
    let _running = progress.stage(name);
    work()
}

/// Runs a command with its request.
///
/// # Errors
/// Returns every reason for a refusal. After a refusal no file has been written.
fn run(command: &Command, request: &Request, progress: &Progress) -> Result<()> {
    match command {
        Command::Build(_) => drop(build_and_write(request, progress)?),
        Command::Check(args) => {
            let product = build(request, progress)?;
            if args.locked {
                write::compare(&product.folders)?;
                progress.done(&format!("{} is what the source gives, byte for byte: {}", request.out.display(), product.size()));
            } else {
                progress.done(&format!("{}: ok: {}", product.crate_name, product.size()));
            }
        }
        Command::Native(_) => progress.result(&compile::native::build(request)?.display().to_string()),
        Command::Inspect(args) if args.levels => commands::inspect_levels(request, args, progress)?,
        Command::Inspect(args) if args.refused => commands::inspect_refused(request, args, progress)?,
        Command::Inspect(args) => commands::inspect_target(request, args, progress)?,
        // These commands need no request. The module `start` runs them.
        _ => {}
    }
    Ok(())
}

/// Runs all stages, writes the files, and prints the notes and the final line of `rustgo build`.
fn build_and_write(request: &Request, progress: &Progress) -> Result<Product> {
    let product = build(request, progress)?;
    let written = write::write(&product.folders)?;
    for name in &written.left_over {
        progress.note(&format!("{name} is no longer made from the source: remove it"));
    }
    if let Some(problem) = config::import_path::problem(&request.out) {
        progress.note(&problem);
    }
    if request.watch {
        progress.note("the package is for tests with rt.Watch: rustgo build without --watch makes the one to commit");
    }
    progress.done(&product.summary(request, &written));
    Ok(product)
}
