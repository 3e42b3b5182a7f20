//! `opctl edit`.

use super::Context;
use super::write::{WriteArgs, carry_out, plan};
use crate::model::Part;
use crate::report::Report;
use crate::{Result, scaffold};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
    opctl edit --enable prometheus,network-policy
    opctl edit --disable prometheus --diff";

/// Put parts of config/ in, or take them out
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[group(id = "what", multiple = true, required = true, args = ["enable", "disable"])]
pub(super) struct EditArgs {
    /// Put these parts in
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PART")]
    enable: Vec<Part>,
    /// Take these parts out; their files stay
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PART")]
    disable: Vec<Part>,
    #[command(flatten)]
    write: WriteArgs,
}

pub(super) fn run(args: &EditArgs, context: &Context) -> Result<Report> {
    let (workspace, mut project) = args.write.open_project(context)?;
    project.parts = scaffold::parts(&project, &args.enable, &args.disable)?;
    let operations = scaffold::edit(&project, args.enable.iter().chain(&args.disable).copied())?;
    let plan = plan(&workspace, &operations, &project, None)?;
    carry_out("edit", &workspace, &plan, args.write)
}
