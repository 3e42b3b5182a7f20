//! The commands of the demo as they are shown, and how long each takes.

use super::outline::Outline;
use crate::report::{Console, Overall, about};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The commands shown so far.
pub(super) struct Script<'a> {
    console: &'a Console,
    outline: Outline,
    bar: Overall,
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
    /// Tells how long it will take, and begins with what is needed before the first command.
    pub(super) fn new(outline: Outline, console: &'a Console) -> Self {
        let (total, set_up) = (outline.total(), outline.set_up());
        let servers = match set_up {
            Duration::ZERO => String::new(),
            // A download is faster than the build that takes its place.
            _ => format!(", of this up to {} to set up the servers", about(set_up)),
        };
        console.status("Playing", format_args!("the demo, for about {} on this machine{servers}", about(total)));
        let bar = console.overall("Demo", total);
        bar.begin(Duration::ZERO, set_up);
        Script { console, outline, bar, start: Instant::now(), begun: Vec::new() }
    }

    /// Shows a command, which lasts until the next one.
    pub(super) fn begin(&mut self, command: &str) {
        if let Some((from, until)) = self.outline.part(command) {
            self.bar.begin(from, until);
        }
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
