//! The table of codes: what each finding means, why it matters, and how it is fixed.

mod against;
mod definition;
mod markers;
mod rules;
mod schema;

use crate::error::Severity;

/// What there is to know about a code. A code is never given to something else.
#[derive(Clone, Copy, Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// The code: `OP1..` the schema of a type, `OP2..` `#[kube(..)]`, `OP3..` where types stand, `OP4..` markers,
    /// `OP5..` rules, versions and attributes without effect, `OP6..` older definitions.
    pub code: &'static str,
    /// Whether it stops `opctl manifests`.
    pub severity: Severity,
    /// A few words.
    pub title: &'static str,
    /// What the API server would say or lose.
    pub why: &'static str,
    /// Rust that has it.
    pub wrong: &'static str,
    /// The same without it.
    pub right: &'static str,
}

/// All pages, by code.
pub fn pages() -> impl Iterator<Item = &'static Page> {
    let later = rules::PAGES.iter().chain(against::PAGES);
    schema::PAGES.iter().chain(definition::PAGES).chain(markers::PAGES).chain(later)
}

/// The page of a code.
pub fn page(code: &str) -> Option<&'static Page> {
    pages().find(|page| page.code.eq_ignore_ascii_case(code))
}

const fn error(
    code: &'static str,
    title: &'static str,
    why: &'static str,
    wrong: &'static str,
    right: &'static str,
) -> Page {
    Page { code, severity: Severity::Error, title, why, wrong, right }
}

const fn warning(
    code: &'static str,
    title: &'static str,
    why: &'static str,
    wrong: &'static str,
    right: &'static str,
) -> Page {
    Page { code, severity: Severity::Warning, title, why, wrong, right }
}
