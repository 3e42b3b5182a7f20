//! The commands of the demo as they are shown, and how long each takes.

use crate::report::Console;
use serde::Serialize;
use std::time::Instant;

/// The commands shown so far.
pub(super) struct Script<'a> {
    console: &'a Console,
    start: Instant,
    begun: Vec<(String, Instant)>,
}

/// One command.
#[derive(Serialize)]
pub(super) struct Step {
    command: String,
    seconds: f64,
}

impl<'a> Script<'a> {
    pub(super) fn new(console: &'a Console) -> Self {
        Script { console, start: Instant::now(), begun: Vec::new() }
    }

    /// Shows a command, which lasts until the next one.
    pub(super) fn begin(&mut self, command: &str) {
        self.console.command(command);
        self.begun.push((command.to_owned(), Instant::now()));
    }

    /// The seconds in all, and of each command.
    pub(super) fn end(self) -> (f64, Vec<Step>) {
        let now = Instant::now();
        let ends = self.begun.iter().skip(1).map(|(_, begun)| *begun).chain([now]);
        let steps = self
            .begun
            .iter()
            .zip(ends)
            .map(|((command, begun), end)| Step { command: command.clone(), seconds: (end - *begun).as_secs_f64() });
        ((now - self.start).as_secs_f64(), steps.collect())
    }
}
