//! Problems of schemas.

use crate::schema::path::FieldPath;

/// Something that the API server would refuse, or lose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The stable code.
    pub code: &'static str,
    /// The path from the root of the object: `spec.backends[].size`.
    pub path: String,
    /// The Rust type whose schema it is, where it has a name.
    pub rust_type: Option<String>,
    /// The reason, as the end of a sentence that begins with the field.
    pub reason: String,
    /// The fix.
    pub hint: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "`{}`", self.path)?;
        if let Some(rust_type) = &self.rust_type {
            write!(formatter, " (Rust type `{rust_type}`)")?;
        }
        write!(formatter, " {}", self.reason)
    }
}

/// The problems and warnings of one type.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Problems that make the definition unusable.
    pub problems: Vec<Problem>,
    /// Problems that a definition may have.
    pub warnings: Vec<Problem>,
}

impl Findings {
    pub(super) fn problem(
        &mut self,
        code: &'static str,
        path: &FieldPath,
        rust_type: Option<String>,
        reason: impl Into<String>,
        hint: &str,
    ) {
        self.problems.push(Problem::new(code, path, rust_type, reason, hint));
    }

    pub(super) fn warning(
        &mut self,
        code: &'static str,
        path: &FieldPath,
        rust_type: Option<String>,
        reason: impl Into<String>,
        hint: &str,
    ) {
        self.warnings.push(Problem::new(code, path, rust_type, reason, hint));
    }
}

impl Problem {
    fn new(
        code: &'static str,
        path: &FieldPath,
        rust_type: Option<String>,
        reason: impl Into<String>,
        hint: &str,
    ) -> Self {
        Problem { code, path: path.to_string(), rust_type, reason: reason.into(), hint: hint.to_owned() }
    }
}
