//! rustgo: turns a Rust crate into an ordinary Go package.
//!
//! ```text
//! Request ─compile→ Archive ─load→ Object ─decode→ Program ─analyze→ Facts ─┬─lower→ goasm::File ─┐
//!                                    └────────────→ api::Package ───────────┴─bind→  gosrc::File ─┴─verify→ Verified ─write→ files
//! ```
//!
//! Up to goasm::File this is done once for each target. The files of an architecture's levels are [joined](levels::join); the packages of all must
//! [agree](api::agree), and there is one Go file for all.
//!
//! Before anything is written, the folder's other files are looked at: Go must take the package as a whole ([`neighbours`]).
//!
//! Each stage borrows what earlier ones made and returns a new value. Only this file calls stages; a stage sees the
//! result types of those before it. Everything may use [`ids`], [`diag`], [`target`], [`goasm`] and [`gosrc`]; machine
//! code is understood in [`arch`] alone.
//!
//! The modules are private, so that the compiler reports what nothing uses. The two programs call [`main`]; the integration tests
//! have [`testing`].

#![allow(rustdoc::private_intra_doc_links, reason = "read with --document-private-items: who works on the tool is the only reader")]

mod abi;
mod analyze;
mod api;
mod arch;
mod args;
mod backend;
mod bind;
mod code;
mod compile;
mod config;
mod decode;
mod diag;
mod doctor;
mod exits;
mod goasm;
mod goobj;
mod gosrc;
mod ids;
mod inspect;
mod levels;
mod load;
mod lower;
mod manifest;
mod neighbours;
mod origin;
mod process;
mod progress;
mod request;
mod runtime;
mod scaffold;
mod start;
mod target;
#[doc(hidden)]
pub mod testing;
mod toolchain;
mod verify;
mod write;

pub use start::main;

use analyze::{Facts, Limits};
use api::Package;
use args::Command;
use backend::Backend;
use decode::Program;
use diag::{Failure, Result};
use load::Object;
use origin::Origin;
use progress::{Manner, Progress};
use request::Request;
use runtime::{Library, Runtime};
use std::collections::BTreeSet;
use target::{Arch, Target, show_size};
use verify::{Sizes, Verified};
use write::Folder;

/// Run a command on a request.
///
/// # Errors
/// Everything that is refused, with its reasons; nothing has been written then.
fn run(command: &Command, request: &Request, progress: &Progress) -> Result<()> {
    match command {
        Command::Build(_) => {
            let made = make(request, progress)?;
            let written = write::write(&made.folders)?;
            for name in &written.left_over {
                progress.note(&format!("{name} is no longer made from the source: remove it"));
            }
            if let Some(problem) = config::import_path::problem(&request.out) {
                progress.note(&problem);
            }
            if request.watch {
                progress.note("the package is for tests with rt.Watch: rustgo build without --watch makes the one to commit");
            }
            progress.done(&made.summary(request, &written));
        }
        Command::Check(args) => {
            let made = make(request, progress)?;
            if args.locked {
                write::compare(&made.folders)?;
            }
            progress.done(&format!("{}: ok: {}", made.crate_name, made.size()));
        }
        Command::Verify(_) => {
            let made = make(request, progress)?;
            write::compare(&made.folders)?;
            progress.done(&format!("{} holds what the source gives, byte for byte: {}", request.out.display(), made.size()));
        }
        Command::Native(_) => {
            let program = compile::native::build(request)?;
            progress.result(&program.display().to_string());
        }
        Command::Inspect(args) if args.levels => {
            let levels = compare_levels(request, progress)?;
            inspect::show(&inspect::levels(&levels, progress.manner() == Manner::Json), args)?;
        }
        Command::Inspect(args) => {
            let target = request.targets.first().copied().unwrap_or(Target::baseline(Arch::Amd64));
            if request.targets.len() > 1 {
                let others = request.targets.len() - 1;
                progress.note(&format!(
                    "{} is shown, the lowest level; --cpu shows one of the other {others}, --levels compares them",
                    target.level
                ));
            }
            let machine = backend::machine(target.arch);
            let archive = compile::compile(request, target, progress)?;
            let object = load::load(&archive.path, archive.target, &|name| archive.display_path(name))?;
            let program = decode::decode(&object, machine);
            let facts = analyze::analyze(&object, &program, machine, Limits { max_stack: u64::MAX })?;
            inspect::inspect(
                &inspect::Subject { package: &package(&object), object: &object, program: &program, facts: &facts, machine },
                args,
                progress.manner() == Manner::Json,
            )?;
        }
        // They need no request and have been run before one was made.
        Command::Doctor(_) | Command::New(_) => {}
    }
    Ok(())
}

