//! Makes the API reference from CRDs.

use super::description::description;
use super::facts;
use super::field_type::{element, field_type};
use super::inline_text::{Block, Line, Part};
use super::page::{Field, Group, Kind, Page, Section, Version};
use super::path::Path;
use super::rules;
use super::sample::Sample;
use super::schema_objects::{Object, Objects};
use super::value::{list, text};
use crate::schema::Step;
use serde_json::Value;

/// The description of the field `metadata`, which every object has.
const METADATA: &str = "Its name, labels and other metadata: see \
     [ObjectMeta](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/).";

/// A version of a kind, with the `spec` of the kind's CRD.
struct KindVersion<'a> {
    spec: &'a Value,
    version: &'a Value,
    anchor: String,
}

impl KindVersion<'_> {
    fn kind(&self) -> &str {
        text(&self.spec["names"], "kind")
    }

    fn name(&self) -> &str {
        text(self.version, "name")
    }

    fn api_version(&self) -> String {
        format!("{}/{}", text(self.spec, "group"), self.name())
    }

    fn schema(&self) -> &Value {
        &self.version["schema"]["openAPIV3Schema"]
    }
}

/// Returns the API reference of a project's CRDs, sorted by group and kind. Kubernetes' own types, such as `PodSpec`,
/// are links or, if `expand` is true, sections like all other types.
pub fn page(project: &str, definitions: &[Value], samples: &[Sample], expand: bool) -> Page {
    let mut specs: Vec<&Value> = definitions.iter().map(|definition| &definition["spec"]).collect();
    specs.sort_by_key(|spec| (text(spec, "group"), text(&spec["names"], "kind")));
    let mut known = Vec::new();
    for spec in &specs {
        let (group, kind) = (text(spec, "group"), text(&spec["names"], "kind"));
        known.extend(list(spec, "versions").map(|version| {
            let anchor = format!("{group}-{}-{kind}", text(version, "name"));
            KindVersion { spec, version, anchor }
        }));
    }
    let mut objects = Objects::new(expand);
    for (index, one) in known.iter().enumerate() {
        objects.add(index, &one.anchor, one.schema());
    }
    let mut page = Page { project: project.to_owned(), groups: Vec::new(), shared: Vec::new() };
    for (index, one) in known.iter().enumerate() {
        let own = objects.all.iter().filter(|object| object.version() == Some(index));
        let sections = own.map(|object| section(object, &objects, &known)).collect();
        add(&mut page, one, version(one, sections, (index, &objects), samples));
    }
    let shared = objects.all.iter().filter(|object| object.version().is_none());
    page.shared = shared.map(|object| section(object, &objects, &known)).collect();
    for kind in page.groups.iter_mut().flat_map(|group| &mut group.kinds) {
        let versions: Vec<_> =
            kind.versions.iter().map(|version| (version.name.clone(), version.anchor.clone())).collect();
        let spec = known.iter().find(|one| one.anchor == versions[0].1).map(|one| one.spec);
        kind.facts = facts::of_kind(spec.unwrap_or(&Value::Null), &versions);
    }
    page
}

/// Adds a version to its kind and group on the page.
fn add(page: &mut Page, known: &KindVersion, version: Version) {
    let group = text(known.spec, "group");
    if page.groups.last().is_none_or(|last| last.name != group) {
        page.groups.push(Group { name: group.to_owned(), kinds: Vec::new() });
    }
    let Some(last) = page.groups.last_mut() else { return };
    match last.kinds.last_mut().filter(|last| last.name == known.kind()) {
        Some(kind) => kind.versions.push(version),
        None => last.kinds.push(Kind {
            name: known.kind().to_owned(),
            anchor: format!("{group}-{}", known.kind()),
            facts: Vec::new(),
            versions: vec![version],
        }),
    }
}

