//! The checks of a diagnosis.

use crate::error::Hint;
use serde::Serialize;

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// The part is as it should be.
    Ok,
    /// The part works, and the user should know something about it.
    Warning,
    /// Commands fail until the part is fixed.
    Error,
}

/// A check, and the way to fix what it found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// The part that was checked, such as `kubectl`.
    pub name: String,
    /// The result of the check.
    pub verdict: Verdict,
    /// The result in words.
    pub message: String,
    /// The line to run or paste that fixes the part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Hint>,
}

impl Check {
    /// Makes a check of a part that is as it should be.
    pub fn ok(name: &str, message: impl Into<String>) -> Self {
        Check { name: name.to_owned(), verdict: Verdict::Ok, message: message.into(), hint: None }
    }

    /// Makes a check with a warning about a part that works.
    pub fn warning(name: &str, message: impl Into<String>, hint: impl Into<Hint>) -> Self {
        Check { verdict: Verdict::Warning, hint: Some(hint.into()), ..Check::ok(name, message) }
    }

    /// Makes a check of a part that must be fixed.
    pub fn error(name: &str, message: impl Into<String>, hint: impl Into<Hint>) -> Self {
        Check { verdict: Verdict::Error, hint: Some(hint.into()), ..Check::ok(name, message) }
    }
}
