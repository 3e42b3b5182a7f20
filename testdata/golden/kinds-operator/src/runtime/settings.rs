//! How controllers work, by flag: for all of them, and for one by its name.
use clap::Args;
use k8s_openapi::jiff::SignedDuration;
use std::str::FromStr;
use std::time::Duration;

/// Every flag takes a value for all controllers, and `NAME=VALUE` for one of them.
#[derive(Args, Clone)]
#[command(next_help_heading = "Controllers (VALUE for all, NAME=VALUE for one of them)")]
pub struct Settings {
    /// How many objects are reconciled at a time
    #[arg(
        long,
        env,
        value_delimiter = ',',
        value_name = "VALUE",
        default_value = "10"
    )]
    concurrency: Vec<Setting<u16>>,
    /// How long an object must be left alone before it is reconciled
    #[arg(
        long,
        env,
        value_delimiter = ',',
        value_name = "VALUE",
        default_value = "0s"
    )]
    debounce: Vec<Setting<Period>>,
    /// When an object is reconciled that has not changed
    #[arg(
        long,
        env,
        value_delimiter = ',',
        value_name = "VALUE",
        default_value = "10m"
    )]
    resync: Vec<Setting<Period>>,
    /// How long a reconciliation may take
    #[arg(
        long,
        env,
        value_delimiter = ',',
        value_name = "VALUE",
        default_value = "1m"
    )]
    timeout: Vec<Setting<Period>>,
    /// How long to wait after a failure; twice as long after the next
    #[arg(
        long,
        env,
        value_delimiter = ',',
        value_name = "VALUE",
        default_value = "1s"
    )]
    backoff: Vec<Setting<Period>>,
    /// How long to wait at most
    #[arg(
        long,
        env,
        value_delimiter = ',',
        value_name = "VALUE",
        default_value = "5m"
    )]
    backoff_limit: Vec<Setting<Period>>,
}

/// What holds for one controller.
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
        let time = |settings, default| find(settings, controller, Period(default)).0;
        Limits {
            concurrency: find(&self.concurrency, controller, 10).max(1),
            debounce: time(&self.debounce, Duration::ZERO),
            resync: time(&self.resync, Duration::from_secs(600)),
            timeout: time(&self.timeout, Duration::from_secs(60)),
            backoff: time(&self.backoff, Duration::from_secs(1)),
            backoff_limit: time(&self.backoff_limit, Duration::from_secs(300)),
        }
    }

    /// The controllers that are named.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        let times = [
            &self.debounce,
            &self.resync,
            &self.timeout,
            &self.backoff,
            &self.backoff_limit,
        ];
        let times = times
            .into_iter()
            .flatten()
            .map(|setting| &setting.controller);
        times
            .chain(self.concurrency.iter().map(|setting| &setting.controller))
            .flatten()
    }
}

#[derive(Clone)]
struct Setting<T> {
    controller: Option<String>,
    value: T,
}

/// The last one for the controller, or else the last one for all.
fn find<T: Copy>(settings: &[Setting<T>], controller: &str, default: T) -> T {
    let last = |of: Option<&str>| settings.iter().rfind(|one| one.controller.as_deref() == of);
    last(Some(controller))
        .or_else(|| last(None))
        .map_or(default, |setting| setting.value)
}

impl<T: FromStr> FromStr for Setting<T> {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (controller, value) = match text.split_once('=') {
            Some((controller, value)) => (Some(controller.to_owned()), value),
            None => (None, text),
        };
        let value = value
            .parse()
            .map_err(|_| "not a number, or not a time such as 500ms or 5m")?;
        Ok(Self { controller, value })
    }
}

#[derive(Clone, Copy)]
struct Period(Duration);

impl FromStr for Period {
    type Err = k8s_openapi::jiff::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Duration::try_from(text.parse::<SignedDuration>()?).map(Self)
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

    #[test]
    fn one_controller_can_differ_from_the_others() {
        let flags = [
            "operator",
            "--concurrency=4,slow=1",
            "--resync",
            "slow=1h 30m",
            "--backoff=500ms",
        ];
        let settings = Flags::try_parse_from(flags).unwrap().settings;
        let (slow, other) = (settings.of("slow"), settings.of("other"));
        assert_eq!((slow.concurrency, other.concurrency), (1, 4));
        assert_eq!(slow.resync, Duration::from_secs(5400));
        assert_eq!(other.resync, Duration::from_secs(600));
        assert_eq!(other.backoff, Duration::from_millis(500));
        assert!(settings.names().all(|name| name == "slow"));
        assert!(Flags::try_parse_from(["operator", "--timeout=soon"]).is_err());
    }
}
