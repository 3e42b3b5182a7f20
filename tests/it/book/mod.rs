//! Tests of the book's chapters, which `.ci/book` builds with mdBook.
//!
//! Hand-written chapters are in `.github/book`. The other chapters are generated from output of opctl: the topics,
//! the help of commands, and the pages of findings. All chapters are written to `target/book/src`.

mod chapters;
mod checks;
mod code;
mod command_page;
mod commands;
mod played;
mod reference;

pub(crate) use commands::{commands, shell_words};
pub(crate) use played::{on_plane, script};
