//! Counts the outcomes of many programs by machine, compiler and flags.

use super::program::{Outcome, Program};
use rustgo_cli::testing::diag::ErrorCode;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

#[derive(Default)]
struct Count {
    right: usize,
    refused: BTreeMap<ErrorCode, usize>,
    not_compiled: usize,
    no_use: usize,
    wrong: usize,
}

#[derive(Default)]
pub struct Report {
    counts: BTreeMap<String, Count>,
    /// For each program with a wrong outcome: its name, the outcome, and the command that runs the program again.
    pub wrong: Vec<String>,
    /// The programs that were not run, by the reason.
    reasons: BTreeMap<String, Vec<String>>,
}

impl Report {
    /// Counts the outcome of a program. `repeat` is the command that runs this program alone.
    pub fn add(&mut self, program: &Program, outcome: &Outcome, repeat: &str) {
        let options = program.options;
        let count = self.counts.entry(format!("{} {} with {} flags", options.arch, options.compiler, options.flags)).or_default();
        match outcome {
            Outcome::Right => count.right += 1,
            Outcome::Refused(code, _) => *count.refused.entry(*code).or_default() += 1,
            Outcome::NotCompiled(_) => count.not_compiled += 1,
            Outcome::NoUse(_) => count.no_use += 1,
            Outcome::Wrong(_) => count.wrong += 1,
        }
        let name = format!("{} {} {} -{} {}", program.name, options.arch, options.compiler, options.level, options.flags);
        let reason = match outcome {
            Outcome::Right => return,
            Outcome::Refused(code, message) => format!("refused ({code}): {message}"),
            Outcome::NotCompiled(said) => format!("not compiled: {said}"),
            Outcome::NoUse(said) => format!("no use: {said}"),
            Outcome::Wrong(what) => {
                self.wrong.push(format!("WRONG {name}: {what}\n      {repeat}"));
                return;
            }
        };
        self.reasons.entry(reason).or_default().push(name);
    }

    /// Lists the reasons why programs were not run, each with the number of programs and the name of one program.
    pub fn reasons(&self) -> String {
        let mut sorted: Vec<_> = self.reasons.iter().collect();
        sorted.sort_by_key(|(_, programs)| std::cmp::Reverse(programs.len()));
        sorted.iter().fold(String::new(), |mut text, (reason, programs)| {
            writeln!(text, "{:5} {reason}: {}", programs.len(), programs[0]).expect("a string takes everything");
            text
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, count) in &self.counts {
            let refused: usize = count.refused.values().sum();
            let run = count.right + refused + count.wrong;
            write!(f, "{what}: {run} programs: {} right, {} wrong, {refused} refused", count.right, count.wrong)?;
            let by_code: Vec<String> = count.refused.iter().map(|(code, count)| format!("{code} {count}")).collect();
            if !by_code.is_empty() {
                write!(f, " ({})", by_code.join(", "))?;
            }
            writeln!(f, "; not counted: {} that do not compile, {} of no use", count.not_compiled, count.no_use)?;
        }
        for wrong in &self.wrong {
            writeln!(f, "{wrong}")?;
        }
        Ok(())
    }
}
