//! The commands in the groups in which `opctl --help` shows them.

use clap::Subcommand;
use clap::builder::{StyledStr, Styles};
use std::fmt::Write as _;

const GROUPS: &[(&str, &[&str])] = &[
    ("Begin", &["init", "create", "demo"]),
    ("Every day", &["manifests", "run", "test", "edit", "list", "explain"]),
    ("Cluster", &["install", "uninstall", "build", "deploy", "undeploy", "build-installer", "envtest"]),
    ("More", &["update", "resolve", "completion", "version", "help"]),
];

/// The help page of a command with these subcommands: a line for each, which no terminal of 80 columns wraps.
pub(super) fn help_template<S: Subcommand>() -> StyledStr {
    let commands = S::augment_subcommands(clap::Command::new("opctl"));
    let styles = Styles::default();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let width = GROUPS.iter().flat_map(|(_, names)| *names).map(|name| name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (group, names) in GROUPS {
        let _ = writeln!(text, "{header}{group}:{header:#}");
        for command in names.iter().filter_map(|name| commands.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let name = command.get_name();
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
    use crate::cli::Command;

    #[test]
    fn every_command_is_in_one_group_and_on_one_line() {
        let commands = Command::augment_subcommands(clap::Command::new("opctl"));
        let visible = commands.get_subcommands().filter(|command| !command.is_hide_set());
        let mut visible: Vec<&str> = visible.map(clap::Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        visible.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, visible);
        let text = anstream::adapter::strip_str(&help_template::<Command>().ansi().to_string()).to_string();
        let wide: Vec<&str> = text.lines().filter(|line| line.starts_with("  ") && line.chars().count() > 80).collect();
        assert_eq!(wide, [""; 0]);
    }
}
