//! Finds attributes that seem to change the schema of a type, but that kube's `KubeSchema` ignores or applies to a
//! different field (kube-derive `cel_schema/mod.rs`). Reads only the source, so that it runs before the types are
//! compiled.

use crate::attributes::{attributes, parts};
use crate::finding::{Finding, Lint};
use proc_macro2::LineColumn;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, Field, File, ItemEnum, ItemStruct, Meta};

pub(crate) static LINTS: &[&Lint] = &[&LOST_GARDE, &LOST_MERGE_STRATEGY, &FLATTENED_RULE, &NO_KUBE_SCHEMA];

pub(crate) static LOST_GARDE: Lint = Lint::error(
    "OP507",
    "a `garde` validation that the CRD schema lacks",
    "`JsonSchema` reads `#[garde(..)]`, but `KubeSchema` ignores it: the API server would accept values that Rust \
     refuses.",
    "#[garde(length(min = 1))]\nname: String, // in a struct that derives KubeSchema",
    "#[garde(length(min = 1))]\n#[schemars(length(min = 1))]\nname: String,",
);

pub(crate) static LOST_MERGE_STRATEGY: Lint = Lint::error(
    "OP508",
    "a merge strategy that has no effect in the CRD",
    "kube writes `StructMerge::Atomic` as `x-kubernetes-struct-type`, which CRDs do not support: fields would be \
     merged one by one.",
    "#[x_kube(merge_strategy = StructMerge::Atomic)]\nplacement: Placement,",
    "#[schemars(extend(\"x-kubernetes-map-type\" = \"atomic\"))]\nplacement: Placement,",
);

pub(crate) static FLATTENED_RULE: Lint = Lint::error(
    "OP509",
    "an `x_kube` attribute on a flattened field",
    "A flattened field does not exist in YAML; kube puts the rule on the first of its inner fields.",
    "#[serde(flatten)]\n#[x_kube(validation = \"self.min <= self.max\")]\nlimits: Limits,",
    "#[x_kube(validation = \"self.min <= self.max\")]\nstruct Limits { .. }",
);

pub(crate) static NO_KUBE_SCHEMA: Lint = Lint::error(
    "OP510",
    "`KubeSchema` or `x_kube` on a type that `KubeSchema` does not support",
    "`KubeSchema` supports only structs with named fields and without generic parameters; other types derive \
     `JsonSchema` and state their rules as `x-kubernetes-validations`.",
    "#[derive(KubeSchema)]\n#[x_kube(validation = \"self != 'None'\")]\nenum Mode { .. }",
    "#[derive(JsonSchema)]\n#[schemars(extend(\"x-kubernetes-validations\" = [{\"rule\": \"self != 'None'\"}]))]\nenum Mode { .. }",
);

/// The validations of garde that schemars also reads (`schemars_derive` `attr/validation.rs`).
const GARDE: [&str; 11] =
    ["contains", "email", "inner", "ip", "ipv4", "ipv6", "length", "pattern", "range", "required", "url"];

/// Checks the attributes in one file.
pub(crate) fn check(file: &Path, text: &str, syntax: &File) -> Vec<Finding> {
    let mut reader = Reader { file, lines: text.lines().collect(), findings: Vec::new() };
    reader.visit_file(syntax);
    reader.findings
}

struct Reader<'a> {
    file: &'a Path,
    lines: Vec<&'a str>,
    findings: Vec<Finding>,
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        if derives(&item.attrs, "KubeSchema") {
            let name = item.ident.to_string();
            let named = matches!(item.fields, syn::Fields::Named(_));
            if !named || !item.generics.params.is_empty() {
                let what = if named { "has generic parameters" } else { "has no named fields" };
                self.not_for_kube_schema(&name, what, item.ident.span().start().line);
            }
            self.garde(&item.attrs, &format!("`{name}`"), &[]);
            for field in &item.fields {
                self.field(&name, field);
            }
        } else if let Some(rule) = attributes(&item.attrs, "x_kube").next() {
            self.without_derive(&item.ident.to_string(), line(rule));
        }
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        let rules = attributes(&item.attrs, "x_kube").next();
        if derives(&item.attrs, "KubeSchema") || rules.is_some() {
            let line = rules.map_or(item.ident.span().start().line, line);
            self.not_for_kube_schema(&item.ident.to_string(), "is an enum", line);
        }
        visit::visit_item_enum(self, item);
    }
}

