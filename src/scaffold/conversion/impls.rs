//! Generates the text of the `From` impls that convert types between two versions of a kind. Each type that both
//! versions have gets an impl in each direction.

use super::impl_text::{INDENTATION, Impls};
use super::value::{Value, value};
use super::version_types::{Field, Shape, VersionTypes};
use std::collections::BTreeSet;
use syn::Type;

/// A conversion in one direction, from the types of a version to the types of another version.
pub(super) struct Direction<'a> {
    pub(super) from: &'a VersionTypes,
    pub(super) to: &'a VersionTypes,
    /// The names of the types that both versions define.
    local: BTreeSet<&'a str>,
    /// The names of the types to convert, in the order in which opctl finds the types.
    used: Vec<String>,
}

/// Generates all `From` impls for `kind`: first from the spoke to the hub, then from the hub to the spoke.
pub(super) fn impls(kind: &str, spoke: &VersionTypes, hub: &VersionTypes) -> Impls {
    let mut impls = Impls::default();
    for (from, to) in [(spoke, hub), (hub, spoke)] {
        let local = from.types.keys().filter(|name| to.types.contains_key(*name)).map(String::as_str).collect();
        let mut direction = Direction { from, to, local, used: Vec::new() };
        direction.root(kind, &mut impls);
        let mut next = 0;
        while let Some(name) = direction.used.get(next).cloned() {
            direction.definition(&name, &mut impls);
            next += 1;
        }
    }
    impls
}

