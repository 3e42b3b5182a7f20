//! Facts about a kind and its versions other than the fields, such as the scope and the subresources.

use super::description::line;
use super::inline_text::{Line, Part};
use super::page::Fact;
use super::value::{list, text};
use serde_json::Value;

fn fact(name: &'static str, value: Line) -> Option<Fact> {
    (!value.is_empty()).then_some(Fact { name, value })
}

fn codes<'a>(names: impl IntoIterator<Item = &'a str>) -> Line {
    let mut line = Line::new();
    for name in names.into_iter().filter(|name| !name.is_empty()) {
        if !line.is_empty() {
            line.push(Part::text(", "));
        }
        line.push(Part::code(name));
    }
    line
}

/// Returns the facts about a kind, such as its scope and the names that kubectl accepts for the kind.
pub(super) fn of_kind(spec: &Value, versions: &[(String, String)]) -> Vec<Fact> {
    let names = &spec["names"];
    let short = list(names, "shortNames").filter_map(Value::as_str);
    let known = [text(names, "plural"), text(names, "singular")].into_iter().chain(short);
    let mut linked = Line::new();
    for (name, anchor) in versions {
        if !linked.is_empty() {
            linked.push(Part::text(", "));
        }
        linked.push(Part::section(name, anchor));
    }
    let conversion = match text(&spec["conversion"], "strategy") {
        "Webhook" => "by a webhook",
        _ if versions.len() > 1 => "none; the versions have the same fields",
        _ => "",
    };
    let facts = [
        fact("Scope", vec![Part::text(text(spec, "scope"))]),
        fact("Names", codes(known)),
        fact("Categories", codes(list(names, "categories").filter_map(Value::as_str))),
        fact("Versions", linked),
        fact("Conversion", line(conversion)),
    ];
    facts.into_iter().flatten().collect()
}

/// Returns the facts about a version. `conditions` is the anchor of the section about the status conditions, if any.
pub(super) fn of_version(version: &Value, api_version: &str, conditions: Option<&str>) -> Vec<Fact> {
    let mut served = vec![match (version["served"] == true, version["storage"] == true) {
        (true, true) => "yes, and stored",
        (true, false) => "yes",
        (false, true) => "no, but stored",
        (false, false) => "no",
    }];
    served.extend((version["deprecated"] == true).then_some("; deprecated"));
    let mut served = vec![Part::text(served.concat())];
    let warning = text(version, "deprecationWarning");
    if version["deprecated"] == true && !warning.is_empty() {
        served.push(Part::text(": "));
        served.extend(line(warning));
    }
    let selectable = list(version, "selectableFields").map(|field| text(field, "jsonPath"));
    let facts = [
        fact("API version", vec![Part::code(api_version)]),
        fact("Served", served),
        fact("Subresources", subresources(&version["subresources"])),
        fact("Selectable fields", codes(selectable)),
        fact("Conditions", conditions.map(|anchor| Part::section("status.conditions", anchor)).into_iter().collect()),
    ];
    facts.into_iter().flatten().collect()
}

fn subresources(all: &Value) -> Line {
    let mut line = codes(all.get("status").map(|_| "status"));
    let scale = &all["scale"];
    if scale.is_object() {
        line.extend((!line.is_empty()).then(|| Part::text(", ")));
        line.extend([Part::code("scale"), Part::text(" of ")]);
        let paths = ["specReplicasPath", "statusReplicasPath", "labelSelectorPath"];
        line.extend(codes(paths.map(|path| text(scale, path))));
    }
    line
}

/// Returns the cells of each printer column: name, type, path, and the description if any column has a description.
pub(super) fn columns(version: &Value) -> Vec<Vec<Line>> {
    let row = |column: &Value| {
        let mut about = line(text(column, "description"));
        if column["priority"].as_i64().unwrap_or_default() > 0 {
            about.extend((!about.is_empty()).then(|| Part::text(" ")));
            about.extend([Part::text("With "), Part::code("-o wide")]);
        }
        let words = |key: &str| vec![Part::text(text(column, key))];
        vec![words("name"), words("type"), vec![Part::code(text(column, "jsonPath"))], about]
    };
    let mut rows: Vec<Vec<Line>> = list(version, "additionalPrinterColumns").map(row).collect();
    if rows.iter().all(|row| row[3].is_empty()) {
        for row in &mut rows {
            row.truncate(3);
        }
    }
    rows
}
