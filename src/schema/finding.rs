//! Findings about the schemas of a type. Each finding has the path of a field; the line of the field in the source code
//! is determined later.

use crate::finding::{Lint, Severity};
use crate::schema::path::FieldPath;

/// A part of a schema that the API server would refuse, or that causes a loss of data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaFinding {
    /// The lint, with its code, severity and explanation.
    pub lint: &'static Lint,
    /// The path of the field from the root of the object, such as `spec.backends[].size`.
    pub path: String,
    /// The name of the Rust type that the schema describes, if the type has a name.
    pub rust_type: Option<String>,
    /// The reason for the finding, as the end of a sentence whose subject is the field.
    pub reason: String,
    /// The fix that opctl suggests for the finding.
    pub hint: String,
}

impl SchemaFinding {
    /// Creates a finding at the root of a schema.
    pub(crate) fn new(lint: &'static Lint, reason: impl Into<String>, hint: impl Into<String>) -> Self {
        let path = FieldPath::root().to_string();
        SchemaFinding { lint, path, rust_type: None, reason: reason.into(), hint: hint.into() }
    }

    /// Returns the finding with the given path.
    #[must_use]
    pub(crate) fn at(self, path: &impl ToString) -> Self {
        SchemaFinding { path: path.to_string(), ..self }
    }
}

impl std::fmt::Display for SchemaFinding {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "`{}`", self.path)?;
        if let Some(rust_type) = &self.rust_type {
            write!(formatter, " (Rust type `{rust_type}`)")?;
        }
        write!(formatter, " {}", self.reason)
    }
}

/// The findings in the schemas of one type.
#[derive(Clone, Debug, Default)]
pub struct Findings(Vec<SchemaFinding>);

impl Findings {
    /// Returns the findings that make the CRD unusable.
    pub fn errors(&self) -> impl Iterator<Item = &SchemaFinding> {
        self.of(Severity::Error)
    }

    /// Returns all findings, errors first.
    pub fn all(&self) -> impl Iterator<Item = &SchemaFinding> {
        self.errors().chain(self.of(Severity::Warning))
    }

    /// Returns true if no finding is an error, so that the CRD is usable.
    pub fn allow_use(&self) -> bool {
        self.errors().next().is_none()
    }

    fn of(&self, severity: Severity) -> impl Iterator<Item = &SchemaFinding> {
        self.0.iter().filter(move |finding| finding.lint.severity == severity)
    }

    pub(super) fn add(
        &mut self,
        lint: &'static Lint,
        path: &FieldPath,
        rust_type: Option<String>,
        reason: impl Into<String>,
        hint: &str,
    ) {
        self.0.push(SchemaFinding { rust_type, ..SchemaFinding::new(lint, reason, hint).at(path) });
    }

    pub(super) fn push(&mut self, finding: SchemaFinding) {
        self.0.push(finding);
    }

    /// Adds the findings of `others`, except at paths for which `self` already has an error: a second finding next to
    /// an error would not help the user.
    pub(super) fn add_elsewhere(&mut self, others: Findings) {
        let known: Vec<String> = self.errors().map(|finding| finding.path.clone()).collect();
        self.0.extend(others.0.into_iter().filter(|finding| !known.contains(&finding.path)));
    }
}
