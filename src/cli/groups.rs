//! The help page of opctl: its commands in groups.

use super::command_table::COMMANDS;
use crate::commands::command::HelpGroup;
use clap::builder::{StyledStr, Styles};
use std::fmt::Write as _;

/// Renders the template of `opctl --help`, with one line of at most 80 columns for each command of `opctl`.
pub(super) fn help_template(opctl: &clap::Command) -> StyledStr {
    let styles = Styles::default();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let shown = COMMANDS.iter().filter(|command| command.group != HelpGroup::Hidden);
    let width = shown.map(|command| command.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for group in HelpGroup::SHOWN {
        let _ = writeln!(text, "{header}{}:{header:#}", group.title());
        for command in COMMANDS.iter().filter(|command| command.group == group) {
            let about = opctl.find_subcommand(command.name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let name = command.name;
            let _ = writeln!(text, "  {literal}{name}{literal:#}{:1$}  {about}", "", width - name.len());
        }
        text.push('\n');
    }
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}{header}Options:{header:#}\n{{options}}{{after-help}}"
    )
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command_table::Invocation;
    use clap::Subcommand;
    use std::path::Path;

    fn opctl() -> clap::Command {
        Invocation::augment_subcommands(clap::Command::new("opctl"))
    }

    #[test]
    fn every_command_is_shown_on_one_line() {
        let text = anstream::adapter::strip_str(&help_template(&opctl()).ansi().to_string()).to_string();
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("  ")).collect();
        let visible = COMMANDS.iter().filter(|command| command.group != HelpGroup::Hidden);
        assert_eq!(lines.len(), visible.count());
        let wide: Vec<&&str> = lines.iter().filter(|line| line.chars().count() > 80).collect();
        assert_eq!(wide, [&""; 0]);
    }

    #[test]
    fn the_table_is_in_the_order_of_the_help_page() {
        assert!(COMMANDS.is_sorted_by_key(|command| command.group));
    }

    #[test]
    fn every_command_has_an_example() {
        fn check(command: &clap::Command) {
            for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
                let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
                assert!(after.contains("Example"), "`{}` shows no example", command.get_name());
                check(command);
            }
        }
        check(&opctl());
    }

    /// Collects the names of the types that implement `OpctlCommand` in the source files below `folder`.
    fn implemented(folder: &Path, names: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                implemented(&path, names);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let lines = text.lines().filter_map(|line| line.strip_prefix("impl OpctlCommand for "));
                names.extend(lines.filter_map(|line| Some(line.strip_suffix(" {")?.to_owned())));
            }
        }
    }

    #[test]
    fn every_command_is_in_the_table() {
        let mut names = Vec::new();
        for room in ["src/cli", "src/commands"] {
            implemented(&Path::new(env!("CARGO_MANIFEST_DIR")).join(room), &mut names);
        }
        assert_eq!(names.len(), COMMANDS.len());
        let table = include_str!("command_table.rs");
        let missing: Vec<_> = names.iter().filter(|name| !table.contains(&format!("::{name}>"))).collect();
        assert_eq!(missing, [""; 0]);
    }
}
