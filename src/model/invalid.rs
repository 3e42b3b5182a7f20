//! Why a name was refused.

use crate::Error;

/// A name that breaks a rule, the rule, and a name that keeps it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a valid {what}: {rule}", shortened(value))]
pub struct InvalidName {
    /// The thing to be named, such as `kind`; also the flag's name.
    pub what: &'static str,
    /// The invalid name.
    pub value: String,
    /// The rule that it breaks, as a sentence.
    pub rule: String,
    /// A valid name that could be meant.
    pub suggestion: Option<String>,
}

impl From<InvalidName> for Error {
    fn from(invalid: InvalidName) -> Self {
        let error = Error::usage(format!("`{}` is not a valid {}", shortened(&invalid.value), invalid.what))
            .caused_by(invalid.rule);
        match invalid.suggestion {
            Some(suggestion) => error.hint(format!("--{} {suggestion}", invalid.what)),
            None => error,
        }
    }
}

/// The text as an error shows it: a whole file that was passed by mistake is not repeated.
pub fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(80).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
