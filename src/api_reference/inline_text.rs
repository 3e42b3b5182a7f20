//! Text with code and links, independent of the output format.

/// A part of a line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Plain text without markup.
    Text(String),
    /// Code, such as a command or a value.
    Code(String),
    /// A link to another page.
    Link {
        /// The words of the link.
        text: String,
        /// The URL of the page.
        to: String,
    },
    /// A link to a section of the same page.
    Section {
        /// The words of the link.
        text: String,
        /// The anchor of the section.
        anchor: String,
    },
}

impl Part {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Part::Text(text.into())
    }

    pub(super) fn code(text: impl Into<String>) -> Self {
        Part::Code(text.into())
    }

    pub(super) fn section(text: impl Into<String>, anchor: impl Into<String>) -> Self {
        Part::Section { text: text.into(), anchor: anchor.into() }
    }
}

/// A line of text.
pub(super) type Line = Vec<Part>;

/// A block of a description: a paragraph, a list item or code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Paragraph(Line),
    /// An item of a list.
    Item(Line),
    /// The lines of a fenced code block.
    Code(Vec<String>),
}
