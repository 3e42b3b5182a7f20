//! The pages that `opctl docs` writes.

use crate::Result;
use crate::api_reference::GENERATED;
use crate::model::ProjectPath;
use crate::plan::Ledger;
use crate::workspace::Workspace;
use clap::ValueEnum;
use std::path::Path;

/// The format of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Markdown,
    Html,
}

impl Format {
    /// Returns the file extensions of the format, the usual extension first.
    pub(super) fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Markdown => &["md", "markdown"],
            Format::Html => &["html", "htm"],
        }
    }
}

/// Returns true if `opctl docs` wrote the text.
pub(super) fn is_page(text: &str) -> bool {
    text.lines().next().is_some_and(|first| first.contains(GENERATED))
}

/// Returns the pages of the API reference among the generated files.
pub(super) fn pages(ledger: &Ledger, workspace: &Workspace) -> Result<Vec<ProjectPath>> {
    let is_named = |path: &&ProjectPath| {
        let end = Path::new(path).extension().and_then(|end| end.to_str());
        [Format::Markdown, Format::Html].iter().any(|format| end.is_some_and(|end| format.extensions().contains(&end)))
    };
    let paths: Vec<&ProjectPath> = ledger.files.keys().filter(is_named).collect();
    let snapshot = workspace.snapshot(paths.iter().copied())?;
    Ok(paths.into_iter().filter(|path| snapshot.text(path).is_some_and(is_page)).cloned().collect())
}
