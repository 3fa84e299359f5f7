//! Merges the assembly files of an architecture's levels into one file. A level is a set of processor instructions for which the crate is
//! compiled, such as x86-64-v3.
//!
//! Each level was compiled, analysed and lowered separately. Items (functions and data) that are equal at several levels appear once in the merged
//! file. If an item differs between levels, each level keeps its own version, and the name of a version ends with the level's suffix. If the entry of
//! an exported function differs between levels, a new entry gets the exported name. The new entry reads the processor's level
//! ([`Contract::Dispatch`]) and jumps to the function's entry for this level.
//!
//! `rt` determines the processor's level once, before any function of the package can run. A process therefore runs the code of only one level, and
//! each level may have statics of its own.
//!
//! Two items are equal if their contents are equal apart from the names in them, and if the items to which these names refer are equal too. The
//! largest classes of equal items are found by partition refinement. The first classes contain the items whose contents are equal apart from names. A
//! class is then split if its items refer to items of different classes, until no class changes.
//!
//! [`Contract::Dispatch`]: crate::goasm::Contract::Dispatch

use crate::abi::LEVEL;
use crate::api::{Function, Package};
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::goasm::{Data, ExpectedDispatch, File, Item, Op, Text};
use crate::lower::Lowering;
use crate::target::{Arch, Level, Target};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The share of the merged file that one level uses, and the part of this share that no lower level uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelShare {
    pub level: Level,
    /// The number of functions that no lower level has.
    pub functions: usize,
    /// The number of functions that this level uses.
    pub of: usize,
    /// The number of bytes of code that no lower level has.
    pub code: usize,
    /// The number of bytes of code that this level uses.
    pub code_of: usize,
    /// The number of bytes of data that no lower level has.
    pub data: u64,
    /// The symbols of the exports for which this level has an entry that no lower level has.
    pub exports: Vec<String>,
    /// The functions that no lower level has, as pairs of symbol and size in bytes, the largest first.
    pub names: Vec<(String, usize)>,
}

/// Refuses exports that run as tasks in a package with several levels for an architecture. Go's linker fixes the address of a task's body in the
/// data, but the level, and so the body, is chosen only when the program starts.
///
/// # Errors
/// [`ErrorCode::Unsupported`] for each such export.
pub fn refuse_tasks(targets: &[Target], package: &Package) -> Result<()> {
    let arches: BTreeSet<Arch> = targets.iter().map(|target| target.arch).collect();
    if arches.len() == targets.len() {
        return Ok(());
    }
    let refuse = |function: &Function| {
        let message = format!("{} is a task, which a package with several levels of processors cannot have", function.shown());
        Diagnostic::new(ErrorCode::Unsupported, message)
            .at(function.place())
            .hint("build for one level (--cpu), or leave out `task`; a crate of its own can have the task")
    };
    let refused: Vec<Diagnostic> =
        package.functions.values().filter(|function| function.task.is_some() && function.role.is_called()).map(refuse).collect();
    if refused.is_empty() { Ok(()) } else { Err(Failure::Refused(refused)) }
}

/// Merges the files of one architecture's levels. `files` contains at least one file, and is in ascending order of the levels. `rt` is the prefix of
/// the symbols of the package rt.
pub fn join(files: &[(Level, File)], header: Vec<String>, machine: &dyn Lowering, rt: &str) -> (File, Vec<LevelShare>) {
    let classes = classes(files);
    let split = split(files, &classes);
    let mut merged = MergedFile { taken: HashSet::new(), names: HashMap::new(), items: Vec::new() };
    for (_, file) in files {
        merged.taken.extend(file.items.iter().map(|item| item.name().to_owned()));
    }
    let mut entries: BTreeMap<&str, Vec<(u8, String)>> = BTreeMap::new();
    let mut owns = Vec::new();
    for (index, (level, file)) in files.iter().enumerate() {
        let (names, own) = merged.names_of(index == 0, *level, file, &classes[index], &split);
        for name in &split {
            let (entry, known) = (&names[*name], entries.entry(name).or_default());
            if known.last().is_none_or(|(_, last)| last != entry) {
                known.push((level.number(), entry.clone()));
            }
        }
        owns.push(merged.add(*level, file, &names, &own, &split));
    }
    let variable = format!("{rt}·{LEVEL}");
    let base = &files[0].1;
    let exported = base.items.iter().filter_map(|item| if let Item::Text(text) = item { Some(text) } else { None });
    let dispatched = exported.filter_map(|text| Some((text, entries.remove(text.name.as_str())?)));
    let mut items: Vec<Item> = dispatched.map(|(text, entries)| Item::Text(dispatch(text, entries, &variable, machine))).collect();
    items.extend(merged.items);
    (File { header, target: base.target, has_fallback: base.has_fallback, prelude: base.prelude.clone(), items }, owns)
}

