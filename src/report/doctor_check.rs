//! The checks of `opctl doctor`.

use crate::error::Hint;
use serde::Serialize;

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// The checked part of the user's environment works.
    Ok,
    /// The checked part of the user's environment works, but the message is a warning for the user.
    Warning,
    /// The checked part of the user's environment does not work: commands fail until the user fixes it.
    Error,
}

/// A check of a part of the user's environment, with its result and a fix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// The name of the checked part, such as `kubectl`.
    pub name: String,
    /// The result of the check.
    pub verdict: Verdict,
    /// The result in words.
    pub message: String,
    /// The fix for the checked part: a command to run, or a text to paste into a file or a command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Hint>,
}

impl Check {
    /// Returns the result of a check that passed.
    pub fn ok(name: &str, message: impl Into<String>) -> Self {
        Check { name: name.to_owned(), verdict: Verdict::Ok, message: message.into(), hint: None }
    }

    /// Returns the result of a check that passed, with a warning for the user.
    pub fn warning(name: &str, message: impl Into<String>, hint: impl Into<Hint>) -> Self {
        Check { verdict: Verdict::Warning, hint: Some(hint.into()), ..Check::ok(name, message) }
    }

    /// Returns the result of a check that failed, with what the user must fix.
    pub fn error(name: &str, message: impl Into<String>, hint: impl Into<Hint>) -> Self {
        Check { verdict: Verdict::Error, hint: Some(hint.into()), ..Check::ok(name, message) }
    }
}