/// What the pipeline made, proved and not yet written.
struct Made {
    crate_name: String,
    /// The package's own folder, and those of the copies that it imports.
    folders: Vec<Folder>,
    sizes: Vec<Sizes>,
    /// By architecture, as in `sizes`.
    counts: Vec<Count>,
}

/// What there is for one architecture.
struct Count {
    functions: usize,
    /// Bytes: the deepest stack of an export.
    deepest: u32,
    /// What each level brought; empty where there is one.
    levels: Vec<levels::Own>,
}

/// What was made for one target, before the proof.
struct Part {
    machine: &'static dyn Backend,
    crate_name: String,
    origin: Origin,
    package: Package,
    facts: Facts,
    asm: goasm::File,
}

/// The pipeline up to the proof, one line a stage.
fn make(request: &Request, progress: &Progress) -> Result<Made> {
    let go = toolchain::Go::find(&request.go)?;
    let parts = request.targets.iter().map(|&target| carry(request, target, progress)).collect::<Result<Vec<Part>>>()?;
    note_budgets(&parts, progress);
    let package = api::agree(&parts.iter().map(|part| (part.asm.target, &part.package)).collect::<Vec<_>>())?;
    let go_file = bind::bind(&package, options(request, &parts))?;
    let crate_name = parts.first().map(|part| part.crate_name.clone()).unwrap_or_default();
    let machines = join(request, parts, progress);
    let files: Vec<(&goasm::File, &dyn verify::Prover)> = machines.iter().map(|machine| (&machine.asm, machine.machine as _)).collect();
    let verified = stage(progress, "verifying", || verify::verify(&files, &go_file, &request.runtime, &go))?;
    if request.out_is_named {
        let notes = neighbours::clashes(&request.out, verified.files.keys(), &go_file, &package, &request.arches())?;
        notes.iter().for_each(|note| progress.note(note));
    }
    let counts = machines.into_iter().map(|machine| machine.count).collect();
    let mut libraries = imported(&request.runtime, &go_file);
    let Verified { mut files, sizes } = verified;
    if request.with_tests && !package.has_routines() {
        libraries.push(Library::NativeTest);
        files.insert(bind::TESTS_FILE.into(), bind::tests_file(&package, &test_options(request))?.into_bytes());
    }
    let mut folders = request.runtime.folders(&libraries);
    folders.insert(0, Folder { dir: request.out.clone(), shown: String::new(), files });
    Ok(Made { crate_name, folders, sizes, counts })
}

/// What was made for one architecture, before the proof.
struct Joined {
    machine: &'static dyn Backend,
    asm: goasm::File,
    count: Count,
}

/// One file for each architecture.
fn join(request: &Request, parts: Vec<Part>, progress: &Progress) -> Vec<Joined> {
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
        let (asm, levels) = match group.len() {
            1 => (group.remove(0).asm, Vec::new()),
            _ => stage(progress, format!("joining the levels of {arch}"), || {
                let header = origin::header(&group.iter().map(|part| &part.origin).collect::<Vec<_>>(), request.watch);
                let files: Vec<(target::Level, goasm::File)> = group.into_iter().map(|part| (part.asm.target.level, part.asm)).collect();
                levels::join(&files, header, machine, &rt)
            }),
        };
        let functions = functions + levels.iter().skip(1).map(|own| own.functions).sum::<usize>();
        levels.iter().skip(1).for_each(|own| report_level(progress, own));
        joined.push(Joined { machine, asm, count: Count { functions, deepest, levels } });
    }
    joined
}

/// What each level of the first architecture brings: of those that were asked for, if they are several, else of all.
fn compare_levels(request: &Request, progress: &Progress) -> Result<Vec<(levels::Own, BTreeSet<String>)>> {
    let mut request = request.clone();
    if let [only] = request.targets[..] {
        request.targets = Target::each(only.arch, &target::Level::ALL);
    }
    let parts = request.targets.iter().map(|&target| carry(&request, target, progress)).collect::<Result<Vec<Part>>>()?;
    let of_part = |part: &Part| part.facts.exports.values().flat_map(|export| export.features.iter().cloned()).collect();
    let features: Vec<BTreeSet<String>> = parts.iter().map(of_part).collect();
    let brought = join(&request, parts, progress).into_iter().flat_map(|joined| joined.count.levels);
    Ok(brought.zip(features).collect())
}

