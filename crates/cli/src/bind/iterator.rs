//! Makes the bodies of Go functions that return an iterator. The raw function makes a new Rust iterator for each loop. Companion functions fetch
//! items from the Rust iterator and drop it.

use super::convert::{RT, converter, is_repeated, value};
use super::locals::Locals;
use super::race_marks;
use super::wrapper::{Locks, call};
use crate::api::{Function, Package, Param, Role, go_type, is_direct, raw_type};
use rustgo_schema::Type;

/// Number of items that the first fetching call gets from the Rust iterator. The number is small, because a loop may end early.
const FIRST: u64 = 4;

/// The first byte of a Rust iterator (`State` of crates/support/src/border/owned/iterator.rs) after a panic has unwound a step.
const STEP_UNWOUND: u8 = 1;
/// The first byte after a panic has unwound the iterator's destructor.
const DROPPED: u8 = 2;
/// The first byte while a step runs. An abandoned step leaves this value.
const IN_STEP: u8 = 3;

/// Returns the body's statements. None if the function returns no iterator or a companion function is missing.
pub fn body(package: &Package, function: &Function) -> Option<Vec<String>> {
    let [Param { field, go, .. }] = function.results.as_slice() else { return None };
    let Type::Iterator { items } = &field.ty else { return None };
    let next = package.companion(function, Role::Next)?;
    let end = package.companion(function, Role::End)?;
    let most = batch(next)?;
    let mut locals = Locals::of(function);
    let locks = Locks::of(package, function, &mut locals);
    let [it, inside, unwound, ended, want, n, i] = ["it", "inside", "unwound", "ended", "want", "n", "i"].map(|name| locals.fresh(name));
    let yielded = locals.fresh("yield");
    let fetched: Vec<String> = next.params.iter().skip(2).take(items.len()).map(|param| locals.fresh(&param.go.name)).collect();
    let converted: Vec<String> =
        items.iter().zip(&fetched).map(|(item, raw)| if is_direct(item) { raw.clone() } else { locals.fresh("values") }).collect();
    let run = || locks.run().collect::<Vec<_>>();
    let done = || locks.done().collect::<Vec<_>>();

    // A task provides the stack on which Rust code runs. The loop reserves one task for all steps and for the drop of the iterator. So none of these
    // calls can fail for lack of memory for a stack. If the package has no threads, all calls run on one task, and the loop reserves none.
    let stack = next.task.max(end.task).filter(|_| !package.no_threads);
    let reserved = locals.fresh("reserved");
    let on_task = if stack.is_some() { format!(", {reserved}") } else { String::new() };
    let mut inner = race_marks::before(function, &mut locals);
    if let Some(stack) = stack {
        inner.push(format!("{reserved} := {RT}.ReserveTask({stack})"));
        inner.push(format!("defer {RT}.ReturnTask({reserved})"));
    }
    inner.extend(locks.begin.iter().cloned());
    inner.extend(race_marks::escapes(function));
    inner.push(format!("{it} := {}", call(function, &locks, None)));
    inner.extend(done());
    // The generated variable `inside` is true while Rust executes a step of the iterator. If `inside` is true at the end of the loop, the step did
    // not return to Go: its frames were abandoned, a panic has unwound it, or Rust has caught a Goexit in it. Only an abandoned step leaves the
    // iterator's first byte at IN_STEP. Then the iterator must not be dropped.
    inner.push(format!("{inside} := false // a Rust iterator that panicked must not run again"));
    inner.push("defer func() {".into());
    inner.push(format!("\tif !{inside} || *(*uint8)({it}) != {IN_STEP} {{ // unless a step was abandoned"));
    if locks.unwound().next().is_some() {
        inner.push(format!("\t\t{unwound} := {inside} && *(*uint8)({it}) == {STEP_UNWOUND}"));
    }
    inner.extend(run().iter().map(|line| format!("\t\t{line}")));
    let broken: Vec<String> = locks.unwound().collect();
    // If the iterator's destructor panics, the memory of the iterator stays allocated. Then a second call of the end function only frees the memory.
    inner.extend([
        format!("\t\t{ended} := false"),
        "\t\tdefer func() {".into(),
        format!("\t\t\tif !{ended} && *(*uint8)({it}) == {DROPPED} {{"),
        format!("\t\t\t\t{}({it}{on_task}) // frees the memory", end.symbol),
    ]);
    inner.extend(done().iter().chain(&broken).map(|line| format!("\t\t\t\t{line}")));
    inner.extend(["\t\t\t}".into(), "\t\t}()".into()]);
    inner.push(format!("\t\t{}({it}{on_task})", end.symbol));
    inner.push(format!("\t\t{ended} = true"));
    inner.extend(done().iter().map(|line| format!("\t\t{line}")));
    if !broken.is_empty() {
        inner.push(format!("\t\tif {unwound} {{"));
        inner.extend(broken.iter().map(|line| format!("\t\t\t{line}")));
        inner.push("\t\t}".into());
    }
    inner.push("\t}".into());
    inner.extend(kept(function).map(|name| format!("\truntime.KeepAlive({name})")));
    inner.push("}()".into());
    for (item, raw) in items.iter().zip(&fetched) {
        inner.push(format!("var {raw} [{most}]{}", raw_type(item)));
    }
    for ((item, raw), go) in items.iter().zip(&fetched).zip(&converted).filter(|((_, raw), go)| raw != go) {
        debug_assert!(!is_direct(item), "{raw}");
        inner.push(format!("var {go} [{most}]{}", go_type(item)));
    }
    inner.push(format!("for {want} := uint({}); ; {want} = min(2*{want}, {most}) {{", FIRST.min(most)));
    let mut step = run();
    step.push(format!("{inside} = true"));
    let given: Vec<String> = fetched.iter().map(|raw| format!("&{raw}")).collect();
    step.push(format!("{n} := {}({it}, {want}, {}{on_task})", next.symbol, given.join(", ")));
    step.push(format!("{inside} = false"));
    step.extend(done());
    // All fetched items are converted before the loop's body runs, because the loop's body may never return.
    let conversions: Vec<String> = items
        .iter()
        .zip(&fetched)
        .zip(&converted)
        .filter(|((_, raw), go)| raw != go)
        .map(|((item, raw), go)| {
            let element = format!("{raw}[{i}]");
            let made = if is_repeated(item) { format!("{}({element})", converter(item)) } else { value(item, &element) };
            format!("\t{go}[{i}] = {made}")
        })
        .collect();
    if !conversions.is_empty() {
        step.push(format!("for {i} := range {n} {{"));
        step.extend(conversions);
        step.push("}".into());
    }
    match converted.as_slice() {
        [one] => {
            let item = locals.fresh("item");
            step.push(format!("for _, {item} := range {one}[:{n}] {{"));
            step.push(format!("\tif !{yielded}({item}) {{"));
        }
        several => {
            let elements: Vec<String> = several.iter().map(|values| format!("{values}[{i}]")).collect();
            step.push(format!("for {i} := range {n} {{"));
            step.push(format!("\tif !{yielded}({}) {{", elements.join(", ")));
        }
    }
    step.extend(["\t\treturn", "\t}", "}"].map(str::to_owned));
    step.extend([format!("if {n} < {want} {{"), "\treturn".into(), "}".into()]);
    inner.extend(step.iter().map(|line| format!("\t{line}")));
    inner.push("}".into());

    let types: Vec<String> = items.iter().map(go_type).collect();
    let mut lines = vec![format!("return func({yielded} func({}) bool) {{", types.join(", "))];
    lines.extend(inner.iter().map(|line| format!("\t{line}")));
    lines.push("}".into());
    debug_assert!(go.ty.starts_with("iter."), "{}", go.ty);
    Some(lines)
}

/// Returns the maximum number of items that one call of Rust fetches: the length of the array that the third parameter points to.
fn batch(next: &Function) -> Option<u64> {
    match &next.params.get(2)?.field.ty {
        Type::Pointer { elem, .. } => match **elem {
            Type::Array { len, .. } if len > 0 => Some(len),
            _ => None,
        },
        _ => None,
    }
}

/// Lists the parameters that refer to Go memory. The Rust iterator refers to this memory too, but the garbage collector does not see these
/// references, so the wrapper keeps the memory alive. (An object in the Rust heap stays alive through the mark on it, see [`Locks`].)
fn kept(function: &Function) -> impl Iterator<Item = &str> {
    let refers = |ty: &Type| matches!(ty, Type::Pointer { .. } | Type::Slice { .. } | Type::Basic(rustgo_schema::Basic::String));
    function.params.iter().filter(move |param| param.field.ty.has(refers)).map(|param| param.go.name.as_str())
}
