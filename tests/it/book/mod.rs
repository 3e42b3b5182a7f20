//! The book: its chapters, which `.ci/book` builds with mdBook, and what they say.
//!
//! Chapters by hand are in `.github/book`. The others are made of what opctl shows: the topics and the help of commands,
//! and the pages of findings. All of them are written to `target/book/src`.

mod chapters;
mod checks;
mod code;
mod command_page;
mod commands;
mod played;
mod reference;

pub(crate) use commands::{commands, shell_words};
pub(crate) use played::{on_plane, script};
