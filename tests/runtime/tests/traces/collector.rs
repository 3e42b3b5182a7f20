//! A collector of spans that receives OTLP over gRPC and TLS, with a separate certificate authority.

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Identity, Server, ServerTlsConfig};
use tonic::{Request, Response, Status};

#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) name: String,
    pub(crate) trace: String,
    pub(crate) id: String,
    /// The id of the parent span, which is empty for the root of a trace.
    pub(crate) parent: String,
    /// The traces to which the span has links.
    pub(crate) links: Vec<String>,
    pub(crate) is_client: bool,
    pub(crate) error: Option<String>,
    attributes: Vec<(String, String)>,
}

impl Span {
    fn of(span: v1::Span) -> Self {
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let text = |value: Option<Value>| match value {
            Some(Value::StringValue(text)) => text,
            Some(Value::IntValue(number)) => number.to_string(),
            other => format!("{other:?}"),
        };
        let attributes = span.attributes.into_iter();
        let status = span.status.unwrap_or_default();
        Self {
            trace: hex(&span.trace_id),
            id: hex(&span.span_id),
            parent: hex(&span.parent_span_id),
            links: span.links.iter().map(|link| hex(&link.trace_id)).collect(),
            is_client: span.kind == v1::span::SpanKind::Client as i32,
            error: (status.code == v1::status::StatusCode::Error as i32).then_some(status.message),
            attributes: attributes.map(|one| (one.key, text(one.value.and_then(|value| value.value)))).collect(),
            name: span.name,
        }
    }

    /// Returns the value of an attribute; empty if there is none.
    pub(crate) fn says(&self, attribute: &str) -> String {
        let found = self.attributes.iter().find(|(name, _)| name == attribute);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    }

    pub(crate) fn is_change_of(&self, kind: &str, name: &str, generation: &str) -> bool {
        let expected = [("kind", kind), ("name", name), ("generation", generation)];
        self.name == "change" && expected.iter().all(|(attribute, value)| self.says(attribute) == *value)
    }
}

#[derive(Clone, Default)]
struct Received(Arc<Mutex<Vec<Span>>>);

#[tonic::async_trait]
impl TraceService for Received {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let resources = request.into_inner().resource_spans.into_iter();
        let spans = resources.flat_map(|one| one.scope_spans).flat_map(|one| one.spans).map(Span::of);
        self.0.lock().unwrap().extend(spans);
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

pub(crate) struct Collector {
    received: Received,
    port: u16,
    folder: tempfile::TempDir,
}

impl Collector {
    pub(crate) async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let certificate = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        fs::write(folder.path().join("ca.crt"), certificate.cert.pem()).unwrap();
        let identity = Identity::from_pem(certificate.cert.pem(), certificate.signing_key.serialize_pem());
        let incoming = TcpIncoming::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let port = incoming.local_addr().unwrap().port();
        let received = Received::default();
        let server = Server::builder().tls_config(ServerTlsConfig::new().identity(identity)).unwrap();
        let server = { server }.add_service(TraceServiceServer::new(received.clone()));
        tokio::spawn(server.serve_with_incoming(incoming));
        Self { received, port, folder }
    }

    pub(crate) fn address(&self) -> String {
        format!("https://localhost:{}", self.port)
    }

    /// Returns the path of the certificate that a client of the collector must trust.
    pub(crate) fn authority(&self) -> PathBuf {
        self.folder.path().join("ca.crt")
    }

    pub(crate) fn spans(&self) -> Vec<Span> {
        self.received.0.lock().unwrap().clone()
    }

    /// Waits for a span that `is` accepts, and returns it.
    pub(crate) async fn until(&self, what: &str, is: impl Fn(&Span) -> bool) -> Span {
        let begun = Instant::now();
        loop {
            let spans = self.spans();
            if let Some(span) = spans.iter().find(|span| is(span)) {
                return span.clone();
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "no span of {what}: {spans:#?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub(crate) async fn with_span(&self, name: &str, kind: &str, object: &str) -> Span {
        let what = format!("{name} {kind}/{object}");
        self.until(&what, |span| span.name == name && span.says("kind") == kind && span.says("name") == object).await
    }
}
