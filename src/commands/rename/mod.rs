//! Implements `opctl rename`, which renames a kind, a group or the project.

mod run;

use super::command::OpctlCommand;
use super::context::Context;
use super::operator_program::refuse_adopted;
use super::write::WriteArgs;
use crate::error::hint;
use crate::model::{Group, InvalidName, Kind, Plural, ProjectName};
use crate::report::Report;
use crate::scaffold::RenameIntent;
use crate::{Error, Result};
use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
    opctl rename api --kind WebServer --to Site
    opctl rename group --group apps --to platform
    opctl rename project --to site-operator --dry-run";

/// Rename a kind, a group or the project
///
/// Replaces each unmodified file by the file that opctl generates under the new name, at its new path. In files that
/// you edited, and in your own Rust and YAML files, the names are replaced word by word; these files are listed. For a
/// cluster, a renamed kind is another kind: see `opctl help renaming`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RenameArgs {
    #[command(subcommand)]
    command: RenameCommand,
}

#[derive(Debug, Subcommand)]
enum RenameCommand {
    /// Rename a kind, in all its versions
    #[command(
        after_help = "Examples:\n    opctl rename api --kind WebServer --to Site\n    opctl rename api --group apps --kind Index --to Register --plural registers"
    )]
    Api {
        /// The kind
        #[arg(long)]
        kind: String,
        /// The part of the API group before the domain [default: none, the API group is the domain]
        #[arg(long)]
        group: Option<String>,
        /// The new name of the kind, in upper camel case
        #[arg(long, value_name = "KIND")]
        to: String,
        /// The new plural name [default: the usual plural of the new name, if the old plural was the usual one]
        #[arg(long)]
        plural: Option<String>,
        #[command(flatten)]
        write: WriteArgs,
    },
    /// Rename an API group, with all its kinds
    #[command(after_help = "Examples:\n    opctl rename group --group apps --to platform")]
    Group {
        /// The part of the API group before the domain
        #[arg(long)]
        group: String,
        /// The new name of the group
        #[arg(long, value_name = "GROUP")]
        to: String,
        #[command(flatten)]
        write: WriteArgs,
    },
    /// Rename the project: its packages, the objects of its operator, and its field managers
    #[command(after_help = "Examples:\n    opctl rename project --to site-operator")]
    Project {
        /// The new name of the project
        #[arg(long, value_name = "NAME")]
        to: String,
        #[command(flatten)]
        write: WriteArgs,
    },
}

impl OpctlCommand for RenameArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        refuse_adopted(self.full_name("rename"), context)?;
        let (intent, write) = match &self.command {
            RenameCommand::Api { kind, group, to, plural, write } => {
                let intent = RenameIntent::Kind {
                    group: group.as_deref().map_or(Ok(Group::none()), Group::parse)?,
                    kind: Kind::parse(kind)?,
                    to: replace_name_hint(Kind::parse_new(to))?,
                    plural: plural.as_deref().map(Plural::parse).transpose()?,
                };
                (intent, *write)
            }
            RenameCommand::Group { group, to, write } => {
                (RenameIntent::Group { group: Group::parse(group)?, to: replace_name_hint(Group::parse(to))? }, *write)
            }
            RenameCommand::Project { to, write } => {
                (RenameIntent::Project { to: replace_name_hint(ProjectName::parse_new(to))? }, *write)
            }
        };
        run::run(self.full_name("rename"), &intent, write, context)
    }

    fn full_name(&self, _: &'static str) -> &'static str {
        match self.command {
            RenameCommand::Api { .. } => "rename api",
            RenameCommand::Group { .. } => "rename group",
            RenameCommand::Project { .. } => "rename project",
        }
    }
}

/// Converts the error of an invalid new name, and replaces the error's hint. The new hint suggests the flag `--to` with
/// a valid name; the old hint suggests a flag of another command, such as `--kind` of `opctl create`.
fn replace_name_hint<T>(parsed: Result<T, InvalidName>) -> Result<T> {
    parsed.map_err(|invalid| {
        let suggestion = invalid.suggestion.clone();
        let error = Error::from(invalid);
        suggestion.into_iter().fold(error, |error, name| error.hint(hint!("--to {name}", name)))
    })
}
