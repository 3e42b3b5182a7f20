//! Names and namespaces in templates: both depend on the Helm release, so that two releases of a chart in one
//! cluster do not collide.

use super::helm_yaml::Actions;
use crate::packaging::operator_objects::OperatorObjects;
use crate::packaging::read_strings::text;
use serde_json::Value;
use std::collections::BTreeSet;

/// The maximum length of most object names, which the chart's helper `resourceName` enforces by default.
const LONGEST: usize = 63;
/// The maximum length of an object name that may be a DNS subdomain.
const LONGEST_SUBDOMAIN: usize = 253;

/// The names of a chart's objects that begin with the common prefix of the operator's objects. In the chart, the
/// release's name replaces this prefix.
pub(super) struct Names<'a> {
    project: &'a str,
    namespace: &'a str,
    account: &'a str,
    /// The common prefix of the names, including the final `-`; empty if the names have no common prefix.
    prefix: &'a str,
    all: BTreeSet<&'a str>,
}

impl<'a> Names<'a> {
    pub(super) fn of(project: &'a str, operator: &OperatorObjects<'a>, objects: &'a [Value]) -> Self {
        let deployment = text(operator.deployment, "/metadata/name");
        let of_project = || deployment.get(..=project.len()).filter(|start| start.strip_suffix('-') == Some(project));
        let prefix = deployment.strip_suffix("controller-manager").or_else(of_project).unwrap_or_default();
        let prefix = if prefix.len() > 1 && prefix.ends_with('-') { prefix } else { "" };
        // kustomize puts no prefix before the names of these kinds.
        let is_named = |object: &&Value| !["CustomResourceDefinition", "Namespace"].contains(&text(object, "/kind"));
        let names = objects.iter().filter(|object| is_named(object)).map(|object| text(object, "/metadata/name"));
        let names = names.filter(|name| !prefix.is_empty() && name.len() > prefix.len() && name.starts_with(prefix));
        let namespace = text(operator.deployment, "/metadata/namespace");
        Names { project, namespace, account: operator.account, prefix, all: names.collect() }
    }

    /// Returns the release name that gives the objects the same names as in `dist/install.yaml`.
    pub(super) fn release(&self) -> &'a str {
        let prefix = self.prefix.trim_end_matches('-');
        if prefix.is_empty() { self.project } else { prefix }
    }

    /// Returns `name` without the common prefix of the names. If the names have no common prefix, removes the project's
    /// name and the `-` after it instead.
    pub(super) fn short<'n>(&self, name: &'n str) -> &'n str {
        let common = if self.prefix.is_empty() { self.project } else { self.prefix };
        name.strip_prefix(common).unwrap_or(name).trim_start_matches('-')
    }

    /// Returns true if the object name begins with the common prefix, which the chart replaces with the name of the
    /// release.
    pub(super) fn has_release_prefix(&self, name: &str) -> bool {
        self.all.contains(name)
    }

    /// Returns the Helm expression for an object name that begins with the common prefix. The expression yields the
    /// name of the release, followed by `name` without the common prefix.
    pub(super) fn expression(&self, name: &str) -> String {
        let suffix = name.strip_prefix(self.prefix).unwrap_or(name);
        // Room for a part of the release's name and for the hash of the rest.
        let is_long = name.len() > LONGEST || suffix.len() + 13 > LONGEST;
        let limit = if is_long { format!(" \"limit\" {LONGEST_SUBDOMAIN}") } else { String::new() };
        let suffix = Value::from(suffix);
        format!("include \"{}.resourceName\" (dict \"suffix\" {suffix}{limit} \"context\" $)", self.project)
    }

    /// Returns the Helm expression for the name of the operator's service account.
    pub(super) fn account(&self) -> String {
        format!("include \"{}.serviceAccountName\" $", self.project)
    }

    /// Replaces object names and the operator's namespace with Helm actions in all texts of `value`.
    pub(super) fn replace(&self, value: &mut Value, actions: &mut Actions) {
        match value {
            Value::Object(map) => {
                for (key, inner) in map {
                    match inner {
                        Value::String(text) if key == "namespace" && *text == self.namespace && !text.is_empty() => {
                            *inner = actions.inline("{{ .Release.Namespace | quote }}").into();
                        }
                        Value::String(text)
                            if key == "serviceAccountName" && *text == self.account && !text.is_empty() =>
                        {
                            *inner = actions.inline(format!("{{{{ {} | quote }}}}", self.account())).into();
                        }
                        // An image may have the name of an object, and is in no cluster.
                        Value::String(_) if key == "image" => {}
                        _ => self.replace(inner, actions),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.replace(item, actions)),
            Value::String(text) => *text = self.replace_in_text(text, actions),
            _ => {}
        }
    }

    fn replace_in_text(&self, text: &str, actions: &mut Actions) -> String {
        const RELEASE: &str = "{{ .Release.Namespace }}";
        if self.has_release_prefix(text) {
            let is_plain = |character: char| character.is_ascii_alphanumeric() || "-.".contains(character);
            let quote = if text.chars().all(is_plain) { "" } else { " | quote" };
            return actions.inline(format!("{{{{ {}{quote} }}}}", self.expression(text)));
        }
        if self.namespace.is_empty() {
            return text.to_owned();
        }
        // `namespace/name`, as cert-manager expects it.
        if let Some(name) = text.strip_prefix(self.namespace).and_then(|rest| rest.strip_prefix('/')) {
            return format!("{}/{}", actions.inline(RELEASE), self.label(name, actions));
        }
        // DNS names of services.
        let dns = format!(".{}.svc", self.namespace);
        let mut pieces = text.split(&dns).peekable();
        let mut joined = String::new();
        while let Some(piece) = pieces.next() {
            if pieces.peek().is_none() {
                joined.push_str(piece);
                break;
            }
            let start = piece
                .rfind(|character| !is_of_label(character))
                .map_or(0, |at| at + piece[at..].chars().next().map_or(1, char::len_utf8));
            let (before, label) = piece.split_at(start);
            joined += &format!("{before}{}.{}.svc", self.label(label, actions), actions.inline(RELEASE));
        }
        // The user as which the operator's pods ask the API server.
        let user = format!("system:serviceaccount:{}:{}", self.namespace, self.account);
        let is_user = |at: usize| !joined[at + user.len()..].starts_with(is_of_label);
        match joined.find(&user).filter(|at| !self.account.is_empty() && is_user(*at)) {
            Some(at) => {
                let namespace = actions.inline(RELEASE);
                let account = actions.inline(format!("{{{{ {} }}}}", self.account()));
                let rest = &joined[at + user.len()..];
                format!("{}system:serviceaccount:{namespace}:{account}{rest}", &joined[..at])
            }
            None => joined,
        }
    }

    /// Returns a placeholder word if `text` is one of the object names, and otherwise `text` itself. In the written
    /// template, a Helm action for the object's name replaces the placeholder word.
    fn label(&self, text: &str, actions: &mut Actions) -> String {
        if self.has_release_prefix(text) {
            actions.inline(format!("{{{{ {} }}}}", self.expression(text)))
        } else {
            text.to_owned()
        }
    }
}

fn is_of_label(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '-'
}