/// The class of each item of each file, as a number. Equal items have the same class.
type Classes = Vec<Vec<u32>>;

fn classes(files: &[(Level, File)]) -> Classes {
    let named_once = identities(files);
    let mut shapes: HashMap<(Item, Option<(usize, usize)>), u32> = HashMap::new();
    let mut classes = Classes::new();
    // For each item of each file, the indices of the items to which it refers, in order.
    let mut edges: Vec<Vec<Vec<usize>>> = Vec::new();
    for (index, (_, file)) in files.iter().enumerate() {
        let places: HashMap<&str, usize> = file.items.iter().enumerate().map(|(at, item)| (item.name(), at)).collect();
        let (mut own, mut leads) = (Vec::new(), Vec::new());
        for (at, item) in file.items.iter().enumerate() {
            let mut targets = Vec::new();
            let mut shape = item.renamed(&mut |symbol| match places.get(symbol) {
                Some(&to) => {
                    targets.push(to);
                    String::new()
                }
                None => symbol.to_owned(),
            });
            let alone = clear(&mut shape).filter(|identity| !named_once.contains(identity)).map(|_| (index, at));
            let next = shapes.len() as u32;
            own.push(*shapes.entry((shape, alone)).or_insert(next));
            leads.push(targets);
        }
        classes.push(own);
        edges.push(leads);
    }
    let mut count = shapes.len();
    loop {
        let mut finer: HashMap<(u32, Vec<u32>), u32> = HashMap::new();
        let mut next = Classes::new();
        for (own, leads) in classes.iter().zip(&edges) {
            let refined = own.iter().zip(leads).map(|(&class, targets)| {
                let key = (class, targets.iter().map(|&to| own[to]).collect());
                let number = finer.len() as u32;
                *finer.entry(key).or_insert(number)
            });
            next.push(refined.collect());
        }
        if finer.len() == count {
            return classes;
        }
        (count, classes) = (finer.len(), next);
    }
}

/// Clears the parts of an item that a comparison of two items must ignore: comments and the item's own name. An exported entry keeps its name,
/// because Go code calls the entry by this name. Returns the item's identity. Items with different identities must not be merged, even if they are
/// equal.
fn clear(item: &mut Item) -> Option<String> {
    match item {
        Item::Text(text) => {
            text.comments.clear();
            if text.name.ends_with("<>") {
                text.name.clear();
            }
            text.identity.clone()
        }
        Item::Data(Data { comment, name, identity, .. }) => {
            comment.clear();
            name.clear();
            identity.clone()
        }
    }
}

/// Returns the identities that occur at most once in each file. An identity that a file repeats cannot show which items of different files belong
/// together.
fn identities(files: &[(Level, File)]) -> BTreeSet<String> {
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    for (_, file) in files {
        let mut own: BTreeMap<&String, usize> = BTreeMap::new();
        for item in &file.items {
            let (Item::Text(Text { identity, .. }) | Item::Data(Data { identity, .. })) = item;
            if let Some(identity) = identity {
                *own.entry(identity).or_default() += 1;
            }
        }
        for (identity, count) in own {
            let most = counts.entry(identity).or_default();
            *most = count.max(*most);
        }
    }
    counts.into_iter().filter(|&(_, most)| most == 1).map(|(identity, _)| identity.clone()).collect()
}

/// Returns the names of the exported functions whose entries differ between levels.
fn split<'a>(files: &'a [(Level, File)], classes: &Classes) -> BTreeSet<&'a str> {
    let mut found: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for ((_, file), classes) in files.iter().zip(classes) {
        for (item, &class) in file.items.iter().zip(classes).filter(|(item, _)| is_exported(item)) {
            found.entry(item.name()).or_default().insert(class);
        }
    }
    found.into_iter().filter(|(_, classes)| classes.len() > 1).map(|(name, _)| name).collect()
}

