//! Composes notes, `--verbose` details and summaries from the results of the stages; [`progress`](crate::progress) prints them.

use crate::analyze::{Facts, InstanceId, Node, Recursion};
use crate::api::{self, Package};
use crate::decode::Program;
use crate::diag::Failure;
use crate::exits::Exit;
use crate::goasm;
use crate::ids::ExportId;
use crate::levels::LevelShare;
use crate::load::Object;
use crate::product::{ArchSummary, Product, TargetCode, Varying};
use crate::progress::Progress;
use crate::request::Request;
use crate::target::show_size;
use crate::write::Written;
use std::collections::BTreeSet;

/// Maximum number of exports for which a build without `--verbose` prints the number of nested calls that the stack budget allows.
const MOST_BUDGETS: usize = 4;

/// The stack budget of an export.
struct Budget {
    /// The export's name.
    name: String,
    /// A function that recurses, if the author stated no budget.
    culprit: Option<String>,
    bytes: u32,
    recursion: Recursion,
}

impl Budget {
    /// Returns the number of nested calls of recursive functions that certainly fit into the budget.
    fn levels(&self) -> u32 {
        self.recursion.levels(self.bytes)
    }
}

/// Prints a note about exports that run on the goroutine's stack and may call a Go function that Rust code has kept from an earlier call. Such a call
/// of a Go function fails on the goroutine's stack.
pub fn missing_tasks(parts: &[TargetCode], progress: &Progress) {
    let of_part = |part: &TargetCode| {
        let calls = |node: &Node| matches!(node.exit(), Some(Exit::Call));
        let (facts, package) = (&part.facts, &part.package);
        if !package.keeps_go() {
            return Vec::new();
        }
        let callers = callers(facts, calls);
        let called = package.functions.iter();
        let on_goroutine = called.filter(|(_, function)| function.role.is_called() && !function.is_added && function.task.is_none());
        // Leave out functions that run only on the way to a panic, because the analysis finds that their calls through pointers may reach nearly
        // every function.
        let may_call =
            on_goroutine.filter(|(id, _)| facts.nearest(&[facts.exports[*id].shim], |me| facts.instances[me].hot, &callers).is_some());
        may_call.map(|(_, function)| function.shown()).collect::<Vec<_>>()
    };
    let found: BTreeSet<String> = parts.iter().flat_map(of_part).collect();
    if let Some(note) = may_call_go(&found) {
        progress.note(&note);
    }
    found.iter().for_each(|name| progress.detail(&format!("{name} may call Go without the option `task`")));
}

/// Returns the note about exports that may call Go functions but do not run as tasks.
fn may_call_go(found: &BTreeSet<String>) -> Option<String> {
    let first = found.first()?;
    let whose = match found.len() - 1 {
        0 => first.clone(),
        1 => format!("{first} and 1 other function"),
        more => format!("{first} and {more} other functions"),
    };
    Some(format!("{whose} may call Go, but without the option `task` the call of Go fails, with an error or a panic"))
}

/// Returns a closure for the parameter `find` of [`Facts::nearest`]. It finds functions that call or jump to a node for which `is` is true.
fn callers(facts: &Facts, is: impl Fn(&Node) -> bool) -> impl Fn(InstanceId) -> Option<()> {
    let found: BTreeSet<_> = facts.sets.iter().filter(|(_, nodes)| nodes.iter().any(&is)).map(|(set, _)| set).collect();
    move |me| facts.instances[me].targets.iter().any(|set| found.contains(set)).then_some(())
}

/// True for the path of std's function that gets random keys for HashMaps. If the compiler has inlined this function, the check does not recognise
/// it, and its random numbers count as random numbers for any purpose.
fn gets_hash_keys(path: &str) -> bool {
    path.starts_with("std::sys::random::") && path.ends_with("::hashmap_random_keys")
}

