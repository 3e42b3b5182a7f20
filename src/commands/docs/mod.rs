//! Implements `opctl docs`, which writes the API reference of the project's kinds.

pub(in crate::commands) mod reference_files;

use super::command::OpctlCommand;
use super::context::Context;
use super::manifests::current_definitions;
use super::reference_pages::Format;
use super::write::{WriteArgs, carry_out, plan, report_drift};
use crate::api_reference::html::html;
use crate::api_reference::markdown::markdown;
use crate::api_reference::{Page, page};
use crate::error::{Hint, hint};
use crate::model::ProjectPath;
use crate::plan::{LEDGER_FILE, Operation};
use crate::report::{Form, Report};
use crate::workspace::Workspace;
use crate::{Error, Result};
use clap::{Args, ValueHint};
use serde_json::json;

const EXAMPLES: &str = "Examples:
    opctl docs
    # For CI, exit code 3 when the page is stale:
    opctl docs --check
    # An HTML page in addition to the Markdown:
    opctl docs --markdown docs/api.md --html docs/api.html
    opctl docs --stdout=html > api.html";

/// Write the API reference of the project's kinds
///
/// Writes one page of Markdown, or of HTML without outside resources: the fields of every kind and version with types,
/// defaults, bounds and rules, the names that kubectl takes, printer columns, subresources, and the samples of
/// config/samples. Reads the CRDs if they are current; otherwise compiles the Rust types.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DocsArgs {
    /// Write Markdown into this file [default: docs/api.md in the project, unless `--html` is given]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    markdown: Option<String>,
    /// Write a page for browsers into this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    html: Option<String>,
    /// Print the page to stdout instead of writing a file; without a format, prints Markdown
    #[arg(
        long,
        value_name = "FORMAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "markdown",
        conflicts_with_all = ["markdown", "html", "check", "force", "dry_run", "diff"]
    )]
    stdout: Option<Format>,
    /// Describe Kubernetes' own types, such as `PodSpec`, on the page instead of linking to their pages
    #[arg(long)]
    expand: bool,
    /// Replace a page that was edited or written by hand: its text is lost
    #[arg(long)]
    force: bool,
    /// Write nothing; exit with code 3 and the diff when something would change
    #[arg(long, conflicts_with_all = ["dry_run", "diff"])]
    check: bool,
    #[command(flatten)]
    write: WriteArgs,
}

impl OpctlCommand for DocsArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let only_reads = self.check || self.stdout.is_some();
        let write = if only_reads { WriteArgs { dry_run: true, diff: true } } else { self.write };
        let (workspace, project) = write.open_project(context)?;
        let mut files = Vec::new();
        for (format, file) in [(Format::Markdown, &self.markdown), (Format::Html, &self.html)] {
            if let Some(file) = file {
                files.push((reference_files::below_root(file, format, &workspace, &context.directory)?, format));
            }
        }
        if files.is_empty() {
            files.push((reference_files::DEFAULT.into(), Format::Markdown));
        }
        let definitions = current_definitions(&project, &workspace, context)?;
        if definitions.is_empty() {
            return Err(Error::user("the project defines no kind, so there is nothing to document")
                .hint("opctl create api --kind WebServer"));
        }
        let page = page(project.name.as_str(), &definitions, &reference_files::samples(&workspace)?, self.expand);
        if let Some(format) = self.stdout {
            return Ok(printed_page_report(format, &page));
        }
        let operations = operations(&files, &page, &workspace, self.force || self.check)?;
        let plan = plan(&workspace, &operations, &project, Some(&line(self)))?;
        if self.check && plan.effective().any(|change| change.path != LEDGER_FILE) {
            return Err(report_drift(&plan, Error::conflict("the API reference is stale"), context).hint(line(self)));
        }
        let report = carry_out("docs", &workspace, &plan, write)?;
        let kinds = if page.kinds() == 1 { "1 kind".to_owned() } else { format!("{} kinds", page.kinds()) };
        let summary = report.summary.clone().unwrap_or_default();
        Ok(report.summary(format!("{summary} ({kinds})")))
    }
}

fn printed_page_report(format: Format, page: &Page) -> Report {
    let name = match format {
        Format::Markdown => "markdown",
        Format::Html => "html",
    };
    let text = text(format, page);
    Report { form: Form::Document, ..Report::shown("docs", text.trim_end(), json!({ name: text })) }
}

fn text(format: Format, page: &Page) -> String {
    match format {
        Format::Markdown => markdown(page),
        Format::Html => html(page),
    }
}

fn operations(
    files: &[(ProjectPath, Format)],
    page: &Page,
    workspace: &Workspace,
    force: bool,
) -> Result<Vec<Operation>> {
    let paths: Vec<&ProjectPath> = files.iter().map(|(path, _)| path).collect();
    let foreign = reference_files::find_foreign_file(&paths, workspace)?;
    if !force && let Some(path) = foreign {
        return Err(Error::conflict(format!("`{path}` is in the way"))
            .caused_by("the file's first line does not state that `opctl docs` wrote the file")
            .hint(
                "opctl docs --markdown docs/reference.md    # another file; or --force, which replaces the existing \
                 file",
            ));
    }
    let write = |(path, format): &(ProjectPath, Format)| Operation::generate(path, text(*format, page), force);
    Ok(files.iter().map(write).collect())
}

/// Returns the command as it was typed, without the flags that only check or print.
fn line(args: &DocsArgs) -> Hint {
    let mut line = Hint::from("opctl docs");
    for (flag, file) in [("--markdown", &args.markdown), ("--html", &args.html)] {
        if let Some(file) = file {
            line.push(hint!(" {flag} {file}", flag, file));
        }
    }
    if args.expand {
        line.push(" --expand");
    }
    line
}
