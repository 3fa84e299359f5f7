//! Estimates the stack that an export needs if it recurses only because calls through pointers are unresolved. The estimate becomes the export's
//! default stack budget.
//!
//! An unresolved call counts as a call of every function whose address is taken. So every user of `core::fmt` seems to recurse: the call of
//! `write_str` that writes a number may reach `write_fmt`, which may call the number's formatter again. No bound can be proved for such a cycle, so
//! each of its functions checks the stack on entry. But the cycle needs far less stack than a parser that really recurses. So this module follows
//! only likely calls:
//!
//! - A call of a trait object's method loads the function's address from a fixed offset of the object's *vtable*. If a function's address occurs only
//!   in vtables, a call is likely to reach the function only if the call loads its pointer from the function's offset in a vtable ([`Origin`]).
//! - `core::fmt` calls a *formatter*, an implementation of `Display` or the like. A function further up the chain of calls made the formatter's
//!   address and passed the address as part of the format arguments. So a call through a format argument is likely to reach a formatter only if a
//!   function further up makes the formatter's address.
//! - The indenting writer (`{:#?}`) writes to the writer that it wraps. It writes to another indenting writer only where indenting writers are
//!   nested, and they are nested no deeper than the formatters. So a call from one indenting writer to another counts as unlikely.
//!
//! Only the size of the budget depends on the estimate. If a call reaches an unlikely function that needs too much stack, the function's stack
//! check fails and reports this. If the likely calls recurse, the export gets the general default budget.

use super::depths::Depths;
use super::graph::{InstanceId, Node, SetId};
use super::pointers::Guarded;
use super::stacks::{CHECK_STACK, Stacks};
use super::value::{Base, Origin};
use crate::code::Flow;
use crate::ids::{DataId, FuncId};
use crate::load::{Data, Reloc, RelocKind, Target};
use cranelift_entity::EntitySet;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Maximum number of functions to examine. A function counts once for each function that supplies its format arguments.
const MAX_EXAMINED: usize = 50_000;
/// Maximum length of a chain of calls to examine.
const MAX_CHAIN: usize = 500;

/// A function, and the maker of its format arguments, if known. The *maker* is the function that created the format arguments that the first function
/// uses or passes on.
type Called = (InstanceId, Option<InstanceId>);

/// The number of bytes of stack that a function needs below SP on entry. `Err` names a function that recurses, or the function at which the search
/// reached one of its limits.
type Below = Result<u32, InstanceId>;

/// The search for the stack that an export's likely calls need.
pub struct DefaultBudget<'a> {
    depths: &'a Depths<'a>,
    pub stacks: &'a Stacks,
    pub guarded: &'a Guarded,
    places: Option<Places>,
    known: HashMap<Called, Below>,
    /// The chain of calls that the search is examining.
    chain: Vec<Called>,
}

impl<'a> DefaultBudget<'a> {
    pub fn new(depths: &'a Depths<'a>, stacks: &'a Stacks, guarded: &'a Guarded) -> Self {
        DefaultBudget { depths, stacks, guarded, places: None, known: HashMap::new(), chain: Vec::new() }
    }

    /// Returns twice the stack that the likely calls of an export need, in bytes below SP on entry to the export's body. `Err` names a function that
    /// recurses through likely calls, or the function at which the search reached one of its limits.
    pub fn stack(&mut self, root: InstanceId) -> Below {
        let places = self.places.take().unwrap_or_else(|| Places::new(self.depths, self.stacks));
        let stack = self.below(&places, (root, None));
        self.places = Some(places);
        Ok(stack?.saturating_mul(2))
    }

