//! The commands that show what the stages find, and write no package: inspect, audit, verify and survey.

use crate::analyze::{self, Limits};
use crate::args::{AuditArgs, BuildArgs, Cli, InspectArgs, Output, SurveyArgs, VerifyArgs};
use crate::audit::{self, Audit};
use crate::compile::subject::{Scratch, Wanted};
use crate::diag::Result;
use crate::diag::gather;
use crate::diag::render::Style;
use crate::load::Object;
use crate::product::TargetCode;
use crate::progress::{Manner, Progress};
use crate::request::Request;
use crate::target::{Arch, Level, Target};
use crate::{Analyzed, analyzed, build, each_target, join_levels, kind, package, stage};
use crate::{abi, backend, compile, config, decode, inspect, load, lower, manifest, rebuild, scaffold, start, survey};
use std::collections::BTreeSet;

/// Runs `rustgo inspect` for one target: the stages up to analyze.
pub fn inspect_target(request: &Request, args: &InspectArgs, progress: &Progress) -> Result<()> {
    let target = request.targets.first().copied().unwrap_or(Target::baseline(Arch::Amd64));
    if request.targets.len() > 1 {
        let others = request.targets.len() - 1;
        let level = target.level;
        progress.note(&format!("{level} is shown, the lowest level; --cpu shows one of the other {others}, --levels compares them"));
    }
    let machine = backend::machine(target.arch);
    let limits = Limits { max_stack: u64::MAX, above_roots: None };
    let Analyzed { object, program, facts, .. } = analyzed((request, target), false, limits, progress, &str::to_owned)?;
    let facts = facts.accepted()?;
    let package = package(&object);
    let subject = inspect::Subject { package: &package, object: &object, program: &program, facts: &facts, machine };
    inspect::inspect(&subject, args, progress.manner() == Manner::Json)
}

/// Runs `rustgo inspect --refused`: the stages up to lowering for one target.
pub fn inspect_refused(request: &Request, args: &InspectArgs, progress: &Progress) -> Result<()> {
    let target = request.targets.first().copied().unwrap_or(Target::baseline(Arch::Amd64));
    let machine = backend::machine(target.arch);
    let limits = Limits { max_stack: request.max_stack, above_roots: None };
    let Analyzed { archive, object, program, facts, .. } = analyzed((request, target), false, limits, progress, &str::to_owned)?;
    let reasons = lower::reasons(&object, &program, &facts, machine, &request.runtime.symbols());
    let reasons = gather::by_importance(gather::gather(reasons));
    if reasons.is_empty() {
        progress.note("nothing is refused");
    }
    let origin = inspect::Origin { rustc: &archive.rustc_version, target: &format!("{} ({})", target.arch, target.level) };
    inspect::show(&inspect::refused(&object, &facts, &reasons, &origin), args)
}

/// Runs `rustgo inspect --levels`, which compares levels of the first architecture: the levels in the request or, if the request names only one,
/// all levels.
pub fn inspect_levels(request: &Request, args: &InspectArgs, progress: &Progress) -> Result<()> {
    let mut request = request.clone();
    if let [only] = request.targets[..] {
        request.targets = Target::each(only.arch, &Level::ALL);
    }
    let parts = each_target(&request, progress)?;
    let features_of = |part: &TargetCode| part.facts.exports.values().flat_map(|export| export.features.iter().cloned()).collect();
    let features: Vec<BTreeSet<String>> = parts.iter().map(features_of).collect();
    let levels = join_levels(&request, parts, progress).into_iter().flat_map(|arch| arch.summary.levels);
    let levels: Vec<_> = levels.zip(features).collect();
    inspect::show(&inspect::levels(&levels, progress.manner() == Manner::Json), args)
}

/// Runs `rustgo audit`. With `--crate` it also compiles the crate, and finds in the call graph for amd64 the exports that reach affected functions.
pub fn audit_packages(args: &AuditArgs, cli: &Cli, progress: &Progress) -> Result<Audit> {
    let mut audit = audit::audit(args)?;
    let Some(krate) = &args.krate else { return Ok(audit) };
    let build = BuildArgs {
        krate: krate.clone(),
        arch: vec![Arch::Amd64],
        toolchain: cli.toolchain.iter().chain(&args.toolchain).cloned().collect(),
        offline: args.offline,
        ..BuildArgs::default()
    };
    let request = config::resolve(&build, &cli.output, Output::Shown, start::program())?;
    let target = request.targets.first().copied().unwrap_or(Target::baseline(Arch::Amd64));
    let limits = Limits { max_stack: u64::MAX, above_roots: None };
    let Analyzed { archive, object, facts, .. } = analyzed((&request, target), false, limits, progress, &str::to_owned)?;
    let (facts, package) = (facts.accepted()?, package(&object));
    audit.set_reached(&archive.digest, |named| {
        let is_it = |me: analyze::InstanceId| audit::may_be(&object.functions[facts.instances[me].function].path, named).then_some(());
        let called = package.functions.iter().filter(|(_, export)| export.role.is_called() && !export.is_added);
        let reaching = called.filter(|(id, _)| facts.nearest(&[facts.exports[*id].shim], |_| true, is_it).is_some());
        reaching.map(|(_, export)| export.shown()).collect()
    });
    Ok(audit)
}

