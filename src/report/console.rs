//! The terminal: status lines, warnings and progress on stderr; data on stdout.

use super::line::Line;
use super::progress::{Overall, Spinner, above};
use super::style::{HINT, VERB, WARNING};
use crate::visible::{visible, visible_in_json, visible_with_colors};
use crate::{Error, Result};
use anstream::ColorChoice;
use anstream::adapter::strip_str;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The level of detail of the messages that the console shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Only errors and warnings (`-q`).
    Quiet,
    /// Errors, warnings, notes and status lines.
    #[default]
    Normal,
    /// All messages, including details (`-v`).
    Verbose,
}

/// The only part of opctl that writes to stdout and stderr.
#[derive(Clone, Debug)]
pub struct Console {
    verbosity: Verbosity,
    json: bool,
    /// True if each step of a long command may print its own JSON document.
    pub(super) prints_steps: bool,
    interactive: bool,
    /// The first error of writing to stdout. All clones share the error, because they share stdout.
    lost: Arc<OnceLock<std::io::Error>>,
}

impl Console {
    /// Creates a console. `color` applies to stdout and stderr. `json` limits stdout to JSON documents, and hides
    /// status lines unless `-v` is given.
    pub fn new(verbosity: Verbosity, color: ColorChoice, json: bool) -> Self {
        color.write_global();
        let verbosity = if json && verbosity == Verbosity::Normal { Verbosity::Quiet } else { verbosity };
        let interactive = std::io::stderr().is_terminal() && verbosity == Verbosity::Normal;
        Console { verbosity, json, prints_steps: true, interactive, lost: Arc::default() }
    }

    /// Creates a console without status lines, for tests and for use as a library. The console still prints warnings,
    /// errors and data.
    pub fn silent() -> Self {
        Console {
            verbosity: Verbosity::Quiet,
            json: false,
            prints_steps: true,
            interactive: false,
            lost: Arc::default(),
        }
    }

    /// Returns the console with output for the steps of long commands turned off, because SARIF output must be a single
    /// document on stdout.
    #[must_use]
    pub fn without_steps(self) -> Self {
        Console { prints_steps: false, ..self }
    }

    /// Returns true if the user asked for the report as JSON.
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

    /// Prints a status line: a verb, right-aligned as in cargo's status lines, and its object.
    pub fn status(&self, verb: &str, message: impl std::fmt::Display) {
        self.statuses([(verb, message)]);
    }

    /// Prints many status lines with one write.
    pub(super) fn statuses<'a>(&self, lines: impl IntoIterator<Item = (&'a str, impl std::fmt::Display)>) {
        if self.talkative() {
            let shown = lines.into_iter().map(|(verb, message)| status_line(verb, message));
            let shown = shown.fold(Line::new(), |all, line| all.below(&line));
            if !shown.is_empty() {
                print(&shown);
            }
        }
    }

    /// Prints a command with a `$` prompt, as if the user had typed the command.
    pub fn command(&self, command: &str) {
        if self.talkative() {
            print(&Line::new().own("\n").styled(HINT, "$").own(" ").word(command));
        }
    }

    /// Prints a detail, if the user gave `-v`.
    pub fn detail(&self, message: impl std::fmt::Display) {
        if self.verbose() {
            print(&Line::new().own("             ").text(message));
        }
    }

    /// Prints a note for the user, which is neither a warning nor an error.
    pub fn note(&self, message: impl std::fmt::Display) {
        if self.talkative() {
            print(&Line::new().styled(HINT, "note:").own(" ").text(message));
        }
    }

    /// Prints a warning, even with `-q`. With `-o json`, prints the warning only in verbose mode, because the command's
    /// report contains the warnings.
    pub fn warning(&self, message: impl std::fmt::Display) {
        if !self.json || self.verbose() {
            print(&Line::new().styled(WARNING, "warning:").own(" ").text(message));
        }
    }

    /// Prints the lines of a text on stderr, such as a table or a log.
    pub fn lines(&self, text: &str) {
        if !text.is_empty() {
            print(&Line::new().lines(text));
        }
    }

    /// Prints the output of another program on stderr with its colours, such as a compiler's messages.
    pub fn print_colored(&self, text: &str) {
        if !text.is_empty() {
            print(&Line::new().colored(text));
        }
    }

    /// Prints text for people on stdout. [`Console::check_data`] reports a failure to write.
    pub fn data(&self, text: &str) {
        self.write(&visible(text));
    }

    /// Prints a text with opctl's own styles on stdout.
    pub(super) fn print_styled(&self, text: &str) {
        let colors = anstream::stdout().current_choice() != ColorChoice::Never;
        let text = visible_with_colors(text);
        self.write(&if colors { text } else { strip_str(&text).to_string() });
    }

    /// Prints a document on stdout, such as a script, a diff or a log: unchanged to a file or a pipe, and with escaped
    /// hidden characters to a terminal.
    pub fn document(&self, text: &str) {
        if std::io::stdout().is_terminal() { self.data(text) } else { self.write(text) }
    }

    /// Prints a JSON document on stdout.
    pub(super) fn json_document(&self, text: &str) {
        self.write(&visible_in_json(text));
    }

    fn write(&self, text: &str) {
        let written = above(|| {
            // Not through `anstream`, which would take escape sequences out of a document.
            let mut stdout = std::io::stdout().lock();
            writeln!(stdout, "{}", text.trim_end_matches('\n')).and_then(|()| stdout.flush())
        });
        if let Err(error) = written {
            self.lost.get_or_init(|| error);
        }
    }

    /// Returns false after a failure to write data, for example because the reader of stdout has exited.
    pub fn is_read(&self) -> bool {
        self.lost.get().is_none()
    }

    /// Checks that all data was written. An early exit of the reader, such as `head`, is not an error.
    ///
    /// # Errors
    /// Fails if data could not be written, for example because the disk is full.
    pub fn check_data(&self) -> Result<()> {
        match self.lost.get() {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::environment("cannot write to stdout")
                .caused_by(error)
                .hint("free some space, or send the output elsewhere, and run the same command again")),
            _ => Ok(()),
        }
    }

    /// Starts a spinner on a terminal; otherwise prints a status line. The spinner ends when it is dropped.
    pub fn spinner(&self, verb: &'static str, message: impl Into<String>) -> Spinner {
        let message = message.into();
        if self.interactive {
            return Spinner::shown(verb, &message);
        }
        self.status(verb, &message);
        Spinner::hidden()
    }

    /// Starts a progress bar over all steps of a long command, on a terminal only. The bar ends when it is dropped.
    pub fn overall(&self, verb: &str, total: Duration) -> Overall {
        Overall::new(verb, total, self.interactive)
    }
}

fn status_line(verb: &str, message: impl std::fmt::Display) -> Line {
    Line::new().styled(VERB, &format!("{verb:>12}")).own(" ").word(message)
}

pub(super) fn print(line: &Line) {
    above(|| {
        let mut stderr = anstream::stderr().lock();
        let mut text = format!("{}\n", line.as_str());
        // Written at once: the stream would write the text between any two styles by itself.
        if stderr.current_choice() == ColorChoice::Never {
            text = strip_str(&text).to_string();
        }
        let _ = stderr.write_all(text.as_bytes());
    });
}
