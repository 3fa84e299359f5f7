//! Reads the records in which the macro describes the crate's exports. The walk over relocations ([`super::walk`]) begins at the exports' shims,
//! the generated functions that Go calls.

use super::Export;
use super::Target;
use super::archive::{Member, RawReloc};
use super::symbols::MemberId;
use super::walk::Walk;
use crate::abi::{DEFAULT_BUDGET, TASK_STACK};
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::ids::ExportId;
use cranelift_entity::PrimaryMap;
use object::SectionIndex;
use rustgo_schema::{Constant, Function, Record, Type, role};
use std::collections::BTreeSet;

/// The functions and constants that the crate's records describe.
pub(super) struct Described {
    /// The exported functions, sorted by Go name.
    pub exports: PrimaryMap<ExportId, Export>,
    /// The exported constants, sorted by Go name.
    pub constants: Vec<Constant>,
}

/// A function that a record describes, with the relocation that refers to the function's shim.
struct ExportRecord {
    schema: Function,
    is_routine: bool,
    member: MemberId,
    shim: RawReloc,
}

/// Reads every record, and makes each shim (the generated function that implements an export) a root of the walk over relocations.
///
/// # Errors
/// No record at all ([`ErrorCode::NoExports`]); a record of another version or an unknown kind ([`ErrorCode::Schema`]);
/// a damaged record ([`ErrorCode::Archive`]).
///
/// With `no_threads`, each function of the crate that Go calls becomes a *task*: it runs on a stack of `rt` instead of the goroutine's stack.
/// Blocking functions do not become tasks, because `bind` refuses them.
pub(super) fn read(members: &[Member<'_>], walk: &mut Walk<'_, '_>, no_threads: bool) -> Result<Described> {
    let mut found = Vec::new();
    let mut constants = Vec::new();
    for (index, member) in members.iter().enumerate() {
        for section in sections(member)? {
            let bytes = member.bytes(section)?;
            let relocs = member.relocs(section)?;
            for record in rustgo_schema::records(&bytes) {
                let record = record.map_err(|error| schema(&error, member))?;
                let (schema, is_routine) = match record.decode().map_err(|error| schema(&error, member))? {
                    Record::Function(function) => (function, false),
                    Record::Routine(function) => (function, true),
                    Record::Constant(constant) => {
                        constants.push(constant);
                        continue;
                    }
                    Record::Nothing => continue,
                };
                let shim = relocs.iter().find(|reloc| reloc.offset == record.address_offset as u64 && reloc.kind == member.machine.abs64);
                let shim = *shim.ok_or_else(|| no_shim(member, &schema))?;
                found.push(ExportRecord { schema, is_routine, member: MemberId(index), shim });
            }
        }
    }
    let mut found = without_unused_helpers(found);
    // A function with a parameter through which Rust calls Go runs as a task, on a stack of its own: Go code may need any amount of stack.
    for found in &mut found {
        found.schema.task |= found.schema.params.iter().any(|param| param.ty.is_called());
    }
    let keeps_go = found.iter().any(|found| found.schema.params.iter().any(|param| param.ty.is_kept()));
    // If the crate keeps a Go callback after a call has returned, destructors and the functions that advance or end an iterator may call the
    // callback. So these functions are tasks. If Rust code cannot start threads, these functions are tasks in any case.
    for found in found.iter_mut().filter(|_| keeps_go || no_threads) {
        found.schema.task |= matches!(found.schema.role, role::DROP | role::NEXT | role::END);
        // Without threads, one stack serves as the stack of the package's only thread: all calls run on this stack, one after the other. Two more
        // functions must run on this stack. The function that makes an error's text may read thread-local variables. The function that frees a result
        // calls the crate's allocator, which may lock a mutex.
        found.schema.task |= no_threads && matches!(found.schema.role, role::TEXT | role::RELEASE);
    }
    share_budgets(&mut found);
    // A function that consumes an object may drop it, and the destructor may call a kept callback. So such a function is a task too.
    // Without threads, every function of the crate that Go calls is a task.
    let becomes_task = |schema: &Function| {
        let is_called = matches!(schema.role, role::FUNCTION | role::METHOD) && schema.blocking.is_none();
        keeps_go && may_be_task(schema) || no_threads && is_called
    };
    for schema in found.iter_mut().map(|found| &mut found.schema).filter(|schema| !schema.task && becomes_task(schema)) {
        schema.task = true;
        schema.stack = above_task_stack(schema.stack);
    }
    share_stacks(&mut found);
    if found.is_empty() && constants.is_empty() {
        let message = "the crate exports no function";
        return Err(Diagnostic::new(ErrorCode::NoExports, message)
            .hint("write #[rustgo::export] above the functions that Go should call")
            .into());
    }
    // Roots are added in this order. So the numbers of functions and data do not depend on the order of the archive's members.
    let order = |a: &Function| (a.go_name.clone(), a.rust_path.clone(), a.owner.clone(), a.role);
    found.sort_by_cached_key(|found| order(&found.schema));
    constants.sort_by(|a, b| (&a.go_name, &a.rust_path).cmp(&(&b.go_name, &b.rust_path)));
    let exports = found
        .into_iter()
        .map(|ExportRecord { schema, is_routine, member, shim }| {
            let shim = walk.root(member, shim)?;
            match (shim.target, shim.addend) {
                (Target::Function(shim), 0) => Ok(Export { schema, shim, is_routine }),
                _ => Err(no_shim(&members[member.0], &schema)),
            }
        })
        .collect::<Result<_>>()?;
    Ok(Described { exports, constants })
}

/// Sets the stack budget of helpers and of functions that the macro adds to a type, because an author cannot state a budget for these functions. The
/// budget is the largest one that the author has stated for another function.
fn share_budgets(found: &mut [ExportRecord]) {
    let is_added = |schema: &Function| !is_primary(schema) || schema.is_added();
    // The budget of a task is meant for the task's own stack, so it does not count for functions on the goroutine's stack.
    let largest = found.iter().filter(|found| !is_added(&found.schema) && !found.schema.task).filter_map(|found| found.schema.stack).max();
    // Ignore a budget up to the default: it would not raise the budget of the added functions.
    let largest = largest.filter(|&stack| stack > u64::from(DEFAULT_BUDGET));
    for found in found.iter_mut().filter(|found| is_added(&found.schema) && found.schema.stack.is_none()) {
        found.schema.stack = largest;
    }
}

/// Removes helpers that the generated Go code would never call. The support crate always adds a record for a helper that frees memory. The macro
/// always adds records for helpers that drop a value or return an error's text. Neither the support crate nor the macro knows if an exported function
/// needs the helper. If an unused helper were a root, it would add the heap to a package that needs no heap.
fn without_unused_helpers(mut found: Vec<ExportRecord>) -> Vec<ExportRecord> {
    // A method that the author wrote replaces the macro's method of the same name.
    let name = |schema: &Function| (schema.owner.clone(), schema.go_name.clone());
    let is_method = |found: &&ExportRecord| found.schema.role == role::METHOD && !found.schema.is_added();
    let written: BTreeSet<(String, String)> = found.iter().filter(is_method).map(|found| name(&found.schema)).collect();
    found.retain(|found| !found.schema.is_added() || !written.contains(&name(&found.schema)));
    let mut frees = false;
    let mut types = BTreeSet::new();
    for found in &found {
        for field in found.schema.params.iter().chain(&found.schema.results).filter(|_| is_primary(&found.schema)) {
            field.ty.each(&mut |ty| {
                frees |= ty.is_freed();
                types.extend(ty.declared().map(|decl| decl.rust_path.clone()));
            });
        }
    }
    found.retain(|found| match found.schema.role {
        role::RELEASE => frees,
        role::DROP | role::TEXT => types.contains(&found.schema.owner),
        _ => true,
    });
    found
}

/// False for helpers that free memory, drop a value or return an error's text. True for every other function.
fn is_primary(function: &Function) -> bool {
    !matches!(function.role, role::RELEASE | role::DROP | role::TEXT)
}

/// The sections of a member that contain records.
pub(super) fn sections(member: &Member<'_>) -> Result<Vec<SectionIndex>> {
    member.sections_named(rustgo_schema::SECTION.as_bytes())
}

fn no_shim(member: &Member<'_>, schema: &Function) -> Failure {
    member.damaged(format!("the export record of {} names no function", schema.rust_path))
}

fn schema(error: &rustgo_schema::Error, member: &Member<'_>) -> Failure {
    match error {
        // A message about a version names both versions and, after a semicolon, what to do.
        rustgo_schema::Error::Version { .. } | rustgo_schema::Error::Kind { .. } => {
            let text = error.to_string();
            let (message, hint) = text.split_once("; ").unwrap_or((&text, "build with a rustgo and a rustgo-support of the same release"));
            Diagnostic::new(ErrorCode::Schema, message).hint(hint).into()
        }
        error => member.damaged(error),
    }
}

/// True for a function that consumes an object of the Rust heap, provided that `bind` would accept the function as a task that calls Go.
fn may_be_task(schema: &Function) -> bool {
    let consumes: fn(&Type) -> bool = |ty| matches!(ty, Type::Object { words: 0, .. });
    let has = |is: fn(&Type) -> bool| schema.params.iter().any(|param| is(&param.ty));
    let is_called = matches!(schema.role, role::FUNCTION | role::METHOD);
    is_called && schema.blocking.is_none() && has(consumes) && !has(refers_to_inline) && !(schema.borrows && has(is_written))
}

/// True for a reference to an object in Go's memory.
pub fn refers_to_inline(ty: &Type) -> bool {
    matches!(ty, Type::Pointer { elem, .. } if matches!(**elem, Type::Object { words: 1.., .. }))
}

/// True for a parameter, other than an object, through which Rust writes to Go memory.
pub fn is_written(ty: &Type) -> bool {
    match ty {
        Type::Append { .. } | Type::Slice { mutable: true, .. } => true,
        Type::Pointer { mutable: true, elem } => !matches!(**elem, Type::Object { .. }),
        _ => false,
    }
}

/// Returns the stack size for a function that rustgo has made a task although the author did not state `task`. `stack` is the budget that the author
/// has stated for the goroutine's stack. By default, a task has a stack of [`TASK_STACK`] bytes. So a larger budget becomes the stack size. For any
/// other budget the function returns `None`, and the default applies.
fn above_task_stack(stack: Option<u64>) -> Option<u64> {
    stack.filter(|&stack| stack > u64::from(TASK_STACK))
}

/// Sets the stack sizes of the tasks for which an author cannot state `task`: destructors, the functions that advance or end an iterator, and the
/// functions that make an error's text.
fn share_stacks(found: &mut [ExportRecord]) {
    let is_maker = |schema: &&Function| matches!(schema.role, role::FUNCTION | role::METHOD) && schema.task && schema.stack.is_some();
    let stated: Vec<Function> = found.iter().map(|found| &found.schema).filter(is_maker).cloned().collect();
    for schema in found.iter_mut().map(|found| &mut found.schema).filter(|schema| schema.task) {
        match schema.role {
            role::DROP | role::TEXT => schema.stack = above_task_stack(schema.stack),
            role::NEXT | role::END => {
                let makes = |maker: &&Function| maker.go_name == schema.go_name && maker.owner == schema.owner;
                schema.stack = stated.iter().find(makes).and_then(|maker| maker.stack);
            }
            _ => {}
        }
    }
}
