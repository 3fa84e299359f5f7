//! Shell completions and manual pages, which are made from the definition of the command line.

use super::{Cli, CompletionsArgs};
use clap::CommandFactory;
use std::io;

/// Returns the script that makes a shell complete rustgo's arguments.
pub fn completions(args: &CompletionsArgs) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "rustgo", &mut script);
    script
}

/// Returns the names and texts of the manual pages: one for rustgo, and one for each command that the help lists.
///
/// # Errors
/// Fails only if writing to a buffer in memory fails, so never in practice.
pub fn manual() -> io::Result<Vec<(String, String)>> {
    let mut program = Cli::command();
    // Adds the options that all commands have.
    program.build();
    let mut pages = Vec::new();
    let listed = program.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let all: Vec<clap::Command> = std::iter::once(program.clone()).chain(listed).collect();
    for command in all {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        pages.push((format!("{name}.1"), String::from_utf8_lossy(&page).into_owned()));
    }
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn each_command_has_a_page() {
        let pages = manual().unwrap();
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        for name in ["rustgo.1", "rustgo-build.1", "rustgo-check.1", "rustgo-new.1", "rustgo-completions.1"] {
            assert!(names.contains(&name), "{names:?}");
        }
        assert!(!names.contains(&"rustgo-man.1"), "a hidden command has a page");
        let (_, build) = pages.iter().find(|(name, _)| name == "rustgo-build.1").unwrap();
        // The page lists the command's own options and the options of all commands.
        for part in [".TH", "max\\-stack", "message\\-format", "rustgo build"] {
            assert!(build.contains(part), "{part:?} is not in\n{build}");
        }
    }

    #[test]
    fn completions_know_the_commands() {
        for &shell in clap_complete::Shell::value_variants() {
            let script = String::from_utf8(completions(&CompletionsArgs { shell })).unwrap();
            for part in ["inspect", "max-stack", "message-format"] {
                assert!(script.contains(part), "{shell}: {part} is not in\n{script}");
            }
        }
    }
}