/// What a level brought, for `--verbose`.
fn report_level(progress: &Progress, own: &levels::Own) {
    let (code, data) = (show_size(own.code as u64), show_size(own.data));
    progress.detail(&format!("{}: {} of its {} functions are its own, {code} of code, {data} of data", own.level, own.functions, own.of));
}

/// What is done for each target, one line a stage.
fn carry(request: &Request, target: Target, progress: &Progress) -> Result<Part> {
    let machine = backend::machine(target.arch);
    // Of one target nobody needs to be told which.
    let several = request.targets.len() > 1;
    let shown = request.shown(target);
    let name = |stage: &str| if several { format!("{stage} for {shown}") } else { stage.to_owned() };
    let whose = |failure| if several { say_whose(failure, &shown) } else { failure };
    let archive = compile::compile(request, target, progress).map_err(whose)?;
    let object = stage(progress, name("loading"), || load::load(&archive.path, archive.target, &|name| archive.display_path(name)))
        .map_err(whose)?;
    let program = stage(progress, name("decoding"), || decode::decode(&object, machine));
    let limits = Limits { max_stack: request.max_stack };
    let facts = stage(progress, name("analyzing"), || analyze::analyze(&object, &program, machine, limits)).map_err(whose)?;
    let origin = Origin::new(&archive, &facts);
    let header = origin::header(&[&origin], request.watch);
    let package = if request.watch { package(&object).watched() } else { package(&object) };
    // The package with the routines is `rt` itself.
    let rt = if package.has_routines() { String::new() } else { request.runtime.symbols() };
    let asm =
        stage(progress, name("lowering"), || lower::lower(&object, &program, &facts, machine, &package, &rt, header)).map_err(whose)?;
    report(progress, &package, &object, &program, &facts, &asm);
    Ok(Part { machine, crate_name: archive.crate_name.clone(), origin, package, facts, asm })
}

/// Says which exports have a budget of stack that nobody has stated.
fn note_budgets(parts: &[Part], progress: &Progress) {
    let assumed = |part: &Part| -> Vec<(String, String, u32)> {
        let of = |(id, function): (ids::ExportId, &api::Function)| {
            let export = &part.facts.exports[id];
            // The author has not written the others and can state nothing for them.
            if !function.role.is_called() || function.is_added {
                return None;
            }
            Some((function.shown(), export.assumed.clone()?, export.budget?))
        };
        part.package.functions.iter().filter_map(of).collect()
    };
    let mut found: Vec<(String, String, u32)> = parts.iter().flat_map(assumed).collect();
    found.sort();
    found.dedup_by(|a, b| a.0 == b.0);
    let Some(note) = budgets(&found) else { return };
    progress.note(&note);
    for (name, culprit, budget) in &found {
        progress.detail(&format!("{name} has a budget of {} because {culprit} recurses", show_size(u64::from(*budget))));
    }
}

/// What there is to say of functions, each with what recurses in it and its budget in bytes.
fn budgets(found: &[(String, String, u32)]) -> Option<String> {
    let (name, culprit, least) = found.iter().min_by_key(|(.., budget)| *budget)?;
    let most = found.iter().map(|(.., budget)| *budget).max().filter(|most| most > least);
    let most = most.map_or_else(String::new, |most| format!(" to {}", show_size(u64::from(most))));
    let whose = match found.len() - 1 {
        0 => format!("{name} recurses (in {culprit})"),
        1 => format!("{name} (in {culprit}) and 1 other function recurse"),
        more => format!("{name} (in {culprit}) and {more} other functions recurse"),
    };
    Some(format!(
        "{whose}: a call has {}{most} of stack and panics if it needs more; #[rustgo::export(stack = \"256k\")] states another budget",
        show_size(u64::from(*least))
    ))
}

/// Says of each reason which target's code it is about.
fn say_whose(failure: Failure, target: &str) -> Failure {
    match failure {
        Failure::Refused(reasons) => {
            Failure::Refused(reasons.into_iter().map(|reason| reason.note(format!("in the code for {target}"))).collect())
        }
        other => other,
    }
}

/// What an object exports, as Go sees it.
fn package(object: &Object) -> Package {
    Package::new(object.exports.values(), &object.constants)
}

fn stage<T>(progress: &Progress, name: impl Into<String>, work: impl FnOnce() -> T) -> T {
    let _running = progress.stage(name);
    work()
}

/// Which of the packages the Go file imports.
fn imported(runtime: &Runtime, go_file: &gosrc::File) -> Vec<Library> {
    let is_imported = |library: &Library| go_file.imports.iter().any(|import| import.path == runtime.import_path(*library));
    Library::ALL.into_iter().filter(is_imported).collect()
}