impl Reader<'_> {
    fn add(&mut self, lint: &Lint, line: usize, reason: String, hint: &str) {
        self.findings.push(Finding::new(lint, self.file, line, reason, hint));
    }

    fn field(&mut self, owner: &str, field: &Field) {
        let Some(ident) = &field.ident else { return };
        let name = format!("the field `{ident}` of `{owner}`");
        let own: Vec<String> = ["schemars", "validate"]
            .iter()
            .flat_map(|attribute| attributes(&field.attrs, attribute))
            .flat_map(parts)
            .filter_map(|part| part.path().get_ident().map(ToString::to_string))
            .collect();
        self.garde(&field.attrs, &name, &own);
        let flattened = attributes(&field.attrs, "serde").flat_map(parts).any(|part| part.path().is_ident("flatten"));
        for attribute in attributes(&field.attrs, "x_kube") {
            let line = line(attribute);
            let text = self.text(attribute.pound_token.spans[0].start(), attribute.bracket_token.span.close().end());
            if flattened {
                let reason =
                    format!("{name} is flattened, and kube applies its `x_kube` to the first of its inner fields");
                let hint = format!("put the rule on `{owner}` itself:\n{text}\npub struct {owner}");
                self.add(&FLATTENED_RULE, line, reason, &hint);
            }
            if without_blanks(&text).contains("StructMerge::Atomic") {
                let reason = format!(
                    "{name} asks for `StructMerge::Atomic`, which kube writes as a keyword that CRDs do not support"
                );
                let hint = "#[schemars(extend(\"x-kubernetes-map-type\" = \"atomic\"))]";
                self.add(&LOST_MERGE_STRATEGY, line, reason, hint);
            }
        }
    }

    /// Reports the validations in `garde` attributes that the schema lacks. `own` names the validations that `schemars`
    /// and `validate` attributes of the field add to the schema.
    fn garde(&mut self, attrs: &[Attribute], name: &str, own: &[String]) {
        for attribute in attributes(attrs, "garde") {
            let lost: Vec<Meta> = parts(attribute)
                .into_iter()
                .filter(|part| GARDE.iter().any(|known| part.path().is_ident(known)))
                .filter(|part| !own.iter().any(|own| part.path().is_ident(own)))
                .collect();
            if lost.is_empty() {
                continue;
            }
            let texts: Vec<String> = lost.iter().map(|part| self.part(part)).collect();
            let reason =
                format!("{name} has `#[garde({})]`, which `KubeSchema` leaves out of the schema", texts.join(", "));
            let hint = format!("#[schemars({})] beside it", texts.join(", "));
            self.add(&LOST_GARDE, line(attribute), reason, &hint);
        }
    }

    fn not_for_kube_schema(&mut self, name: &str, what: &str, line: usize) {
        let reason = format!(
            "`{name}` {what}, but `KubeSchema` and `x_kube` support only non-generic structs with named fields"
        );
        let hint = "#[derive(JsonSchema)], and for rules:\n#[schemars(extend(\"x-kubernetes-validations\" = \
             [{\"rule\": \"..\", \"message\": \"..\"}]))]";
        self.add(&NO_KUBE_SCHEMA, line, reason, hint);
    }

    fn without_derive(&mut self, name: &str, line: usize) {
        let reason = format!("`{name}` has `x_kube`, but does not derive `KubeSchema`");
        self.add(&NO_KUBE_SCHEMA, line, reason, "#[derive(KubeSchema)] instead of JsonSchema");
    }

    /// Returns the source text of a part of an attribute.
    fn part(&self, part: &Meta) -> String {
        let Some(name) = part.path().get_ident() else { return String::new() };
        match part {
            Meta::List(list) => self.text(name.span().start(), list.delimiter.span().close().end()),
            _ => name.to_string(),
        }
    }

    /// Returns the source text between two positions, joined into one line.
    fn text(&self, start: LineColumn, end: LineColumn) -> String {
        let mut text = String::new();
        for number in start.line..=end.line {
            let line = self.lines.get(number - 1).copied().unwrap_or_default();
            let from = if number == start.line { byte(line, start.column) } else { 0 };
            let to = if number == end.line { byte(line, end.column) } else { line.len() };
            let part = line.get(from..to).unwrap_or_default().trim();
            if !text.is_empty() && !text.ends_with('(') && !part.starts_with(')') {
                text.push(' ');
            }
            text.push_str(part);
        }
        text
    }
}

