//! The fourth step of `opctl manifests`: generates the CRDs from the output of the programs that opctl compiled from
//! the API types.

use super::against::LOSS;
use super::answers::Answers;
use super::definition::definitions;
use super::definition::{MergedDefinition, Version, size};
use super::description::{shorten, write_out_controls};
use super::find_types::Types;
use super::lint;
use super::manifests::{DEFINITIONS, GeneratedDefinition};
use super::options::Options;
use super::sources::Sources;
use crate::Result;
use crate::finding::{Finding, Lint};
use crate::model::{ProjectPath, STORAGE_LOSS};
use crate::reading::{self, Limit};
use crate::schema::{Findings, structural};
use crate::source::discover::ApiType;
use crate::source::enums::Enums;
use crate::source::places::{LazyPlaces, Places};
use crate::type_program::Answer;
use crate::webhook_markers::Converted;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) static NO_SCHEMA: Lint = Lint::error(
    "OP116",
    "a type whose schema cannot be generated",
    "`json_schema()` of the type, or of one of its fields, panics, so no schema is generated.",
    "#[serde(default = \"unreadable\")]\nname: String,\n// with\nfn unreadable() -> String { panic!() }",
    "fn unreadable() -> String { \"name\".to_owned() }",
);

/// The CRDs of a project.
#[derive(Default)]
pub(super) struct Definitions {
    /// The CRDs, each with the types that the CRD is generated from.
    pub(super) generated: Vec<GeneratedDefinition>,
    /// True if a crate was compiled to generate the CRDs.
    pub(super) compiled: bool,
    /// True if `generated` contains the CRDs of all types.
    pub(super) complete: bool,
    /// The folder in which opctl keeps, between runs, the schemas of the compiled types and the record of CRDs that an
    /// API server accepted.
    pub(super) memory: PathBuf,
    /// The findings about schemas, and about versions that contradict each other.
    pub(super) findings: Vec<Finding>,
}

/// Generates the CRDs of all types. `answers` has the CRD and the schemas that the compiled program printed for each
/// type; if `answers` is `None`, no CRDs are generated. If a CRD has an invalid file name, returns the error together
/// with the CRDs and findings so far.
pub(super) fn define(
    root: &Path,
    options: &Options,
    sources: &Sources,
    types: &Types,
    answers: Option<Answers>,
) -> (Definitions, Result<()>) {
    let Some(Answers { all: answers, compiled, memory }) = answers else { return (Definitions::default(), Ok(())) };
    let enums = Enums::read(&sources.files);
    let each = types.all.iter().zip(answers).map(|(found, answer)| version(found, answer, &sources.located, &enums));
    let (versions, said): (Vec<_>, Vec<_>) = each.unzip();
    let (merged, disagreements) = definitions(versions.into_iter().flatten().collect());
    let findings = [said.concat(), disagreements].concat();
    let mut made = Definitions { generated: Vec::new(), compiled, complete: true, memory, findings };
    for (name, merged) in merged {
        let versions = merged.types.iter().map(|found| (*found).clone()).collect();
        let (object, said) = complete_definition(root, options, merged, &types.converted, &sources.located);
        made.findings.extend(said);
        match ProjectPath::parse(format!("{DEFINITIONS}{name}.yaml")) {
            Ok(file) => made.generated.push(GeneratedDefinition { file, object, types: versions }),
            Err(error) => return (made, Err(error)),
        }
    }
    (made, Ok(()))
}

/// Adds the parts of a CRD that the types do not state, such as `spec.conversion`, and checks the whole CRD.
fn complete_definition(
    root: &Path,
    options: &Options,
    MergedDefinition { object: mut definition, types, stored }: MergedDefinition<'_>,
    converted: &[Converted],
    sources: &LazyPlaces,
) -> (Value, Vec<Finding>) {
    let by_code = converted.iter().find(|converted| types.iter().any(|one| converted.is_of(one)));
    if let Some(converted) = by_code {
        definition["spec"]["conversion"] = converted.to_json();
    }
    // A conversion webhook keeps the fields that the stored version lacks.
    let converted = by_code.is_some()
        || types.len() > 1 && is_patched(root, definition["metadata"]["name"].as_str().unwrap_or_default());
    let mut findings = lint::versions(&definition, &types, sources, converted);
    findings.extend(lint::unchecked_rules_finding(&definition, &types, sources));
    if let Some(reason) = lint::allowed_reason(LOSS.code, sources, (&stored.file, stored.line)) {
        definition["metadata"]["annotations"][STORAGE_LOSS] = reason.into();
    }
    let versions = definition.pointer_mut("/spec/versions").and_then(Value::as_array_mut);
    for schema in versions.into_iter().flatten().filter_map(|one| one.pointer_mut("/schema/openAPIV3Schema")) {
        write_out_controls(schema);
        options.max_description_length.into_iter().for_each(|most| shorten(schema, most));
    }
    findings.extend(size(&definition, stored));
    (definition, findings)
}

/// Returns true if a patch in `config/crd` adds a conversion webhook to the CRD `name`.
pub(super) fn is_patched(root: &Path, name: &str) -> bool {
    let folders = [root.join("config/crd"), root.join("config/crd/patches")];
    let files = folders.iter().flat_map(fs::read_dir).flatten().flatten();
    let mut texts = files.filter_map(|entry| reading::text(entry.path(), Limit::Source).ok());
    texts.any(|text| text.contains(name) && text.lines().any(|line| line.trim() == "strategy: Webhook"))
}

/// Generates one version of a CRD from `answer`, the output of the compiled program for the type `found`. The version
/// is `None` if `answer` has no schema.
fn version<'a>(
    found: &'a ApiType,
    answer: Answer,
    sources: &LazyPlaces,
    enums: &Enums,
) -> (Option<Version<'a>>, Vec<Finding>) {
    let name = &found.resource.root;
    if answer.endless {
        return (None, lint::recursive(found, sources.places()));
    }
    let Some(read) = answer.read else {
        let said = answer.read_panic.as_deref().unwrap_or("it says nothing");
        let reason = format!("`{name}::json_schema()` panics: {said}");
        let hint = "check the `schema_with` functions and the defaults of the type's fields";
        return (None, vec![lint::of_type(found, ("kind", 0), &NO_SCHEMA, reason, hint)]);
    };
    // kube makes the schema along with the CRD and panics if it cannot; our own steps can make the schema, or name the
    // field.
    let crd = answer.crd.unwrap_or_else(|| stated_definition(found, &answer.plural));
    let mut said = Findings::default();
    let schema = structural(&enums.complete(read), answer.written.map(|raw| enums.complete(raw)).as_ref(), &mut said);
    let checked = said.allow_use().then_some(&schema);
    let mut more = lint::definition(found, &crd, checked, &Places::default());
    // The places are needed only for the lines of fields.
    if more.iter().any(|finding| finding.path.is_some()) {
        more = lint::definition(found, &crd, checked, sources.places());
    }
    let findings = said.all().map(|one| lint::of_schema(found, one, sources.places())).chain(more).collect();
    (Some(Version { api_type: found, crd, schema }), findings)
}

/// Returns the CRD that the type's `#[kube(..)]` attributes describe, with the given plural.
fn stated_definition(found: &ApiType, plural: &str) -> Value {
    let mut crd = found.resource.stated.clone();
    crd["spec"]["names"]["plural"] = plural.into();
    crd["metadata"]["name"] = format!("{plural}.{}", found.resource.group).into();
    crd
}
