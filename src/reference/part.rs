//! Pieces of text, before they are written in a format.

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Words as they are read: nothing in them is markup.
    Text(String),
    /// Something to type or to paste.
    Code(String),
    /// A page elsewhere.
    Link {
        /// The words that lead there.
        text: String,
        /// Its address.
        to: String,
    },
    /// A place on this page.
    Section {
        /// The words that lead there.
        text: String,
        /// Its anchor.
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

/// A part of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Paragraph(Line),
    /// An item of a list.
    Item(Line),
    /// The lines between two fences.
    Code(Vec<String>),
}
