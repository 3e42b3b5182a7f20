//! Converts a tool call to a command line, with only arguments that the tool describes and paths in the project.

use super::effect::{Effect, changes_cluster};
use super::leaf::{Form, Leaf, form, is_list, is_path};
use super::limits;
use super::tool::{APPLY, SECONDS, has_seconds};
use crate::error::hint;
use crate::model::{ProjectPath, most_like};
use crate::workspace::stays_within;
use crate::{Error, Result};
use clap::Arg;
use rmcp::model::JsonObject;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// A tool call with checked arguments, as a command line of opctl.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Call {
    /// The command-line words after `opctl`.
    pub(super) words: Vec<String>,
    pub(super) time: Duration,
}

/// Checks the arguments of a call, and converts them to a command line. `root` is the project's folder.
pub(super) fn call(leaf: &Leaf, arguments: &JsonObject, root: &Path) -> Result<Call> {
    let mut flags = Vec::new();
    let mut operands = Vec::new();
    let (mut applies, mut seconds) = (false, None);
    for (name, value) in arguments.iter().filter(|(_, value)| !value.is_null()) {
        if name == APPLY && leaf.effect != Effect::Reads {
            applies = value.as_bool().ok_or_else(|| invalid_value(name, value, "true or false"))?;
        } else if name == SECONDS && has_seconds(leaf) {
            let known = value.as_u64().filter(|seconds| (1..=limits::MAXIMUM_SECONDS).contains(seconds));
            let range = format!("a number of 1 to {}", limits::MAXIMUM_SECONDS);
            seconds = Some(known.ok_or_else(|| invalid_value(name, value, &range))?);
        } else {
            let argument = leaf.arguments().find(|(known, _)| known == name).map(|(_, argument)| argument);
            let argument = argument.ok_or_else(|| unknown_argument(leaf, name))?;
            let given = argument_words(name, argument, value, root)?;
            (if argument.get_long().is_some() { &mut flags } else { &mut operands }).extend(given);
        }
    }
    let names_context = arguments.get("context").is_some_and(|context| !context.is_null());
    let of_test = match leaf.words.as_str() {
        "test" => arguments.get("on").is_none_or(|on| on != "current"),
        _ => arguments.get("envtest").is_some_and(|envtest| *envtest == true),
    };
    check(leaf, applies, names_context || of_test)?;
    let mut line: Vec<String> = leaf.words.split(' ').map(str::to_owned).collect();
    // A check writes nothing, and has no dry run.
    let is_check = flags.iter().any(|flag| flag == "--check");
    line.extend(flags);
    if leaf.effect == Effect::Plans && !applies && !is_check {
        line.push("--dry-run".to_owned());
    }
    if !operands.is_empty() {
        // A value that begins with `-` would be read as a flag without this.
        line.push("--".to_owned());
        line.extend(operands);
    }
    Ok(Call { words: line, time: limits::time(&leaf.words, seconds) })
}

/// Checks that a call has the arguments that it needs to change something. `applies` is true if the call sets `apply`.
/// `names_cluster` is true if the call names the context of a cluster or uses a test API server.
///
/// # Errors
/// Fails if `applies` is false and the command runs programs. Also fails if `applies` is true and `names_cluster` is
/// false, but the command changes a cluster.
fn check(leaf: &Leaf, applies: bool, names_cluster: bool) -> Result<()> {
    if leaf.effect == Effect::Runs && !applies {
        return Err(Error::usage(format!(
            "the tool `{}` runs programs, but the tool call does not set `apply`",
            leaf.name()
        ))
        .hint("add \"apply\": true to the arguments"));
    }
    if applies && changes_cluster(&leaf.words) && !names_cluster {
        let fix = match leaf.words.as_str() {
            "run" => "add \"context\": NAME, or \"envtest\": true to run against a new API server",
            _ => "add \"context\": NAME to the arguments; `kubectl config get-contexts` lists the names",
        };
        let name = leaf.name();
        return Err(Error::usage(format!(
            "the tool `{name}` changes a cluster, but the tool call does not name the context of the cluster"
        ))
        .hint(fix));
    }
    Ok(())
}

/// Returns the command-line words for the value of an argument.
fn argument_words(name: &str, argument: &Arg, value: &Value, root: &Path) -> Result<Vec<String>> {
    let one = |value: &Value| word(name, argument, value, root);
    match value {
        Value::Array(values) if is_list(argument) => {
            Ok(values.iter().map(one).collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
        }
        value => Ok(one(value)?.into_iter().collect()),
    }
}

fn word(name: &str, argument: &Arg, value: &Value, root: &Path) -> Result<Option<String>> {
    let form = form(argument);
    let text = match (form, value) {
        (Form::Switch, Value::Bool(false)) => return Ok(None),
        (Form::Switch, Value::Bool(true)) => return Ok(Some(format!("--{name}"))),
        (Form::Choice, Value::Bool(value)) => value.to_string(),
        (Form::Number, Value::Number(number)) => number.to_string(),
        (Form::Text, Value::String(text)) => text.clone(),
        (Form::Switch | Form::Choice, value) => return Err(invalid_value(name, value, "true or false")),
        (Form::Number, value) => return Err(invalid_value(name, value, "a number")),
        (Form::Text, value) => {
            return Err(invalid_value(name, value, if is_list(argument) { "a list of texts" } else { "a text" }));
        }
    };
    if text.contains('\0') {
        return Err(Error::usage(format!("the value of `{name}` contains a NUL character")));
    }
    if text.len() > limits::VALUE {
        let (length, most) = (text.len(), limits::VALUE);
        return Err(Error::usage(format!("the value of `{name}` has {length} bytes, but at most {most} are allowed")));
    }
    if is_path(argument) && !text.is_empty() {
        check_path_inside(root, &text)?;
    }
    Ok(Some(if argument.get_long().is_some() { format!("--{name}={text}") } else { text }))
}

/// Fails if the path leads outside of `root`, directly or through a symlink.
fn check_path_inside(root: &Path, text: &str) -> Result<()> {
    if stays_within(root, &ProjectPath::parse(text)?) {
        return Ok(());
    }
    Err(Error::user(format!("`{text}` is not a path within the project"))
        .caused_by(format!("a symlink in the path `{text}` leads outside of the project"))
        .hint("name a file below the project's folder"))
}

fn unknown_argument(leaf: &Leaf, name: &str) -> Error {
    let error = Error::usage(format!("`{}` has no argument `{name}`", leaf.name()));
    let known: Vec<&str> = leaf.arguments().map(|(known, _)| known).collect();
    match most_like(name, known.iter().copied()) {
        Some(nearest) => error.hint(hint!("use `{nearest}`", nearest)),
        None if known.is_empty() => error,
        None => error.caused_by(format!("its arguments are {}", known.join(", "))),
    }
}

fn invalid_value(name: &str, value: &Value, expected: &str) -> Error {
    Error::usage(format!("the value of `{name}` is not {expected}: `{}`", limits::clip_text(&value.to_string())))
}
