//! Implements `opctl edit`, which adds or removes parts of `config/`, and sets the image and the namespaces.

use super::command::{BOOL, OpctlCommand};
use super::context::Context;
use super::operator_program::refuse_adopted;
use super::write::{WriteArgs, carry_out, plan_since};
use crate::Result;
use crate::error::hint;
use crate::model::{Part, check_image};
use crate::report::Report;
use crate::scaffold::{self, MANAGER_FILE};
use clap::Args;

const DEFAULT: &str = "config/default/kustomization.yaml";

const EXAMPLES: &str = "\
Examples:
    opctl edit --enable prometheus,network-policy
    opctl edit --disable prometheus --diff
    # The image that config/default deploys, for those who deploy by GitOps:
    opctl edit --image registry.example.com/webserver-operator:0.1.0
    # Rights in the manager's own namespace only; =false for the whole cluster:
    opctl edit --namespaced && opctl manifests";

/// Add or remove parts of config/; set image and namespaces
///
/// `--namespaced=false` lets the manager work in all namespaces again.
#[derive(Args, Debug)]
#[command(
    after_help = EXAMPLES,
    override_usage = "opctl edit [OPTIONS]\n       <--enable <PART>|--disable <PART>|--image <REF>|--namespaced[=<BOOL>]>"
)]
#[group(id = "what", multiple = true, required = true, args = ["enable", "disable", "image", "namespaced"])]
pub(crate) struct EditArgs {
    /// Add these parts of config/
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PART")]
    enable: Vec<Part>,
    /// Remove these parts from the configuration; their files in config/ stay
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PART")]
    disable: Vec<Part>,
    /// Deploy this image, unless a command names another image
    #[arg(long, value_name = "REF")]
    image: Option<String>,
    /// Let the manager work only in its own namespace, without rights in other namespaces
    #[arg(long, value_name = BOOL)]
    namespaced: Option<bool>,
    /// Also replace the binding of the manager's role if it was edited by hand
    #[arg(long, requires = "namespaced")]
    force: bool,
    #[command(flatten)]
    write: WriteArgs,
}

impl OpctlCommand for EditArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        self.image.as_deref().map_or(Ok(()), check_image)?;
        if !(self.enable.is_empty() && self.disable.is_empty() && self.namespaced.is_none()) {
            refuse_adopted("edit", context)?;
        }
        let (workspace, mut project) = self.write.open_project(context)?;
        let mut before = project.clone();
        before.parts.retain(|part| !self.enable.contains(part));
        project.parts = scaffold::parts(&project, &self.enable, &self.disable)?;
        let default = workspace.snapshot([DEFAULT])?;
        let has_webhooks =
            default.text(DEFAULT).is_some_and(|text| text.lines().any(|line| line.trim() == scaffold::WEBHOOK_ENTRY));
        let named = self.enable.iter().chain(&self.disable).copied();
        let mut operations = scaffold::edit(&project, named, has_webhooks)?;
        if let Some(image) = &self.image {
            operations.push(scaffold::image(&workspace.snapshot([MANAGER_FILE])?, image)?);
        }
        let Some(namespaced) = self.namespaced else {
            let plan = plan_since(Some(&before), &workspace, &operations, &project, None)?;
            return carry_out("edit", &workspace, &plan, self.write);
        };
        project.namespaced = namespaced;
        operations.extend(scaffold::scope(&project, self.force)?);
        let again = hint!("opctl edit --namespaced={namespaced}", namespaced);
        let plan = plan_since(Some(&before), &workspace, &operations, &project, Some(&again))?;
        Ok(carry_out("edit", &workspace, &plan, self.write)?.next("opctl manifests"))
    }
}
