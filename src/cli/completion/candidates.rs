//! Completion candidates from the project and the kubeconfig: kinds, groups, versions, plans and contexts.

use super::stated::stated_flag_value;
use crate::cli::help;
use crate::cluster;
use crate::commands::explore;
use crate::error::shell_word;
use crate::explore::Class;
use crate::model::{PROJECT_FILE, Project};
use crate::reading::{self, Limit};
use crate::visible::visible_line;
use crate::workspace::discover;
use clap::Command;
use clap::builder::StyledStr;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use std::path::PathBuf;

/// Adds candidates to the arguments of all commands, and to the words after `opctl help`.
pub(super) fn with_all_candidates(command: Command) -> Command {
    let visible = command.get_subcommands().filter(|command| !command.is_hide_set());
    let commands: Vec<String> = visible.map(|command| command.get_name().to_owned()).collect();
    let explained = move || {
        let commands = commands.iter().map(|name| candidate(name, None));
        commands.chain(help::topics().map(|(name, about)| candidate(name, Some(about.to_owned())))).collect::<Vec<_>>()
    };
    with_candidates(command)
        .mut_subcommand("help", |help| help.mut_arg("words", |words| words.add(ArgValueCandidates::new(explained))))
}

/// Adds completion candidates to the arguments of `command` and of its subcommands, by the argument's name: the
/// project's kinds to `kind`, for example.
fn with_candidates(command: Command) -> Command {
    command
        .mut_args(|argument| match argument.get_id().as_str() {
            "kind" => argument.add(ArgValueCandidates::new(kinds)),
            "group" => argument.add(ArgValueCandidates::new(groups)),
            "version" | "spoke" if argument.get_action().takes_values() => {
                argument.add(ArgValueCandidates::new(versions))
            }
            "context" => argument.add(ArgValueCandidates::new(contexts)),
            "replay" | "remember" => argument.add(ArgValueCandidates::new(plans)),
            "only" => argument.add(ArgValueCandidates::new(classes)),
            _ => argument,
        })
        .mut_subcommands(with_candidates)
}

fn kinds() -> Vec<CompletionCandidate> {
    let project = project();
    let candidates = project.iter().flat_map(|project| {
        project
            .resources
            .iter()
            .map(|resource| candidate(resource.key.kind.as_str(), Some(resource.api_version(&project.domain))))
    });
    unique_candidates(candidates.collect())
}

fn groups() -> Vec<CompletionCandidate> {
    let project = project();
    let resources = project.iter().flat_map(|project| &project.resources);
    let named = resources.filter(|resource| !resource.key.group.as_str().is_empty());
    unique_candidates(named.map(|resource| candidate(resource.key.group.as_str(), None)).collect())
}

fn versions() -> Vec<CompletionCandidate> {
    let project = project();
    let resources = project.iter().flat_map(|project| &project.resources);
    unique_candidates(resources.map(|resource| candidate(resource.key.version.as_str(), None)).collect())
}

fn contexts() -> Vec<CompletionCandidate> {
    let contexts = cluster::contexts(stated_flag_value("--kubeconfig").map(PathBuf::from));
    contexts
        .into_iter()
        .filter(|(name, _)| is_one_word(name))
        .map(|(name, cluster)| candidate(&name, cluster))
        .collect()
}

fn plans() -> Vec<CompletionCandidate> {
    let plans = root().map(|root| explore::seen::plans(&root)).unwrap_or_default();
    unique_candidates(
        plans
            .into_iter()
            .filter(|(plan, _)| is_one_word(plan))
            .map(|(plan, message)| candidate(&plan, message))
            .collect(),
    )
}

fn classes() -> Vec<CompletionCandidate> {
    Class::ALL.into_iter().map(|class| candidate(class.name(), Some(class.phrase().to_owned()))).collect()
}

/// Returns the current project, or `None` if it cannot be read: a completion cannot show an error.
fn project() -> Option<Project> {
    Project::parse(&reading::text(root()?.join(PROJECT_FILE), Limit::Settings).ok()?).ok()
}

fn root() -> Option<PathBuf> {
    let directory = stated_flag_value("-C").map_or_else(|| PathBuf::from("."), PathBuf::from);
    discover(&directory).ok()
}

/// Returns true if a shell reads `value` as a single word without quotes; only such a value is offered as a candidate.
/// bash puts a candidate on the command line without quotes, and would run a `$(..)` in the candidate.
fn is_one_word(value: &str) -> bool {
    // A `#` begins a comment at the start of a word only.
    let value = if value.starts_with('#') { value.to_owned() } else { value.replace('#', "_") };
    shell_word(&value) == value
}

fn candidate(value: &str, help: Option<String>) -> CompletionCandidate {
    CompletionCandidate::new(value).help(help.map(|text| StyledStr::from(visible_line(&text).into_owned())))
}

/// Sorts the candidates by value, and removes candidates with duplicate values.
fn unique_candidates(mut candidates: Vec<CompletionCandidate>) -> Vec<CompletionCandidate> {
    candidates.sort_by(|one, other| one.get_value().cmp(other.get_value()));
    candidates.dedup_by(|one, other| one.get_value() == other.get_value());
    candidates
}
