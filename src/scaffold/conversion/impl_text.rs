//! Builds the text of `impl From` blocks in rustfmt's layout.

use super::super::layout::{WIDTH, literal};
use std::fmt::Write as _;

/// The indentation of a field, or of an arm of a `match`.
pub(super) const INDENTATION: &str = "            ";

/// The generated `From` impls, and the parts that the user has to write by hand.
#[derive(Debug, Default)]
pub(super) struct Impls {
    pub(super) text: String,
    pub(super) by_hand: Vec<String>,
}

impl Impls {
    /// Returns a comment line in place of a part that opctl cannot generate: `said` describes the part, and `what`
    /// tells the user what to write. Adds the part to `by_hand`.
    pub(super) fn left_open(&mut self, said: &str, what: &str) -> String {
        self.by_hand.push(said.to_owned());
        format!("{INDENTATION}// {said}: {what}.")
    }

    /// Adds an `impl From` that builds a struct. `names` are the type to convert from and the type to convert to, and
    /// `lines` are the lines of the struct's fields.
    pub(super) fn structure(&mut self, names: (&str, &str), lines: &[String]) {
        let body = if lines.iter().all(|line| line.ends_with(',')) {
            let fields: Vec<String> = lines.iter().map(|line| line.trim().trim_end_matches(',').to_owned()).collect();
            literal(&fields, "        ")
        } else {
            format!("{{\n{}\n        }}", lines.join("\n"))
        };
        self.implementation(names, &format!("        Self {body}\n"));
    }

    /// Adds an `impl From` that converts the type `from` to the type `to`, with the function body `body`.
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
