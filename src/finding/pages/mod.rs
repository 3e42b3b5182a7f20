//! The table of codes, one file for each kind of thing that a finding is about.

mod against;
mod definition;
mod markers;
mod rules;
mod schema;

use super::page::Page;

/// All pages, by code.
pub fn pages() -> impl Iterator<Item = &'static Page> {
    let later = rules::PAGES.iter().chain(against::PAGES);
    schema::PAGES.iter().chain(definition::PAGES).chain(markers::PAGES).chain(later)
}

/// The page of a code.
pub fn page(code: &str) -> Option<&'static Page> {
    pages().find(|page| page.code.eq_ignore_ascii_case(code))
}