fn version(
    known: &KindVersion,
    sections: Vec<Section>,
    (index, objects): (usize, &Objects),
    samples: &[Sample],
) -> Version {
    let api_version = known.api_version();
    let steps = [Step::Field("status"), Step::Field("conditions"), Step::Item];
    let conditions = steps.into_iter().fold(Path::default(), |path, step| path.step(step));
    let conditions = objects.anchor(index, &conditions);
    let of_it = |sample: &&Sample| sample.api_version == api_version && sample.kind == known.kind();
    Version {
        name: known.name().to_owned(),
        kind: known.kind().to_owned(),
        anchor: known.anchor.clone(),
        facts: facts::of_version(known.version, &api_version, conditions),
        columns: facts::columns(known.version),
        samples: samples.iter().filter(of_it).cloned().collect(),
        sections,
    }
}

fn section(object: &Object, objects: &Objects, known: &[KindVersion]) -> Section {
    let first = &object.uses[0];
    let paths: Vec<&Path> = object.uses.iter().map(|one| &one.path).collect();
    let alone = object.uses.len() == 1;
    let same = object.uses.iter().all(|one| one.description == first.description);
    Section {
        title: if alone || object.version().is_some() { first.path.to_string() } else { Path::common_suffix(&paths) },
        anchors: object.uses.iter().map(|one| one.anchor.clone()).collect(),
        description: if same { description(&first.description) } else { Vec::new() },
        uses: if alone { Vec::new() } else { occurrence_lines(object, known) },
        rules: rules::of_object(object.schema),
        fields: fields(object, objects, known),
    }
}

/// Returns the paths at which an object occurs in the CRDs' schemas, one line for each version of a kind.
fn occurrence_lines(object: &Object, known: &[KindVersion]) -> Vec<Line> {
    let mut lines: Vec<(usize, Line)> = Vec::new();
    for one in &object.uses {
        let path = Part::code(one.path.to_string());
        match lines.last_mut().filter(|(version, _)| *version == one.version) {
            Some((_, line)) => line.extend([Part::text(", "), path]),
            None => {
                let version = &known[one.version];
                let name = format!("{} {}", version.kind(), version.name());
                lines.push((one.version, vec![Part::section(name, &version.anchor), Part::text(": "), path]));
            }
        }
    }
    lines.into_iter().map(|(_, line)| line).collect()
}

fn fields(object: &Object, objects: &Objects, known: &[KindVersion]) -> Vec<Field> {
    let first = &object.uses[0];
    let version = &known[first.version];
    let required: Vec<&str> = list(object.schema, "required").filter_map(Value::as_str).collect();
    let properties = object.schema.get("properties").and_then(Value::as_object);
    let is_resource = first.path.depth() == 0;
    let mut fields = Vec::new();
    for (name, schema) in properties.into_iter().flatten() {
        let path = first.path.step(Step::Field(name));
        let mut at = path.clone();
        let mut inner = schema;
        while let Some((step, next)) = element(inner) {
            (at, inner) = (at.step(step), next);
        }
        let mut field = Field {
            name: name.clone(),
            anchor: path.anchor(&version.anchor),
            required: required.contains(&name.as_str()),
            of_type: field_type(schema, objects.anchor(first.version, &at)),
            description: description(text(schema, "description")),
            rules: rules::of_field(schema),
        };
        if is_resource {
            of_every_resource(&mut field, version);
        }
        fields.push(field);
    }
    let order = ["apiVersion", "kind", "metadata", "spec", "status"];
    if is_resource {
        let place = |name: &str| order.iter().position(|known| *known == name).unwrap_or(order.len());
        fields.sort_by_key(|field| place(&field.name));
    }
    fields
}

/// Sets the description of `field`, and marks `field` as required, if `field` is `apiVersion`, `kind` or `metadata`.
/// The description of `apiVersion` and of `kind` is the constant value that the field has in `version`.
fn of_every_resource(field: &mut Field, version: &KindVersion) {
    let code = |code: &str| vec![Block::Paragraph(vec![Part::code(code)])];
    match field.name.as_str() {
        "apiVersion" => field.description = code(&version.api_version()),
        "kind" => field.description = code(version.kind()),
        "metadata" => field.description = description(METADATA),
        _ => return,
    }
    field.required = true;
}

#[cfg(test)]
mod tests;