fn is_exported(item: &Item) -> bool {
    !item.name().ends_with("<>")
}

struct MergedFile {
    /// The names in the merged file, and all names in the input files.
    taken: HashSet<String>,
    /// For each class of equal items, the name of the item that represents it in the merged file.
    names: HashMap<u32, String>,
    items: Vec<Item>,
}

impl MergedFile {
    /// Returns the new name of each item in a file, and the indices of the items that the merged file does not contain yet.
    fn names_of<'a>(
        &mut self,
        is_base: bool,
        level: Level,
        file: &'a File,
        classes: &[u32],
        split: &BTreeSet<&str>,
    ) -> (HashMap<&'a str, String>, Vec<usize>) {
        let (mut names, mut own) = (HashMap::new(), Vec::new());
        for (at, (item, &class)) in file.items.iter().zip(classes).enumerate() {
            let known = self.names.get(&class).cloned();
            // The file of the lowest level keeps all of its items, even if two of them are equal.
            if is_base || known.is_none() {
                own.push(at);
            }
            let name = match known {
                Some(name) if !is_base => name,
                _ if is_base && !split.contains(item.name()) => item.name().to_owned(),
                _ => self.fresh(item.name(), level),
            };
            self.names.entry(class).or_insert_with(|| name.clone());
            names.insert(item.name(), name);
        }
        (names, own)
    }

    fn fresh(&mut self, name: &str, level: Level) -> String {
        let base = format!("{}·{}", name.trim_end_matches("<>"), level.suffix());
        let name = (1..).map(|count| if count == 1 { format!("{base}<>") } else { format!("{base}·{count}<>") });
        let name = name.into_iter().find(|name| !self.taken.contains(name)).unwrap_or_default();
        self.taken.insert(name.clone());
        name
    }

    fn add(&mut self, level: Level, file: &File, names: &HashMap<&str, String>, own: &[usize], split: &BTreeSet<&str>) -> LevelShare {
        let is_code = |item: &&Item| matches!(item, Item::Text(text) if !text.expected.depths.is_empty());
        let of = file.items.iter().filter(is_code).count();
        let code_of = file.code_size();
        let mut share = LevelShare { level, functions: 0, of, code: 0, code_of, data: 0, exports: Vec::new(), names: Vec::new() };
        for item in own.iter().map(|&at| &file.items[at]) {
            let mut renamed = item.renamed(&mut |symbol| names.get(symbol).cloned().unwrap_or_else(|| symbol.to_owned()));
            match &mut renamed {
                Item::Text(text) => {
                    if split.contains(text.name.as_str()) {
                        let arguments = format!("FUNCDATA $FUNCDATA_ArgsPointerMaps, {}·args_stackmap(SB)", text.name);
                        text.ops.insert(0, Op::Inst(arguments));
                        text.comments.insert(0, format!("For {level}."));
                        share.exports.push(text.name.trim_start_matches('·').to_owned());
                    }
                    let size = text.expected.bytes.len();
                    match text.expected.depths.is_empty() {
                        false => {
                            share.functions += 1;
                            share.code += size;
                            share.names.push((text.name.trim_end_matches("<>").trim_start_matches('·').replace('·', "."), size));
                        }
                        true => share.data += size as u64,
                    }
                    text.name.clone_from(&names[item.name()]);
                }
                Item::Data(data) => {
                    share.data += data.size;
                    data.name.clone_from(&names[item.name()]);
                }
            }
            self.items.push(renamed);
        }
        share.names.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        share
    }
}

