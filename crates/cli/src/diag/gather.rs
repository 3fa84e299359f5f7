//! Merges refusals with the same reason into one. The merged refusal shows one example and lists the other places.

use super::{Diagnostic, ErrorCode, Place};
use std::collections::BTreeMap;

/// Merges refusals that differ only in the function. The refusal with the shortest chain of calls becomes the example. If several refusals have an
/// equally short chain, the first of these refusals becomes the example. The merged refusals keep the order in which their reasons first occur.
pub fn gather(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut gathered: Vec<Diagnostic> = Vec::new();
    let mut by_reason: BTreeMap<(ErrorCode, String, Option<String>), usize> = BTreeMap::new();
    for mut reason in found {
        let Some(shared) = &reason.shared else {
            gathered.push(reason);
            continue;
        };
        let at = *by_reason.entry((reason.code, shared.what.clone(), reason.hint.clone())).or_insert(gathered.len());
        let Some(example) = gathered.get_mut(at) else {
            gathered.push(reason);
            continue;
        };
        if reason.chain.len() < example.chain.len() {
            std::mem::swap(example, &mut reason);
            example.others = std::mem::take(&mut reason.others);
        }
        example.others.extend(reason.shared.map(|shared| shared.of));
    }
    gathered.iter_mut().for_each(drop_repeated);
    gathered
}

/// Sorts the reasons: the most important kind first, then the reasons nearest to the exports. At equal distance, calls through unknown pointers
/// come last.
pub fn by_importance(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // The chain of an undefined symbol ends with the symbol itself. This last element does not count.
    let distance = |reason: &Diagnostic| reason.chain.len().saturating_sub((reason.code == ErrorCode::Undefined).into());
    found.sort_by_key(|reason| (reason.wall, distance(reason), reason.code == ErrorCode::IndirectCall));
    found
}

/// Removes repeated functions from `others`. A function is repeated if several of its instructions or instances have the problem.
fn drop_repeated(reason: &mut Diagnostic) {
    let mut others: BTreeMap<String, Place> = BTreeMap::new();
    for other in std::mem::take(&mut reason.others) {
        others.entry(other.function.clone()).or_insert(other);
    }
    if let Some(shared) = &reason.shared {
        others.remove(&shared.of.function);
    }
    reason.others = others.into_values().collect();
}

#[cfg(test)]
mod tests {
    use super::super::Call;
    use super::super::wall::Wall;
    use super::*;

    fn reason(function: &str, what: &str, depth: usize) -> Diagnostic {
        let call = || Call { place: Place::of(function), how: None };
        let place = Place { line: Some(depth as u32), ..Place::of(function) };
        Diagnostic::of(ErrorCode::ThreadLocal, place, what).chain((0..depth).map(|_| call()).collect())
    }

    fn names(reason: &Diagnostic) -> Vec<&str> {
        reason.others.iter().map(|other| other.function.as_str()).collect()
    }

    #[test]
    fn the_shortest_chain_is_the_example() {
        let gathered = gather(vec![reason("d", "x", 3), reason("b", "x", 1), reason("a", "x", 2), reason("c", "x", 1)]);
        assert_eq!(gathered.len(), 1);
        assert_eq!((gathered[0].message.as_str(), names(&gathered[0])), ("b x", vec!["a", "c", "d"]));
        assert_eq!(gathered[0].others[0].line, Some(2));
    }

    #[test]
    fn a_function_is_named_once() {
        let gathered = gather(vec![reason("a", "x", 2), reason("b", "x", 3), reason("b", "x", 4), reason("a", "x", 1)]);
        assert_eq!((gathered[0].chain.len(), names(&gathered[0])), (1, vec!["b"]));
    }

    #[test]
    fn important_and_near_reasons_come_first() {
        let kind = |function, depth, wall| reason(function, "x", depth).wall(wall);
        let all = vec![kind("a", 1, Wall::Limit), kind("b", 3, Wall::Threads), kind("c", 2, Wall::Threads), kind("d", 1, Wall::Math)];
        let sorted: Vec<String> = by_importance(all).into_iter().map(|reason| reason.message).collect();
        assert_eq!(sorted, ["c x", "b x", "d x", "a x"]);
    }

    #[test]
    fn other_reasons_stay_apart() {
        let hinted = |function| reason(function, "x", 1).hint("h");
        let other_code = Diagnostic { code: ErrorCode::Undefined, ..reason("e", "x", 1) };
        let alone = |text: &str| Diagnostic::new(ErrorCode::ThreadLocal, text);
        let all = vec![reason("a", "x", 1), reason("b", "y", 1), hinted("c"), other_code, alone("z"), alone("z"), hinted("d")];
        let gathered = gather(all);
        let messages: Vec<&str> = gathered.iter().map(|reason| reason.message.as_str()).collect();
        assert_eq!(messages, ["a x", "b y", "c x", "e x", "z", "z"]);
        assert_eq!(gathered.iter().map(|reason| reason.others.len()).collect::<Vec<_>>(), [0, 0, 1, 0, 0, 0]);
    }
}
