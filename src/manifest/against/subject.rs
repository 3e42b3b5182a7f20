//! The CRD and the version that a comparison examines, and the findings about them.

use crate::finding::{Finding, Lint};
use crate::source::discover::ApiType;
use crate::source::places::Places;
use serde_json::Value;
use std::path::Path;

/// The CRD that is compared, the current version, and the findings so far.
pub(super) struct Subject<'a> {
    /// The CRD's name, `<plural>.<group>`.
    pub(super) definition: String,
    pub(super) kind: String,
    group: String,
    version: Option<String>,
    file: &'a Path,
    types: &'a [ApiType],
    places: &'a Places,
    pub(super) findings: Vec<Finding>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(old: &Value, file: &'a Path, types: &'a [ApiType], places: &'a Places) -> Self {
        let text = |pointer: &str| old.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        Subject {
            definition: text("/metadata/name"),
            kind: text("/spec/names/kind"),
            group: text("/spec/group"),
            version: None,
            file,
            types,
            places,
            findings: Vec::new(),
        }
    }

    /// Sets the version that the following findings name.
    pub(super) fn at_version(&mut self, version: Option<&str>) {
        self.version = version.map(str::to_owned);
    }

    /// Returns the Rust type of the kind in the current version, or the Rust type of another version if the project
    /// lacks the current version.
    fn api_type(&self) -> Option<&'a ApiType> {
        let of_kind = |found: &&ApiType| found.resource.group == self.group && found.resource.kind == self.kind;
        let of_version = |found: &&ApiType| Some(&found.resource.version) == self.version.as_ref();
        self.types.iter().filter(of_kind).find(of_version).or_else(|| self.types.iter().find(of_kind))
    }

    /// Adds a finding about the field at `path`, such as `spec.backends[].size`, at the line of the field. If `path` is
    /// `None`, the finding is about the CRD, at the line of its Rust type.
    pub(super) fn say(&mut self, lint: &Lint, path: Option<&str>, reason: impl Into<String>, hint: impl Into<String>) {
        let api_type = self.api_type();
        let place = path.zip(api_type).and_then(|(path, api_type)| self.places.field(api_type, path));
        let (file, line) = place
            .or_else(|| api_type.map(|api_type| (api_type.file.as_path(), api_type.line)))
            .unwrap_or((self.file, 1));
        let mut finding = Finding::new(lint, file, line, reason, hint);
        finding.resource = api_type.map(|api_type| api_type.path.clone());
        finding.path = path.map(|path| format!(".{path}"));
        finding.definition = Some(self.definition.clone());
        finding.version.clone_from(&self.version);
        self.findings.push(finding);
    }

    /// Adds a finding about an attribute of `#[kube(..)]`, at the line of the attribute.
    pub(super) fn say_at(&mut self, lint: &Lint, attribute: &str, reason: impl Into<String>, hint: impl Into<String>) {
        let line = self.api_type().and_then(|api_type| api_type.resource.lines.get(attribute)?.first().copied());
        self.say(lint, None, reason, hint);
        if let (Some(line), Some(finding)) = (line, self.findings.last_mut()) {
            finding.line = line;
        }
    }

    /// Adds a finding about the field at `path`, or about the whole object if `path` is empty. The text of the finding
    /// is a sentence that begins with the field, the kind and the version, and ends with `reason`, such as `has a new
    /// pattern`.
    pub(super) fn say_of(&mut self, lint: &Lint, path: &str, reason: &str, hint: &str) {
        let version = self.version.as_deref().unwrap_or_default();
        let what = if path.is_empty() { "the object".to_owned() } else { format!("the field `{path}`") };
        let reason = format!("{what} of `{}` {version} {reason}", self.kind);
        self.say(lint, Some(path).filter(|path| !path.is_empty()), reason, hint);
    }
}
