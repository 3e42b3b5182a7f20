//! One line of a diagnosis.

use serde::Serialize;

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// It is as it should be.
    Ok,
    /// It works, with something to know.
    Warning,
    /// Commands fail until it is mended.
    Mend,
}

/// A check, and the way to mend what it found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// The part that was checked, such as `kubectl`.
    pub name: String,
    /// The message.
    pub verdict: Verdict,
    /// The same in words.
    pub message: String,
    /// The line that mends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

impl Check {
    /// Says that it is as it should be.
    pub fn ok(name: &str, message: impl Into<String>) -> Self {
        Check { name: name.to_owned(), verdict: Verdict::Ok, message: message.into(), mend: None }
    }

    /// Says what to know of it.
    pub fn warning(name: &str, message: impl Into<String>, mend: impl Into<String>) -> Self {
        Check { verdict: Verdict::Warning, mend: Some(mend.into()), ..Check::ok(name, message) }
    }

    /// Says what must be mended.
    pub fn mend(name: &str, message: impl Into<String>, mend: impl Into<String>) -> Self {
        Check { verdict: Verdict::Mend, mend: Some(mend.into()), ..Check::ok(name, message) }
    }
}
