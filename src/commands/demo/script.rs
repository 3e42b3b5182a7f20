//! Shows the commands of the demo, and measures the time that each command takes.

use super::outline::Outline;
use crate::report::{Console, Overall, format_estimate};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The commands that the demo has shown so far, with their start times.
pub(super) struct Script<'a> {
    console: &'a Console,
    outline: Outline,
    bar: Overall,
    start: Instant,
    begun: Vec<(String, Instant)>,
}

/// A command, and the seconds that it took.
#[derive(Serialize)]
pub(super) struct Step {
    command: String,
    seconds: f64,
}

impl<'a> Script<'a> {
    /// Shows the expected duration of the demo, and begins the progress bar with the set-up, which precedes the first
    /// command.
    pub(super) fn new(outline: Outline, console: &'a Console) -> Self {
        let (total, set_up) = (outline.total(), outline.set_up());
        let servers = match set_up {
            Duration::ZERO => String::new(),
            // The length is that of a build: a download, where it is possible, is faster.
            _ => format!(", including up to {} to set up the servers", format_estimate(set_up)),
        };
        console
            .status("Playing", format_args!("the demo, for about {} on this machine{servers}", format_estimate(total)));
        let bar = console.overall("Demo", total);
        bar.begin_part(Duration::ZERO, set_up);
        Script { console, outline, bar, start: Instant::now(), begun: Vec::new() }
    }

    /// Shows a command and begins to measure its time, which ends with the next command.
    pub(super) fn begin(&mut self, command: &str) {
        if let Some((from, until)) = self.outline.part(command) {
            self.bar.begin_part(from, until);
        }
        self.console.command(command);
        self.begun.push((command.to_owned(), Instant::now()));
    }

    /// Returns the duration of the whole demo in seconds, and each command with its duration.
    pub(super) fn end(self) -> (f64, Vec<Step>) {
        // In a build for tests: the bar follows commands by their words.
        let shown: Vec<&str> = self.begun.iter().map(|(command, _)| command.as_str()).collect();
        debug_assert_eq!(
            self.outline.first_missing_command(&shown),
            None,
            "the outline has a command that was not shown"
        );
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