/// Runs `rustgo verify`. Returns the text to print, and true if every generated file equals the file that the source gives.
pub fn verify_module(args: &VerifyArgs, cli: &Cli, progress: &Progress, style: Style) -> Result<(String, bool)> {
    let verification = rebuild::verify(args, cli.toolchain.as_ref(), &cli.output, progress, &build)?;
    let text = if progress.manner() == Manner::Json { verification.json() } else { verification.human(style) };
    Ok((text, verification.is_well()))
}

/// Runs `rustgo survey`: makes a scratch crate with a root for each function, and runs the stages up to lowering on it. Returns the text to print,
/// and true if every function is accepted.
pub fn survey_crate(args: &SurveyArgs, cli: &Cli, progress: &Progress, style: Style) -> Result<(String, bool)> {
    let wanted = Wanted { krate: &args.krate, features: &args.features, no_default_features: args.no_default_features };
    let scratch = Scratch::new(&wanted, args.scratch.as_deref(), &scaffold::absolute_support())?;
    let build = BuildArgs {
        krate: scratch.dir.clone(),
        arch: vec![args.arch],
        cpu: args.cpu.into_iter().collect(),
        toolchain: cli.toolchain.iter().chain(&args.toolchain).cloned().collect(),
        offline: args.offline,
        ..BuildArgs::default()
    };
    let mut request = config::resolve(&build, &cli.output, Output::Ignored, start::program())?;
    request.allow.clone_from(&args.allow);
    let target = request.targets.first().copied().unwrap_or(Target::baseline(args.arch));
    let cargo = request.cargo.of(target.arch);
    let subject = manifest::subject(&cargo, &request.manifest, target)?;
    // Document and check the crate for amd64, because the toolchain for another architecture may lack std. The public functions are the same on all
    // architectures.
    let (cargo, host) = (request.cargo.of(Arch::Amd64), Target::baseline(Arch::Amd64));
    let json = {
        let _running = progress.unannounced_stage("documenting");
        scratch.documentation(&cargo, &request.manifest, &subject, host)?
    };
    let found = survey::items::read(&json)?.only(&args.functions, &subject.name)?;
    let (mut roots, mut unnameable) = (found.roots, Vec::new());
    loop {
        scratch.write_roots(roots.iter().map(|root| (root.path.as_str(), root.expression.as_str())))?;
        let refused = {
            let _running = progress.unannounced_stage("checking");
            scratch.refused_roots(&cargo, &request.manifest, host)?
        };
        if refused.is_empty() {
            break;
        }
        let (wrong, named): (Vec<_>, Vec<_>) = roots.into_iter().enumerate().partition(|(at, _)| refused.contains(at));
        unnameable.extend(wrong.into_iter().map(|(_, root)| root.path));
        roots = named.into_iter().map(|(_, root)| root).collect();
    }
    let machine = backend::machine(target.arch);
    let archive = {
        let _running = progress.unannounced_stage("compiling");
        compile::compile(&request, target, progress)?
    };
    let mut object =
        stage(progress, "loading", || load::load(&archive.path, archive.target, &|name| archive.display_path(name), kind(&archive)))?;
    let program = stage(progress, "decoding", || decode::decode(&object, machine));
    let mut attempt = |object: &Object| {
        let limits = Limits { max_stack: request.max_stack, above_roots: Some(abi::FORMATTER_ABOVE) };
        let facts = stage(progress, "analyzing", || analyze::analyze(object, &program, machine, limits))?;
        let rt = request.runtime.symbols();
        let reasons = stage(progress, "lowering", || lower::reasons(object, &program, &facts, machine, &rt));
        Ok(survey::verdict::Attempt { facts, reasons })
    };
    let examination = survey::examine(&mut object, &mut attempt)?;
    let surveyed = survey::show::Surveyed {
        name: subject.name,
        version: subject.version,
        target: format!("{} ({})", target.arch, target.level),
        features: subject.features,
        brought_by: subject.brought_by,
        links_std: archive.links_std,
        generic: found.generic.len(),
        foreign: found.foreign.len(),
        unnameable,
    };
    let text = if progress.manner() == Manner::Json { examination.json(&surveyed) } else { examination.human(&surveyed, style) };
    Ok((text, examination.is_accepted()))
}
