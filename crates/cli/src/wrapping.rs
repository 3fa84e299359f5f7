//! Runs `rustgo get` and `rustgo update`: proposes a wrapper for a crate's public API, and builds the wrapper with the stages in lib.rs.

use crate::analyze::{self, Limits};
use crate::args::{BuildArgs, Cli, GetArgs, Output, UpdateArgs, WrapArgs};
use crate::compile::draft::Draft;
use crate::compile::subject::{Scratch, Wanted};
use crate::diag::{Failure, Result};
use crate::get::failures::Failures;
use crate::get::files::Wrapped;
use crate::get::propose::Proposal;
use crate::load::Object;
use crate::process;
use crate::product::Product;
use crate::progress::{Manner, Progress};
use crate::request::Request;
use crate::target::{Arch, Target};
use crate::{Analyzed, analyzed, backend, build, compile, config, get, lower, manifest, scaffold, stage, start, survey, write};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A wrapper that is built in a temporary folder.
struct Wrapper {
    draft: Draft,
    product: Product,
    proposal: Proposal,
    wrapped: Wrapped,
    request: Request,
}

/// Maximum number of proposals. Each proposal leaves out the items of earlier proposals that did not compile or were refused.
const ROUNDS: usize = 24;

/// Runs `rustgo get`: makes the module in a temporary folder. Then moves this folder to the place of the module.
pub fn get(args: &GetArgs, cli: &Cli, progress: &Progress) -> Result<()> {
    let (krate, dir) = match (&args.path, &args.krate) {
        (Some(path), krate) => (get::files::as_folder(path), args.dir.clone().or_else(|| krate.clone().map(Into::into))),
        (None, krate) => (krate.clone().unwrap_or_default(), args.dir.clone()),
    };
    let dir = dir.unwrap_or_else(|| get::files::default_folder(&krate));
    let place = scaffold::place(&dir, args.name.as_deref(), args.module.as_deref(), true)?;
    let wanted = Wanted { krate: &krate, features: &args.features, no_default_features: args.no_default_features };
    let Wrapper { draft, product, proposal, wrapped, request } = wrap(&wanted, &place, &args.wrap, cli, progress)?;
    // If the package becomes part of an existing Go module, the copies of the run-time packages are outside of the package's folder. `adopt` writes
    // these copies.
    let (inside, outside): (Vec<_>, Vec<_>) = product.folders.iter().cloned().partition(|folder| folder.dir.starts_with(&request.out));
    let written = write::write(&inside)?;
    let stayed = write::adopt(&draft.dir, &place.dir, |name| name == "go.mod", &outside)?;
    // Remove the draft's folder, which now contains only the files that were not moved.
    drop(draft);
    progress.detail(&product.summary(&request, &written));
    let made = format!("made {}: the Go package {} from {} {}", dir.display(), place.import, wrapped.name, wrapped.version);
    progress.done(&format!(
        "{made}: {}, {}, {}",
        counted(proposal.functions(), "function"),
        counted(proposal.types.len(), "type"),
        counted(proposal.constants.len(), "constant")
    ));
    for name in &stayed {
        progress.note(&format!("your {name} stays: {name}{} is the one of rustgo get", write::BESIDE));
    }
    for line in get::files::summary(&proposal) {
        progress.note(&line);
    }
    progress.done(&format!("next: cd {} && go test ./...", dir.display()));
    Ok(())
}

