//! The MCP server.

use super::arguments::call;
use super::child;
use super::effect::Effect;
use super::leaf::{Leaf, leaves};
use super::limits::GRACE;
use super::result::{refusal_result, result};
use super::tool::{REPORT_SCHEMA, tool};
use crate::{Error, Result};
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource,
    ResourceContents, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer, ServerInitializeError, serve_server};
use rmcp::{ErrorData, transport};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{Mutex, Semaphore, watch};

/// The maximum number of concurrent calls.
const CALLS: u32 = 16;

const INSTRUCTIONS: &str = "\
opctl scaffolds and maintains Kubernetes operators in Rust. Each tool is one of its commands, run in the project's folder. \
`list` shows what the project has. After a change of a Rust type or a marker, `manifests` writes the CRDs and roles, and \
`test` runs the tests against a real API server. Tools that change something show the changes, and make them with \
`apply: true`; those that run programs need it. A cluster is changed only if the call names its `context`. Findings have codes, such \
as OP152: the resource `opctl://finding/OP152` says what is wrong and how it is fixed. Topics are at `opctl://help/TOPIC`.";

/// A page that a client can read as a resource.
#[derive(Clone, Debug)]
pub struct Page {
    /// The URI of the page, such as `opctl://help/markers`.
    pub uri: String,
    /// The name of the page in the list of resources.
    pub name: String,
    /// The description of the page in one line.
    pub description: String,
    /// The media type of the page.
    pub mime_type: &'static str,
    /// The text of the page.
    pub text: String,
}

/// Runs the MCP server on stdin and stdout until stdin ends. The tools are the commands of `opctl`, which run in the
/// folder `root`. The resources are `pages` and the schema of reports.
///
/// # Errors
/// Fails if the client does not speak the Model Context Protocol.
pub fn serve(opctl: &clap::Command, root: PathBuf, mut pages: Vec<Page>) -> Result<()> {
    pages.push(Page {
        uri: REPORT_SCHEMA.to_owned(),
        name: "report schema".to_owned(),
        description: "The schema of the reports that all tools return".to_owned(),
        mime_type: "application/schema+json",
        text: crate::report::SCHEMA.to_owned(),
    });
    let leaves = leaves(opctl);
    let tools = leaves.iter().map(tool).collect();
    let (end, ends) = watch::channel(false);
    let calls = Arc::new(Semaphore::new(CALLS as usize));
    let server = Server { root, leaves, tools, pages, changing: Mutex::default(), calls: calls.clone(), ends };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime
        .map_err(|error| Error::environment("cannot start the async runtime of the MCP server").source(&error))?;
    let served = runtime.block_on(async {
        let running = serve_server(server, transport::io::stdio_pipes()).await;
        let served = match running {
            Ok(running) => running.waiting().await.map(drop).map_err(|error| protocol_error(&error)),
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(protocol_error(&error)),
        };
        // Commands that run are interrupted, and waited for.
        end.send_replace(true);
        let _ = tokio::time::timeout(2 * GRACE, calls.acquire_many(CALLS)).await;
        served
    });
    runtime.shutdown_background();
    served
}

fn protocol_error(error: &dyn std::fmt::Display) -> Error {
    Error::user("the client does not speak the Model Context Protocol")
        .caused_by(error)
        .hint("opctl help agents    # explains how to set up an MCP client")
}

struct Server {
    root: PathBuf,
    leaves: Vec<Leaf>,
    tools: Vec<Tool>,
    pages: Vec<Page>,
    /// The lock for commands that change or compile something, so that only one such command runs at a time.
    changing: Mutex<()>,
    calls: Arc<Semaphore>,
    /// Becomes true when the client has disconnected.
    ends: watch::Receiver<bool>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("opctl", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(leaf) = self.leaves.iter().find(|leaf| leaf.name() == request.name) else {
            return Err(ErrorData::invalid_params(format!("`{}` is not a tool of opctl", request.name), None));
        };
        let call = match call(leaf, &request.arguments.unwrap_or_default(), &self.root) {
            Ok(call) => call,
            Err(error) => return Ok(refusal_result(&leaf.words, &error).into()),
        };
        let _call = self.calls.acquire().await;
        let _changing = if leaf.effect == Effect::Reads { None } else { Some(self.changing.lock().await) };
        let mut ends = self.ends.clone();
        let given_up = async {
            tokio::select! {
                () = context.ct.cancelled() => {}
                _ = ends.wait_for(|ended| *ended) => {}
            }
        };
        match child::run(&call, &self.root, given_up).await {
            Ok(ended) => Ok(result(&ended).into()),
            Err(error) => Err(ErrorData::internal_error(format!("cannot start opctl: {error}"), None)),
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resource = |page: &Page| {
            Resource::new(&page.uri, &page.name).with_description(&page.description).with_mime_type(page.mime_type)
        };
        Ok(ListResourcesResult::with_all_items(self.pages.iter().map(resource).collect()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let Some(page) = self.pages.iter().find(|page| page.uri == request.uri) else {
            return Err(ErrorData::resource_not_found(format!("`{}` is not a resource of opctl", request.uri), None));
        };
        let text = ResourceContents::text(&page.text, &page.uri).with_mime_type(page.mime_type);
        Ok(ReadResourceResult::new(vec![text]).into())
    }
}
