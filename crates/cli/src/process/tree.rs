//! Ends the descendants of this process: the programs that it has started, and the programs that these have started. For example, cargo starts rustc.

use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;

/// Kills all descendants of this process, parents before their children.
pub(super) fn kill_descendants() {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    for (id, parent) in processes() {
        children.entry(parent).or_default().push(id);
    }
    let mut todo = vec![i32::try_from(std::process::id()).unwrap_or(0)];
    let mut at = 0;
    while let Some(&parent) = todo.get(at) {
        todo.extend(children.remove(&parent).unwrap_or_default());
        at += 1;
    }
    for id in todo.into_iter().skip(1).filter_map(Pid::from_raw) {
        // The process may have ended already, so an error is ignored.
        let _ = kill_process(id, Signal::KILL);
    }
}

/// Lists the running processes, each with its parent.
fn processes() -> Vec<(i32, i32)> {
    let folders = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = folders.filter_map(|folder| folder.file_name().to_str()?.parse::<i32>().ok());
    ids.filter_map(|id| Some((id, parent(&std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?)?))).collect()
}

/// Returns the parent's id in a process's `stat` (proc(5)). The id is the second field after the program's name, which is in parentheses.
fn parent(stat: &str) -> Option<i32> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_programs_may_contain_anything() {
        assert_eq!(parent("17 (a) b) S 3 4 5"), Some(3));
        assert_eq!(parent("17 (a"), None);
    }

    #[test]
    fn processes_have_parents() {
        let me = i32::try_from(std::process::id()).unwrap();
        assert!(processes().into_iter().any(|(id, parent)| id == me && parent > 0));
    }
}
