//! The commands of opctl without subcommands, and the arguments that a tool call may have.

use super::effect::{Effect, effect};
use clap::{Arg, ArgAction, ValueHint};
use std::any::TypeId;

/// The flags that calls cannot use, each with the reason.
const WITHHELD: [(&str, &str); 25] = [
    ("allow-http", "only the user decides where programs come from"),
    ("allow-remote", "calls fetch nothing that is outside of the project"),
    ("as", "calls use the permissions of the server's own user"),
    ("as-group", "calls use the permissions of the server's own user"),
    ("bench crds", "it belongs to `--command`"),
    ("bench roles", "it belongs to `--command`"),
    ("bench samples", "it belongs to `--command`"),
    ("command", "a shell runs it"),
    ("diff", "the report of a dry run contains the diff"),
    ("download-only", "the flag writes outside of the project"),
    ("dry-run", "`apply` decides"),
    ("explore crds", "it belongs to `--command`"),
    ("explore from-command", "a shell runs it"),
    ("explore from-crds", "it belongs to `--from-command`"),
    ("explore from-roles", "it belongs to `--from-command`"),
    ("explore from-samples", "it belongs to `--from-command`"),
    ("explore roles", "it belongs to `--command`"),
    ("explore samples", "it belongs to `--command`"),
    ("from", "only the user decides where programs come from"),
    ("index", "only the user decides where programs come from"),
    ("keep", "the flag is for a person at a terminal"),
    ("keep-running", "a call ends"),
    ("kubeconfig", "a kubeconfig can name a program to run; the server's own `KUBECONFIG` is used"),
    ("mirror", "only the user decides where programs come from"),
    ("test cargo", "flags of cargo can name programs that cargo runs"),
];

/// A command without subcommands, which clients call as a tool.
pub(super) struct Leaf {
    /// The words of the command after `opctl`, such as `create api`.
    pub(super) words: String,
    pub(super) effect: Effect,
    pub(super) command: clap::Command,
}

impl Leaf {
    /// Returns the name of the tool, such as `create_api`.
    pub(super) fn name(&self) -> String {
        self.words.replace(' ', "_")
    }

    /// Returns the arguments that a call may use, each with its name in the call.
    pub(super) fn arguments(&self) -> impl Iterator<Item = (&str, &Arg)> {
        let named = |argument| (name(argument), argument);
        self.command
            .get_arguments()
            .map(named)
            .filter(|(name, argument)| !argument.is_hide_set() && !self.is_withheld(name))
    }

    fn is_withheld(&self, name: &str) -> bool {
        let of_this = format!("{} {name}", self.words);
        WITHHELD.iter().any(|(withheld, _)| *withheld == name || *withheld == of_this)
    }
}

/// Returns all visible commands without subcommands, except for `mcp`.
pub(super) fn leaves(opctl: &clap::Command) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(opctl, "", &mut found);
    found.retain(|leaf| leaf.words != "mcp");
    found
}

fn collect(command: &clap::Command, words: &str, found: &mut Vec<Leaf>) {
    if !command.has_subcommands() {
        found.push(Leaf { words: words.to_owned(), effect: effect(words), command: command.clone() });
    }
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        collect(below, format!("{words} {}", below.get_name()).trim_start(), found);
    }
}

/// Returns the name of an argument in a call: its long flag, or else its identifier.
fn name(argument: &Arg) -> &str {
    argument.get_long().unwrap_or_else(|| argument.get_id().as_str())
}

/// The type of an argument's value in the JSON of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A flag without a value; `true` sets the flag.
    Switch,
    /// A flag with the value `true` or `false`.
    Choice,
    Text,
    Number,
}

/// Returns the type of an argument's value, or of each value of a list.
pub(super) fn form(argument: &Arg) -> Form {
    if matches!(argument.get_action(), ArgAction::SetTrue) {
        return Form::Switch;
    }
    let parsed = argument.get_value_parser().type_id();
    let is_one_of = |types: &[TypeId]| types.iter().any(|known| parsed == *known);
    if is_one_of(&[TypeId::of::<bool>()]) {
        Form::Choice
    } else if is_one_of(&[TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()]) {
        Form::Number
    } else {
        Form::Text
    }
}

/// Returns true if the argument can have several values.
pub(super) fn is_list(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Append)
        || argument.get_num_args().is_some_and(|number| number.max_values() > 1)
}

/// Returns true if the argument can name a file or a folder.
pub(super) fn is_path(argument: &Arg) -> bool {
    let hinted = !matches!(argument.get_value_hint(), ValueHint::Unknown | ValueHint::Other);
    let named = |name: &str| name.split('|').any(|part| ["ARCHIVE", "DIR", "FILE", "IMAGE"].contains(&part));
    hinted || argument.get_value_names().is_some_and(|names| names.iter().any(|name| named(name)))
}

/// Returns the flags and commands in this module's tables that opctl does not have, and the commands that should
/// have `--dry-run` but do not.
#[cfg(test)]
pub fn faults(opctl: &clap::Command) -> Vec<String> {
    let leaves = leaves(opctl);
    let flags_of = |leaf: &Leaf| -> Vec<String> {
        leaf.command.get_arguments().map(|argument| format!("{} {}", leaf.words, name(argument))).collect()
    };
    let flags: Vec<String> = leaves.iter().flat_map(flags_of).collect();
    let without = |leaf: &&Leaf| leaf.effect == Effect::Plans && !flags.contains(&format!("{} dry-run", leaf.words));
    let unplanned = leaves.iter().filter(without).map(|leaf| format!("`{}` has no --dry-run", leaf.words));
    let is_flag = |name: &str| flags.iter().any(|flag| flag == name || flag.ends_with(&format!(" {name}")));
    let withheld = WITHHELD.iter().map(|(name, _)| *name).filter(|name| !is_flag(name)).map(str::to_owned);
    let named = super::effect::listed_commands()
        .filter(|name| !leaves.iter().any(|leaf| leaf.words == *name))
        .map(str::to_owned);
    unplanned.chain(withheld).chain(named).collect()
}
