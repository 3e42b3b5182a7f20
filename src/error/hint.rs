//! Hints, which are lines to run or to paste. Each value in a command line is quoted as one word of a shell.

use super::shell::shell_word;
use serde::Serialize;
use std::fmt::Display;

/// The text that begins a comment at the end of a hint's line.
const COMMENT: &str = "    #";

/// Lines to run or to paste. Every value in the lines is quoted as one word of a shell, so that a name from a project,
/// a cluster or a file cannot add a command.
///
/// A hint is a constant text of opctl, or is created by [`hint!`](crate::error::hint!).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Hint(String);

impl Hint {
    /// Creates a hint from the text that [`hint!`](crate::error::hint!) has formatted. Must be called only by this
    /// macro, because it does not quote the values in the text.
    pub fn put_together(text: String) -> Self {
        Hint(text)
    }

    /// Creates a hint from text to paste into a file, or from a description of such text. The hint is not a command.
    pub fn snippet(text: impl Into<String>) -> Self {
        Hint(text.into())
    }

    /// Creates a hint from parts of a line, which are values or hints, with `separator` between the parts.
    pub fn join(parts: impl IntoIterator<Item = impl InHint>, separator: &'static str) -> Self {
        let parts = parts.into_iter().map(|part| part.in_hint()).collect::<Vec<_>>();
        Hint(parts.join(separator))
    }

    /// Appends another part to the hint.
    pub fn push(&mut self, part: impl Into<Hint>) {
        self.0.push_str(&part.into().0);
    }

    /// Returns true if the hint has no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns this hint with `part` inserted before the comment at its end, or appended if the hint has no comment.
    #[must_use]
    pub fn with_before_comment(&self, part: &Hint) -> Hint {
        // A `#` within a quoted value begins no comment.
        let is_outside = |at: &usize| self.0[..*at].matches('\'').count().is_multiple_of(2);
        let comment = self.0.match_indices(COMMENT).map(|(at, _)| at).find(is_outside).unwrap_or(self.0.len());
        Hint(format!("{}{}{}", &self.0[..comment], part.0, &self.0[comment..]))
    }

    /// Returns the hint with the flag `flag` replaced by the flag `other`.
    #[must_use]
    pub fn with_other_flag(&self, flag: &'static str, other: &'static str) -> Hint {
        Hint(self.0.replace(flag, other))
    }

    /// Returns the text of the hint.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&'static str> for Hint {
    fn from(text: &'static str) -> Self {
        Hint(text.to_owned())
    }
}

impl From<&Hint> for Hint {
    fn from(hint: &Hint) -> Self {
        hint.clone()
    }
}

impl PartialEq<&str> for Hint {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// A value or a hint that can be inserted into a hint.
pub trait InHint {
    /// Returns the text to insert into a hint.
    fn in_hint(&self) -> String;
}

/// Inserts a value as one word of a shell. [`Hint`] has no `Display`, so hints are not inserted as values.
impl<T: Display + ?Sized> InHint for T {
    fn in_hint(&self) -> String {
        shell_word(&self.to_string())
    }
}

impl InHint for Hint {
    fn in_hint(&self) -> String {
        self.0.clone()
    }
}

impl InHint for &Hint {
    fn in_hint(&self) -> String {
        self.0.clone()
    }
}

/// Creates a [`Hint`] like `format!` creates a string. Each argument is another hint, or a value that becomes one word
/// of a shell. Each name in braces must be passed as an argument: `hint!("mv {path} {path}.old", path)`.
macro_rules! hint {
    ($text:literal $(,)?) => {
        $crate::error::Hint::from($text)
    };
    ($text:literal, $($arguments:tt)+) => {
        $crate::error::hint!(@take $text [] [] $($arguments)+ ,)
    };
    (@take $text:literal [$($positional:tt)*] [$($named:tt)*] $(,)?) => {{
        use $crate::error::InHint as _;
        // `concat!` keeps `format!` from taking variables by itself.
        $crate::error::Hint::put_together(format!(concat!($text), $($positional)* $($named)*))
    }};
    (@take $text:literal [$($positional:tt)*] [$($named:tt)*] $name:ident = $value:expr, $($rest:tt)*) => {
        $crate::error::hint!(@take $text [$($positional)*] [$($named)* $name = ($value).in_hint(),] $($rest)*)
    };
    (@take $text:literal [$($positional:tt)*] [$($named:tt)*] $name:ident, $($rest:tt)*) => {
        $crate::error::hint!(@take $text [$($positional)*] [$($named)* $name = $name.in_hint(),] $($rest)*)
    };
    (@take $text:literal [$($positional:tt)*] [$($named:tt)*] $value:expr, $($rest:tt)*) => {
        $crate::error::hint!(@take $text [$($positional)* ($value).in_hint(),] [$($named)*] $($rest)*)
    };
}
pub(crate) use hint;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_one_word_and_a_hint_is_more() {
        let path = "a b; touch x";
        assert_eq!(hint!("mv {path} {path}.old", path), "mv 'a b; touch x' 'a b; touch x'.old");
        let flags = hint!(" --kind {}", path.len());
        assert_eq!(
            hint!("opctl create api{flags} --name {name}    # {}", "$(id)", flags, name = 'x'),
            "opctl create api --kind 12 --name x    # '$(id)'"
        );
        assert_eq!(hint!("{}", &flags), flags.as_str());
        assert_eq!(hint!("opctl list"), "opctl list");
        assert_eq!(Hint::join(["a", "b c"], ","), "a,'b c'");
    }
}
