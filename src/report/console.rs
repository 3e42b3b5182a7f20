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

/// The amount of messages that are shown.
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
    /// True if each step of a long command may print a document.
    pub(super) prints_steps: bool,
    interactive: bool,
    /// The first error of writing data; shared by all clones, as there is one stdout.
    lost: Arc<OnceLock<std::io::Error>>,
}

impl Console {
    /// Makes a console. `color` applies to both streams. `json` keeps stdout to one document and silences status lines,
    /// unless `-v` asks for them.
    pub fn new(verbosity: Verbosity, color: ColorChoice, json: bool) -> Self {
        color.write_global();
        let verbosity = if json && verbosity == Verbosity::Normal { Verbosity::Quiet } else { verbosity };
        let interactive = std::io::stderr().is_terminal() && verbosity == Verbosity::Normal;
        Console { verbosity, json, prints_steps: true, interactive, lost: Arc::default() }
    }

    /// Makes a console without status lines, for tests and for embedding. It prints warnings, errors and data all the
    /// same.
    pub fn silent() -> Self {
        Console {
            verbosity: Verbosity::Quiet,
            json: false,
            prints_steps: true,
            interactive: false,
            lost: Arc::default(),
        }
    }

    /// Keeps the steps of long commands off stdout: SARIF is one document.
    #[must_use]
    pub fn without_steps(self) -> Self {
        Console { prints_steps: false, ..self }
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

    /// Prints what is being done: a verb, right-aligned as cargo does, and its object.
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

    /// Shows a command as if it had been typed.
    pub fn command(&self, command: &str) {
        if self.talkative() {
            print(&Line::new().own("\n").styled(HINT, "$").own(" ").word(command));
        }
    }

    /// Prints a detail that `-v` asks for.
    pub fn detail(&self, message: impl std::fmt::Display) {
        if self.verbose() {
            print(&Line::new().own("             ").text(message));
        }
    }

    /// Prints a note: nothing is wrong, but the user should know about it.
    pub fn note(&self, message: impl std::fmt::Display) {
        if self.talkative() {
            print(&Line::new().styled(HINT, "note:").own(" ").text(message));
        }
    }

    /// Prints a warning, with `-q` too. With `-o json` warnings belong into the report.
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

    /// Prints what a program said on stderr, with the colours that the program gave it, such as a compiler's messages.
    pub fn colored(&self, text: &str) {
        if !text.is_empty() {
            print(&Line::new().colored(text));
        }
    }

    /// Prints text for people on stdout; [`Console::check_data`] reports what could not be written.
    pub fn data(&self, text: &str) {
        self.write(&visible(text));
    }

    /// Prints a text that opctl has styled itself on stdout.
    pub(super) fn styled(&self, text: &str) {
        let colors = anstream::stdout().current_choice() != ColorChoice::Never;
        let text = visible_with_colors(text);
        self.write(&if colors { text } else { strip_str(&text).to_string() });
    }

    /// Prints a document on stdout, such as a script, a diff or a log: a file or a program gets it as it is, and a
    /// terminal gets its hidden characters written out.
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

    /// Returns false once data cannot be written any more, for example because its reader has ended.
    pub fn is_read(&self) -> bool {
        self.lost.get().is_none()
    }

    /// Checks that all data was written. A reader that has ended, such as `head`, is not an error.
    ///
    /// # Errors
    /// Data that could not be written, such as on a full disk.
    pub fn check_data(&self) -> Result<()> {
        match self.lost.get() {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::environment("cannot write to stdout")
                .caused_by(error)
                .hint("free some space, or send the output elsewhere, and run the same command again")),
            _ => Ok(()),
        }
    }

    /// Starts a spinner on a terminal, prints one plain line elsewhere. The spinner ends when it is dropped.
    pub fn spinner(&self, verb: &'static str, message: impl Into<String>) -> Spinner {
        let message = message.into();
        if self.interactive {
            return Spinner::shown(verb, &message);
        }
        self.status(verb, &message);
        Spinner::hidden()
    }

    /// Starts a bar over all steps of a long command; on a terminal only. The bar ends when it is dropped.
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