    /// Returns the stack that a function needs for its likely calls. Called only for functions in `Places::leads_to_recursion`.
    fn below(&mut self, places: &Places, called: Called) -> Below {
        if let Some(&known) = self.known.get(&called) {
            return known;
        }
        let (me, given) = called;
        if self.chain.contains(&called) || self.chain.len() == MAX_CHAIN || self.known.len() >= MAX_EXAMINED {
            return Err(me);
        }
        self.chain.push(called);
        let depths = self.depths;
        let instance = &depths.world.instances[me];
        // If a function creates format arguments, assume that it passes only these to its callees, and not format arguments that it received.
        let maker = if places.makes.contains_key(&me) { Some(me) } else { given };
        let mut recursive = None;
        let deepest = depths.deepest(me, |index| {
            let edge = &instance.summary.edges[index];
            let mut below = 0;
            for node in depths.world.targets(me, index) {
                // A recursion decides the result, so skip the remaining calls.
                if recursive.is_some() {
                    break;
                }
                let stack = match node {
                    Node::Instance(to) if edge.targets.is_none() && !places.is_likely(depths, (me, *to), edge.origin, maker) => 0,
                    Node::Instance(to) => {
                        let aligning = depths.aligning_stack(me, index, *to);
                        let given = maker.filter(|_| edge.targets.is_some() && places.passes_on.contains(to));
                        let stack = self.entry(places, (me, index), (*to, given)).unwrap_or_else(|culprit| {
                            recursive = recursive.or(Some(culprit));
                            0
                        });
                        stack.saturating_add(aligning)
                    }
                    Node::Exit(_) | Node::Unavailable(_) => node.exit().map_or(0, |exit| exit.row().stack),
                };
                below = below.max(stack);
            }
            Some(below)
        });
        self.chain.pop();
        let found = recursive.map_or(Ok(deepest), Err);
        self.known.insert(called, found);
        found
    }

    /// Returns the stack that the callee of a call or jump needs: for its stack check or for its likely calls, whichever is larger.
    fn entry(&mut self, places: &Places, (me, edge): (InstanceId, usize), called: Called) -> Below {
        let stack = self.stacks[called.0];
        let checked =
            if stack.recursive { stack.need.max(CHECK_STACK) } else { self.depths.entry(me, edge, called.0, self.guarded, self.stacks) };
        if !places.leads_to_recursion.contains(&called.0) {
            return Ok(checked);
        }
        // A function on the way to a panic counts here only with its stack check, because the export's budget includes the stack of the function (one
        // recursion level) separately.
        if self.depths.world.instances[called.0].doomed { Ok(checked) } else { Ok(self.below(places, called)?.max(checked)) }
    }
}

/// The functions whose address is stored in data or computed by code. They are grouped by their kind (formatter, method of the writer) and by where
/// the address occurs (vtable, format argument, elsewhere).
#[derive(Default)]
struct Places {
    /// Functions that format a value (formatters), recognised by their paths.
    formatters: BTreeSet<FuncId>,
    /// Functions of `core::fmt` that call methods of the writer and no other methods, recognised by their paths.
    only_write: BTreeSet<FuncId>,
    /// Methods of writers, recognised by their paths.
    writes: BTreeSet<FuncId>,
    /// Methods of the indenting writer, recognised by their paths.
    indents: BTreeSet<FuncId>,
    /// For each function in a vtable, its offsets in bytes from the starts of the vtables that contain it.
    vtables: BTreeMap<FuncId, BTreeSet<i64>>,
    /// Formatters whose address is made by some code, so that arguments of `core::fmt` may contain them.
    arguments: BTreeSet<FuncId>,
    /// For each function, the formatters whose address its own code makes.
    makes: BTreeMap<InstanceId, BTreeSet<FuncId>>,
    /// For each function that makes format arguments, the formatters in arguments that the function makes or may receive. `None` means that
    /// any formatter is possible.
    given: BTreeMap<InstanceId, Option<BTreeSet<FuncId>>>,
    /// Functions that every call through a pointer is likely to reach: their address is stored in data outside of vtables, or code makes their
    /// address and they are not formatters.
    other: BTreeSet<FuncId>,
    /// Functions that recurse or may reach a function that recurses. Unlikely calls count too.
    leads_to_recursion: BTreeSet<InstanceId>,
    /// Functions in `leads_to_recursion` that make no format arguments themselves, but that may call a formatter through a pointer, or whose callees
    /// may do so.
    passes_on: BTreeSet<InstanceId>,
}

/// The start of the paths of the indenting writer's methods (`{:#?}`).
const INDENTS: &str = "<core::fmt::builders::PadAdapter as ";

/// The offset in bytes of the formatter in an argument of `core::fmt` (`core::fmt::rt::Argument`).
const FORMATTER: i64 = 8;

