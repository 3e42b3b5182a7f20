//! Implements `opctl health-checks`, which prints health checks of the kinds for Argo CD or Flux.

use super::command::OpctlCommand;
use super::context::Context;
use super::write::read_project;
use crate::health::{CheckedKind, argo_cd, flux};
use crate::report::{Form, Report};
use crate::workspace::{Workspace, discover};
use crate::{Error, Result};
use clap::{Args, ValueEnum};
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
    opctl health-checks --for argo-cd > argocd-cm.yaml
    opctl health-checks --for flux";

/// Print health checks of the kinds for Argo CD or Flux
///
/// For Argo CD, prints a manifest to merge into argocd-cm, with a Lua script for each kind; for Flux, the
/// healthCheckExprs of a Kustomization, in CEL. Both judge an object by its generation and its conditions.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HealthChecksArgs {
    /// The tool that reads the health checks
    #[arg(long = "for", value_enum, value_name = "TOOL")]
    tool: GitOpsTool,
}

/// A tool that looks at the health of objects that it has applied.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum GitOpsTool {
    /// Argo CD.
    ArgoCd,
    /// Flux.
    Flux,
}

impl OpctlCommand for HealthChecksArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let workspace = Workspace::look(&discover(&context.directory)?, &context.console);
        let project = read_project(&workspace)?;
        let kinds = CheckedKind::of(&project);
        if kinds.is_empty() {
            return Err(Error::user("the project defines no kind, so there are no health checks to print")
                .hint("opctl create api --kind WebServer"));
        }
        let (tool, text) = match self.tool {
            GitOpsTool::ArgoCd => ("argo-cd", argo_cd(&kinds)),
            GitOpsTool::Flux => ("flux", flux(&kinds)),
        };
        let data = json!({ "for": tool, "yaml": text });
        Ok(Report { form: Form::Document, ..Report::shown("health-checks", text.trim_end(), data) })
    }
}
