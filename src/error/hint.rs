//! Lines to run or to paste, which carry nothing of others but as words.

use super::shell::shell_word;
use serde::Serialize;
use std::fmt::Display;

/// The text before a comment in a line.
const COMMENT: &str = "    #";

/// Lines to run or to paste. Every value in them is one word of a shell, so that a name in a project, a cluster or a
/// file cannot bring a command of its own.
///
/// A hint is a text of opctl's own, or made by [`hint!`](crate::error::hint!).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Hint(String);

impl Hint {
    /// Makes a hint of a text that [`hint!`](crate::error::hint!) has put together, which is the only caller.
    pub fn put_together(text: String) -> Self {
        Hint(text)
    }

    /// Makes a hint of text that belongs into a file, or of words about such text. It is not a command.
    pub fn snippet(text: impl Into<String>) -> Self {
        Hint(text.into())
    }

    /// Joins parts of a line, each of which is a word or a hint.
    pub fn join(parts: impl IntoIterator<Item = impl InHint>, separator: &'static str) -> Self {
        let parts = parts.into_iter().map(|part| part.in_hint()).collect::<Vec<_>>();
        Hint(parts.join(separator))
    }

    /// Adds another part at the end.
    pub fn push(&mut self, part: impl Into<Hint>) {
        self.0.push_str(&part.into().0);
    }

    /// Returns true if there is no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the line with `part` inserted before the comment at its end, if it has one.
    #[must_use]
    pub fn with_before_comment(&self, part: &Hint) -> Hint {
        // A `#` within a quoted value begins no comment.
        let is_outside = |at: &usize| self.0[..*at].matches('\'').count().is_multiple_of(2);
        let comment = self.0.match_indices(COMMENT).map(|(at, _)| at).find(is_outside).unwrap_or(self.0.len());
        Hint(format!("{}{}{}", &self.0[..comment], part.0, &self.0[comment..]))
    }

    /// Returns the lines with another flag in the place of `flag`.
    #[must_use]
    pub fn with_other_flag(&self, flag: &'static str, other: &'static str) -> Hint {
        Hint(self.0.replace(flag, other))
    }

    /// Returns the text.
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

/// A value that can stand in a hint.
pub trait InHint {
    /// Returns the value as it stands in a hint.
    fn in_hint(&self) -> String;
}

/// A value is one word. [`Hint`] has no `Display`, so that it is no value.
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

/// Makes a [`Hint`] as `format!` makes a text. Each argument is a value, which becomes one word of a shell, or another
/// hint. A name in braces has to be among the arguments too: `hint!("mv {path} {path}.old", path)`.
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