impl Direction<'_> {
    fn root(&mut self, kind: &str, impls: &mut Impls) {
        let mut lines = vec![format!("{INDENTATION}metadata: value.metadata,")];
        lines.push(self.root_field("spec", (&self.from.spec, &self.to.spec), "", impls));
        match (&self.from.status, &self.to.status) {
            (Some(from), Some(to)) => lines.push(self.root_field("status", (from, to), ".map(Into::into)", impls)),
            (None, Some(_)) => lines.push(format!("{INDENTATION}status: None,")),
            (_, None) => {}
        }
        let (from, to) = (format!("{}::{kind}", self.from.module), format!("{}::{kind}", self.to.module));
        impls.structure((&from, &to), &lines);
    }

    /// Returns the line that converts the field `field` (`spec` or `status`) from the type `from` to the type `to`. If
    /// opctl cannot convert the types, for example because they have different names, returns a comment line that asks
    /// the user to write the conversion. `optional` is the method call that converts an optional field; empty if the
    /// field is not optional.
    fn root_field(&mut self, field: &str, (from, to): (&str, &str), optional: &str, impls: &mut Impls) -> String {
        if from == to && self.local.contains(from) {
            self.need_all(BTreeSet::from([from.to_owned()]));
            let into = if optional.is_empty() { ".into()" } else { optional };
            return format!("{INDENTATION}{field}: value.{field}{into},");
        }
        if from == to && !self.from.types.contains_key(from) {
            return format!("{INDENTATION}{field}: value.{field},");
        }
        let said = format!("{field}: `{from}` in {}, `{to}` in {}", self.from.module, self.to.module);
        impls.left_open(&said, "write this conversion by hand")
    }

    fn need_all(&mut self, names: BTreeSet<String>) {
        for name in names {
            if !self.used.contains(&name) {
                self.used.push(name);
            }
        }
    }

    fn definition(&mut self, name: &str, impls: &mut Impls) {
        let (Some(from), Some(to)) = (self.from.types.get(name), self.to.types.get(name)) else { return };
        let names = (self.from.path(from), self.to.path(to));
        let names = (names.0.as_str(), names.1.as_str());
        match (&from.shape, &to.shape) {
            (Shape::Struct(from), Shape::Struct(to)) => {
                let lines = self.fields(name, from, to, impls);
                impls.structure(names, &lines);
            }
            (Shape::Tuple(from), Shape::Tuple(to)) if from.len() == to.len() => {
                let parts: Vec<String> = (0..from.len()).map(|at| at.to_string()).collect();
                let bases: Vec<[&str; 2]> = parts.iter().map(|at| ["value", at]).collect();
                let made = bases.iter().zip(from.iter().zip(to));
                let made: Option<Vec<String>> = made.map(|(base, (from, to))| self.convert(base, from, to)).collect();
                if let Some(parts) = made {
                    impls.implementation(names, &format!("        Self({})\n", parts.join(", ")));
                } else {
                    self.unlike(name, names, impls);
                }
            }
            (Shape::Enum(from), Shape::Enum(to)) => self.variants(name, names, (from, to), impls),
            _ => self.unlike(name, names, impls),
        }
    }

    /// Adds an impl that the user has to complete, for a type with different structures in the two versions.
    fn unlike(&self, name: &str, names: (&str, &str), impls: &mut Impls) {
        let said = format!("`{name}` has a different structure in {} than in {}", self.from.module, self.to.module);
        let line = impls.left_open(&said, "write this conversion by hand");
        impls.implementation(names, &format!("{}\n", line.replacen("    ", "", 1)));
    }

    /// Returns the expression that converts a value; `None` if the types do not determine the expression.
    pub(super) fn convert(&mut self, base: &[&str], from: &Type, to: &Type) -> Option<String> {
        let mut used = BTreeSet::new();
        let made = value(base, (from, to), &self.local, &mut used)?.line();
        self.need_all(used);
        Some(made)
    }

    /// Returns the fields of `from` that may be the same field as `field`, renamed between the two versions of a type.
    /// Each returned field comes with the value to assign to `field`. A field of `from` qualifies if no field of `to`
    /// has the same name, and if the type of the field in `from` converts to the type of `field`.
    fn rename_candidates<'f>(&mut self, field: &Field, from: &'f [Field], to: &[Field]) -> Vec<(&'f str, Value)> {
        let is_alone = |one: &&Field| to.iter().all(|other| other.name != one.name);
        let renamed = from.iter().filter(is_alone).filter_map(|one| {
            let mut used = BTreeSet::new();
            let value = value(&["value", &one.name], (&one.of, &field.of), &self.local, &mut used)?;
            self.need_all(used);
            Some((one.name.as_str(), value))
        });
        renamed.collect()
    }

    /// Returns comment lines that ask the user whether `field` is a renamed field or a new field.
    fn question(&self, (name, field): (&str, &Field), renamed: &[(&str, Value)], impls: &mut Impls) -> String {
        let field_name = &field.name;
        let (here, there) = (&self.to.module, &self.from.module);
        let others = renamed.iter().map(|(other, _)| *other).collect::<Vec<_>>().join(", ");
        let said = format!("{name}.{field_name} is only in {here}, and {others} only in {there}");
        let mut lines = impls.left_open(&said, "keep one of these lines");
        for (other, value) in renamed {
            let value = value.line();
            lines.push_str(&format!("\n{INDENTATION}// {field_name}: {value}, // {other} under another name"));
        }
        let value = field.default.as_deref().unwrap_or("its value");
        lines + &format!("\n{INDENTATION}// {field_name}: {value}, // a separate field")
    }

    fn fields(&mut self, name: &str, from: &[Field], to: &[Field], impls: &mut Impls) -> Vec<String> {
        let (mut lines, mut asked) = (Vec::new(), BTreeSet::new());
        for field in to {
            let field_name = &field.name;
            let Some(source) = from.iter().find(|source| source.name == *field_name) else {
                let renamed = self.rename_candidates(field, from, to);
                if !renamed.is_empty() {
                    lines.push(self.question((name, field), &renamed, impls));
                    asked.extend(renamed.into_iter().map(|(other, _)| other));
                    continue;
                }
                lines.push(match &field.default {
                    Some(value) => format!("{INDENTATION}{field_name}: {value},"),
                    None => {
                        let said = format!("{name}.{field_name} is only in {}", self.to.module);
                        impls.left_open(&said, "write its value")
                    }
                });
                continue;
            };
            let mut used = BTreeSet::new();
            let made = value(&["value", field_name], (&source.of, &field.of), &self.local, &mut used);
            self.need_all(used);
            lines.push(match made {
                Some(value) => value.field(field_name, INDENTATION),
                None => {
                    let said = format!("{name}.{field_name} has another type in {}", self.from.module);
                    impls.left_open(&said, "write this conversion by hand")
                }
            });
        }
        let lost: Vec<&str> = from
            .iter()
            .map(|field| field.name.as_str())
            .filter(|name| to.iter().all(|field| field.name != *name) && !asked.contains(name))
            .collect();
        if !lost.is_empty() {
            let (fields, them) = (lost.join(", "), if lost.len() == 1 { "it" } else { "them" });
            let module = &self.to.module;
            lines.push(format!("{INDENTATION}// {module} has no {fields}: the runtime keeps {them} in an annotation."));
        }
        lines
    }
}