fn line(attribute: &Attribute) -> usize {
    attribute.pound_token.spans[0].start().line
}

/// Returns the byte offset of a column; `column` is a number of characters.
fn byte(line: &str, column: usize) -> usize {
    line.char_indices().nth(column).map_or(line.len(), |(at, _)| at)
}

fn derives(attrs: &[Attribute], name: &str) -> bool {
    let derived = attributes(attrs, "derive").flat_map(parts);
    derived.into_iter().any(|part| part.path().segments.last().is_some_and(|segment| segment.ident == name))
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|one| !one.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use std::path::Path;

    /// Returns the findings about a struct or enum, each as code, line and hint.
    fn said(text: &str) -> Vec<String> {
        let findings = check(Path::new("types.rs"), text, &syn::parse_file(text).expect("Rust"));
        findings.iter().map(|one| format!("{} {} {}", one.code, one.line, one.hint.replace('\n', " / "))).collect()
    }

    #[test]
    fn validations_that_kube_schema_ignores_are_found() {
        let kube = |field: &str| said(&format!("#[derive(KubeSchema)]\nstruct A {{\n    {field}\n    a: B,\n}}\n"));
        assert_eq!(kube("#[garde(length(min = 1), custom(f))]"), ["OP507 3 #[schemars(length(min = 1))] beside it"]);
        assert_eq!(kube("#[garde(skip)]"), [""; 0]);
        assert_eq!(kube("#[garde(length(min = 1))] #[schemars(length(min = 1))]"), [""; 0]);
        assert_eq!(kube("#[validate(length(min = 1))]"), [""; 0]);
        let atomic = "OP508 3 #[schemars(extend(\"x-kubernetes-map-type\" = \"atomic\"))]";
        assert_eq!(kube("#[x_kube(merge_strategy = StructMerge :: Atomic)]"), [atomic]);
        assert_eq!(kube("#[x_kube(merge_strategy = MapMerge::Atomic)]"), [""; 0]);
        let flattened = "OP509 3 put the rule on `A` itself: / #[x_kube(validation = \"x\")] / pub struct A";
        assert_eq!(kube("#[x_kube(validation = \"x\")] #[serde(flatten)]"), [flattened]);
        assert_eq!(kube("#[serde(flatten)]"), [""; 0]);
        assert_eq!(said("#[derive(JsonSchema)] struct A { #[garde(length(min = 1))] a: B }"), [""; 0]);
    }

    #[test]
    fn types_that_kube_schema_does_not_support_are_found() {
        for (text, found) in [
            ("#[derive(KubeSchema)] enum A { B }", true),
            ("#[derive(JsonSchema)] #[x_kube(validation = \"x\")] enum A { B }", true),
            ("#[derive(kube::KubeSchema)] struct A(B);", true),
            ("#[derive(KubeSchema)] struct A<T> { b: T }", true),
            ("#[derive(JsonSchema)] #[x_kube(validation = \"x\")] struct A { b: C }", true),
            ("#[derive(JsonSchema)] enum A { B }", false),
            ("#[derive(KubeSchema)] struct A { b: C }", false),
            ("mod a { fn b() { #[derive(KubeSchema)] enum C { D } } }", true),
        ] {
            let said = said(text);
            assert_eq!(said.len(), usize::from(found), "{text}: {said:?}");
            assert!(said.iter().all(|said| said.starts_with("OP510 1 ")), "{said:?}");
        }
    }
}