/// Returns a number with its noun: `1 type`, `2 types`.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Runs `rustgo update`: makes the wrapper for another version of the crate. Replaces the old files unless the user has edited the wrapper; otherwise
/// writes the new proposal beside them.
pub fn update(args: &UpdateArgs, cli: &Cli, progress: &Progress) -> Result<()> {
    let old = get::update::read(&args.module)?;
    let wanted = old.wanted(args.krate.as_deref())?;
    let place = old.place()?;
    let wanted = Wanted { krate: &wanted, features: &old.wrapped.features, no_default_features: old.wrapped.no_default_features };
    let Wrapper { draft, mut product, proposal, wrapped, request } = wrap(&wanted, &place, &args.wrap, cli, progress)?;
    let change = old.change(&product, &draft.dir, &wrapped)?;
    progress.done(&format!("{} {} → {}: {}", wrapped.name, old.wrapped.version, wrapped.version, change.title()));
    let show: fn(&Progress, &str) = if progress.manner() == Manner::Json { Progress::note } else { Progress::result };
    change.api.lines().iter().for_each(|line| show(progress, line));
    if args.dry_run {
        progress.done("nothing is written, because of --dry-run");
        return Ok(());
    }
    if let Some(files) = change.replaces {
        get::update::move_to(&mut product.folders, &request.out, &old.dir);
        // An interrupt must not leave new Go files beside the old wrapper.
        process::uninterrupted(|| write::write(&product.folders).and_then(|_| write::replace_texts(&old.dir, &files)))?;
        progress.done(&format!(
            "{} has {} now; README.md lists what is left out",
            old.dir.display(),
            counted(proposal.functions(), "function")
        ));
    } else {
        write::replace_texts(&old.dir, &change.beside)?;
        progress.note("rust/src/lib.rs was edited, so nothing is replaced: rust/src/lib.rs.new is the new proposal");
        progress.done("next: take over what you need, change the version in rust/Cargo.toml, and run rustgo build --crate rust");
    }
    Ok(())
}

/// Proposes a wrapper and builds it. Leaves out the items that do not compile or are refused.
fn wrap(wanted: &Wanted<'_>, place: &scaffold::Place, args: &WrapArgs, cli: &Cli, progress: &Progress) -> Result<Wrapper> {
    let toolchain: Vec<_> = cli.toolchain.iter().chain(&args.toolchain).cloned().collect();
    let build_args = |krate: PathBuf, arch| BuildArgs {
        krate,
        arch,
        toolchain: toolchain.clone(),
        offline: args.offline,
        go: args.go.clone(),
        ..BuildArgs::default()
    };
    let draft = Draft::new(&place.dir)?;
    let host = Target::baseline(Arch::Amd64);
    let (api, wrapped, licences) = {
        let scratch = Scratch::new(wanted, None, &scaffold::absolute_support())?;
        let request = config::resolve(&build_args(scratch.dir.clone(), vec![Arch::Amd64]), &cli.output, Output::Ignored, start::program())?;
        let cargo = request.cargo.of(Arch::Amd64);
        {
            let _running = progress.stage(format!("getting {}", wanted.krate));
            compile::draft::fetch(&cargo, &scratch.dir, wanted.krate)?;
        }
        let subject = manifest::subject(&cargo, &request.manifest, host)?;
        let package = manifest::packages(&cargo, &request.manifest, &manifest::Features::default(), host)?;
        let package = package.into_iter().find(|package| package.name == subject.name && package.version == subject.version);
        let json = {
            let _running = progress.unannounced_stage("documenting");
            scratch.documentation(&cargo, &request.manifest, &subject, host)?
        };
        let licences = package.as_ref().map(|package| compile::draft::licences(&package.dir)).unwrap_or_default();
        let making_lines = package.as_ref().map(|package| compile::draft::making_lines(&package.dir)).unwrap_or_default();
        let path = package.as_ref().filter(|package| package.source.is_none()).map(|package| package.dir.display().to_string());
        let wrapped = Wrapped {
            name: subject.name,
            version: subject.version,
            path,
            license: package.and_then(|package| package.license),
            features: wanted.features.to_vec(),
            no_default_features: wanted.no_default_features,
        };
        let mut api = get::api::read(&json, &cargo.rustc(&scratch.dir)?.line)?;
        api.making_lines = making_lines;
        (api, wrapped, licences)
    };
    for (name, text) in scaffold::common_files(place, cli.toolchain.as_ref())?.iter().chain(&licences) {
        draft.write(name, text)?;
    }
    // Build with the go.mod of the module, which may state another version of Go.
    if let Ok(text) = std::fs::read_to_string(place.dir.join("go.mod")) {
        draft.write("go.mod", &text)?;
    }
    let manifest =
        |untested: &BTreeSet<String>| get::files::manifest(&wrapped, &place.name, &scaffold::support_dependency(place), untested);
    draft.write("rust/Cargo.toml", &manifest(&BTreeSet::new()))?;
    draft.write("rust/src/lib.rs", "")?;
    let mut excluded = BTreeMap::new();
    for round in 0..ROUNDS {
        let proposal = get::propose::propose(&api, &excluded);
        if proposal.functions() + proposal.constants.len() == 0 {
            return Err(get::files::nothing(&wrapped, &proposal).into());
        }
        let source = get::text::source(&proposal, &get::files::head(&wrapped), &get::files::introduction(&wrapped, &place.name));
        draft.write("rust/src/lib.rs", &get::files::sealed(&source.text))?;
        // Each round needs a new request, because the request contains the package's documentation, which comes from the source.
        let arguments = build_args(draft.dir.join("rust"), args.arch.clone());
        let mut request = config::resolve(&arguments, &cli.output, Output::Written, start::program())?;
        request.skips_unrepeatable = true;
        if let Some(note) = request.note.as_ref().filter(|_| round == 0) {
            progress.note(note);
        }
        let found = mistakes(&draft, &request, Arch::Amd64, &proposal, &source, progress)?;
        if !found.is_empty() {
            excluded.extend(found);
            continue;
        }
        match build(&request, progress) {
            Ok(product) => {
                draft.write("rust/Cargo.toml", &manifest(&product.unrepeatable))?;
                let declarations: Vec<String> = get::go_api::listed(&product.declarations()).into_iter().map(|(_, shown)| shown).collect();
                draft.write("README.md", &get::files::readme(&wrapped, place, &proposal, &declarations))?;
                return Ok(Wrapper { draft, product, proposal, wrapped, request });
            }
            Err(Failure::Refused(reasons)) => {
                let mut found = refused(&request, &proposal, &source, progress)?;
                if found.is_empty() {
                    found = get::failures::of_build(&reasons, &proposal, &source);
                }
                if found.is_empty() {
                    return Err(Failure::Refused(reasons));
                }
                excluded.extend(found);
            }
            // An item may exist only on one architecture, so type-check the wrapper for the other architectures to find such items.
            Err(Failure::Reported(reason)) => {
                let others: BTreeSet<Arch> = request.targets.iter().map(|target| target.arch).filter(|&arch| arch != Arch::Amd64).collect();
                let mut found = Failures::new();
                for arch in others {
                    found.extend(mistakes(&draft, &request, arch, &proposal, &source, progress)?);
                }
                if found.is_empty() {
                    return Err(Failure::Reported(reason));
                }
                excluded.extend(found);
            }
            Err(other) => return Err(other),
        }
    }
    Err(get::files::no_end(&wrapped).into())
}