impl Places {
    fn new(depths: &Depths<'_>, stacks: &Stacks) -> Places {
        let Depths { object, program, world, .. } = *depths;
        let with =
            |is: fn(&str) -> bool| object.functions.iter().filter(move |(_, function)| is(&function.path)).map(|(id, _)| id).collect();
        let mut places = Places {
            formatters: with(is_formatter),
            only_write: with(only_writes),
            writes: with(|path| path.contains("core::fmt::Write>::write_") || path.starts_with("core::fmt::Write::write_")),
            indents: with(|path| path.starts_with(INDENTS)),
            ..Places::default()
        };
        // Returns the functions in a vtable with their offsets; `None` if the data is not a vtable.
        let methods = |data: &Data| -> Option<Vec<(FuncId, i64)>> {
            let function = |reloc: &Reloc| if let Target::Function(to) = reloc.target { Some((to, reloc.offset.into())) } else { None };
            is_vtable(data).then(|| data.relocs.iter().filter_map(function).collect())
        };
        let vtables: BTreeMap<DataId, Vec<(FuncId, i64)>> =
            object.data.iter().filter_map(|(id, data)| Some((id, methods(data)?))).collect();
        for &(to, slot) in vtables.values().flatten() {
            places.vtables.entry(to).or_default().insert(slot);
        }
        for reloc in object.data.iter().filter(|(id, _)| !vtables.contains_key(id)).flat_map(|(_, data)| &data.relocs) {
            match reloc.target {
                Target::Function(to) if reloc.kind == RelocKind::Abs64 && reloc.addend == 0 => drop(places.other.insert(to)),
                _ => {}
            }
        }
        for (me, instance) in world.instances.iter().filter(|(_, instance)| instance.hot) {
            let Ok(code) = &program.codes[instance.function] else { continue };
            for inst in code.insts.iter().filter(|i| !matches!(i.flow, Flow::Call(_) | Flow::Jump(_) | Flow::Branch(_))) {
                let target = inst.reloc.map(|r| &object.functions[instance.function].relocs[r as usize].target);
                let named = inst.function_address.or(if let Some(&Target::Function(to)) = target { Some(to) } else { None });
                match named {
                    Some(to) if places.formatters.contains(&to) => {
                        places.arguments.insert(to);
                        places.makes.entry(me).or_default().insert(to);
                    }
                    Some(to) => drop(places.other.insert(to)),
                    None => {}
                }
            }
        }
        places.find_received(depths);
        places.find_paths_to_recursion(depths, stacks);
        places.find_passing(depths);
        places
    }

    fn find_paths_to_recursion(&mut self, depths: &Depths<'_>, stacks: &Stacks) {
        let world = depths.world;
        let hot = || world.instances.keys().filter(|&me| world.instances[me].hot);
        let mut callers: BTreeMap<SetId, Vec<InstanceId>> = BTreeMap::new();
        for me in hot() {
            world.instances[me].targets.iter().for_each(|&set| callers.entry(set).or_default().push(me));
        }
        self.leads_to_recursion = world.sets.leading_to(hot().filter(|&me| stacks[me].recursive), callers);
    }

    fn find_passing(&mut self, depths: &Depths<'_>) {
        let world = depths.world;
        let formatters = self.vtables.iter().filter(|(to, _)| self.formatters.contains(to));
        let slots: BTreeSet<i64> = formatters.flat_map(|(_, slots)| slots).copied().collect();
        let formats = |origin| is_argument(origin) || matches!(origin, Some(Origin::At { offset, .. }) if slots.contains(&offset));
        let candidates = || self.leads_to_recursion.iter().copied().filter(|me| !self.makes.contains_key(me));
        let mut callers: BTreeMap<InstanceId, Vec<InstanceId>> = BTreeMap::new();
        let mut queue = Vec::new();
        for me in candidates() {
            for (index, edge) in world.instances[me].summary.edges.iter().enumerate() {
                match edge.targets {
                    None if formats(edge.origin) => queue.push(me),
                    None => {}
                    Some(_) => {
                        let targets = world.targets(me, index).iter().filter_map(Node::instance);
                        targets.for_each(|to| callers.entry(to).or_default().push(me));
                    }
                }
            }
        }
        while let Some(me) = queue.pop() {
            if self.passes_on.insert(me) {
                queue.extend(callers.remove(&me).into_iter().flatten());
            }
        }
    }

