//! Traces, each from a change of an object, over the object's reconciliations and their requests,
//! to the status `Ready`. A written child gets the trace in an annotation, as KEP-5915 proposes, so
//! that a controller that reconciles the child continues the trace.

use crate::cache::{Cached, Key};
use crate::{failure::message, server::servers};
use anyhow::Context as _;
use axum::http::{HeaderValue, Request, Response};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::api::ApiResource;
use kube::client::Body;
use opentelemetry::trace::{Span as _, SpanContext, SpanKind, Status};
use opentelemetry::trace::{TraceContextExt, TraceFlags, Tracer, TracerProvider};
use opentelemetry::{Context, KeyValue, propagation::TextMapPropagator};
use opentelemetry_otlp::tonic_types::transport::{Certificate, ClientTlsConfig};
use opentelemetry_otlp::{SpanExporter, WithTonicConfig};
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use opentelemetry_sdk::{Resource, propagation::TraceContextPropagator};
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;
use std::{env, fs};
use tower::{Service, ServiceExt, service_fn};
use tracing::{Level, Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::{Layer, filter::Targets, registry::LookupSpan};

/// The annotation with the trace of the last write of an object:
/// <https://github.com/kubernetes/enhancements/issues/5915>.
const TRACEPARENT: &str = "tracing.k8s.io/traceparent";

/// The tracer for spans without log lines (changes and requests), which are most spans: a span of
/// `tracing` costs more. Empty until [`start`] finds a collector: without one, traces cost nothing.
static TRACER: OnceLock<SdkTracer> = OnceLock::new();

/// The spans of an operator, which are sent to a collector.
pub struct Spans(SdkTracerProvider);

/// Starts sending spans with the service `operator`; `None` if the environment has no collector.
pub fn start(operator: &'static str) -> anyhow::Result<Option<Spans>> {
    let address = |name| env::var(name).ok();
    let collector = address("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
    let Some(collector) = collector.or_else(|| address("OTEL_EXPORTER_OTLP_ENDPOINT")) else {
        return Ok(None);
    };
    let mut exporter = SpanExporter::builder().with_tonic();
    if collector.starts_with("https:") {
        let tls = ClientTlsConfig::new();
        let tls = match env::var_os("OTEL_EXPORTER_OTLP_CERTIFICATE") {
            None => tls.with_native_roots(),
            Some(file) => {
                let pem = fs::read(&file).with_context(|| format!("cannot read {file:?}"))?;
                tls.ca_certificate(Certificate::from_pem(pem))
            }
        };
        exporter = exporter.with_tls_config(tls);
    }
    let resource = Resource::builder().with_service_name(operator).build();
    let spans = SdkTracerProvider::builder().with_resource(resource);
    // The thread that sends the last spans must not be the one that waits until they are sent.
    let servers = servers()?;
    let _servers = servers.enter();
    let spans = spans.with_batch_exporter(exporter.build()?).build();
    TRACER.get_or_init(|| spans.tracer("runtime"));
    Ok(Some(Spans(spans)))
}

impl Spans {
    /// Returns the layer that sends the `tracing` spans of the runtime and the operator's own code.
    pub fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        // kube has spans of its own for what the runtime's are about.
        let targets = Targets::new().with_default(Level::INFO);
        let targets = targets.with_target("kube_client", None::<Level>);
        let layer = tracing_opentelemetry::layer().with_tracer(self.0.tracer("runtime"));
        // The place in the source, the thread and a clock cost more than the rest of a span.
        let layer = layer.with_location(false).with_threads(false);
        let layer = layer.with_target(false).with_tracked_inactivity(false);
        layer.with_filter(targets.with_target("kube_runtime", None::<Level>))
    }
}

impl Drop for Spans {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown() {
            eprintln!("the last spans are lost: {error}");
        }
    }
}

/// The last change of each object of a controller, with the trace of the change.
#[derive(Default)]
pub struct Traces(Mutex<HashMap<Key, Change>>);

struct Change {
    uid: Box<str>,
    generation: Option<i64>,
    /// The annotation with the trace of the write that led to the change.
    written_in: Option<String>,
    /// The span from the first pass until the object is `Ready` or gone; `None` after that.
    span: Option<opentelemetry_sdk::trace::Span>,
    context: SpanContext,
}

/// The parts of an object that traces need. Parsing only these parts is ten times faster.
#[derive(Deserialize)]
struct Object {
    metadata: Metadata,
    #[serde(default)]
    status: Conditions,
}

#[derive(Deserialize)]
struct Metadata {
    generation: Option<i64>,
    #[serde(default)]
    annotations: Annotations,
}

#[derive(Default, Deserialize)]
struct Annotations {
    #[serde(rename = "tracing.k8s.io/traceparent")]
    traceparent: Option<String>,
}

#[derive(Default, Deserialize)]
struct Conditions {
    #[serde(default)]
    conditions: Vec<Condition>,
}

impl Object {
    fn of(cached: &Cached) -> Option<Self> {
        serde_json::from_str(&cached.json()).ok()
    }

    /// Returns true if the condition `Ready` is `True` for the latest version of the object's
    /// spec; `None` if the object has no condition `Ready`.
    fn is_ready(&self) -> Option<bool> {
        let mut conditions = self.status.conditions.iter();
        let ready = conditions.find(|one| one.type_ == "Ready")?;
        let observed = ready.observed_generation;
        let is_current = observed.is_none() || observed >= self.metadata.generation;
        Some(ready.status == "True" && is_current)
    }
}