/// Returns the items that do not compile for an architecture.
fn mistakes(
    draft: &Draft,
    request: &Request,
    arch: Arch,
    proposal: &Proposal,
    source: &get::text::Source,
    progress: &Progress,
) -> Result<Failures> {
    let mistakes = {
        let _running = progress.unannounced_stage("checking");
        draft.mistakes(&request.cargo.of(arch), &request.manifest, Target::baseline(arch))?
    };
    let found = get::failures::of_compiler(&mistakes, proposal, source);
    match mistakes.iter().find(|mistake| !mistake.is_deprecation) {
        Some(first) if found.is_empty() => Err(get::failures::elsewhere(&first.message).into()),
        _ => Ok(found),
    }
}

/// Returns the items whose machine code is refused on the first target that refuses any.
fn refused(request: &Request, proposal: &Proposal, source: &get::text::Source, progress: &Progress) -> Result<Failures> {
    for &target in &request.targets {
        let machine = backend::machine(target.arch);
        let limits = || Limits { max_stack: request.max_stack, above_roots: None };
        let Analyzed { mut object, program, facts, .. } = analyzed((request, target), false, limits(), progress, &str::to_owned)?;
        if facts.accepted().is_ok() {
            continue;
        }
        let mut attempt = |object: &Object| {
            let facts = stage(progress, "analyzing", || analyze::analyze(object, &program, machine, limits()))?;
            let reasons = stage(progress, "lowering", || lower::reasons(object, &program, &facts, machine, &request.runtime.symbols()));
            Ok(survey::verdict::Attempt { facts, reasons })
        };
        let examination = survey::examine(&mut object, &mut attempt)?;
        let found = get::failures::of_analysis(&examination, proposal, source);
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Failures::new())
}