    /// True if a call from `me` is likely to reach `to`. `origin` is the place from which the called pointer was loaded, and `maker` the
    /// function that made the format arguments.
    fn is_likely(
        &self,
        depths: &Depths<'_>,
        (me, to): (InstanceId, InstanceId),
        origin: Option<Origin>,
        maker: Option<InstanceId>,
    ) -> bool {
        let [from, function] = [me, to].map(|id| depths.world.instances[id].function);
        let is_formatter = self.formatters.contains(&function);
        let is_method = self.vtables.get(&function).is_some_and(|slots| match origin {
            Some(Origin::At { offset, .. }) => slots.contains(&offset),
            Some(Origin::Indexed) => false,
            // LLVM may make the caller load the method's address from a vtable and pass the address as an argument.
            Some(Origin::FromCaller) => is_formatter || self.only_write.contains(&from) || !self.writes.contains(&function),
            None => true,
        });
        // True if a formatter seems to load the pointer from the writer's vtable, which contains no formatters. A formatter finds this vtable in its
        // `Formatter`, but LLVM may also pass the vtable itself as an argument.
        let is_writers = matches!(origin, Some(Origin::At { base: Base::Writer | Base::FromCaller | Base::LaterArgument, .. }))
            && self.formatters.contains(&from);
        if self.other.contains(&function) {
            true
        } else if is_formatter {
            let is_argument = self.arguments.contains(&function) && is_argument(origin) && self.may_receive(maker, function);
            is_argument || is_method && !is_writers && !self.only_write.contains(&from)
        } else {
            is_method && !(self.indents.contains(&from) && self.indents.contains(&function))
        }
    }

    /// True if the format arguments that `maker` creates or receives may contain the formatter `function`.
    fn may_receive(&self, maker: Option<InstanceId>, function: FuncId) -> bool {
        let given = maker.and_then(|maker| self.given.get(&maker));
        given.is_none_or(|given| given.as_ref().is_none_or(|given| given.contains(&function)))
    }

    /// Finds for each function that makes format arguments the formatters that these arguments, or arguments from its callers, may contain (`given`).
    fn find_received(&mut self, depths: &Depths<'_>) {
        let world = depths.world;
        let hot = || world.instances.iter().filter(|(_, instance)| instance.hot);
        let is_formatter = |me: InstanceId| self.formatters.contains(&world.instances[me].function);
        // `callers` has for each function its callers by resolved calls. `unknown` has the functions that a call through an unresolved pointer may
        // reach: their callers, and so their format arguments, are unknown. Both leave out formatters, because formatters receive no format
        // arguments.
        let (mut callers, mut unknown) = (BTreeMap::<InstanceId, BTreeSet<InstanceId>>::new(), BTreeSet::new());
        let mut visited = EntitySet::new();
        for (me, instance) in hot() {
            for (edge, &set) in instance.summary.edges.iter().zip(&instance.targets) {
                if edge.targets.is_none() && !visited.insert(set) {
                    continue;
                }
                for to in world.sets[set].iter().filter_map(Node::instance).filter(|&to| !is_formatter(to)) {
                    match edge.targets {
                        Some(_) => drop(callers.entry(to).or_default().insert(me)),
                        None => drop(unknown.insert(to)),
                    }
                }
            }
        }
        // The functions that may receive the arguments of an unknown caller.
        let mut callees: BTreeMap<InstanceId, Vec<InstanceId>> = BTreeMap::new();
        callers.iter().for_each(|(&to, from)| from.iter().for_each(|&me| callees.entry(me).or_default().push(to)));
        let mut queue: Vec<InstanceId> = unknown.iter().copied().collect();
        while let Some(me) = queue.pop() {
            queue.extend(callees.get(&me).into_iter().flatten().copied().filter(|&to| unknown.insert(to)));
        }
        for &maker in self.makes.keys() {
            let given = (!unknown.contains(&maker)).then(|| {
                let (mut reached, mut queue) = (BTreeSet::from([maker]), vec![maker]);
                while let Some(me) = queue.pop() {
                    queue.extend(callers.get(&me).into_iter().flatten().copied().filter(|&caller| reached.insert(caller)));
                }
                reached.iter().filter_map(|me| self.makes.get(me)).flatten().copied().collect()
            });
            self.given.insert(maker, given);
        }
    }
}

