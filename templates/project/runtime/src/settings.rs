//! The settings of controllers, which authors set in code and flags override.

use humantime::Duration as Period;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;
use tokio::time::Instant;

/// The longest delay of a reconciliation; longer delays are cut. tokio's timer accepts at most two
/// years, and reconciling an object too early does no harm.
pub const LONGEST: Duration = Duration::from_secs(180 * 24 * 60 * 60);

/// The time for completing the running passes when the process is told to stop. This time must be
/// less than `terminationGracePeriodSeconds` in config/manager/manager.yaml.
const GRACE: Duration = Duration::from_secs(25);

/// The flags for controllers.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Controllers")]
pub struct Settings {
    /// Number of objects that each controller reconciles at a time [default: set in code]
    #[arg(long, env, value_name = "NUMBER")]
    concurrency: Option<u16>,
    /// Time after which an unchanged object is reconciled again, 0s for never [default: set in
    /// code]
    #[arg(long, env, value_name = "TIME")]
    resync: Option<Period>,
    /// Time for completing the passes in progress when the operator stops: less than
    /// terminationGracePeriodSeconds of its pod [default: 25s]
    #[arg(long, env, value_name = "TIME")]
    graceful_shutdown_timeout: Option<Period>,
}

impl Settings {
    pub fn grace(&self) -> Duration {
        self.graceful_shutdown_timeout.map_or(GRACE, Into::into)
    }
}

/// The settings of one controller.
#[derive(Clone, Debug)]
pub struct Limits {
    pub concurrency: u16,
    pub debounce: Duration,
    pub resync: Duration,
    pub timeout: Duration,
    /// The pause after the first failure, and the longest pause.
    pub backoff: (Duration, Duration),
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            concurrency: 10,
            debounce: Duration::ZERO,
            resync: Duration::from_secs(600),
            timeout: Duration::from_secs(60),
            backoff: (Duration::from_secs(1), Duration::from_secs(300)),
        }
    }
}

impl Limits {
    /// Overrides the author's settings with the flags.
    pub fn with(mut self, flags: &Settings) -> Self {
        self.concurrency = flags.concurrency.unwrap_or(self.concurrency).max(1);
        self.resync = flags.resync.map_or(self.resync, Into::into);
        self
    }

    /// Returns the pause before an unchanged `object` is reconciled again; `None` for never.
    pub fn resync_in(&self, object: &impl Hash) -> Option<Duration> {
        (!self.resync.is_zero()).then(|| jittered(object, self.resync))
    }

    /// Returns the pause after a failure of `object`. `before` is the number of failures in a row
    /// before this failure.
    pub fn retry_in(&self, object: &impl Hash, before: u32) -> Duration {
        let (first, most) = self.backoff;
        let delay = first.saturating_mul(1 << before.min(16));
        jittered(object, delay.min(most))
    }
}

/// The number of failures of an object in a row, and the time at which it is tried again.
#[derive(Clone, Copy, Debug)]
pub struct Failures {
    pub count: u32,
    retry_at: Instant,
}

impl Failures {
    /// Counts a failed reconciliation at the time `now`. Returns the new count, and the pause
    /// before the object is tried again.
    ///
    /// A failure before the end of the last pause does not raise the count. Such a failure follows
    /// a change, and changes come in bursts: if each failure counted, a short outage of the API
    /// server during a rollout would delay the object by minutes.
    pub fn count(
        before: Option<Self>,
        now: Instant,
        limits: &Limits,
        object: &impl Hash,
    ) -> (Self, Duration) {
        let before = before.map_or(0, |before| match now < before.retry_at {
            true => before.count - 1,
            false => before.count,
        });
        let retry_in = limits.retry_in(object, before);
        let (count, retry_at) = (before + 1, now + retry_in);
        (Self { count, retry_at }, retry_in)
    }
}

/// Adds up to 10 % to the delay, depending on the hash of `object`, so that objects that start to
/// wait together do not become due together.
fn jittered(object: &impl Hash, delay: Duration) -> Duration {
    let mut hasher = DefaultHasher::new();
    (object, delay).hash(&mut hasher);
    let share = (hasher.finish() % 100) as f64 / 1000.0;
    delay.min(LONGEST).mul_f64(1.0 + share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Flags {
        #[command(flatten)]
        settings: Settings,
    }

    fn settings(flags: &[&str]) -> Result<Settings, clap::Error> {
        let flags = Flags::try_parse_from([&["operator"], flags].concat());
        flags.map(|flags| flags.settings)
    }

    #[test]
    fn a_flag_counts_more_than_the_author() {
        let author = Limits {
            concurrency: 2,
            ..Limits::default()
        };
        assert_eq!(author.clone().with(&Settings::default()).concurrency, 2);
        let flags = settings(&["--concurrency=0", "--resync", "1h 30m"]).unwrap();
        let limits = author.with(&flags);
        assert_eq!(limits.concurrency, 1, "without any, nothing would be done");
        assert_eq!(limits.resync, Duration::from_secs(5400));
        assert!(settings(&["--resync=soon"]).is_err());
        assert_eq!(flags.grace(), GRACE);
        let flags = settings(&["--graceful-shutdown-timeout=1m"]).unwrap();
        assert_eq!(flags.grace(), Duration::from_secs(60));
    }

    #[test]
    fn failures_before_their_time_are_not_counted() {
        let (limits, now) = (Limits::default(), Instant::now());
        let mut failures = None;
        let mut fail = |milliseconds| {
            let now = now + Duration::from_millis(milliseconds);
            let (after, retry_in) = Failures::count(failures, now, &limits, &"a");
            failures = Some(after);
            retry_in.as_secs()
        };
        assert_eq!([fail(0), fail(10), fail(20), fail(900)], [1; 4]);
        assert_eq!([fail(2100), fail(2200), fail(5000)], [2, 2, 4]);
    }

    #[test]
    fn a_resync_may_be_off_or_as_long_as_one_likes() {
        let in_ = |resync| {
            let limits = Limits {
                resync,
                ..Limits::default()
            };
            limits.resync_in(&"a")
        };
        assert_eq!(in_(Duration::ZERO), None);
        assert!(in_(Duration::MAX).is_some_and(|delay| delay >= LONGEST));
        assert!(in_(Duration::from_secs(600)).is_some_and(|delay| delay.as_secs() < 660));
    }

    #[test]
    fn waits_double_up_to_the_limit() {
        for (before, expected) in [(0, 1.0), (1, 2.0), (2, 4.0), (9, 300.0), (99, 300.0)] {
            let delay = Limits::default().retry_in(&"a", before).as_secs_f64();
            assert!(
                (expected..expected * 1.1).contains(&delay),
                "{before}: {delay}"
            );
        }
    }
}
