//! The terminal: status lines, warnings and progress on stderr; data on stdout.

use super::progress::{Overall, Spinner, above};
use super::style::{HINT, VERB, WARNING};
use crate::{Error, Result};
use anstream::ColorChoice;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The amount of conversation to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Errors and warnings only (`-q`).
    Quiet,
    /// Status lines too.
    #[default]
    Normal,
    /// Details too (`-v`).
    Verbose,
}

/// The only writer to stdout and stderr.
#[derive(Clone, Debug)]
pub struct Console {
    verbosity: Verbosity,
    json: bool,
    interactive: bool,
    /// The first error of writing data; shared, for there is one stdout.
    lost: Arc<OnceLock<std::io::Error>>,
}

impl Console {
    /// `color` decides for both streams; `json` keeps stdout to one document and silences the conversation, unless
    /// it was asked for with `-v`.
    pub fn new(verbosity: Verbosity, color: ColorChoice, json: bool) -> Self {
        color.write_global();
        let verbosity = if json && verbosity == Verbosity::Normal { Verbosity::Quiet } else { verbosity };
        let interactive = std::io::stderr().is_terminal() && verbosity == Verbosity::Normal;
        Console { verbosity, json, interactive, lost: Arc::default() }
    }

    /// A console that says nothing, for tests and for embedding.
    pub fn silent() -> Self {
        Console { verbosity: Verbosity::Quiet, json: false, interactive: false, lost: Arc::default() }
    }

    /// Returns true if the report is wanted as JSON.
    pub fn json(&self) -> bool {
        self.json
    }

    /// Returns true if `-v` was given.
    pub fn verbose(&self) -> bool {
        self.verbosity == Verbosity::Verbose
    }

    /// Returns true if status lines are shown.
    pub fn talkative(&self) -> bool {
        self.verbosity >= Verbosity::Normal
    }

    /// Says that something is being done: a verb, right-aligned as cargo does, and its object.
    pub fn status(&self, verb: &str, message: impl std::fmt::Display) {
        if self.talkative() {
            line(format_args!("{VERB}{verb:>12}{VERB:#} {message}"));
        }
    }

    /// Shows a command as if it had been typed.
    pub fn command(&self, command: &str) {
        if self.talkative() {
            line(format_args!("\n{HINT}${HINT:#} {command}"));
        }
    }

    /// Says something that `-v` asked for.
    pub fn detail(&self, message: impl std::fmt::Display) {
        if self.verbose() {
            line(format_args!("{:>12} {message}", ""));
        }
    }

    /// Says something that is not wrong but that the user should know.
    pub fn note(&self, message: impl std::fmt::Display) {
        if self.talkative() {
            line(format_args!("{HINT}note:{HINT:#} {message}"));
        }
    }

    /// Warns; shown with `-q` too. Under `-o json` warnings belong into the report.
    pub fn warning(&self, message: impl std::fmt::Display) {
        if !self.json || self.verbose() {
            line(format_args!("{WARNING}warning:{WARNING:#} {message}"));
        }
    }

    /// Prints text that belongs to the conversation as it is, such as a compiler's messages.
    pub fn passthrough(&self, text: &str) {
        if !text.is_empty() {
            line(format_args!("{}", text.trim_end_matches('\n')));
        }
    }

    /// Prints data; what cannot be written is told by [`Console::check_data`].
    pub fn data(&self, text: &str) {
        let written = above(|| {
            let mut stdout = anstream::stdout().lock();
            writeln!(stdout, "{}", text.trim_end_matches('\n')).and_then(|()| stdout.flush())
        });
        if let Err(error) = written {
            self.lost.get_or_init(|| error);
        }
    }

    /// Returns false once data cannot be written any more, because its reader went away for example.
    pub fn is_read(&self) -> bool {
        self.lost.get().is_none()
    }

    /// Checks that all data arrived. A reader that went away, such as `head`, is not an error.
    ///
    /// # Errors
    /// A full disk and the like.
    pub fn check_data(&self) -> Result<()> {
        match self.lost.get() {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::environment("cannot write to stdout")
                .caused_by(error)
                .hint("free some space, or send the output elsewhere, and run the same command again")),
            _ => Ok(()),
        }
    }

    /// Starts a spinner on a terminal, prints one plain line elsewhere. It ends when dropped.
    pub fn spinner(&self, verb: &'static str, message: impl Into<String>) -> Spinner {
        let message = message.into();
        if self.interactive {
            return Spinner::shown(verb, message);
        }
        self.status(verb, &message);
        Spinner::hidden()
    }

    /// Starts a bar over all steps of a long command; on a terminal only. It ends when dropped.
    pub fn overall(&self, verb: &str, total: Duration) -> Overall {
        Overall::new(verb, total, self.interactive)
    }
}

pub(super) fn line(line: std::fmt::Arguments<'_>) {
    above(|| {
        let mut stderr = anstream::stderr().lock();
        let _ = writeln!(stderr, "{line}");
    });
}
