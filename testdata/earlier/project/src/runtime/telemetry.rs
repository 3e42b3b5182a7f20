//! Logs on stdout and, with the feature `telemetry`, spans over OTLP to where the environment
//! variable `OTEL_EXPORTER_OTLP_ENDPOINT` says.
use clap::{Args, ValueEnum};
#[cfg(feature = "telemetry")]
use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
use std::io::{IsTerminal, stdout};
use std::str::FromStr;
use tracing_subscriber::{EnvFilter, prelude::*};

#[derive(Args)]
pub struct LogOptions {
    /// Format of the log lines
    #[arg(long, env, value_enum, default_value_t)]
    log_format: LogFormat,
    /// A level, or directives such as `info,kube=debug`
    // Left to itself, clap would take a conversion that drops what it cannot read.
    #[arg(long, env = "RUST_LOG", default_value = "info", value_parser = EnvFilter::from_str)]
    log_level: EnvFilter,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum LogFormat {
    #[default]
    Text,
    Json,
}

/// Sends the last spans when it is dropped.
#[derive(Default)]
pub struct Telemetry(#[cfg(feature = "telemetry")] Option<SdkTracerProvider>);

/// Call it once, before anything is logged.
pub fn init(options: LogOptions) -> anyhow::Result<Telemetry> {
    let logs = tracing_subscriber::fmt::layer().with_ansi(stdout().is_terminal());
    let logs = match options.log_format {
        LogFormat::Text => logs.boxed(),
        LogFormat::Json => {
            let logs = logs.json().flatten_event(true);
            logs.with_span_list(false).boxed()
        }
    };
    let registry = tracing_subscriber::registry().with(options.log_level);
    let registry = registry.with(logs);
    #[cfg(not(feature = "telemetry"))]
    let telemetry = Telemetry::default();
    #[cfg(feature = "telemetry")]
    let (registry, telemetry) = {
        use opentelemetry::trace::TracerProvider;
        let spans = otlp()?;
        let tracer = spans.as_ref().map(|spans| spans.tracer(super::NAME));
        let layer = tracer.map(|tracer| tracing_opentelemetry::layer().with_tracer(tracer));
        (registry.with(layer), Telemetry(spans))
    };
    registry.try_init()?;
    Ok(telemetry)
}

#[cfg(feature = "telemetry")]
fn otlp() -> anyhow::Result<Option<SdkTracerProvider>> {
    use opentelemetry_otlp::SpanExporter;
    if std::env::var_os("OTEL_EXPORTER_OTLP_ENDPOINT").is_none() {
        return Ok(None);
    }
    let exporter = SpanExporter::builder().with_tonic().build()?;
    let resource = Resource::builder().with_service_name(super::NAME).build();
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
