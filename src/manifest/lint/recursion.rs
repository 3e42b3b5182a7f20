//! Finds recursive types in the source. `KubeSchema` generates the schema of a type again at each use of the type,
//! so that the schema of a recursive type is infinite, and the program that prints the schema overflows its stack.

use super::about::{of_schema, of_type};
use crate::finding::Finding;
use crate::schema::{SELF_CONTAINED, SchemaFinding, recursion};
use crate::source::discover::ApiType;
use crate::source::places::{At, Places};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Reports the fields through which a type contains itself, so that the type's schema is infinite.
pub(crate) fn check(api_type: &ApiType, places: &Places) -> Vec<Finding> {
    let mut walk = Walk { places, open: Vec::new(), done: BTreeSet::new(), found: Vec::new() };
    if let Some(spec) = places.spec(api_type) {
        walk.shape(&spec, if api_type.resource.no_spec { "" } else { "spec" });
    }
    if let Some(status) = places.status(api_type).filter(|_| api_type.resource.status) {
        walk.shape(&status, "status");
    }
    if walk.found.is_empty() {
        let reason =
            format!("`{}` has a type that contains itself, so that its schema never ends", api_type.resource.root);
        let hint = "find the type that has a field of the same type, and break the cycle there:\nopctl explain OP101";
        return vec![of_type(api_type, ("kind", 0), &SELF_CONTAINED, reason, hint)];
    }
    let at = |(finding, file, line): &(SchemaFinding, PathBuf, usize)| {
        let finding = of_schema(api_type, finding, places);
        Finding { file: file.display().to_string(), line: *line, ..finding }
    };
    walk.found.iter().map(at).collect()
}

struct Walk<'a> {
    places: &'a Places,
    /// The path of the search, from the outermost type to the current type. Each entry has the key that identifies the
    /// type, the name of the type, and the path of the field through which the search reached the type.
    open: Vec<(String, String, String)>,
    done: BTreeSet<String>,
    /// The findings, each with the file and line of the field that closes the cycle, because a flattened field cannot
    /// be found by its path.
    found: Vec<(SchemaFinding, PathBuf, usize)>,
}

/// The maximum nesting of types in the search for cycles. Without the limit, the search would not end for a generic
/// type whose parameter grows at each level, because no type repeats.
const DEEPEST: usize = 100;

impl Walk<'_> {
    fn shape(&mut self, at: &At, path: &str) {
        let key = at.key();
        if self.open.len() > DEEPEST || !self.done.insert(key.clone()) {
            return;
        }
        self.open.push((key, at.shape.name().to_owned(), path.to_owned()));
        for member in at.shape.described_members() {
            let below = match member.written_name() {
                Some(name) if path.is_empty() => name.to_owned(),
                Some(name) => format!("{path}.{name}"),
                None => path.to_owned(),
            };
            let Some((next, marks)) = self.places.target(at, member) else { continue };
            let (below, key) = (format!("{below}{marks}"), next.key());
            match self.open.iter().position(|(open, ..)| *open == key) {
                Some(start) => {
                    let finding = self.circle(start, &below);
                    self.found.push((finding, at.shape.file().to_owned(), member.line()));
                }
                None => self.shape(&next, &below),
            }
        }
        self.open.pop();
    }

    fn circle(&self, start: usize, path: &str) -> SchemaFinding {
        let circle = &self.open[start..];
        let ends = circle.iter().skip(1).map(|(_, _, start)| start.as_str()).chain([path]);
        let fields = |start: &str, end: &str| {
            let rest = end.strip_prefix(start).unwrap_or(end);
            if start.is_empty() && !rest.is_empty() { format!(".{rest}") } else { rest.to_owned() }
        };
        let round: Vec<(String, String)> =
            circle.iter().zip(ends).map(|((_, name, start), end)| (name.clone(), fields(start, end))).collect();
        recursion(path.to_owned(), &round)
    }
}