/// Finds the exports whose results may differ between two calls with the same arguments.
pub fn varying(package: &Package, object: &Object, facts: &Facts) -> Varying {
    let keys = |me: InstanceId| gets_hash_keys(&object.functions[facts.instances[me].function].path);
    // Leave out functions that run only on the way to a panic. They change no result, and the analysis finds that their calls through pointers may
    // reach nearly every function.
    let is_hot = |me: InstanceId| facts.instances[me].hot;
    let is_source = |node: &Node| matches!(node.exit(), Some(Exit::Clock | Exit::Random | Exit::RandomBytes));
    let is_unrepeatable = callers(facts, is_source);
    let mut varying = Varying::default();
    // Leave out exports that call Go functions, because the native program has no Go functions.
    let called = package.functions.iter().filter(|(_, function)| function.role.is_called() && !function.is_added && !function.calls_go());
    for (id, function) in called {
        let from = [facts.exports[id].shim];
        if facts.nearest(&from, |me| is_hot(me) && !keys(me), &is_unrepeatable).is_some() {
            varying.unrepeatable.insert(function.shown());
        } else if facts.nearest(&from, is_hot, |me| keys(me).then_some(())).is_some() {
            varying.keyed.insert(function.shown());
        }
    }
    varying
}

/// Prints a note about the exports that recurse and have the default stack budget. Also prints, for each export with a budget, the number of nested
/// calls that the budget allows.
pub fn stack_budgets(parts: &[TargetCode], progress: &Progress) {
    let of = |part: &TargetCode, (id, function): (ExportId, &api::Function)| {
        let export = &part.facts.exports[id];
        // Only these functions count: rustgo added all other functions, and no attribute can state a budget for them.
        let counts = function.role.is_called() && !function.is_added;
        let (bytes, recursion) = export.budget.zip(export.recursion.clone()).filter(|_| counts)?;
        Some(Budget { name: function.shown(), culprit: export.assumed.clone(), bytes, recursion })
    };
    let mut found: Vec<Budget> = parts.iter().flat_map(|part| part.package.functions.iter().filter_map(|each| of(part, each))).collect();
    // If an export has a budget for several targets, keep the budget that allows the fewest nested calls.
    found.sort_by(|a, b| (&a.name, a.levels()).cmp(&(&b.name, b.levels())));
    found.dedup_by(|a, b| a.name == b.name);
    let assumed: Vec<_> = found.iter().filter_map(|budget| Some((budget.name.clone(), budget.culprit.clone()?, budget.bytes))).collect();
    if let Some(note) = budgets(&assumed) {
        progress.note(&note);
    }
    let mut shown = 0;
    for budget in &found {
        let line = enough(budget);
        // If the author has not stated the budget and there is no `culprit`, the export recurses only by unlikely calls through pointers. The author
        // need not know such a budget, so only `--verbose` prints it.
        if (budget.culprit.is_some() || budget.recursion.stated) && shown < MOST_BUDGETS {
            progress.note(&line);
            shown += 1;
        } else {
            progress.detail(&line);
        }
    }
}

/// Describes how many nested calls the stack budget of an export allows.
fn enough(budget: &Budget) -> String {
    let calls = match budget.levels() {
        1 => "one call of a recursive function fits".to_owned(),
        levels => format!("{levels} nested calls of recursive functions fit"),
    };
    let Budget { name, bytes, recursion: Recursion { function, level, least, .. }, .. } = budget;
    let (bytes, least) = (show_size(u64::from(*bytes)), show_size(u64::from(*least)));
    format!("{name} has a stack budget of {bytes}, at least {least} is necessary: {calls}, with up to {level} bytes each ({function})")
}

/// Returns the note about default stack budgets. `found` contains, for each export, its name, a function that recurses, and the budget in bytes.
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

/// Adds the name of the target to each reason of a refusal.
pub fn name_target(failure: Failure, target: &str) -> Failure {
    match failure {
        Failure::Refused(reasons) => {
            Failure::Refused(reasons.into_iter().map(|reason| reason.note(format!("in the code for {target}"))).collect())
        }
        other => other,
    }
}