/// True if the pointer may come from the arguments of `core::fmt`.
fn is_argument(origin: Option<Origin>) -> bool {
    match origin {
        Some(Origin::At { offset, base }) => offset == FORMATTER || base == Base::Sum,
        Some(Origin::Indexed | Origin::FromCaller) | None => true,
    }
}

/// True if the path names a function of `core::fmt` that calls methods of the writer and no other methods.
fn only_writes(path: &str) -> bool {
    let formatters = path.strip_prefix("<core::fmt::Formatter>::").is_some_and(|name| !name.starts_with("debug_"));
    formatters || path == "core::fmt::write" || path.starts_with(INDENTS)
}

/// True if the path names an implementation of a formatting trait.
fn is_formatter(path: &str) -> bool {
    let traits = ["Display", "Debug", "LowerHex", "UpperHex", "Octal", "Binary", "Pointer", "LowerExp", "UpperExp"];
    // LLVM appends numbers to the names of functions that would otherwise have equal names.
    let path = path.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('.');
    let Some(of) = path.strip_suffix(">::fmt") else { return false };
    let ends = of.rsplit_once(" as core::fmt::").is_some_and(|(_, name)| traits.contains(&name));
    // The path has this form if the implementation is in another module than the type.
    let named = of.rsplit_once("<impl core::fmt::").and_then(|(_, rest)| rest.split_once(" for "));
    ends || named.is_some_and(|(name, _)| traits.contains(&name))
}

/// True if the data has the layout of a vtable: the drop function or zero, the size, the alignment, then methods or other vtables (rustc,
/// `compiler/rustc_middle/src/ty/vtable.rs`).
fn is_vtable(data: &Data) -> bool {
    let words = data.bytes.len() / 8;
    let reloc = |word: usize| data.relocs.iter().find(|reloc| reloc.offset as usize / 8 == word);
    let number = |word: usize| data.bytes.get(8 * word..8 * word + 8).and_then(|bytes| Some(u64::from_le_bytes(bytes.try_into().ok()?)));
    let is_whole = data.relocs.iter().all(|reloc| reloc.kind == RelocKind::Abs64 && reloc.addend == 0 && reloc.offset % 8 == 0);
    let drops = match reloc(0) {
        Some(reloc) => matches!(reloc.target, Target::Function(_)),
        None => number(0) == Some(0),
    };
    let is_sized = reloc(1).is_none() && reloc(2).is_none() && number(2).is_some_and(u64::is_power_of_two);
    let methods = (3..words).all(|word| reloc(word).is_some() || number(word) == Some(0));
    !data.writable && data.bytes.len().is_multiple_of(8) && words >= 3 && is_whole && drops && is_sized && methods
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        for (path, formats) in [
            ("<u64 as core::fmt::Display>::fmt", true),
            ("<core::fmt::Error as core::fmt::Debug>::fmt.273", true),
            ("bytes::fmt::debug::<impl core::fmt::Debug for bytes::bytes::Bytes>::fmt", true),
            ("<alloc::string::String as core::fmt::Write>::write_fmt", false),
            ("<a::B as a::core::fmt::Display>::fmt", false),
            ("<a::B as serde_core::de::Expected>::fmt", false),
            ("core::fmt::write", false),
        ] {
            assert_eq!(is_formatter(path), formats, "{path}");
        }
        for (path, writes) in [
            ("core::fmt::write", true),
            ("<core::fmt::Formatter>::pad_integral", true),
            ("<core::fmt::Formatter>::pad_integral::write_prefix", true),
            ("<core::fmt::Formatter>::debug_struct_field2_finish", false),
            ("<core::fmt::builders::PadAdapter as core::fmt::Write>::write_str", true),
            ("<core::fmt::builders::DebugStruct>::field", false),
        ] {
            assert_eq!(only_writes(path), writes, "{path}");
        }
    }
}
