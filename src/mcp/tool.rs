//! Describes commands as MCP tools, with the arguments of the command line.

use super::effect::{Effect, changes_cluster};
use super::leaf::{Form, Leaf, form, is_list};
use super::limits::MAXIMUM_SECONDS;
use clap::Arg;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The argument that allows a call to change something.
pub(super) const APPLY: &str = "apply";
/// The argument that limits the time of a command, in seconds.
pub(super) const SECONDS: &str = "seconds";
/// The URI of the resource with the schema of reports.
pub(super) const REPORT_SCHEMA: &str = "opctl://schema/report";

/// Returns the description of a command as a tool.
pub(super) fn tool(leaf: &Leaf) -> Tool {
    let command = &leaf.command;
    let about = command.get_long_about().or_else(|| command.get_about()).map(ToString::to_string).unwrap_or_default();
    let more = match leaf.effect {
        Effect::Reads => "",
        Effect::Plans => "\n\nIt shows the changes, and makes them with `apply: true`.",
        Effect::Runs => "\n\nIt runs programs, and needs `apply: true`.",
    };
    let annotations = ToolAnnotations::new()
        .read_only(leaf.effect == Effect::Reads)
        .destructive(leaf.words.starts_with("delete") || ["undeploy", "uninstall"].contains(&leaf.words.as_str()))
        .open_world(changes_cluster(&leaf.words));
    Tool::new(leaf.name(), format!("{about}{more}"), schema(leaf))
        .with_raw_output_schema(Arc::new(output()))
        .with_annotations(annotations)
}

/// Returns the JSON schema of a tool's arguments.
fn schema(leaf: &Leaf) -> JsonObject {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, argument) in leaf.arguments() {
        properties.insert(name.to_owned(), property(argument));
        if argument.is_required_set() {
            required.push(name);
        }
    }
    if leaf.effect != Effect::Reads {
        let text = "Carry out the command; without this, nothing is changed and no program of the project is started";
        properties.insert(APPLY.to_owned(), json!({"type": "boolean", "default": false, "description": text}));
    }
    if has_seconds(leaf) {
        let text = "The time in seconds after which the command is interrupted, as with Ctrl+C";
        let seconds = json!({"type": "integer", "minimum": 1, "maximum": MAXIMUM_SECONDS, "description": text});
        properties.insert(SECONDS.to_owned(), seconds);
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema
}

/// Returns true if a call can limit the time of the command.
pub(super) fn has_seconds(leaf: &Leaf) -> bool {
    leaf.effect == Effect::Runs || leaf.words == "logs"
}

fn property(argument: &Arg) -> Value {
    let values: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| value.get_name().to_owned())
        .collect();
    let mut one = match form(argument) {
        Form::Switch | Form::Choice => json!({"type": "boolean"}),
        Form::Number => json!({"type": "integer"}),
        Form::Text if values.is_empty() => json!({"type": "string"}),
        Form::Text => json!({"type": "string", "enum": values}),
    };
    if is_list(argument) {
        one = json!({"type": "array", "items": one});
    }
    if let Some(text) = argument.get_help() {
        one["description"] = json!(text.to_string());
    }
    one
}

/// Returns the JSON schema of the fields that all reports have in common. The whole schema is a resource, so that the
/// list of tools does not repeat it for each tool.
fn output() -> JsonObject {
    let text = |text: &str| json!({"type": "string", "description": text});
    let properties = json!({
        "apiVersion": {"const": "opctl.dev/v1alpha1"},
        "kind": {"const": "Report"},
        "command": text("The command"),
        "outcome": text("`changed`, `unchanged`, `dryRun`, `shown`, `interrupted` or `failed`"),
    });
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("description".to_owned(), json!(format!("The report of the command: see {REPORT_SCHEMA}")));
    schema.insert("properties".to_owned(), properties);
    schema.insert("required".to_owned(), json!(["apiVersion", "kind", "command", "outcome"]));
    schema
}