/// Prints details about the code of one target, for `--verbose`.
pub fn target_details(progress: &Progress, package: &Package, object: &Object, program: &Program, facts: &Facts, asm: &goasm::File) {
    for (id, function) in &package.functions {
        let what = &facts.exports[id];
        progress.detail(&format!("{}: {}, stack {} bytes, panics: {}", function.shown(), what.entry, what.bound, what.can_panic));
    }
    let instructions: usize = program.codes.values().flatten().map(|c| c.insts.len()).sum();
    progress.detail(&format!("{} functions loaded, {} emitted, {instructions} instructions", object.functions.len(), facts.emitted.len()));
    let compiled: usize = facts.emitted.iter().map(|&i| object.functions[facts.instances[i].function].code.len()).sum();
    progress.detail(&format!("{compiled} bytes of code compiled, {} emitted, including constants between the code", asm.code_size()));
    for (symbol, why) in &facts.unavailable {
        progress.detail(&format!("not included (only the text of a panic could need it): {symbol}: {why}"));
    }
}

/// Prints, for `--verbose`, the amounts of code and data that this processor level has and no lower level has.
pub fn level_details(progress: &Progress, own: &LevelShare) {
    let (code, data) = (show_size(own.code as u64), show_size(own.data));
    progress.detail(&format!("{}: {} of its {} functions are its own, {code} of code, {data} of data", own.level, own.functions, own.of));
}

impl Product {
    /// Describes each architecture's code: the number of functions, the sizes of code and data, and the maximum stack of an export.
    pub fn size(&self) -> String {
        let machines = self.sizes.iter().zip(&self.summaries).map(|(sizes, ArchSummary { functions, deepest, levels })| {
            let of = if self.summaries.len() > 1 { format!("{}: ", sizes.target) } else { String::new() };
            let (code, data, deepest) = (show_size(sizes.code), show_size(sizes.data), show_size(u64::from(*deepest)));
            let what = if *functions == 1 { "function" } else { "functions" };
            let own = levels.iter().skip(1).map(|own| format!("{} of it for {}", show_size(own.code as u64), own.level));
            let code = [vec![format!("{code} of code")], own.collect()].concat().join(", ");
            format!("{of}{functions} {what}, {code}, {data} of data, deepest stack {deepest}")
        });
        machines.collect::<Vec<_>>().join("; ")
    }

    /// Returns the final line of `rustgo build`.
    pub fn summary(&self, request: &Request, written: &Written) -> String {
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
    use super::{Budget, Recursion, budgets, enough, may_call_go};

    #[test]
    fn a_budget_is_enough_for_levels() {
        let recursion = Recursion { function: "parse::expr".into(), level: 1000, least: 1500, stated: false };
        assert_eq!(
            enough(&Budget { name: "Parse".into(), culprit: None, bytes: 64 << 10, recursion: recursion.clone() }),
            "Parse has a stack budget of 64 KiB, at least 1.5 KiB is necessary: 65 nested calls of recursive functions fit, with up to 1000 bytes each (parse::expr)"
        );
        assert_eq!(recursion.levels(1500), 1);
        assert_eq!(recursion.levels(2500), 2);
    }

    #[test]
    fn exports_that_may_call_go_are_counted() {
        let note = |names: &[&str]| may_call_go(&names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(note(&[]), None);
        let fails = "may call Go, but without the option `task` the call of Go fails, with an error or a panic";
        assert_eq!(note(&["F"]), Some(format!("F {fails}")));
        assert_eq!(note(&["G", "F"]), Some(format!("F and 1 other function {fails}")));
        assert_eq!(note(&["G", "F", "H"]), Some(format!("F and 2 other functions {fails}")));
    }

    #[test]
    fn the_note_gives_the_range_of_the_budgets() {
        let of = |name: &str, bytes| (name.to_owned(), "fmt::write".to_owned(), bytes);
        assert_eq!(budgets(&[]), None);
        let note = |found: &[(String, String, u32)]| budgets(found).unwrap_or_default();
        assert!(note(&[of("F", 65536)]).starts_with("F recurses (in fmt::write): a call has 64 KiB of stack and panics"));
        assert!(note(&[of("F", 65536), of("G", 65536)]).contains("1 other function recurse: a call has 64 KiB of stack and"));
        let mixed = note(&[of("F", 211_968), of("G", 65536), of("H", 98304)]);
        assert!(mixed.starts_with("G (in fmt::write) and 2 other functions recurse: a call has 64 KiB to 207 KiB of stack and"), "{mixed}");
    }
}