fn options(request: &Request, parts: &[Part]) -> bind::Options {
    let needs_rt =
        parts.iter().any(|part| part.facts.needs_rt()) || request.targets.iter().any(|target| target.level != target.arch.baseline());
    let needs_heap = parts.iter().any(|part| part.facts.needs_heap);
    let needed = [(Library::Rt, needs_rt || needs_heap), (Library::Heap, needs_heap)];
    let is_rt = parts.iter().any(|part| part.package.has_routines());
    let needed = needed.into_iter().filter(|(_, needed)| *needed && !is_rt);
    bind::Options {
        header: origin::header(&parts.iter().map(|part| &part.origin).collect::<Vec<_>>(), request.watch),
        package: request.go_package.clone(),
        package_doc: request.package_doc.clone().unwrap_or_default(),
        arches: request.arches(),
        needs: request.needs(),
        // A package that can neither panic nor fault on any machine imports only what its declarations name.
        imports: needed.map(|(library, _)| gosrc::Import { path: request.runtime.import_path(library), name: Some("_".into()) }).collect(),
        runtime: request.runtime.clone(),
    }
}

fn test_options(request: &Request) -> bind::TestOptions {
    let krate = compile::paths::Paths::new(&request.manifest, &[], &request.out).crate_name;
    bind::TestOptions {
        package: request.go_package.clone(),
        arches: request.arches(),
        nativetest: request.runtime.import_path(Library::NativeTest),
        krate: match krate.as_str() {
            "" => ".".into(),
            // Where the folder is seen from elsewhere is not known.
            name if name.starts_with('/') => String::new(),
            _ => krate,
        },
        features: request.features.args(),
        skip: request.with_tests_skip.clone(),
    }
}

/// Details for `--verbose`.
fn report(progress: &Progress, package: &Package, object: &Object, program: &Program, facts: &Facts, asm: &goasm::File) {
    for (id, function) in &package.functions {
        let what = &facts.exports[id];
        progress.detail(&format!("{}: {}, stack {} bytes, panics: {}", function.shown(), what.entry, what.bound, what.can_panic));
    }
    let instructions: usize = program.codes.values().flatten().map(|c| c.insts.len()).sum();
    progress.detail(&format!("{} functions loaded, {} carried, {instructions} instructions", object.functions.len(), facts.emitted.len()));
    let compiled: usize = facts.emitted.iter().map(|&i| object.functions[facts.instances[i].function].code.len()).sum();
    progress.detail(&format!("{compiled} bytes of code compiled, {} as carried, constants that stand with it included", asm.code_size()));
    for (symbol, why) in &facts.unavailable {
        progress.detail(&format!("not carried (only the text of a panic could need it): {symbol}: {why}"));
    }
}

impl Made {
    fn size(&self) -> String {
        let machines = self.sizes.iter().zip(&self.counts).map(|(sizes, Count { functions, deepest, levels })| {
            let of = if self.counts.len() > 1 { format!("{}: ", sizes.target) } else { String::new() };
            let (code, data, deepest) = (show_size(sizes.code), show_size(sizes.data), show_size(u64::from(*deepest)));
            let what = if *functions == 1 { "function" } else { "functions" };
            let own = levels.iter().skip(1).map(|own| format!("{} of it for {}", show_size(own.code as u64), own.level));
            let code = [vec![format!("{code} of code")], own.collect()].concat().join(", ");
            format!("{of}{functions} {what}, {code}, {data} of data, deepest stack {deepest}")
        });
        machines.collect::<Vec<_>>().join("; ")
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

#[cfg(test)]
mod tests {
    use super::budgets;

    #[test]
    fn budgets_are_told_from_the_least_to_the_most() {
        let of = |name: &str, bytes| (name.to_owned(), "fmt::write".to_owned(), bytes);
        assert_eq!(budgets(&[]), None);
        let note = |found: &[(String, String, u32)]| budgets(found).unwrap_or_default();
        assert!(note(&[of("F", 65536)]).starts_with("F recurses (in fmt::write): a call has 64 KiB of stack and panics"));
        assert!(note(&[of("F", 65536), of("G", 65536)]).contains("1 other function recurse: a call has 64 KiB of stack and"));
        let mixed = note(&[of("F", 211_968), of("G", 65536), of("H", 98304)]);
        assert!(mixed.starts_with("G (in fmt::write) and 2 other functions recurse: a call has 64 KiB to 207 KiB of stack and"), "{mixed}");
    }
}
