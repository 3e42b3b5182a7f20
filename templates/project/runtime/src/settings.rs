//! The flags for controllers: for all of them, and for one by its name.

use clap::Args;
use humantime::Duration as Period;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::{str::FromStr, time::Duration};

/// Every flag takes a value for all controllers, and `NAME=VALUE` for one of them.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Controllers (VALUE for all, NAME=VALUE for one of them)")]
pub struct Settings {
    /// How many objects are reconciled at a time [default: 10]
    #[arg(long, env, value_delimiter = ',', value_name = "VALUE")]
    concurrency: Vec<Setting<u16>>,
    /// How long an object must be left alone before it is reconciled [default: 0s]
    #[arg(long, env, value_delimiter = ',', value_name = "VALUE")]
    debounce: Vec<Setting<Period>>,
    /// When an object is reconciled that has not changed [default: 10m]
    #[arg(long, env, value_delimiter = ',', value_name = "VALUE")]
    resync: Vec<Setting<Period>>,
    /// How long a reconciliation may take [default: 1m]
    #[arg(long, env, value_delimiter = ',', value_name = "VALUE")]
    timeout: Vec<Setting<Period>>,
    /// How long to wait after a failure; twice as long after the next [default: 1s]
    #[arg(long, env, value_delimiter = ',', value_name = "VALUE")]
    backoff: Vec<Setting<Period>>,
    /// How long to wait at most [default: 5m]
    #[arg(long, env, value_delimiter = ',', value_name = "VALUE")]
    backoff_limit: Vec<Setting<Period>>,
}

/// The settings of one controller.
pub struct Limits {
    pub concurrency: u16,
    pub debounce: Duration,
    pub resync: Duration,
    pub timeout: Duration,
    pub backoff: Duration,
    pub backoff_limit: Duration,
}

impl Settings {
    pub fn of(&self, controller: &str) -> Limits {
        let time = |settings, seconds| {
            find::<Period>(settings, controller).map_or(Duration::from_secs(seconds), Into::into)
        };
        Limits {
            concurrency: find(&self.concurrency, controller).unwrap_or(10).max(1),
            debounce: time(&self.debounce, 0),
            resync: time(&self.resync, 600),
            timeout: time(&self.timeout, 60),
            backoff: time(&self.backoff, 1),
            backoff_limit: time(&self.backoff_limit, 300),
        }
    }

    /// The controllers that are named.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        let times = [&self.debounce, &self.resync, &self.timeout, &self.backoff];
        let times = times.into_iter().chain([&self.backoff_limit]).flatten();
        let named = self.concurrency.iter().map(|one| &one.controller);
        named.chain(times.map(|one| &one.controller)).flatten()
    }
}

impl Limits {
    /// How long `object` waits after a failure, when `before` others came before it in a row.
    pub fn retry_in(&self, object: &impl Hash, before: u32) -> Duration {
        let delay = self.backoff.saturating_mul(1 << before.min(16));
        jittered(object, delay.min(self.backoff_limit))
    }
}

/// Adds up to 10 %, by the hash of `object`: objects that wait together must not return together.
pub fn jittered(object: &impl Hash, delay: Duration) -> Duration {
    let mut hasher = DefaultHasher::new();
    (object, delay).hash(&mut hasher);
    delay.mul_f64(1.0 + (hasher.finish() % 100) as f64 / 1000.0)
}

#[derive(Clone, Debug)]
struct Setting<T> {
    controller: Option<String>,
    value: T,
}

/// Finds the last value for the controller, or else the last one for all.
fn find<T: Copy>(settings: &[Setting<T>], controller: &str) -> Option<T> {
    let last = |of: Option<&str>| settings.iter().rfind(|one| one.controller.as_deref() == of);
    let found = last(Some(controller)).or_else(|| last(None));
    found.map(|one| one.value)
}

impl<T: FromStr> FromStr for Setting<T> {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (controller, value) = match text.split_once('=') {
            Some((controller, value)) => (Some(controller.to_owned()), value),
            None => (None, text),
        };
        let value = value.parse();
        let value = value.map_err(|_| "not a number, or not a time such as 500ms or 5m")?;
        Ok(Self { controller, value })
    }
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
    fn one_controller_can_differ_from_the_others() {
        let flags = [
            "--concurrency=4,slow=1",
            "--resync",
            "slow=1h 30m",
            "--backoff=500ms",
        ];
        let settings = settings(&flags).unwrap();
        let (slow, other) = (settings.of("slow"), settings.of("other"));
        assert_eq!((slow.concurrency, other.concurrency), (1, 4));
        assert_eq!(slow.resync, Duration::from_secs(5400));
        assert_eq!(other.resync, Duration::from_secs(600));
        assert_eq!(other.backoff, Duration::from_millis(500));
        assert!(settings.names().all(|name| name == "slow"));
    }

    #[test]
    fn what_is_no_time_is_refused() {
        assert!(settings(&["--timeout=soon"]).is_err());
    }

    #[test]
    fn waits_double_up_to_the_limit() {
        let limits = settings(&[]).unwrap().of("any");
        for (before, expected) in [(0, 1.0), (1, 2.0), (2, 4.0), (9, 300.0), (99, 300.0)] {
            let delay = limits.retry_in(&"a", before).as_secs_f64();
            assert!(
                (expected..expected * 1.1).contains(&delay),
                "{before}: {delay}"
            );
        }
    }
}
