//! Logs on stdout and, with the feature `telemetry`, traces over OTLP to the collector whose address
//! is in the environment variable `OTEL_EXPORTER_OTLP_ENDPOINT`. Other variables of OpenTelemetry
//! choose the samples (`OTEL_TRACES_SAMPLER`), headers (`OTEL_EXPORTER_OTLP_HEADERS`) and, for an
//! address with `https`, a file with the authority to trust (`OTEL_EXPORTER_OTLP_CERTIFICATE`).

mod json;
#[cfg(feature = "telemetry")]
pub(crate) mod traces;

use clap::{Args, ValueEnum};
use std::io::{IsTerminal, stdout};
use std::str::FromStr;
use tracing_subscriber::{EnvFilter, fmt::format::JsonFields, prelude::*};

/// The flags for logs.
#[derive(Args, Debug)]
pub struct LogOptions {
    /// Format of the log lines
    #[arg(long, env, value_enum, default_value_t)]
    log_format: LogFormat,
    /// Log level, or directives such as `info,kube=debug`
    // By default, clap would use a conversion that silently drops invalid directives.
    #[arg(long, env = "RUST_LOG", default_value = LEVEL, value_parser = EnvFilter::from_str)]
    log_level: EnvFilter,
}

/// The default log level, without kube's lines about failed requests: the runtime logs the reasons.
const LEVEL: &str = "info,kube_client::client::builder=off";

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum LogFormat {
    #[default]
    Text,
    Json,
}

/// A guard that sends the last spans when it is dropped.
pub struct Telemetry {
    #[cfg(feature = "telemetry")]
    _spans: Option<traces::Spans>,
}

/// Starts logs and, if the environment names a collector, spans with `operator` as their service.
/// Call this once, before anything is logged.
///
/// # Errors
/// Fails if this function was called before, or if the address of the collector cannot be used.
pub fn init(operator: &'static str, options: LogOptions) -> anyhow::Result<Telemetry> {
    let logs = tracing_subscriber::fmt::layer().with_ansi(stdout().is_terminal());
    let logs = match options.log_format {
        LogFormat::Text => logs.boxed(),
        LogFormat::Json => logs
            .fmt_fields(JsonFields::new())
            .event_format(json::Flat)
            .boxed(),
    };
    // Traces have a filter of their own: what is traced does not depend on what is logged.
    let registry = tracing_subscriber::registry().with(logs.with_filter(options.log_level));
    #[cfg(feature = "telemetry")]
    let spans = traces::start(operator)?;
    #[cfg(feature = "telemetry")]
    let registry = registry.with(spans.as_ref().map(traces::Spans::layer));
    registry.try_init()?;
    tracing::debug!(operator, "logging");
    Ok(Telemetry {
        #[cfg(feature = "telemetry")]
        _spans: spans,
    })
}

/// Writes the log of an operator to the output of the test that runs the operator. cargo shows this
/// output if the test fails. `RUST_LOG` sets the level.
#[cfg(feature = "testing")]
pub(crate) fn init_for_tests() {
    let level = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let logs = tracing_subscriber::fmt().with_env_filter(level);
    let _ = logs.with_ansi(false).with_test_writer().try_init(); // another test may have done it
}
