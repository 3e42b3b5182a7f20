//! Implements `opctl explain`, which shows the meaning of a finding and how to fix it.

use super::command::OpctlCommand;
use super::context::Context;
use crate::error::{Hint, hint};
use crate::finding::Lint;
use crate::mcp::Page;
use crate::model::most_like;
use crate::report::{Report, WIDTH, columns, wrap};
use crate::{Error, Result, explore, manifest, olm};
use clap::Args;
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
    opctl explain OP152
    opctl explain          # all codes";

/// The width of the titles in the list of all findings: the width of a line, less 25 characters for the columns of
/// codes and severities.
const TITLE_WIDTH: usize = WIDTH - 25;

/// Show what a finding means, and how it is fixed
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    /// The code, such as OP152; without it, all codes are listed
    code: Option<String>,
}

impl OpctlCommand for ExplainArgs {
    fn run(&self, _: &Context) -> Result<Report> {
        let Some(code) = &self.code else {
            let rows: Vec<_> = [["CODE", "SEVERITY", "TITLE"].map(str::to_owned)]
                .into_iter()
                .chain(lints().into_iter().flat_map(rows))
                .collect();
            let all: Vec<_> = lints()
                .iter()
                .map(|lint| json!({"code": lint.code, "severity": lint.severity, "title": lint.title}))
                .collect();
            return Ok(Report::shown("explain", columns(&rows), json!({ "codes": all })).next("opctl explain CODE"));
        };
        match find_lint(code) {
            Some(lint) => {
                let report = Report::shown("explain", text(lint), json!(lint));
                let of_upgrades = explore::upgrade::lints().iter().any(|one| one.code == lint.code);
                // Explorations without `--from` have findings with the same codes.
                Ok(if of_upgrades { report.next("opctl help exploring    # without `--from`") } else { report })
            }
            None => Err(unknown_code_error(code)),
        }
    }
}

/// Returns a page for each finding, which `opctl mcp` serves to coding agents.
pub(crate) fn pages() -> impl Iterator<Item = Page> {
    lints().into_iter().map(|lint| Page {
        uri: format!("opctl://finding/{}", lint.code),
        name: lint.code.to_owned(),
        description: lint.title.to_owned(),
        mime_type: "text/plain",
        text: text(lint),
    })
}

/// Returns the explanations of all findings of `opctl manifests`, `opctl bundle --check` and `opctl explore --from`.
pub(crate) fn lints() -> Vec<&'static Lint> {
    manifest::lints().into_iter().chain(olm::lints()).chain(explore::upgrade::lints()).collect()
}

fn find_lint(code: &str) -> Option<&'static Lint> {
    let of_others = || lints().into_iter().find(|lint| lint.code.eq_ignore_ascii_case(code));
    manifest::find_lint(code).or_else(of_others)
}

fn unknown_code_error(code: &str) -> Error {
    let error = Error::user(format!("there is no finding with the code `{code}`"));
    let nearest = most_like(code, lints().into_iter().map(|lint| lint.code)).and_then(find_lint);
    match nearest {
        Some(nearest) => error.hint(hint!("opctl explain {}    # {}", nearest.code, Hint::from(nearest.title))),
        None => error.hint("opctl explain    # lists all codes that it explains; `opctl help exploring` lists those of `opctl explore`"),
    }
}

/// Returns the rows of a finding in the list of all findings: the title continues in further rows if it is long.
fn rows(lint: &'static Lint) -> impl Iterator<Item = [String; 3]> {
    let titles = wrap(lint.title, TITLE_WIDTH).into_iter().enumerate();
    titles.map(|(line, title)| {
        let [code, severity] = if line == 0 { [lint.code, lint.severity.name()] } else { ["", ""] };
        [code.to_owned(), severity.to_owned(), title]
    })
}

fn text(lint: &Lint) -> String {
    let indented = |text: &str| format!("    {}", text.replace('\n', "\n    "));
    let wrapped = |text: &str| wrap(text, WIDTH).join("\n");
    format!(
        "{}\n\n{}\n\nWrong:\n{}\n\nRight:\n{}",
        wrapped(&format!("{} ({}): {}", lint.code, lint.severity.name(), lint.title)),
        wrapped(lint.why),
        indented(lint.wrong),
        indented(lint.right)
    )
}
