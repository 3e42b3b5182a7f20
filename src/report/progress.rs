//! Progress on a terminal: spinners of single steps, and below them a bar over all steps of a long command.

use super::age::format_estimate;
use super::style::VERB;
use crate::visible::visible_line;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The spinners and progress bars on stderr. Other output appears above the spinners and progress bars.
static BARS: LazyLock<MultiProgress> = LazyLock::new(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr()));
const TICK: Duration = Duration::from_millis(100);
const WIDTH: usize = 30;

/// Runs `write`, which prints to the terminal, while the spinners and progress bars are hidden.
pub(super) fn above<T>(write: impl FnOnce() -> T) -> T {
    BARS.suspend(write)
}

/// The spinner of one long step. It ends when it is dropped.
#[derive(Debug)]
pub struct Spinner {
    bar: Option<ProgressBar>,
}

impl Spinner {
    pub(super) fn hidden() -> Self {
        Spinner { bar: None }
    }

    pub(super) fn shown(verb: &str, message: &str) -> Self {
        let bar = BARS.insert(0, ProgressBar::no_length());
        bar.set_style(style("{prefix} {msg} {spinner} {elapsed}"));
        bar.set_prefix(prefix(verb));
        bar.set_message(visible_line(message).into_owned());
        bar.enable_steady_tick(TICK);
        Spinner { bar: Some(bar) }
    }

    /// Replaces the message of the spinner. Does nothing without a terminal.
    pub fn set_message(&self, message: impl Into<String>) {
        if let Some(bar) = &self.bar {
            bar.set_message(visible_line(&message.into()).into_owned());
        }
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The current part of a long command: its estimated start and end, relative to the start of the command, and the time
/// of its actual start.
#[derive(Clone, Copy, Debug)]
struct Part {
    from: Duration,
    until: Duration,
    begun: Instant,
}

impl Part {
    /// Returns the estimated progress. In a part that takes too long, the progress stays at the part's estimated end.
    fn estimated_progress(self) -> Duration {
        (self.from + self.begun.elapsed()).min(self.until)
    }
}

/// A progress bar over all steps of a long command, with the remaining time. The bar ends when it is dropped.
#[derive(Debug)]
pub struct Overall {
    part: Arc<Mutex<Part>>,
    bar: Option<ProgressBar>,
}

impl Overall {
    pub(super) fn new(verb: &str, total: Duration, interactive: bool) -> Self {
        let part = Part { from: Duration::ZERO, until: Duration::ZERO, begun: Instant::now() };
        let part = Arc::new(Mutex::new(part));
        let bar = interactive.then(|| {
            let bar = BARS.add(ProgressBar::no_length());
            let shown = Arc::clone(&part);
            let track = move |_: &ProgressState, line: &mut dyn Write| {
                let reached = shown.lock().unwrap_or_else(PoisonError::into_inner).estimated_progress();
                let _ = line.write_str(&track(reached, total));
            };
            bar.set_style(style("{prefix} {track}").with_key("track", track));
            bar.set_prefix(prefix(verb));
            bar.enable_steady_tick(TICK);
            bar
        });
        Overall { part, bar }
    }

    /// Starts a part of the command, with its estimated start and end relative to the start of the command.
    pub fn begin_part(&self, from: Duration, until: Duration) {
        let mut part = self.part.lock().unwrap_or_else(PoisonError::into_inner);
        *part = Part { from, until, begun: Instant::now() };
    }
}

impl Drop for Overall {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

fn prefix(verb: &str) -> String {
    format!("{VERB}{verb:>12}{VERB:#}")
}

fn track(reached: Duration, total: Duration) -> String {
    let tenths = |duration: Duration| usize::try_from(duration.as_millis() / 100).unwrap_or(usize::MAX);
    let full = (tenths(reached) * WIDTH / tenths(total).max(1)).min(WIDTH);
    let left = format_estimate(total.saturating_sub(reached));
    format!("[{}{}] about {left} left", "=".repeat(full), " ".repeat(WIDTH - full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_track_fills_and_the_time_left_falls() {
        let total = Duration::from_secs(150);
        for (reached, full, left) in
            [(0, 0, "3 min"), (75, 15, "80 s"), (145, 29, "10 s"), (150, 30, "10 s"), (900, 30, "10 s")]
        {
            let shown = track(Duration::from_secs(reached), total);
            assert_eq!(shown.matches('=').count(), full, "{shown}");
            assert!(shown.ends_with(&format!("] about {left} left")), "{shown}");
        }
        assert_eq!(track(Duration::ZERO, Duration::ZERO).matches('=').count(), 0);
    }

    #[test]
    fn a_part_that_takes_longer_waits_at_its_end() {
        let begun = Instant::now().checked_sub(Duration::from_secs(60)).unwrap();
        let part = Part { from: Duration::from_secs(10), until: Duration::from_secs(30), begun };
        assert_eq!(part.estimated_progress(), Duration::from_secs(30));
    }
}
