//! Logs on stdout and, with the feature `telemetry`, spans over OTLP to where the environment
//! variable `OTEL_EXPORTER_OTLP_ENDPOINT` says.
use clap::{Args, ValueEnum};
use std::io::{IsTerminal, stdout};
use tracing_subscriber::filter::ParseError;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

#[derive(Args)]
pub struct LogOptions {
    /// Format of the log lines
    #[arg(long, env, value_enum, default_value_t)]
    log_format: LogFormat,
    /// A level, or directives such as `info,kube=debug`
    #[arg(long, env = "RUST_LOG", default_value = "info", value_parser = log_filter)]
    log_level: EnvFilter,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum LogFormat {
    #[default]
    Text,
    Json,
}

// Left to itself, clap would take a conversion that drops what it cannot read.
fn log_filter(directives: &str) -> Result<EnvFilter, ParseError> {
    EnvFilter::try_new(directives)
}

/// Call it once, before anything is logged. What it gives sends the last spans when it is dropped.
pub fn init(options: LogOptions) -> anyhow::Result<impl Drop> {
    let logs = tracing_subscriber::fmt::layer().with_ansi(stdout().is_terminal());
    let logs = match options.log_format {
        LogFormat::Text => logs.boxed(),
        LogFormat::Json => logs
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .boxed(),
    };
    let spans = otlp::Spans::from_env()?;
    tracing_subscriber::registry()
        .with(options.log_level)
        .with(logs)
        .with(spans.layer())
        .try_init()?;
    Ok(spans)
}

#[cfg(feature = "telemetry")]
mod otlp {
    use opentelemetry::trace::TracerProvider;
    use opentelemetry_otlp::SpanExporter;
    use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
    use std::env;
    use tracing::Subscriber;
    use tracing_subscriber::{Layer, registry::LookupSpan};

    pub struct Spans(Option<SdkTracerProvider>);

    impl Spans {
        pub fn from_env() -> anyhow::Result<Self> {
            if env::var_os("OTEL_EXPORTER_OTLP_ENDPOINT").is_none() {
                return Ok(Self(None));
            }
            let exporter = SpanExporter::builder().with_tonic().build()?;
            let resource = Resource::builder()
                .with_service_name(crate::runtime::NAME)
                .build();
            let provider = SdkTracerProvider::builder()
                .with_resource(resource)
                .with_batch_exporter(exporter);
            Ok(Self(Some(provider.build())))
        }

        pub fn layer<S: Subscriber + for<'a> LookupSpan<'a>>(
            &self,
        ) -> Option<impl Layer<S> + use<S>> {
            let tracer = self.0.as_ref()?.tracer(crate::runtime::NAME);
            Some(tracing_opentelemetry::layer().with_tracer(tracer))
        }
    }

    impl Drop for Spans {
        fn drop(&mut self) {
            if let Some(Err(error)) = self.0.as_ref().map(SdkTracerProvider::shutdown) {
                eprintln!("the last spans are lost: {error}");
            }
        }
    }
}

#[cfg(not(feature = "telemetry"))]
mod otlp {
    use tracing_subscriber::layer::Identity;

    pub struct Spans;

    impl Spans {
        pub fn from_env() -> anyhow::Result<Self> {
            Ok(Self)
        }

        pub fn layer(&self) -> Identity {
            Identity::new()
        }
    }

    impl Drop for Spans {
        fn drop(&mut self) {}
    }
}