impl Traces {
    /// Adds a pass to the trace of the object's last change. If the object has been `Ready` since
    /// that change, the pass begins a new trace, with a link to the trace of the change.
    pub fn begin(&self, pass: &Span, kind: &ApiResource, key: &Key, cached: &Cached) {
        if TRACER.get().is_none() {
            return;
        }
        let changes = &mut *self.0.lock();
        let known = changes.get(key).filter(|known| known.uid == cached.uid);
        if known.is_none_or(|known| known.generation != cached.generation) {
            let change = Change::new(known, kind, key, cached);
            change.map(|change| changes.insert(key.clone(), change));
        }
        let known = changes.get(key).filter(|known| known.context.is_valid());
        match known.map(|known| (known.span.is_some(), known.context.clone())) {
            // It fails for a span that nobody takes part in.
            Some((true, of)) => drop(pass.set_parent(Context::new().with_remote_span_context(of))),
            Some((false, of)) => pass.add_link(of),
            None => {}
        }
    }

    /// Ends the trace if the object is `Ready` after a pass, or has no condition `Ready`.
    pub fn end<T>(&self, key: &Key, cached: Option<&Cached>, result: &anyhow::Result<T>) {
        if let Err(error) = result {
            Span::current().set_status(Status::error(message(error)));
        }
        let cached = cached.filter(|cached| result.is_ok() && !cached.deleting);
        let (Some(cached), mut changes) = (cached, self.0.lock()) else {
            return;
        };
        if let Some(change) = changes.get_mut(key).filter(|change| change.span.is_some())
            && Object::of(cached).is_none_or(|object| object.is_ready() != Some(false))
        {
            change.span = None;
        }
    }

    /// Ends the trace of an object that is gone.
    pub fn forget(&self, key: &Key) {
        self.0.lock().remove(key);
    }
}

impl Change {
    fn new(before: Option<&Self>, kind: &ApiResource, key: &Key, cached: &Cached) -> Option<Self> {
        let (tracer, object) = (TRACER.get()?, Object::of(cached)?);
        let mut change = Change {
            uid: cached.uid.clone(),
            generation: cached.generation,
            written_in: object.metadata.annotations.traceparent.clone(),
            span: None,
            context: SpanContext::NONE,
        };
        // After a restart, what is Ready has not changed.
        if before.is_none() && object.is_ready() == Some(true) {
            return Some(change);
        }
        // Whoever edits the object next may leave the annotation as it is.
        let earlier = before.and_then(|known| known.written_in.as_ref());
        let written_in = change.written_in.as_ref();
        let written_in = written_in.filter(|trace| earlier != Some(trace));
        let parent = written_in.map_or_else(Context::new, |trace| {
            let carrier = HashMap::from([("traceparent".to_owned(), trace.clone())]);
            TraceContextPropagator::new().extract(&carrier)
        });
        let mut about = vec![
            KeyValue::new("kind", kind.kind.clone()),
            KeyValue::new("namespace", key.namespace().unwrap_or_default().to_owned()),
            KeyValue::new("name", key.name().to_owned()),
            KeyValue::new("uid", String::from(cached.uid.clone())),
        ];
        let generation = cached.generation;
        about.extend(generation.map(|one| KeyValue::new("generation", one)));
        let span = tracer.span_builder("change").with_attributes(about);
        let span = tracer.build_with_context(span, &parent);
        change.context = span.span_context().clone();
        change.span = Some(span);
        Some(change)
    }
}

/// Returns the trace in the format of the W3C: <https://www.w3.org/TR/trace-context/>.
fn traceparent(of: &SpanContext) -> String {
    let (trace, flags) = (of.trace_id(), of.trace_flags() & TraceFlags::SAMPLED);
    format!("00-{trace}-{}-{flags:02x}", of.span_id())
}

/// Returns `child`, which is about to be written, with the current trace in an annotation.
pub fn annotated(child: &Value) -> Cow<'_, Value> {
    let context = Context::current();
    let of = context.span().span_context().clone();
    if TRACER.get().is_none() || !of.is_valid() {
        return Cow::Borrowed(child);
    }
    let mut child = child.clone();
    child["metadata"]["annotations"][TRACEPARENT] = traceparent(&of).into();
    Cow::Owned(child)
}

/// Returns a service with a span for each request of a pass. The API server gets the trace.
pub fn traced<S>(
    service: S,
) -> impl Service<Request<Body>, Response = S::Response, Error = S::Error, Future: Send> + Clone + Send
where
    S: Service<Request<Body>, Response = Response<Body>, Future: Send> + Clone + Send,
{
    service_fn(move |mut request: Request<Body>| {
        let service = service.clone();
        async move {
            // The filter of the traces may leave out the current span of `tracing`.
            let pass = Context::current();
            let Some(tracer) = TRACER.get().filter(|_| pass.has_active_span()) else {
                return service.oneshot(request).await;
            };
            let method = request.method().to_string();
            let path = KeyValue::new("url.path", request.uri().path().to_owned());
            let span = tracer.span_builder(method.clone());
            let span = span.with_attributes([KeyValue::new("http.request.method", method), path]);
            let span = span.with_kind(SpanKind::Client);
            let mut span = tracer.build_with_context(span, &pass);
            if let Ok(trace) = HeaderValue::try_from(traceparent(span.span_context())) {
                request.headers_mut().insert("traceparent", trace);
            }
            let answer = service.oneshot(request).await;
            let code = answer.as_ref().map_or(0, |answer| answer.status().as_u16());
            span.set_attribute(KeyValue::new("http.response.status_code", i64::from(code)));
            if !(100..400).contains(&code) {
                span.set_status(Status::error(""));
            }
            answer
        }
    })
}