/// Makes the exported entry that jumps to the entry for the processor's level.
fn dispatch(base: &Text, mut entries: Vec<(u8, String)>, variable: &str, machine: &dyn Lowering) -> Text {
    entries.reverse();
    let expected = ExpectedDispatch { level: variable.to_owned(), entries };
    let declaration = base.comments.iter().take(1).cloned();
    let comments = declaration.chain(["Continues at the entry for the processor's level, which rt determined at program start".into()]);
    Text { comments: comments.collect(), name: base.name.clone(), args: base.args, ..machine.dispatch(&expected) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::x86_64::X86_64;
    use crate::goasm::{Contract, Expected, ExpectedReloc, RefKind};
    use crate::target::{Arch, Target};

    fn text(name: &str, byte: u8, calls: &[&str]) -> Item {
        let relocs = calls.iter().map(|to| ExpectedReloc { offset: 0, kind: RefKind::Branch, symbol: (*to).into(), addend: 0 }).collect();
        let ops = calls.iter().map(|to| Op::Inst(format!("CALL {to}(SB)"))).collect();
        let expected = Expected { bytes: vec![byte], relocs, depths: vec![(0, 0)], ..Expected::default() };
        let (comments, flags) = (vec![format!("func {name}")], vec!["NOSPLIT"]);
        Item::Text(Text { comments, name: name.into(), flags, frame: 0, args: 8, ops, expected, identity: None })
    }

    fn data(name: &str, identity: Option<&str>, pointers: &[&str]) -> Item {
        let (comment, identity) = (format!("{name}, 8 bytes"), identity.map(str::to_owned));
        let pointers = pointers.iter().map(|to| (0, (*to).into(), 0)).collect();
        Item::Data(Data { comment, identity, name: name.into(), read_only: false, size: 8, bytes: vec![0; 8], pointers })
    }

    fn joined(files: &[(Level, Vec<Item>)]) -> (File, Vec<LevelShare>) {
        let file = |level, items: &Vec<Item>| {
            (
                level,
                File {
                    header: vec![],
                    target: Target { arch: Arch::Amd64, level },
                    has_fallback: false,
                    prelude: vec![],
                    items: items.clone(),
                },
            )
        };
        join(&files.iter().map(|(level, items)| file(*level, items)).collect::<Vec<_>>(), vec![], &X86_64, "rt")
    }

    /// Returns the names of the file's items, each with the names to which the item refers.
    fn names(file: &File) -> Vec<(String, Vec<String>)> {
        let of = |item: &Item| (item.name().to_owned(), item.references().iter().map(|name| (*name).to_owned()).collect());
        file.items.iter().map(of).collect()
    }

    fn is(found: &[(String, Vec<String>)], expected: &[(&str, &[&str])]) {
        let found: Vec<(&str, Vec<&str>)> =
            found.iter().map(|(name, refs)| (name.as_str(), refs.iter().map(String::as_str).collect())).collect();
        let expected: Vec<(&str, Vec<&str>)> = expected.iter().map(|(name, refs)| (*name, refs.to_vec())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn equal_items_appear_once() {
        let items = vec![text("·F", 1, &["a·b<>"]), text("a·b<>", 2, &["a·b<>", "rt·exit"]), data("d<>", Some("D"), &["a·b<>"])];
        let (file, own) = joined(&[(Level::X86_64, items.clone()), (Level::X86_64V3, items)]);
        is(&names(&file), &[("·F", &["a·b<>"]), ("a·b<>", &["a·b<>", "rt·exit"]), ("d<>", &["a·b<>"])]);
        assert_eq!((own[1].functions, own[1].of, own[1].code, own[1].data), (0, 2, 0, 0));
    }

    #[test]
    fn callers_of_different_items_differ() {
        let of =
            |byte| vec![text("·F", 1, &["a·b<>", "c·d<>"]), text("·G", 3, &["c·d<>"]), text("a·b<>", byte, &[]), text("c·d<>", 4, &[])];
        let (file, own) = joined(&[(Level::X86_64, of(5)), (Level::X86_64V3, of(6)), (Level::X86_64V4, of(6))]);
        is(
            &names(&file),
            &[
                ("·F", &[]),
                ("·F·v1<>", &["a·b<>", "c·d<>"]),
                ("·G", &["c·d<>"]),
                ("a·b<>", &[]),
                ("c·d<>", &[]),
                ("·F·v3<>", &["a·b·v3<>", "c·d<>"]),
                ("a·b·v3<>", &[]),
            ],
        );
        assert_eq!((own[1].functions, own[1].code, own[1].exports.as_slice()), (2, 2, &["F".to_owned()][..]));
        // At level v4 no item differs from level v3, so the entry does not distinguish these levels.
        assert_eq!((own[2].functions, own[2].of), (0, 4));
        let Item::Text(entry) = &file.items[0] else { panic!("{:?}", file.items[0]) };
        let expected = ExpectedDispatch { level: "rt·cpuLevel".into(), entries: vec![(3, "·F·v3<>".into()), (1, "·F·v1<>".into())] };
        assert_eq!((&entry.expected.contract, entry.args), (&Some(Contract::Dispatch(expected.clone())), 8));
        assert_eq!([0, 1, 2, 3, 4].map(|level| expected.entry(level)), ["·F·v1<>", "·F·v1<>", "·F·v1<>", "·F·v3<>", "·F·v3<>"].map(Some));
    }

    #[test]
    fn equal_statics_stay_distinct() {
        // The file has two equal statics, each used by one function. At the higher level the first function differs.
        let of = |byte, identities: [&str; 2]| {
            let [a, b] = identities;
            vec![text("·F", byte, &["a<>"]), text("·G", 2, &["b<>"]), data("a<>", Some(a), &[]), data("b<>", Some(b), &[])]
        };
        let (file, _) = joined(&[(Level::X86_64, of(1, ["A", "B"])), (Level::X86_64V3, of(9, ["A", "B"]))]);
        let found = names(&file);
        is(&found[1..], &[("·F·v1<>", &["a<>"]), ("·G", &["b<>"]), ("a<>", &[]), ("b<>", &[]), ("·F·v3<>", &["a<>"])]);
        // The second function differs between the levels. Its new version must still use the second static, not the equal first static.
        let second =
            |byte| vec![text("·F", 1, &["a<>"]), text("·G", byte, &["b<>"]), data("a<>", Some("A"), &[]), data("b<>", Some("B"), &[])];
        let found = names(&joined(&[(Level::X86_64, second(2)), (Level::X86_64V3, second(9))]).0);
        is(&found[found.len() - 1..], &[("·G·v3<>", &["b<>"])]);
        // If two statics of a file have equal identities, they cannot be matched between levels, so each level has its own statics.
        let (file, own) = joined(&[(Level::X86_64, of(1, ["S", "S"])), (Level::X86_64V3, of(9, ["S", "S"]))]);
        let found = names(&file);
        let last = &[("·F·v3<>", &["a·v3<>"][..]), ("·G·v3<>", &["b·v3<>"]), ("a·v3<>", &[]), ("b·v3<>", &[])];
        is(&found[found.len() - 4..], last);
        assert_eq!(own[1].data, 16);
        // Constants without a name in the source may be merged.
        let constants = || vec![text("·F", 1, &["a<>"]), text("·G", 2, &["b<>"]), data("a<>", None, &[]), data("b<>", None, &[])];
        let (file, _) = joined(&[(Level::X86_64, constants()), (Level::X86_64V3, constants())]);
        is(&names(&file), &[("·F", &["a<>"]), ("·G", &["b<>"]), ("a<>", &[]), ("b<>", &[])]);
    }

    #[test]
    fn equal_functions_with_addresses_stay_distinct() {
        // The file has two equal functions. A function that uses both differs at the higher level.
        let of = |byte, identities: [Option<&str>; 2]| {
            let kept = |name, identity: Option<&str>| match text(name, 5, &[]) {
                Item::Text(text) => Item::Text(Text { identity: identity.map(str::to_owned), ..text }),
                data => data,
            };
            let [a, b] = identities;
            vec![text("·F", byte, &["a<>", "b<>"]), text("·G", 2, &["a<>", "b<>"]), kept("a<>", a), kept("b<>", b)]
        };
        let last = |identities| {
            let (file, _) = joined(&[(Level::X86_64, of(1, identities)), (Level::X86_64V3, of(9, identities))]);
            names(&file).split_off(2)
        };
        is(&last([Some("A"), Some("B")]), &[("·G", &["a<>", "b<>"]), ("a<>", &[]), ("b<>", &[]), ("·F·v3<>", &["a<>", "b<>"])]);
        // If code only calls the two functions, either function can replace the other.
        is(&last([None, None]), &[("·G", &["a<>", "b<>"]), ("a<>", &[]), ("b<>", &[]), ("·F·v3<>", &["a<>", "a<>"])]);
    }

    #[test]
    fn names_stay_unique() {
        let of = |byte| vec![text("·F", byte, &["·F·v3<>"]), text("·F·v3<>", byte, &[])];
        let (file, _) = joined(&[(Level::X86_64, of(1)), (Level::X86_64V3, of(2))]);
        is(&names(&file), &[("·F", &[]), ("·F·v1<>", &["·F·v3<>"]), ("·F·v3<>", &[]), ("·F·v3·2<>", &["·F·v3·v3<>"]), ("·F·v3·v3<>", &[])]);
    }
}
