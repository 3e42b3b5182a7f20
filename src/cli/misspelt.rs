//! Suggests a command for an unknown word: a misspelt command, or a command of another program.

use crate::model::most_like;
use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsString;

/// The minimum length of a word that is accepted as the beginning of a command's name.
const BEGINNING: usize = 3;

/// Words that users know from other programs, each with the equivalent command of opctl: commands of kubebuilder, cargo
/// and git, Makefile targets of kubebuilder projects, and words for a kind, such as `crd`.
const ELSEWHERE: &[(&str, &str)] = &[
    ("add", "create api"),
    ("alpha", "update"),
    ("controller", "api"),
    ("crd", "api"),
    ("docker-build", "build"),
    ("docker-buildx", "build"),
    ("docker-push", "build"),
    ("gen", "manifests"),
    ("generate", "manifests"),
    ("kind", "api"),
    ("new", "init"),
    ("remove", "delete"),
    ("rm", "delete"),
    ("setup-envtest", "envtest setup"),
    ("start", "run"),
    ("upgrade", "update"),
];

/// Returns the subcommand of `command` to suggest for the unknown command `word`; `None` if none fits.
pub(super) fn suggested_subcommand<'a>(word: &str, command: &'a Command) -> Option<&'a str> {
    let shown = || command.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name);
    let known = |line: &str| line.split(' ').next().is_some_and(|first| shown().any(|name| name == first));
    if let Some((_, line)) = ELSEWHERE.iter().find(|(other, line)| *other == word && known(line)) {
        return Some(line);
    }
    let begun = |name: &&str| word.len() >= BEGINNING && name.starts_with(word);
    shown().find(begun).or_else(|| most_like(word, shown()))
}

/// Replaces the tip in clap's error about an unknown command by one that suggests a single command. clap's tip would
/// list all commands with the same first letters, and the most similar command only at the end.
pub(super) fn set_tip(error: &mut clap::Error, typed: &[OsString], command: &Command) {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return };
    if error.kind() != ErrorKind::InvalidSubcommand {
        return;
    }
    let mut parent = command;
    for typed in typed.iter().filter_map(|typed| typed.to_str()).take_while(|typed| typed != word) {
        parent = parent.find_subcommand(typed).unwrap_or(parent);
    }
    let meant = suggested_subcommand(word, parent).map(|name| match parent.get_name() {
        "opctl" => format!("opctl {name}"),
        parent => format!("opctl {parent} {name}"),
    });
    error.remove(ContextKind::SuggestedSubcommand);
    error.remove(ContextKind::Suggested);
    if let Some(line) = meant {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(line)]));
    }
}
