//! The text of `impl From`, as rustfmt lays it out.

use super::super::layout::{WIDTH, literal};
use std::fmt::Write as _;

/// Before a field, or an arm of a `match`.
pub(super) const INDENTATION: &str = "            ";

/// The text so far, and what its reader has to write by hand.
#[derive(Debug, Default)]
pub(super) struct Impls {
    pub(super) text: String,
    pub(super) by_hand: Vec<String>,
}

impl Impls {
    /// A line that says what is missing in its place, and what to do.
    pub(super) fn left_open(&mut self, said: &str, what: &str) -> String {
        self.by_hand.push(said.to_owned());
        format!("{INDENTATION}// {said}: {what}.")
    }

    /// An `impl From` that makes a struct of these lines.
    pub(super) fn structure(&mut self, names: (&str, &str), lines: &[String]) {
        let body = if lines.iter().all(|line| line.ends_with(',')) {
            let fields: Vec<String> = lines.iter().map(|line| line.trim().trim_end_matches(',').to_owned()).collect();
            literal(&fields, "        ")
        } else {
            format!("{{\n{}\n        }}", lines.join("\n"))
        };
        self.implementation(names, &format!("        Self {body}\n"));
    }

    /// An `impl From` with this body.
    pub(super) fn implementation(&mut self, (from, to): (&str, &str), body: &str) {
        let head = format!("impl From<{from}> for {to} {{");
        let head = if head.len() <= WIDTH { head } else { format!("impl From<{from}>\n    for {to}\n{{") };
        let argument = if body.contains("value") { "value" } else { "_" };
        let signature = format!("    fn from({argument}: {from}) -> Self {{");
        let signature = if signature.len() <= WIDTH {
            signature
        } else {
            format!("    fn from(\n        {argument}: {from},\n    ) -> Self {{")
        };
        // Writing to a string cannot fail.
        let _ = write!(self.text, "\n{head}\n{signature}\n{body}    }}\n}}\n");
    }
}
