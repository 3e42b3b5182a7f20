//! `opctl help`: the topics, which are Markdown in this folder, and the commands' own help.

mod render;
#[cfg(test)]
mod tests;

use super::misspelt::suggested_subcommand;
use crate::commands::command::OpctlCommand;
use crate::commands::context::Context;
use crate::error::{Hint, hint};
use crate::mcp::Page;
use crate::model::most_like;
use crate::report::{Form, Report};
use crate::{Error, Result};
use clap::Args;
use render::render;
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
    opctl help                # the commands and the topics
    opctl help markers        # a topic
    opctl help create api     # a command";

/// Show the help of a command, or explain a topic
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct HelpArgs {
    /// A topic, or the words of a command
    words: Vec<String>,
}

/// A topic that `opctl help` explains.
struct Topic {
    name: &'static str,
    /// The description in the list of topics.
    about: &'static str,
    /// The content of the topic's Markdown file in the repository.
    text: &'static str,
}

const TOPICS: [Topic; 17] = [
    Topic {
        name: "coming-from-kubebuilder",
        about: "opctl commands for kubebuilder users",
        text: include_str!("coming-from-kubebuilder.md"),
    },
    Topic { name: "adopting", about: "adding opctl to an existing operator", text: include_str!("adopting.md") },
    Topic { name: "types", about: "kinds and fields in Rust", text: include_str!("types.md") },
    Topic { name: "markers", about: "comments that opctl reads", text: include_str!("markers.md") },
    Topic { name: "versions", about: "several versions of a kind", text: include_str!("versions.md") },
    Topic { name: "controllers", about: "what controllers watch and can do", text: include_str!("controllers.md") },
    Topic { name: "webhooks", about: "functions that the API server calls", text: include_str!("webhooks.md") },
    Topic { name: "testing", about: "tests, and an API server on this machine", text: include_str!("testing.md") },
    Topic { name: "exploring", about: "finding bugs by injecting cluster faults", text: include_str!("exploring.md") },
    Topic { name: "deploying", about: "the image, and deployment to a cluster", text: include_str!("deploying.md") },
    Topic { name: "templates", about: "a team's own files in each project", text: include_str!("templates.md") },
    Topic { name: "renaming", about: "renaming kinds, groups and the project", text: include_str!("renaming.md") },
    Topic { name: "deleting", about: "what deletions remove and what they keep", text: include_str!("deleting.md") },
    Topic { name: "agents", about: "opctl as the tools of a coding agent", text: include_str!("agents.md") },
    Topic { name: "stability", about: "what stays stable, and for how long", text: include_str!("stability.md") },
    Topic { name: "safety", about: "what each command runs, reads and writes", text: include_str!("safety.md") },
    Topic { name: "errors", about: "every error, with its hint", text: include_str!("errors.md") },
];

/// Returns the name and the description of each topic.
pub(super) fn topics() -> impl Iterator<Item = (&'static str, &'static str)> {
    TOPICS.iter().map(|topic| (topic.name, topic.about))
}

/// Returns a page for each help topic, which `opctl mcp` serves to coding agents.
pub(super) fn pages() -> impl Iterator<Item = Page> {
    TOPICS.iter().map(|topic| Page {
        uri: format!("opctl://help/{}", topic.name),
        name: format!("help {}", topic.name),
        description: topic.about.to_owned(),
        mime_type: "text/markdown",
        text: topic.text.to_owned(),
    })
}

/// Returns the list of topics for the end of `opctl --help`.
pub(super) fn list() -> String {
    let rows: Vec<_> = topics().map(|(name, about)| [format!("  opctl help {name}"), about.to_owned()]).collect();
    format!("Topics:\n{}", crate::report::columns(&rows))
}

impl OpctlCommand for HelpArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        run(self, (context.command)())
    }
}

fn run(args: &HelpArgs, mut command: clap::Command) -> Result<Report> {
    if let [word] = args.words.as_slice()
        && let Some(topic) = TOPICS.iter().find(|topic| topic.name == word)
    {
        let data = json!({ "topic": topic.name, "markdown": topic.text });
        return Ok(Report { form: Form::Styled, ..Report::shown("help", render(topic.text), data) });
    }
    // Completes the subcommands with what they inherit, such as global options.
    command.build();
    let mut named = &command;
    for word in &args.words {
        named = named.find_subcommand(word).ok_or_else(|| unknown_topic_error(&args.words, named))?;
    }
    let help = named.clone().render_long_help();
    let mut data = json!({ "command": named.get_bin_name(), "help": help.to_string() });
    if args.words.is_empty() {
        data["topics"] = topics().map(|(name, about)| json!({ "name": name, "about": about })).collect();
    }
    Ok(Report { form: Form::Styled, ..Report::shown("help", help.ansi().to_string(), data) })
}

/// Returns the error for words that name neither a topic nor a command. `command` has the subcommands to suggest.
fn unknown_topic_error(words: &[String], command: &clap::Command) -> Error {
    let error = Error::usage(format!("there is neither a command nor a topic `{}`", words.join(" ")));
    let topic = || most_like(&words[0], topics().map(|(name, _)| name));
    let meant = match words {
        [word] => suggested_subcommand(word, command).or_else(topic).map(str::to_owned),
        // `command` is the last word that is known.
        _ => words.iter().position(|word| command.get_name() == word).and_then(|known| {
            let near = suggested_subcommand(words.get(known + 1)?, command)?;
            Some(format!("{} {near}", words[..=known].join(" ")))
        }),
    };
    match meant {
        Some(meant) => error.hint(hint!("opctl help {}", Hint::join(meant.split(' '), " "))),
        None => error.hint("opctl help    # lists all commands and topics"),
    }
}
