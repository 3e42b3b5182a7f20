//! The error for an invalid name.

use crate::Error;
use crate::error::hint;

/// An invalid name, the rule that it breaks, and a valid name to suggest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a valid {what}: {rule}", shorten_input(value))]
pub struct InvalidName {
    /// The role of the name, such as `kind`: the name of the command-line flag that sets it, without `--`.
    pub what: &'static str,
    /// The name that is invalid.
    pub value: String,
    /// The rule that the name breaks, as a sentence.
    pub rule: String,
    /// A valid name that the user may have meant.
    pub suggestion: Option<String>,
}

impl From<InvalidName> for Error {
    fn from(invalid: InvalidName) -> Self {
        let error = Error::usage(format!("`{}` is not a valid {}", shorten_input(&invalid.value), invalid.what))
            .caused_by(invalid.rule);
        match invalid.suggestion {
            Some(suggestion) => error.hint(hint!("--{} {suggestion}", invalid.what, suggestion)),
            None => error,
        }
    }
}

/// Shortens a text for an error message, in case the user passed a whole file by mistake.
pub fn shorten_input(text: &str) -> String {
    let mut shown: String = text.chars().take(80).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
