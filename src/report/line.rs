//! Builds a line for the terminal from texts of any origin. Escapes hidden characters in the texts, so that a text from
//! outside of opctl cannot control the terminal.

use crate::visible::{visible, visible_line, visible_with_colors};
use anstyle::Style;
use std::fmt::Display;

/// The prefix of the second and further lines of a text, so that these lines do not look like lines of opctl.
const CONTINUED: &str = "\n    | ";

/// A line for the terminal. The methods that add text from outside of opctl escape hidden characters.
#[derive(Debug, Default)]
pub(super) struct Line(String);

impl Line {
    pub(super) fn new() -> Self {
        Line::default()
    }

    /// Adds a word that opctl itself writes, in the given style.
    pub(super) fn styled(mut self, style: Style, word: &str) -> Self {
        self.0.push_str(&format!("{style}{}{style:#}", visible_line(word)));
        self
    }

    /// Adds a fixed text of opctl, such as indentation.
    pub(super) fn own(mut self, text: &'static str) -> Self {
        self.0.push_str(text);
        self
    }

    /// Adds a text on a single line. Line ends in the text are escaped.
    pub(super) fn word(mut self, text: impl Display) -> Self {
        self.0.push_str(&visible_line(&text.to_string()));
        self
    }

    /// Adds a text, with a prefix before its second and further lines.
    pub(super) fn text(mut self, text: impl Display) -> Self {
        self.0.push_str(&visible(text.to_string().trim_end()).replace('\n', CONTINUED));
        self
    }

    /// Adds the text of a hint: commands to run, or lines to paste. Indents the second and further lines.
    pub(super) fn hint(mut self, text: &str) -> Self {
        self.0.push_str(&visible(text).replace('\n', "\n      "));
        self
    }

    /// Adds a text without changing its line breaks.
    pub(super) fn lines(mut self, text: &str) -> Self {
        self.0.push_str(&visible(text.trim_end_matches('\n')));
        self
    }

    /// Adds a text without changing its line breaks and colours.
    pub(super) fn colored(mut self, text: &str) -> Self {
        self.0.push_str(&visible_with_colors(text.trim_end_matches('\n')));
        self
    }

    /// Appends `other` on a new line.
    pub(super) fn below(mut self, other: &Line) -> Self {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.0.push_str(&other.0);
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Line;
    use crate::report::style::ERROR;

    #[test]
    fn a_text_has_one_line_of_its_own() {
        let shown = Line::new().styled(ERROR, "error:").own(" ").text("a\nerror: fake\u{1b}[31m\n");
        assert_eq!(shown.as_str(), format!("{ERROR}error:{ERROR:#} a\n    | error: fake\\u{{1b}}[31m"));
        assert_eq!(Line::new().word("a\nb").as_str(), "a\\nb");
        assert_eq!(Line::new().below(&Line::new().word("a")).below(&Line::new().word("b")).as_str(), "a\nb");
    }
}
