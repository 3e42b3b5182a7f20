//! The parts of a demo and their expected durations, from which opctl estimates the duration of the demo.

use std::time::Duration;

/// The CPU time, in seconds, to compile the API types into an empty target folder; `OPERATOR` is the CPU time to
/// compile the operator.
const TYPES: f64 = 60.0;
const OPERATOR: f64 = 190.0;
/// The time to download the programs of a control plane (200 MB) at 5 MB per second.
const SERVERS: Duration = Duration::from_secs(40);
/// The share of a compilation that does not run in parallel, but on a single processor.
const SERIAL: f64 = 0.15;

/// The variants of the demo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Play {
    Objects,
    Webhooks,
    Bug { budget: Duration },
}

/// The parts of a demo in order, each with the first words of the command that starts the part, and with the part's
/// expected duration.
#[derive(Debug)]
pub(super) struct Outline(Vec<(&'static str, Duration)>);

impl Outline {
    /// Returns the outline of a demo. `servers` is true if the programs of a control plane are installed, so that
    /// nothing is downloaded.
    pub(super) fn new(play: Play, servers: bool, processors: usize) -> Self {
        let compile = |work: f64| {
            let processors = f64::from(u32::try_from(processors.max(1)).unwrap_or(u32::MAX));
            Duration::from_secs_f64(work * (SERIAL + (1.0 - SERIAL) / processors))
        };
        let seconds = Duration::from_secs;
        let set_up = if servers { Duration::ZERO } else { SERVERS };
        let mut parts = vec![("", set_up), ("opctl init", seconds(1))];
        match play {
            Play::Objects => parts.extend([
                ("opctl manifests", compile(TYPES)),
                ("export ", seconds(6)),
                ("opctl install", seconds(1)),
                ("cargo run", compile(OPERATOR)),
                ("kubectl apply", seconds(8)),
            ]),
            Play::Webhooks => parts.extend([
                ("export ", seconds(6)),
                ("opctl run", compile(TYPES + OPERATOR)),
                ("kubectl annotate --local", seconds(3)),
            ]),
            Play::Bug { budget } => {
                let reference = seconds(20);
                parts.push(("opctl explore", compile(TYPES + OPERATOR) + reference + budget));
            }
        }
        Outline(parts)
    }

    pub(super) fn total(&self) -> Duration {
        self.0.iter().map(|(_, length)| length).sum()
    }

    /// Returns the expected start and end of the part that `command` starts, as times since the start of the demo.
    pub(super) fn part(&self, command: &str) -> Option<(Duration, Duration)> {
        let number = self.0.iter().position(|(begin, _)| !begin.is_empty() && command.starts_with(begin))?;
        let from = self.0[..number].iter().map(|(_, length)| length).sum();
        Some((from, from + self.0[number].1))
    }

    /// Returns the beginning of the first command in the outline that is not in `shown`; `None` if all commands are in
    /// `shown`.
    pub(super) fn first_missing_command(&self, shown: &[&str]) -> Option<&'static str> {
        let mut named = self.0.iter().map(|(begin, _)| *begin).filter(|begin| !begin.is_empty());
        named.find(|begin| !shown.iter().any(|command| command.starts_with(begin)))
    }

    /// Returns the expected duration of the set-up, which precedes the first command.
    pub(super) fn set_up(&self) -> Duration {
        self.0.first().map_or(Duration::ZERO, |(_, length)| *length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAYS: [Play; 3] = [Play::Objects, Play::Webhooks, Play::Bug { budget: Duration::from_secs(30) }];

    #[test]
    fn parts_follow_each_other_to_the_end() {
        for play in PLAYS {
            let outline = Outline::new(play, false, 2);
            let mut end = outline.set_up();
            assert!(end > Duration::ZERO);
            for (begin, length) in &outline.0[1..] {
                assert_eq!(outline.part(&format!("{begin} and more")), Some((end, end + *length)), "{begin}");
                end += *length;
            }
            assert_eq!(end, outline.total());
            assert_eq!(outline.part("kubectl get pods"), None, "it belongs to the part before");
        }
    }

    #[test]
    fn processors_and_servers_that_are_there_save_time() {
        for play in PLAYS {
            let total = |servers, processors| Outline::new(play, servers, processors).total();
            assert!(total(true, 8) < total(true, 2) && total(true, 2) < total(true, 1));
            assert!(total(true, 2) < total(false, 2));
            assert_eq!(total(true, 0), total(true, 1));
        }
    }
}
