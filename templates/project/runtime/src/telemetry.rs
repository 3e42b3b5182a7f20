//! Logs on stdout and, with the feature `telemetry`, spans over OTLP to the address in the
//! environment variable `OTEL_EXPORTER_OTLP_ENDPOINT`.

mod json;

use clap::{Args, ValueEnum};
#[cfg(feature = "telemetry")]
use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
use std::io::{IsTerminal, stdout};
use std::str::FromStr;
use tracing_subscriber::{EnvFilter, fmt::format::JsonFields, prelude::*};

/// The flags for logs.
#[derive(Args, Debug)]
pub struct LogOptions {
    /// Format of the log lines
    #[arg(long, env, value_enum, default_value_t)]
    log_format: LogFormat,
    /// A level, or directives such as `info,kube=debug`
    // By default, clap would use a conversion that silently drops invalid directives.
    #[arg(long, env = "RUST_LOG", default_value = LEVEL, value_parser = EnvFilter::from_str)]
    log_level: EnvFilter,
}

/// Without the lines of kube about requests that fail: the runtime says why.
const LEVEL: &str = "info,kube_client::client::builder=off";

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum LogFormat {
    #[default]
    Text,
    Json,
}

/// A guard that sends the last spans when it is dropped.
#[derive(Default)]
pub struct Telemetry(#[cfg(feature = "telemetry")] Option<SdkTracerProvider>);

/// Starts logs and, if the environment variable for spans is set, spans with `operator` as their
/// service. Call this once, before anything is logged.
///
/// # Errors
/// Fails if it was called before, or if the address of the collector cannot be used.
pub fn init(operator: &'static str, options: LogOptions) -> anyhow::Result<Telemetry> {
    let logs = tracing_subscriber::fmt::layer().with_ansi(stdout().is_terminal());
    let logs = match options.log_format {
        LogFormat::Text => logs.boxed(),
        LogFormat::Json => logs
            .fmt_fields(JsonFields::new())
            .event_format(json::Flat)
            .boxed(),
    };
    let registry = tracing_subscriber::registry().with(options.log_level);
    let registry = registry.with(logs);
    #[cfg(not(feature = "telemetry"))]
    let _ = operator;
    #[cfg(not(feature = "telemetry"))]
    let telemetry = Telemetry::default();
    #[cfg(feature = "telemetry")]
    let (registry, telemetry) = {
        use opentelemetry::trace::TracerProvider;
        let spans = otlp(operator)?;
        let tracer = spans.as_ref().map(|spans| spans.tracer(operator));
        let layer = tracer.map(|tracer| tracing_opentelemetry::layer().with_tracer(tracer));
        (registry.with(layer), Telemetry(spans))
    };
    registry.try_init()?;
    Ok(telemetry)
}

/// Logs what an operator does to the output of the test that runs it, which cargo shows if the test
/// fails. `RUST_LOG` chooses the level.
#[cfg(feature = "testing")]
pub(crate) fn init_for_tests() {
    let level = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let logs = tracing_subscriber::fmt().with_env_filter(level);
    let _ = logs.with_ansi(false).with_test_writer().try_init(); // another test may have done it
}

#[cfg(feature = "telemetry")]
fn otlp(operator: &'static str) -> anyhow::Result<Option<SdkTracerProvider>> {
    use opentelemetry_otlp::SpanExporter;
    if std::env::var_os("OTEL_EXPORTER_OTLP_ENDPOINT").is_none() {
        return Ok(None);
    }
    let exporter = SpanExporter::builder().with_tonic().build()?;
    let resource = Resource::builder().with_service_name(operator).build();
    let spans = SdkTracerProvider::builder().with_resource(resource);
    Ok(Some(spans.with_batch_exporter(exporter).build()))
}

#[cfg(feature = "telemetry")]
impl Drop for Telemetry {
    fn drop(&mut self) {
        if let Some(Err(error)) = self.0.as_ref().map(SdkTracerProvider::shutdown) {
            eprintln!("the last spans are lost: {error}");
        }
    }
}
